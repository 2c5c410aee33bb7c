"""`bakeoff datasets` as a user types it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.openml_server import (
    HANGS,
    RESTRICTED,
    Server,
    all_paths,
    data_path,
    description_path,
    openml_error,
    running,
)

ARFF = """@relation r
@attribute a numeric
@attribute class {x, y}
@data
1,x
2,y
3,x
"""


def bakeoff(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bakeoff", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "100", **environment},
    )


def environment(server: Server, cache: Path) -> dict[str, str]:
    """A world in which this machine is OpenML."""
    return {"BAKEOFF_OPENML": server.base, "BAKEOFF_CACHE": str(cache), "no_proxy": "127.0.0.1"}


def test_without_a_source_the_embedded_suite_is_listed() -> None:
    done = bakeoff("datasets")

    lines = done.stdout.splitlines()
    heading = "name task n d K nonzeros constant here"
    assert done.returncode == 0
    assert lines[0].split() == heading.split()
    assert lines[1].split() == [
        "digits",
        "multiclass",
        "1,797",
        "64",
        "10",
        "58,736",
        "0.8982",
        "yes",
    ]
    assert "paper-tuning" in done.stdout
    assert done.stderr == ""


def test_programs_get_json(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("a,class\n1,x\n2,y\n")

    done = bakeoff("datasets", "--json", file, "embedded:iris")

    rows = json.loads(done.stdout)
    assert [row["name"] for row in rows] == ["rows", "iris"]
    assert rows[0]["source"] == str(file)
    assert [rows[1][key] for key in ("n", "n_features", "n_actions")] == [150, 4, 3]
    assert all(len(row["digest"]) == 64 and row["here"] for row in rows)


def test_options_reach_the_reader(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("class,a,b,id\nx,red,1,7\ny,blue,1,8\nx,green,2,9\n")

    done = bakeoff(
        "datasets", "--json", file, "--target", "class", "--features", "one-hot",
        "--ignore", "id", "--categorical", "b",
    )  # fmt: skip

    row = json.loads(done.stdout)[0]
    assert (row["name"], row["n_features"]) == ("rows (one-hot)", 5)


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("a,class\n1\n")
    (tmp_path / "good.csv").write_text("a,class\n1,x\n2,y\n")

    done = bakeoff("datasets", tmp_path)

    assert done.returncode == 3
    assert "good" in done.stdout
    assert f"error: {tmp_path}/bad.csv:2: expected 2 values, found 1" in done.stderr
    assert "1 of 2 could not be read" in done.stderr


def test_a_source_that_is_not_there_does_not_hide_the_others() -> None:
    done = bakeoff("datasets", "--json", "embedded:iris", "nosuch.csv")

    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 3
    assert rows["iris"]["n"] == 150
    assert rows["nosuch.csv"]["error"] == "nosuch.csv: no such file or folder"


def test_what_is_piped_is_not_folded() -> None:
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}

    done = subprocess.run(
        [sys.executable, "-m", "bakeoff", "datasets"],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip

    assert len(done.stdout.splitlines()) == 1 + 17 + 1


def test_what_was_chosen_for_the_user_is_said_aloud(tmp_path: Path) -> None:
    file = tmp_path / "queries.letor"
    file.write_text("2 qid:1 1:0.5\n0 qid:1 1:0.25\n")

    done = bakeoff("datasets", file)

    assert done.returncode == 0
    assert "note: " in done.stderr
    assert "max_relevance is 2, the largest grade in the file" in done.stderr


def test_names_from_files_cannot_paint_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,class\n1,x\n2,y\n")
    (tmp_path / "manifest.csv").write_text(
        "file,task,name\nrows.csv,multiclass,[red]\x1b[2Jname[/red]\n"
    )

    done = bakeoff("datasets", tmp_path)

    assert "[red]?[2Jname[/red]" in done.stdout


def test_published_sizes_stand_in_for_data_that_are_not_here(tmp_path: Path) -> None:
    done = bakeoff("datasets", "--json", "paper", BAKEOFF_CACHE=str(tmp_path))

    rows = json.loads(done.stdout)
    assert done.returncode == 0
    assert len(rows) == 524
    assert not any(row["here"] for row in rows)
    assert rows[0]["n"] == 3196
    assert rows[0]["published_loss"] == 0.110763


@pytest.mark.parametrize("arguments", [["--features", "hashed"], ["--nonsense"]])
def test_a_wrong_option_ends_with_exit_code_2(arguments: list[str]) -> None:
    done = bakeoff("datasets", *arguments)

    assert done.returncode == 2
    assert arguments[0] in done.stderr
    assert "Traceback" not in done.stderr


def test_fetching_brings_what_is_missing_and_no_more(tmp_path: Path) -> None:
    with running() as server:
        for openml_id in (6, 28, 30, 32, 54, 181, 182, 1590):
            server.add(openml_id, ARFF, "class")
        server.misbehave(description_path(54), RESTRICTED)
        world = environment(server, tmp_path)

        first = bakeoff("datasets", "fetch", "uci", **world)
        asked = list(server.asked)
        server.asked.clear()
        second = bakeoff("datasets", "fetch", "uci", **world)
        listed = bakeoff("datasets", "--json", "uci", **world)

    assert first.returncode == 3
    assert "openml:54: access to it is restricted" in first.stderr
    assert "7 of 8 problems on this machine" in first.stdout
    assert len(asked) == 7 * 3 + 1
    assert second.returncode == 0
    assert server.asked == all_paths(54)
    assert "8 of 8 problems on this machine" in second.stdout
    assert [row["n"] for row in json.loads(listed.stdout)] == [3] * 8


def test_an_interrupted_fetch_goes_on_where_it_was(tmp_path: Path) -> None:
    with running() as server:
        for openml_id in (6, 28, 30, 32, 54, 181, 182, 1590):
            server.add(openml_id, ARFF, "class")
        server.misbehave(data_path(30), HANGS)
        world = environment(server, tmp_path)
        command = [sys.executable, "-m", "bakeoff", "datasets", "fetch", "uci"]
        running_fetch = subprocess.Popen(
            command, env={**os.environ, **world}, stderr=subprocess.PIPE, text=True
        )
        until = time.monotonic() + 60
        while data_path(30) not in server.asked and time.monotonic() < until:
            time.sleep(0.02)
        running_fetch.send_signal(signal.SIGINT)
        _, said = running_fetch.communicate(timeout=60)
        server.asked.clear()

        second = bakeoff("datasets", "fetch", "uci", **world)

    assert running_fetch.returncode == 130
    assert "2 of 8 are here, and the same command continues" in said
    assert "Traceback" not in said
    assert second.returncode == 0
    assert server.asked[0] == data_path(30)
    assert len(server.asked) == 1 + 5 * 3
    assert list(tmp_path.rglob("*.part")) == []


def test_without_a_network_the_way_out_is_named(tmp_path: Path) -> None:
    nowhere = {"BAKEOFF_OPENML": "http://127.0.0.1:9", "BAKEOFF_CACHE": str(tmp_path)}

    done = bakeoff("datasets", "fetch", "openml:61", **nowhere)

    assert done.returncode == 3
    assert "BAKEOFF_DATA" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_a_server_says_is_shown_as_one_short_clean_line(tmp_path: Path) -> None:
    rude = "\x1b]0;title\x07[/b]\n" + "a" * 20_000
    with running() as server:
        server.misbehave(description_path(3), openml_error(rude, rude), times=9)
        done = bakeoff("datasets", "fetch", "openml:3", **environment(server, tmp_path))

    lines = done.stderr.splitlines()
    assert done.returncode == 3
    assert len(lines) == 1
    assert lines[0].startswith("openml:3: openml:3: OpenML refuses it with error ?]0;")
    assert "[/b]" in lines[0]
    assert len(lines[0]) <= 1000
    assert lines[0].isprintable()
