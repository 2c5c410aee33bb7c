"""Reasons: errors of runs that are alike are told together."""

from bakeoff.experiment.summary import Reason, reasons_of
from bakeoff.store.rows import rows_of


def row(algorithm: str, problem: str, error: str) -> dict[str, str]:
    return {"algorithm": algorithm, "problem": problem, "error": error}


def test_reasons_are_those_of_an_algorithm_on_a_problem() -> None:
    errors = [("G", "a", "x"), ("G", "b", "x"), ("C", "b", "x"), ("C", "b", "y"), ("C", "b", "x")]

    found = reasons_of(rows_of([row(*error) for error in errors]))

    assert found == [
        Reason(2, "C", "b", "x"),
        Reason(1, "C", "b", "y"),
        Reason(1, "G", "a", "x"),
        Reason(1, "G", "b", "x"),
    ]


def test_reasons_that_differ_in_numbers_are_alike() -> None:
    rows = rows_of([row("G", "a", f"ended in round {n}") for n in (17, 4, 17)])

    assert reasons_of(rows) == [Reason(3, "G", "a", "ended in round 17 (for instance)")]


def test_a_reason_is_one_sentence() -> None:
    assert str(Reason(1, "G", "a", "why")) == "1 run of G on a: why"
    assert str(Reason(1200, "G", "a", "why")) == "1,200 runs of G on a: why"


def test_no_errors_need_no_reasons() -> None:
    assert reasons_of(rows_of([])) == []
