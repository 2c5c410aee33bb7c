"""A store over a few days: files change, algorithms come and go."""

import json
from pathlib import Path

import polars as pl
import pytest

import bakeoff as package
from bakeoff.store.store import Store
from tests.terminal import Terminal

PLAIN = "u,v,kind\n" + "1,0,a\n0,1,b\n1,1,a\n0,0.5,b\n" * 10
TWO = ["-a", "greedy", "-a", "regcb:optimistic", "--learning-rate", "1"]


@pytest.fixture
def day(bakeoff: Terminal) -> Terminal:
    """Two files of her own, played once."""
    for name, text in (("first", PLAIN), ("second", PLAIN + "0,0,a\n" * 9)):
        Path(f"{name}.csv").write_text(text)
    assert bakeoff("run", "first.csv", "second.csv", *TWO).code == 0
    return bakeoff


def rows() -> pl.DataFrame:
    return Store(Path("results")).read()


# ---- the verdict is about the last experiment


def test_a_changed_file_counts_once(day: Terminal) -> None:
    Path("second.csv").write_text(PLAIN + "0,0,a\n" * 4)

    said = day("run", "first.csv", "second.csv", *TWO)

    assert "2 datasets, " in said.out
    assert "1 earlier version (of second)" in said.err
    assert rows().height == 6  # the old version is kept
    assert package.open().losses().height == 4
    assert package.open(everything=True).losses().height == 6
    assert "3 datasets" in day("report", "--all", "--figures", "none").out


def test_a_deleted_file_does_not_count(day: Terminal) -> None:
    Path("second.csv").unlink()

    said = day("run", "first.csv", *TWO)

    assert "1 dataset (second)" in said.err
    assert package.open().datasets == ["first"]
    assert "1 dataset (second)" in package.open().others
    assert "1 dataset (second)" in Path(_page(day)).read_text()


def _page(day: Terminal) -> str:
    made = day("report", "--json", "--tables", "none", "--figures", "none")
    return str(json.loads(made.out)["page"])


def test_an_algorithm_that_is_not_asked_for_does_not_count(day: Terminal) -> None:
    said = day(
        "run", "first.csv", "second.csv", "-a", "greedy", "-a", "bag", "--learning-rate", "1"
    )

    assert "1 algorithm (RO)" in said.err
    assert package.open().algorithms == ["G", "B"]
    assert "note: The store also holds" in day("recommend").err
    again = day("run", "first.csv", "second.csv", *TWO, "-a", "bag")
    assert "also holds" not in again.err


def test_nothing_is_said_where_there_is_nothing_else(day: Terminal) -> None:
    assert "also holds" not in day("run", "first.csv", "second.csv", *TWO).err
    assert package.open().others == ""


# ---- what there is


def test_status_lists_all_that_there_is(day: Terminal) -> None:
    Path("second.csv").write_text(PLAIN + "0,0,a\n" * 4)
    day("run", "first.csv", "second.csv", "-a", "greedy", "-a", "bag", "--learning-rate", "1")

    said = day("status")
    listed = json.loads(day("status", "--json").out)

    assert said.out.startswith("results: 4 of 4 runs")
    assert [one["problem"] for one in listed["datasets"]] == ["first", "second", "second"]
    assert [one["asked"] for one in listed["datasets"]] == [True, True, False]
    assert [one["n"] for one in listed["datasets"]] == [40, 44, 49]
    assert {one["algorithm"]: one["asked"] for one in listed["algorithms"]} == {
        "B": True, "G": True, "RO": False,
    }  # fmt: skip
    for one in listed["datasets"]:
        assert one["version"] in said.out
    assert "did not ask for them: 3 runs" in said.out
    assert "version" not in day("status", "--no-list").out


# ---- what is dropped


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["second"], {("first", "G"), ("first", "RO")}),
        (["RO"], {("first", "G"), ("second", "G")}),
        (["greedy"], {("first", "RO"), ("second", "RO")}),
        (["second", "G"], {("first", "RO")}),
    ],
)
def test_what_is_named_is_dropped(
    day: Terminal, words: list[str], left: set[tuple[str, str]]
) -> None:
    said = day("forget", "results", *words, "--yes")

    assert said.code == 0
    assert "dropped from results" in said.out
    assert set(rows().select("problem", "algorithm").rows()) == left
    assert f"{len(left)} of {len(left)} run" in day("status").out


def test_a_dry_run_only_says_what_it_would_drop(day: Terminal) -> None:
    said = day("forget", "results", "second", "--dry-run")

    assert said.out.startswith("2 runs\n  second@")
    assert rows().height == 4


def test_a_version_and_all_others_can_be_dropped(day: Terminal) -> None:
    old = rows().filter(problem="second")["digest"][0]
    Path("second.csv").write_text(PLAIN + "0,0,a\n" * 4)
    day("run", "first.csv", "second.csv", *TWO)

    assert day("forget", "results", f"second@{old[:8]}", "-y").code == 0
    assert old not in rows()["digest"]
    assert rows().height == 4

    Path("second.csv").unlink()
    day("run", "first.csv", *TWO)
    assert day("forget", "results", "--others", "--yes").code == 0
    assert set(rows()["problem"]) == {"first"}
    assert "also holds" not in day("report", "--figures", "none").err


def test_what_was_dropped_is_computed_again_and_equal(day: Terminal) -> None:
    before = rows().sort("digest", "run")
    day("forget", "results", "RO", "first", "--yes")

    said = day("run", "first.csv", "second.csv", *TWO)

    assert "4 runs, 3 of them computed now" in said.out
    after = rows().sort("digest", "run")
    same = ["digest", "run", "pv_loss", "ips_loss", "curve_loss"]
    assert after.select(same).equals(before.select(same))


def test_rows_of_one_file_can_be_dropped_one_by_one(day: Terminal) -> None:
    day("run", "first.csv", "-a", "bag:n_policies=[2,3]", "--learning-rate", "1")
    assert any(file.n_rows == 2 for file in Store(Path("results")).files())

    day("forget", "results", "bag:n_policies=2", "--yes")

    assert rows()["explorer"].str.starts_with("bag").sum() == 1
    again = day("run", "first.csv", "-a", "bag:n_policies=3", "--learning-rate", "1")
    assert "1 run, 0 of them computed now" in again.out


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["secnd"], "the store has no 'secnd'; did you mean 'second'?"),
        ([], "forget needs a name"),
        (["first@zzzz"], "the store has no 'first@zzzz'"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_dropped(
    day: Terminal, words: list[str], what: str
) -> None:
    said = day("forget", "results", *words, "--yes")

    assert said.code == 2
    assert what in said.err
    assert rows().height == 4


def test_without_a_terminal_nothing_is_dropped_unless_yes_is_said(day: Terminal) -> None:
    said = day("forget", "results", "second")

    assert said.code == 2
    assert "--yes" in said.err
    assert rows().height == 4


# ---- decisions about one user


def test_decisions_are_deleted_from_a_log(bakeoff: Terminal) -> None:
    learner = package.Learner("greedy", 2, seed=1, log="d.jsonl")
    for i in range(6):
        learner.learn(learner.choose({"user": i % 3}), reward=1.0)
    learner.close()

    asked = bakeoff("forget", "d.jsonl", "--where", "user=2", "--dry-run")
    assert asked.out.strip() == "2 decisions"
    assert bakeoff("forget", "d.jsonl", "--where", "user=2").code != 0  # no terminal, no --yes
    assert package.read_log("d.jsonl").n == 6
    done = bakeoff("forget", "d.jsonl", "--where", "user=2", "--yes")
    assert "dropped from d.jsonl" in done.out
    assert package.read_log("d.jsonl").n == 4
    assert "FEATURE=VALUE" in bakeoff("forget", "d.jsonl", "--where", "user").err
    assert "were deleted from this log" in bakeoff("verify", "d.jsonl").err
