"""Summary: what failed is said in few lines."""

from pathlib import Path

from bakeoff.experiment.summary import Reason, Summary


def words(*failures: tuple[str, str]) -> list[str]:
    return Summary(Path("results"), 9, 9, [], list(failures)).in_words()


def test_a_few_failures_have_a_line_each() -> None:
    found = words(("a", "a.csv: is empty"), ("b", "b.csv: is empty"))

    assert found == ["failed: a: a.csv: is empty", "failed: b: b.csv: is empty"]


def test_many_failures_of_one_kind_share_a_line() -> None:
    many = [(f"data-{i}", f"openml:{i}: no answer to data-{i}") for i in range(1_500)]

    found = words(("mine", "mine.csv: is empty"), *many)

    assert found == [
        "failed: mine: mine.csv: is empty",
        "failed: data-0, data-1, data-2 and 1,497 more: openml:0: no answer to data-0 "
        "(for instance)",
    ]


def test_failures_of_several_kinds_stay_apart() -> None:
    found = words(*[(f"d{i}", "is empty" if i % 2 else "is gone") for i in range(8)])

    assert [line.partition(": ")[2] for line in found] == [
        "d0, d2, d4 and 1 more: is gone (for instance)",
        "d1, d3, d5 and 1 more: is empty (for instance)",
    ]


def test_runs_that_ended_in_an_error_come_after_them() -> None:
    reason = Reason(3, "G", "huge", "scores stopped being finite in round 17")
    summary = Summary(Path("results"), 9, 6, [reason], [("a", "is empty")])

    assert summary.in_words() == [
        "failed: a: is empty",
        "failed: 3 runs of G on huge: scores stopped being finite in round 17",
    ]
