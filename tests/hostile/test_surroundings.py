"""Odd surroundings: one sentence, or as if nothing were odd."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bakeoff.basics.errors import ResourceError
from bakeoff.experiment.engines.dask import clusters
from tests.page_store import made_up_store

GOOD = "a,b,y\n1,2,no\n2,3,yes\n3,1,no\n"


def run(words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """A command in a shell, such as people write it."""
    return subprocess.run(
        ["bash", "-c", words.replace("bakeoff", f"{sys.executable} -m bakeoff")],
        capture_output=True, text=True, errors="replace", check=False, **options,
    )  # fmt: skip


def test_a_closed_output_loses_nothing(tmp_path: Path) -> None:
    done = run("bakeoff datasets embedded:iris >&-", cwd=tmp_path)

    assert "Traceback" not in done.stderr


def test_a_full_output_is_one_sentence(tmp_path: Path) -> None:
    done = run("bakeoff datasets embedded:iris > /dev/full", cwd=tmp_path)

    assert done.returncode == 1
    assert done.stderr.splitlines() == ["error: output cannot be written: No space left on device"]


def test_a_reader_that_has_gone_is_no_error(tmp_path: Path) -> None:
    done = run("bakeoff datasets embedded:iris --json | true", cwd=tmp_path)

    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_folder_that_was_deleted_is_one_sentence(tmp_path: Path) -> None:
    done = run(f"mkdir {tmp_path}/d; cd {tmp_path}/d; rmdir ../d; bakeoff status x")

    assert done.returncode == 2
    assert "error: the current folder has been deleted" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_letters_are_printed_in_an_ascii_locale(tmp_path: Path) -> None:
    (tmp_path / "café\x1b[2J.csv").write_text(GOOD)
    ascii_only = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    done = run(f"bakeoff datasets {tmp_path}", env={**os.environ, **ascii_only})

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b[2J" not in done.stdout


@contextmanager
def server(greeting: bytes | None) -> Iterator[str]:
    """Something that accepts connections; its address."""
    kept = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                if greeting is not None:
                    connection.sendall(greeting)
                kept.append(connection)

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("greeting", [None, b"HTTP/1.1 400 No\r\n\r\n", b"\xff" * 999])
def test_an_address_of_something_else_is_one_sentence(
    greeting: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", 2)
    said = "no scheduler answers at|what answers at .* is not a Dask scheduler"

    with (
        server(greeting) as address,
        pytest.raises(ResourceError, match=said),
        clusters.connected(address),
    ):
        pass


def assert_ends_at_once(words: str, seconds: float, folder: Path) -> None:
    """Ctrl-C after so many seconds is one line, and nothing is half-written."""
    with subprocess.Popen(
        [sys.executable, "-m", "bakeoff", *words.split()], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        began = time.perf_counter()
        _, said = process.communicate(timeout=30)

    if process.returncode == -signal.SIGINT:  # Python itself was still starting
        pytest.skip("this machine is too busy")
    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.count("interrupted") == 1
    assert time.perf_counter() - began < 6  # the bar is 2 s on an idle machine
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize("seconds", [0.4, 1.5])
def test_ctrl_c_in_the_first_seconds_is_one_line(tmp_path: Path, seconds: float) -> None:
    assert_ends_at_once("run --shuffles 50 --out store", seconds, tmp_path)


@pytest.mark.parametrize("seconds", [1.0, 2.0])
def test_ctrl_c_while_a_cluster_starts_is_one_line(tmp_path: Path, seconds: float) -> None:
    words = "run --engine dask --jobs 2 --shuffles 50 --out store"

    assert_ends_at_once(words, seconds, tmp_path)


@pytest.mark.parametrize("seconds", [1.0, 2.0])
def test_ctrl_c_during_a_report_is_one_line(tmp_path: Path, seconds: float) -> None:
    made_up_store(tmp_path / "store")

    assert_ends_at_once("report store", seconds, tmp_path)


TRANSLATED = """
import os, signal, sys, types
from bakeoff.__main__ import main

def work():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass
    except KeyboardInterrupt:
        raise {error}

sys.modules["bakeoff.cli"] = types.SimpleNamespace(main=work)
main()
"""


@pytest.mark.parametrize("error", ["ImportError('initialization failed')", "SystemExit(3)"])
def test_ctrl_c_that_a_library_makes_an_error_of_is_one_line(error: str) -> None:
    """As extension modules do that are being imported."""
    done = subprocess.run(
        [sys.executable, "-c", TRANSLATED.format(error=error)],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (130, "interrupted\n")


LOST = """
import os, signal, sys, time, types
from bakeoff.__main__ import main

class Lost:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)

def work():
    Lost()
    while True:
        time.sleep(0.1)

sys.modules["bakeoff.cli"] = types.SimpleNamespace(main=work)
main()
"""


def test_ctrl_c_that_a_library_loses_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST], capture_output=True, text=True, check=False, timeout=30
    )

    assert (done.returncode, done.stderr) == (130, "interrupted\n")


@pytest.mark.parametrize("kilobytes", [600_000, 1_200_000])
def test_little_memory_is_one_sentence(tmp_path: Path, kilobytes: int) -> None:
    done = run(f"ulimit -v {kilobytes}; bakeoff datasets embedded:iris", cwd=tmp_path)

    assert done.returncode == 5
    assert done.stderr.startswith("error: the address space is limited to ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("threads", ["0", "-1", "many", "1.5"])
def test_a_wrong_number_of_threads_is_one_sentence(threads: str) -> None:
    done = run(f"POLARS_MAX_THREADS={threads} bakeoff --version")

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"error: POLARS_MAX_THREADS must be a positive integer, got '{threads}'\n"
    )
