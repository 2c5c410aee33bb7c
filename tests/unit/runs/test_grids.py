"""Grids against the paper's Tables `algos` and `hyperparams2`, written out by hand."""

from collections import Counter
from typing import Any

import pytest

from bakeoff import Run, SpecError
from bakeoff.runs.encodings import ENCODINGS, offset_of
from bakeoff.runs.grids import RATES, Baseline, grid

SKYLINE = ("OAA", "supervised", None)

FIXED_WITH_NEGATIVE_LOSSES = {  # label, explorer, reduction
    ("G", "greedy", "iwr"),
    ("R", "regcb:c0=0.001", None),
    ("RO", "regcb:c0=0.001,optimistic", None),
    ("C-nu", "cover:n_policies=4,psi=0.1,nu", "dr"),
    ("C-u", "cover:n_policies=4,psi=0.1", "ips"),
    ("B", "bag:n_policies=4", "iwr"),
    ("B-g", "bag:n_policies=4,greedy", "iwr"),
    ("eG", "epsilon-greedy:epsilon=0.02", "iwr"),
    ("A", "active:epsilon=0.02,c0=1e-06", "iwr"),
    SKYLINE,
}
FIXED_WITH_POSITIVE_LOSSES = {
    ("G", "greedy", "iwr"),
    ("R", "regcb:c0=0.001", None),
    ("RO", "regcb:c0=0.001,optimistic", None),
    ("C-nu", "cover:n_policies=4,psi=0.01,nu", "dr"),
    ("C-u", "cover:n_policies=4,psi=0.1", "dr"),
    ("B", "bag:n_policies=16", "iwr"),
    ("B-g", "bag:n_policies=8,greedy", "iwr"),
    ("eG", "epsilon-greedy:epsilon=0.02", "iwr"),
    ("A", "active:epsilon=0.02,c0=1e-06", "iwr"),
    SKYLINE,
}


def choice_of(run: Run) -> tuple[str, str, str | None]:
    return run.label, run.explorer, run.reduction


# ---- the paper's tables


@pytest.mark.parametrize(
    ("encoding", "offset", "expected"),
    [
        ("-1/0", -1.0, FIXED_WITH_NEGATIVE_LOSSES),
        ("0/1", 0.0, FIXED_WITH_POSITIVE_LOSSES),
        ("9/10", 9.0, FIXED_WITH_NEGATIVE_LOSSES),
    ],
)
def test_the_fixed_grid_is_the_papers_choice_for_the_encoding(
    encoding: str, offset: float, expected: set[tuple[str, str, str | None]]
) -> None:
    runs = grid(["fixed"], learning_rates=[0.3], encodings=[encoding])

    assert {choice_of(run) for run in runs} == expected
    assert len(runs) == 10
    assert {run.offset for run in runs if run.label != "OAA"} == {offset}
    assert {run.learning_rate for run in runs} == {0.3}


def test_the_papers_grid_has_its_88_configurations_and_the_skyline() -> None:
    runs = grid(["paper"], learning_rates=[0.1])

    choices = [choice_of(run) for run in runs]
    assert len(set(choices)) == len(choices) == 89
    assert Counter(label for label, _, _ in choices) == {
        "G": 1,
        "R": 3,
        "RO": 3,
        "C-nu": 18,
        "C-u": 18,
        "B": 9,
        "B-g": 9,
        "eG": 9,
        "A": 18,
        "OAA": 1,
    }


@pytest.mark.parametrize(
    ("label", "explorers", "reductions"),
    [
        ("G", ["greedy"], ["iwr"]),
        ("R", [f"regcb:c0={c}" for c in (0.1, 0.01, 0.001)], [None]),
        ("RO", [f"regcb:c0={c},optimistic" for c in (0.1, 0.01, 0.001)], [None]),
        (
            "C-nu",
            [f"cover:n_policies={N},psi={psi},nu" for N in (4, 8, 16) for psi in (0.01, 0.1, 1.0)],
            ["ips", "dr"],
        ),
        (
            "C-u",
            [f"cover:n_policies={N},psi={psi}" for N in (4, 8, 16) for psi in (0.01, 0.1, 1.0)],
            ["ips", "dr"],
        ),
        ("B", [f"bag:n_policies={N}" for N in (4, 8, 16)], ["ips", "dr", "iwr"]),
        ("B-g", [f"bag:n_policies={N},greedy" for N in (4, 8, 16)], ["ips", "dr", "iwr"]),
        ("eG", [f"epsilon-greedy:epsilon={e}" for e in (0.02, 0.05, 0.1)], ["ips", "dr", "iwr"]),
        (
            "A",
            [f"active:epsilon={e},c0={c}" for e in (0.02, 1.0) for c in (0.01, 0.0001, 1e-06)],
            ["ips", "dr", "iwr"],
        ),
    ],
)
def test_the_papers_grid_has_every_choice_of_the_table(
    label: str, explorers: list[str], reductions: list[str | None]
) -> None:
    runs = grid(["paper"], learning_rates=[0.1])

    found = {(run.explorer, run.reduction) for run in runs if run.label == label}
    assert found == {(e, reduction) for e in explorers for reduction in reductions}


def test_the_fixed_choices_are_among_those_of_the_papers_grid() -> None:
    every = {choice_of(run) for run in grid(["paper"])}

    assert every >= FIXED_WITH_NEGATIVE_LOSSES | FIXED_WITH_POSITIVE_LOSSES


def test_learning_rates_are_the_papers_unless_given() -> None:
    runs = grid(["greedy"])

    rates = [run.learning_rate for run in runs]
    assert rates == list(RATES)
    assert rates == [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]


def test_encodings_are_the_papers() -> None:
    assert ENCODINGS == {"0/1": 0, "-1/0": -1, "9/10": 9}
    assert {run.encoding for run in grid(["greedy"], encodings=[*ENCODINGS])} == {*ENCODINGS}


# ---- how grids multiply


def test_the_skyline_is_there_once_per_learning_rate() -> None:
    runs = grid(
        ["fixed", "supervised"],
        learning_rates=[0.1, 1.0],
        encodings=["-1/0", "0/1", "9/10"],
        baseline="both",
        seeds=3,
    )

    skylines = [run for run in runs if run.label == "OAA"]
    assert [run.learning_rate for run in skylines] == [0.1, 1.0]
    assert {(run.offset, run.baseline, run.seed) for run in skylines} == {(0, False, 0)}


def test_seeds_count_from_one() -> None:
    runs = grid(["greedy"], learning_rates=[0.5], seeds=3)

    assert [run.seed for run in runs] == [1, 2, 3]


@pytest.mark.parametrize(
    ("baseline", "flags"), [("off", {False}), ("on", {True}), ("both", {False, True})]
)
def test_a_baseline_is_given_to_those_that_can_have_one(
    baseline: Baseline, flags: set[bool]
) -> None:
    runs = grid(["paper"], learning_rates=[0.5], baseline=baseline)

    can = [run for run in runs if run.reduction != "ips" and run.label != "OAA"]
    cannot = [run for run in runs if run.reduction == "ips" or run.label == "OAA"]
    assert {run.baseline for run in can} == flags
    assert {run.baseline for run in cannot} == {False}
    assert len({choice_of(run) for run in runs}) == 89
    assert len(runs) == len(can) + len(cannot) == 55 * len(flags) + 34


def test_runs_are_there_once_however_often_they_are_asked_for() -> None:
    asked = ["greedy", "fixed", "greedy", "bag", "bag:n_policies=4 reduction=iwr"]

    runs = grid(asked, learning_rates=[0.1, 0.1], encodings=["-1/0", "-1/0"])

    assert runs == list(dict.fromkeys(runs))
    assert len({str(run) for run in runs}) == len(runs) == 10


def test_the_order_is_that_of_the_question() -> None:
    runs = grid(["bag", "greedy"], learning_rates=[3.0, 0.1], encodings=["0/1", "9/10"])

    assert [(r.label, r.encoding, r.learning_rate) for r in runs] == [
        (label, encoding, rate)
        for label in ("B", "G")
        for encoding in ("0/1", "9/10")
        for rate in (3.0, 0.1)
    ]


def test_a_reduction_is_given_after_the_spec() -> None:
    run = grid(["bag:n_policies=8 reduction=dr"], learning_rates=[0.5])[0]

    assert (run.explorer, run.reduction) == ("bag:n_policies=8", "dr")


# ---- what makes no sense


@pytest.mark.parametrize("setting", ["learning_rate=3", "offset=9", "baseline", "seed=2"])
def test_what_the_grid_varies_is_not_part_of_an_algorithm(setting: str) -> None:
    with pytest.raises(SpecError, match=r"is set for the whole grid: leave it out$"):
        grid([f"greedy {setting}"])


def test_a_baseline_is_off_on_or_both() -> None:
    wrong: Any = "sometimes"

    with pytest.raises(SpecError, match=r"^baseline must be off, on or both, got 'some"):
        grid(["greedy"], baseline=wrong)


@pytest.mark.parametrize("text", ["fixd", "bag:n_policies=0", "bag reduction=ipz"])
def test_a_bad_algorithm_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        grid([text])


@pytest.mark.parametrize(
    ("encoding", "offset"),
    [("-1/0", -1.0), ("0/1", 0.0), ("-0/1", 0.0), ("1.3/2.3", 1.3), ("-.5/.5", -0.5)],
)
def test_an_encoding_is_two_losses_that_differ_by_one(encoding: str, offset: float) -> None:
    found = offset_of(encoding)

    assert str(found) == str(offset)  # -0.0 would be another run


@pytest.mark.parametrize(
    "encoding", ["", "1", "1/0", "0/2", "0/1/2", "a/b", "0-1", "nan/nan", "inf/inf", "-inf/1"]
)
def test_a_bad_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(SpecError, match=r"such as -1/0 or 0/1, got"):
        grid(["greedy"], encodings=[encoding])
