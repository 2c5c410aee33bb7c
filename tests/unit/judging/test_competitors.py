"""Who takes part in a view and with what, in stores where the answer is known."""

from typing import Any

import polars as pl
import pytest

from bakeoff.judging.competitors import (
    ITSELF,
    OTHERS,
    TUNING,
    FixedChoice,
    election_notes,
    fixed,
    fixed_choices,
    not_optimised,
    optimised,
    optimised_reductions,
    reductions,
    unpeeked,
)
from bakeoff.judging.contest import Competitor, Contest, contest_of
from bakeoff.judging.losses import Losses
from bakeoff.runs.choice import Choice
from tests.unit.report.made_up import EG, OAA, RO, TUNING_ID, G, duel, row, store

MINE = "python:m.L,a="


def own(problem: str, *losses: float, **others: Any) -> list[dict[str, Any]]:
    """Losses of somebody's own learner with a = 1, 2, ... on a problem."""
    return [row(f"{MINE}{a}", loss, problem, **others) for a, loss in enumerate(losses, 1)]


def labels_of(competitors: list[Competitor]) -> list[str]:
    return [one.label for one in competitors]


def judged_with(losses: Losses, label: str = "mine") -> dict[str, str]:
    """The hyperparameters of the fixed view, by problem."""
    contest = contest_of(losses, fixed(losses, "-1/0", [label]))
    chosen = contest.chosen[0]["choice"].to_list()
    return dict(zip(contest.problems["problem"], chosen, strict=True))


# ---- fixed hyperparameters


def test_the_papers_choice_needs_no_election() -> None:
    other = row("regcb:c0=1e-1,optimistic", 0.1, "p0")

    choices = fixed_choices(store(*duel((0.5, 0.4)), other), "-1/0")

    assert choices == {
        "G": FixedChoice(Choice("greedy", "iwr")),
        "RO": FixedChoice(Choice("regcb:c0=0.001,optimistic")),
    }


def test_the_only_choice_needs_no_election() -> None:
    choices = fixed_choices(store(row("regcb:c0=1e-1", 0.1)), "-1/0")

    assert choices == {"R": FixedChoice(Choice("regcb:c0=0.1"))}


def test_two_datasets_are_judged_with_each_others_choice() -> None:
    losses = store(*own("a", 0.1, 0.9), *own("b", 0.9, 0.1))

    choices = fixed_choices(losses, "-1/0")

    assert judged_with(losses) == {"a": f"{MINE}2", "b": f"{MINE}1"}
    assert choices["mine"].voters == OTHERS
    contest = contest_of(losses, fixed(losses, "-1/0"))
    assert contest.losses.tolist() == [[0.9], [0.9]]


def test_a_vote_that_would_decide_does_not_count_for_its_own_dataset() -> None:
    """All three elect a = 2; without b or c it is a draw, and the first listed wins."""
    losses = store(*own("a", 0.1, 0.9), *own("b", 0.9, 0.0), *own("c", 0.9, 0.1))

    choices = fixed_choices(losses, "-1/0")

    assert choices["mine"].choice == Choice(f"{MINE}2")
    assert judged_with(losses) == {"a": f"{MINE}2", "b": f"{MINE}1", "c": f"{MINE}1"}


@pytest.mark.parametrize("extreme", [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)])
def test_a_dataset_never_changes_what_it_is_judged_with(extreme: tuple[float, ...]) -> None:
    others = [*own("b", 0.5, 0.2, 0.1), *own("c", 0.5, 0.1, 0.2), *own("d", 0.5, 0.1, 0.5)]

    losses = store(*own("a", *extreme), *others)

    assert judged_with(losses)["a"] == f"{MINE}2"


def test_tuning_datasets_vote_where_there_are_any() -> None:
    tuning = [one for i in range(3) for one in own(f"t{i}", 0.1, 0.9, openml_id=TUNING_ID)]
    held_out = [one for i in range(5) for one in own(f"h{i}", 0.9, 0.1)]
    losses = store(*tuning, *held_out)

    choices = fixed_choices(losses, "-1/0")

    assert choices["mine"] == FixedChoice(Choice(f"{MINE}1"), TUNING)
    assert set(judged_with(losses).values()) == {f"{MINE}1"}


def test_a_held_out_dataset_has_no_vote() -> None:
    tuning = [
        *own("t0", 0.9, 0.1, openml_id=TUNING_ID),
        *own("t1", 0.9, 0.1, openml_id=TUNING_ID),
        *own("t2", 0.1, 0.9, openml_id=TUNING_ID),
    ]
    extreme = own("h", 0.0, 1.0)

    with_it = judged_with(store(*tuning, *extreme))
    without = judged_with(store(*tuning))

    assert with_it == {**without, "h": f"{MINE}2"}


def test_tuning_datasets_are_judged_with_what_the_other_ones_elect() -> None:
    losses = store(
        *own("t0", 0.1, 0.9, openml_id=TUNING_ID),
        *own("t1", 0.9, 0.1, openml_id=TUNING_ID),
        *own("h", 0.5, 0.5),
    )

    assert judged_with(losses) == {
        "t0": f"{MINE}2",
        "t1": f"{MINE}1",
        "h": f"{MINE}1",  # a draw of the two
    }


def test_a_lone_dataset_has_nobody_else_to_elect() -> None:
    losses = store(*own("a", 0.9, 0.1))

    assert fixed_choices(losses, "-1/0")["mine"] == FixedChoice(Choice(f"{MINE}2"), ITSELF)
    assert judged_with(losses) == {"a": f"{MINE}2"}


def test_choices_that_never_met_are_not_elected() -> None:
    losses = store(row(f"{MINE}2", 0.1, "a"), row(f"{MINE}1", 0.1, "b"))

    assert fixed_choices(losses, "-1/0")["mine"] == FixedChoice(Choice(f"{MINE}1"))


def test_elections_are_by_the_test_that_is_asked_for() -> None:
    """On a and b the second choice wins by the paper's rule, but not by a z-test."""
    losses = store(
        *own("a", 0.300, 0.265), *own("b", 0.300, 0.265), *own("c", 0.1, 0.9),
        *own("d", 0.300, 0.265),
    )  # fmt: skip

    by_paper, by_z = (
        [contest_of(losses, each(losses, "-1/0", test=test)) for each in (fixed, unpeeked)]
        for test in ("paper", "z")
    )

    assert fixed_choices(losses, "-1/0", "paper")["mine"].choice == Choice(f"{MINE}2")
    assert fixed_choices(losses, "-1/0", "z")["mine"].choice == Choice(f"{MINE}1")
    for one, other in zip(by_paper, by_z, strict=True):
        assert one.chosen[0]["choice"].to_list()[2] == f"{MINE}2"
        assert other.chosen[0]["choice"].to_list()[0] == f"{MINE}1"


def test_each_encoding_has_elections_of_its_own() -> None:
    rows = [
        one for name in "abc" for one in (*own(name, 0.1, 0.9), *own(name, 0.9, 0.1, offset=0.0))
    ]
    losses = store(*rows)

    assert fixed_choices(losses, "-1/0")["mine"].choice == Choice(f"{MINE}1")
    assert fixed_choices(losses, "0/1")["mine"].choice == Choice(f"{MINE}2")


def test_a_baseline_goes_with_what_was_elected_without_it() -> None:
    losses = store(
        *own("a", 0.1, 0.9), *own("b", 0.9, 0.1),
        *own("a", 0.2, 0.3, baseline=True), *own("b", 0.2, 0.3, baseline=True),
    )  # fmt: skip
    chosen = fixed_choices(losses, "-1/0")["mine"]

    contest = contest_of(losses, [Competitor("with", chosen.where("mine", "-1/0", baseline=True))])

    assert contest.losses.tolist() == [[0.3], [0.2]]


# ---- who elected what, in words


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (duel((0.5, 0.1)), []),
        (
            [*own("a", 0.1, 0.9), *own("b", 0.1, 0.9)],
            [
                "For each dataset, the hyperparameters of mine were elected by the "
                "other datasets; the verdict holds for these."
            ],
        ),
        (
            [one for name in "abc" for one in own(name, 0.1, 0.9, openml_id=TUNING_ID)],
            [
                "The hyperparameters of mine were elected by the tuning datasets, "
                "each dataset's without its own vote; the verdict holds for these."
            ],
        ),
        (
            own("a", 0.1, 0.9),
            [
                "The hyperparameters of mine were chosen on the dataset they are "
                "judged on, because only one could vote, so their losses are "
                "optimistic."
            ],
        ),
    ],
    ids=["the paper", "the others", "tuning", "itself"],
)
def test_it_is_said_who_elected_hyperparameters(
    rows: list[dict[str, Any]], expected: list[str]
) -> None:
    assert election_notes(store(*rows), "-1/0", "paper") == expected


def test_those_elected_by_the_same_are_named_together() -> None:
    rows = [
        *own("a", 0.1, 0.9),
        *own("b", 0.1, 0.9),
        *(row(f"regcb:c0={c0}", 0.5, name) for c0 in ("1e-1", "1e-2") for name in "ab"),
    ]

    (note,) = election_notes(store(*rows), "-1/0", "paper")

    assert note == (
        "For each dataset, the hyperparameters of R, mine were elected by the other "
        "datasets; the verdict holds for these."
    )


def test_a_single_tuning_dataset_does_not_elect_alone() -> None:
    rows = [
        *own("t", 0.1, 0.5, openml_id=TUNING_ID),
        *(one for name in ("p0", "p1", "p2") for one in own(name, 0.5, 0.1)),
    ]

    chosen = fixed_choices(store(*rows), "-1/0")["mine"]

    assert (chosen.choice, chosen.voters) == (Choice("python:m.L,a=2"), OTHERS)


def test_tuning_datasets_without_whole_ballots_leave_the_vote_to_all() -> None:
    rows = [
        row("python:m.L,a=1", 0.1, "t", openml_id=TUNING_ID),
        row("python:m.L,a=2", 0.1, "u", openml_id=TUNING_ID),
        *(one for name in ("p0", "p1", "p2") for one in own(name, 0.5, 0.1)),
    ]

    chosen = fixed_choices(store(*rows), "-1/0")["mine"]

    assert (chosen.choice, chosen.voters) == (Choice("python:m.L,a=2"), OTHERS)


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_vote_on_hyperparameters_does_not_move_the_rate_of_who_votes(is_swapped: bool) -> None:
    """Others may elect what this dataset voted for; its rate must not follow that."""
    d = [(0.1, 0.1), (0.9, 0.9)]
    rows = [
        row(f"python:m.L,a={a}", loss, name, learning_rate=rate)
        for name, by_choice in (
            ("d", d[::-1] if is_swapped else d),
            ("e", [(0.1, 0.5), (0.9, 0.6)]),
            ("f", [(0.6, 0.55), (0.5, 0.2)]),
        )
        for a, losses in enumerate(by_choice, 1)
        for rate, loss in zip((0.1, 1.0), losses, strict=True)
    ]

    losses = store(*rows)
    contest = contest_of(losses, unpeeked(losses, "-1/0"))

    chosen = contest.chosen[0].filter(pl.col("digest") == contest.problems["digest"][0])
    assert chosen.select("choice", "learning_rate").rows() == [("python:m.L,a=1", 0.1)]


def test_choices_on_different_datasets_are_nothing_to_optimise() -> None:
    rows = [
        row("regcb:c0=1e-3,optimistic", 0.2, "a"),
        row("regcb:c0=1e-1,optimistic", 0.2, "b"),
        row(G, 0.3, "a"),
    ]

    assert optimised(store(*rows), "-1/0") == []


# ---- rates of the other datasets


def at_rates(problem: str, spec: str, *losses: float) -> list[dict[str, Any]]:
    return [
        row(spec, loss, problem, learning_rate=rate)
        for rate, loss in zip((0.1, 1.0, 10.0), losses, strict=False)
    ]


def rates(contest: Contest) -> list[float | None]:
    found: list[float | None] = contest.chosen[0]["learning_rate"].to_list()
    return found


def test_a_rate_of_the_other_datasets_is_not_the_best_on_its_own() -> None:
    losses = store(*at_rates("a", G, 0.1, 0.9), *at_rates("b", G, 0.8, 0.2))

    peeked = contest_of(losses, fixed(losses, "-1/0"))
    contest = contest_of(losses, unpeeked(losses, "-1/0"))

    assert (rates(peeked), peeked.losses.tolist()) == ([0.1, 1.0], [[0.1], [0.2]])
    assert (rates(contest), contest.losses.tolist()) == ([1.0, 0.1], [[0.9], [0.8]])


@pytest.mark.parametrize("extreme", [(0.0, 1.0, 1.0), (1.0, 1.0, 0.0)])
def test_a_dataset_does_not_change_the_rate_it_is_judged_with(extreme: tuple[float, ...]) -> None:
    others = [*at_rates("b", G, 0.5, 0.2, 0.5), *at_rates("c", G, 0.5, 0.2, 0.5)]

    losses = store(*at_rates("a", G, *extreme), *others)

    contest = contest_of(losses, unpeeked(losses, "-1/0"))
    assert rates(contest)[0] == 1.0
    assert contest.losses[0, 0] == extreme[1]


def test_every_algorithm_has_a_rate_of_its_own() -> None:
    losses = store(
        *at_rates("a", G, 0.1, 0.9), *at_rates("b", G, 0.1, 0.9),
        *at_rates("a", RO, 0.9, 0.2), *at_rates("b", RO, 0.9, 0.2),
    )  # fmt: skip

    contest = contest_of(losses, unpeeked(losses, "-1/0"))

    assert contest.labels == ("G", "RO")
    assert contest.losses.tolist() == [[0.1, 0.2], [0.1, 0.2]]


def test_only_algorithms_that_are_asked_for_take_part() -> None:
    losses = store(*duel((0.1, 0.2), (0.1, 0.2)), row(EG, 0.5, "p0"))

    assert labels_of(unpeeked(losses, "-1/0", ["RO", "B"])) == ["RO"]
    assert labels_of(fixed(losses, "-1/0", ["RO", "B"])) == ["RO"]


def test_a_lone_dataset_has_no_rate_of_others() -> None:
    losses = store(*at_rates("a", G, 0.1, 0.9))

    assert contest_of(losses, unpeeked(losses, "-1/0")).n == 0


# ---- optimised hyperparameters


def test_without_several_choices_nothing_is_optimised() -> None:
    losses = store(*duel((0.5, 0.1)), *own("p0", 0.3))

    assert optimised(losses, "-1/0") == []


def test_optimised_are_those_with_several_choices_and_those_that_have_none() -> None:
    losses = store(
        *duel((0.5, 0.1)),  # Greedy has none, RegCB-opt had one of three
        row("regcb:c0=1e-1", 0.3, "p0"),
        row("regcb:c0=1e-2", 0.2, "p0"),
        *own("p0", 0.3),
        row(OAA, 0.1, "p0", offset=0.0),
    )

    assert labels_of(optimised(losses, "-1/0")) == ["G", "R", "mine"]
    assert not_optimised(losses, "-1/0", losses.algorithms) == ["RO"]
    assert not_optimised(losses, "-1/0", ["B"]) == []  # was not played at all


def test_the_best_of_the_choices_is_taken_on_each_dataset() -> None:
    losses = store(*own("a", 0.1, 0.9), *own("b", 0.9, 0.1))

    contest = contest_of(losses, optimised(losses, "-1/0"))

    assert contest.losses.tolist() == [[0.1], [0.1]]


def test_choices_with_another_encoding_or_a_baseline_do_not_count() -> None:
    losses = store(
        row(f"{MINE}1", 0.3), row(f"{MINE}2", 0.3, offset=0.0), row(f"{MINE}2", 0.3, baseline=True)
    )

    assert optimised(losses, "-1/0") == []


def test_reductions_are_those_that_were_played() -> None:
    losses = store(
        row("bag:n_policies=4 reduction=iwr", 0.4),
        row("bag:n_policies=4 reduction=ips", 0.5),
        row("bag:n_policies=8 reduction=ips", 0.3),
        row(EG, 0.2),
    )

    assert labels_of(reductions(losses, "B", "-1/0")) == ["ips", "iwr"]
    assert labels_of(optimised_reductions(losses, "B", "-1/0")) == ["ips"]
    assert reductions(losses, "B", "0/1") == []
