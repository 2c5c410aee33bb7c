"""Elections worked by hand."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import ResultsError
from bakeoff.judging.contest import Condition
from bakeoff.judging.voting import (
    Ballots,
    ballots_of,
    elect,
    first_votes,
    fixed_choice,
    listed,
    recount,
    runoff,
)
from bakeoff.reading.catalog.paper import tuning_ids
from bakeoff.runs.choice import Choice
from bakeoff.runs.grids import paper_choices
from tests.results import losses, result, skyline

ALL = Condition()


def votes(*scores: list[int]) -> list[dict[str, float]]:
    """The rounds of an election of x, y, z, ..."""
    return runoff(np.array(scores, dtype=float), "xyzuvw"[: len(scores[0])]).rounds


# ---- instant runoff


def test_the_votes_of_who_leaves_go_to_who_is_next() -> None:
    scores = [[2, 1, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2], [1, 2, 0]]

    assert votes(*scores) == [{"x": 2, "y": 1, "z": 2}, {"x": 3, "z": 2}, {"x": 5}]


def test_most_first_votes_need_not_win() -> None:
    scores = [[2, 0, 1]] * 4 + [[0, 2, 1]] * 3 + [[0, 1, 2]] * 2

    election = runoff(np.array(scores, dtype=float), ["x", "y", "z"])

    assert election.rounds[0] == {"x": 4, "y": 3, "z": 2}
    assert election.winner == "y"
    assert election.n_voters == 9


def test_a_vote_is_divided_among_those_ranked_first() -> None:
    assert_array_equal(
        first_votes(np.array([[1.0, 1, 0, -2], [0, 0, 0, 0], [-1, -3, -1, -1]])),
        np.round([1 / 2 + 1 / 4 + 1 / 3, 3 / 4, 1 / 4 + 1 / 3, 1 / 4 + 1 / 3], 9),
    )


def test_a_divided_vote_is_whole_again_when_the_others_have_left() -> None:
    scores = [[1, 1, 0], [0, 0, 1], [0, 0, 1], [2, 1, 0]]

    assert votes(*scores) == [
        {"x": 1.5, "y": 0.5, "z": 2},
        {"x": 2, "z": 2},
        {"x": 4},  # x has 3 wins more than losses, z has 2
    ]


def test_three_thirds_are_as_many_as_one() -> None:
    thirds = [[3, 3, 3, -1], [3, 3, 3, -1], [3, 3, 3, -1]]
    one = [-9, -9, -9, 9]

    rounds = votes(*thirds, one)

    assert rounds[0] == {"x": 1, "y": 1, "z": 1, "u": 1}
    assert list(rounds[1]) == ["x", "y", "u"]  # all but u have a sum of 0, u of 6


def test_of_equally_few_votes_who_wins_less_leaves() -> None:
    assert list(votes([5, 0, 1], [0, 5, 1], [0, 0, 9], [1, 0, 9])[1]) == ["x", "z"]
    assert list(votes([5, 0, 1], [0, 5, 1], [0, 0, 9], [0, 1, 9])[1]) == ["y", "z"]


def test_of_those_still_equal_the_last_listed_leaves() -> None:
    rounds = votes([0, 0, 0])

    assert [list(one) for one in rounds] == [["x", "y", "z"], ["x", "y"], ["x"]]


def test_one_choice_is_elected() -> None:
    assert votes([0], [3]) == [{"x": 2}]


def test_without_voters_the_order_decides() -> None:
    assert runoff(np.zeros((0, 3)), ["x", "y", "z"]).winner == "x"


def test_an_election_needs_a_choice() -> None:
    with pytest.raises(ResultsError, match="at least one choice"):
        runoff(np.zeros((3, 0)), [])


# ---- problems as voters


def played(**by_problem: Mapping[str, float | None]) -> list[dict[str, Any]]:
    """Losses of choices of epsilon on problems, with 10,000 examples."""
    return [
        result(
            loss,
            problem=problem,
            n=10_000,
            algorithm="eG",
            explorer=f"epsilon-greedy:epsilon={epsilon}",
        )
        for problem, choices in by_problem.items()
        for epsilon, loss in choices.items()
    ]


def name(epsilon: str) -> Choice:
    return Choice(f"epsilon-greedy:epsilon={epsilon}", "iwr")


def test_problems_elect_the_choice_that_wins_on_most() -> None:
    rows = played(
        a={"0.02": 0.1, "0.05": 0.2, "0.1": 0.3},
        b={"0.02": 0.1, "0.05": 0.2, "0.1": 0.3},
        c={"0.02": 0.3, "0.05": 0.2, "0.1": 0.1},
    )

    election = elect(losses(*rows), "eG", "-1/0", ALL)

    assert election is not None
    assert election.winner == name("0.02")
    assert election.n_voters == 3
    assert election.rounds[0] == {name("0.02"): 2, name("0.05"): 0, name("0.1"): 1}


def test_choices_that_do_not_differ_significantly_share_a_vote() -> None:
    rows = played(
        a={"0.02": 0.1, "0.05": 0.1001, "0.1": 0.3}, b={"0.02": 0.2, "0.05": 0.2001, "0.1": 0.1}
    )

    election = elect(losses(*rows), "eG", "-1/0", ALL)

    assert election is not None
    assert election.rounds[0] == {name("0.02"): 0.5, name("0.05"): 0.5, name("0.1"): 1}


def test_losses_count_as_much_as_wins() -> None:
    """On a, 0.05 and 0.1 beat only 0.5; of the two, 0.02 beats only 0.1."""
    near = {"0.02": 0.1, "0.05": 0.104, "0.1": 0.107, "0.5": 0.3}
    others = {
        f"{epsilon} {k}": dict.fromkeys(near, 0.3) | {epsilon: 0.1}
        for epsilon in ("0.05", "0.1", "0.5")
        for k in (1, 2)
    }

    election = elect(losses(*played(a=near, **others)), "eG", "-1/0", ALL)

    assert election is not None
    assert election.rounds[1] == {name("0.05"): 3, name("0.1"): 2, name("0.5"): 2}


def test_the_learning_rate_is_chosen_before_the_vote() -> None:
    rows = played(a={"0.02": 0.3, "0.05": 0.2})
    better = [row | {"pv_loss": 0.1, "learning_rate": 3.0} for row in rows[:1]]

    election = elect(losses(*rows, *better), "eG", "-1/0", ALL)

    assert election is not None
    assert election.winner == name("0.02")


def test_only_problems_of_the_condition_vote() -> None:
    rows = played(
        a={"0.02": 0.1, "0.05": 0.2}, b={"0.02": 0.2, "0.05": 0.1}, c={"0.02": 0.2, "0.05": 0.1}
    )
    rows = [row | ({"openml_id": tuning_ids()[0]} if row["problem"] == "a" else {}) for row in rows]

    tuned = elect(losses(*rows), "eG", "-1/0", Condition(tuning=True))
    held_out = elect(losses(*rows), "eG", "-1/0", Condition(held_out=True))

    assert tuned is not None
    assert (tuned.winner, tuned.n_voters) == (name("0.02"), 1)
    assert held_out is not None
    assert (held_out.winner, held_out.n_voters) == (name("0.05"), 2)


def test_other_encodings_algorithms_and_baselines_do_not_stand() -> None:
    rows = played(a={"0.02": 0.3})
    others = [
        row | other | {"pv_loss": 0.0}
        for row in played(a={"0.05": 0.3})
        for other in ({"encoding": "0/1"}, {"algorithm": "A"}, {"baseline": True})
    ]

    election = elect(losses(*rows, *others), "eG", "-1/0", ALL)

    assert election is not None
    assert election.rounds == [{name("0.02"): 1}]


def test_problems_on_which_a_choice_was_not_played_do_not_vote() -> None:
    rows = played(
        a={"0.02": 0.3, "0.05": 0.1}, b={"0.02": 0.1, "0.05": None}, c={"0.02": 0.3, "0.05": 0.1}
    )

    election = elect(losses(*rows), "eG", "-1/0", ALL)

    assert election is not None
    assert election.n_voters == 2
    assert election.winner == name("0.05")


def test_a_choice_played_on_few_problems_does_not_stand() -> None:
    usual = {"0.02": 0.3, "0.05": 0.1}
    rows = played(a=usual, b=usual, c=usual | {"0.1": 0.0})

    election = elect(losses(*rows), "eG", "-1/0", ALL)

    assert election is not None
    assert (election.n_voters, election.winner) == (3, name("0.05"))


def test_if_no_problem_has_all_choices_those_played_everywhere_stand() -> None:
    rows = played(a={"0.02": 0.3, "0.05": 0.1}, b={"0.02": 0.3, "0.05": None, "0.1": 0.5})

    election = elect(losses(*rows), "eG", "-1/0", ALL)

    assert election is not None
    assert list(election.rounds[0]) == [name("0.02")]


@pytest.mark.parametrize(
    "rows", [[], [skyline(0.5)], played(a={"0.02": None}), played(a={"0.02": 0.5}, b={"0.05": 0.5})]
)
def test_nobody_is_elected_where_nobody_stands(rows: list[dict[str, Any]]) -> None:
    assert elect(losses(*rows), "eG", "-1/0", ALL) is None


def test_own_learners_have_elections_too() -> None:
    specs = [f"python:mine.Learner,depth={depth},label=mine" for depth in (1, 2)]
    rows = [
        result(loss, n=1000, algorithm="mine", explorer=spec, reduction=None)
        for spec, loss in zip(specs, (0.5, 0.25), strict=True)
    ]

    election = elect(losses(*rows), "mine", "-1/0", ALL)

    assert election is not None
    assert election.winner == Choice(specs[1])


def test_a_recount_leaves_out_wins_against_those_who_left() -> None:
    beats = np.zeros((3, 3, 3), bool)
    beats[0, 2, :2] = True  # two voters prefer a for beating c only
    beats[1, 0, 2] = True  # for the third, b beats a
    scores = (beats.sum(axis=1).astype(float) - beats.sum(axis=0)).T

    assert runoff(scores, ["a", "b", "c"]).winner == "a"
    assert recount(beats, ["a", "b", "c"]) == "b"  # without c, the two are undecided


# ---- elections without each voter


def test_every_voter_gets_what_the_others_elect() -> None:
    scores = np.array([[1.0, -1], [-1, 1], [-1, 1]])

    found = Ballots(["x", "y"], ["a", "b", "c"], scores).elect_without_each()

    assert found == {"a": "y", "b": "x", "c": "x"}  # of equals the first listed


def test_a_lone_voter_has_nobody_else_to_elect() -> None:
    alone = Ballots(["x", "y"], ["a"], np.array([[1.0, -1]]))

    assert alone.elect().winner == "x"
    assert alone.elect_without_each() == {}


def test_ballots_name_their_voters_and_how_they_rank_choices() -> None:
    rows = played(b={"0.02": 0.1, "0.05": 0.3}, a={"0.02": 0.3, "0.05": 0.1}, c={"0.02": 0.2})

    ballots = ballots_of(losses(*rows), "eG", "-1/0", ALL)

    assert ballots is not None
    assert ballots.choices == [name("0.02"), name("0.05")]
    assert ballots.voters == ["d-a", "d-b"]
    assert_array_equal(ballots.scores, [[-1, 1], [1, -1]])


# ---- names of choices


def test_choices_are_listed_as_in_the_papers_table_then_others_by_name() -> None:
    known = [Choice.from_spec(text) for text in paper_choices()]

    assert len(set(known)) == 88
    assert listed(sorted(known, key=str)) == known
    a, z = Choice("a"), Choice("z")
    assert listed([z, known[5], a, known[1]]) == [known[1], known[5], a, z]


@pytest.mark.parametrize(
    ("algorithm", "encoding", "expected"),
    [
        ("G", "-1/0", "greedy reduction=iwr"),
        ("RO", "0/1", "regcb:c0=0.001,optimistic"),
        ("C-nu", "-1/0", "cover:n_policies=4,psi=0.1,nu reduction=dr"),
        ("C-nu", "0/1", "cover:n_policies=4,psi=0.01,nu reduction=dr"),
        ("C-u", "-1/0", "cover:n_policies=4,psi=0.1 reduction=ips"),
        ("C-u", "0/1", "cover:n_policies=4,psi=0.1 reduction=dr"),
        ("B", "0/1", "bag:n_policies=16 reduction=iwr"),
        ("B-g", "9/10", "bag:n_policies=4,greedy reduction=iwr"),
        ("B-g", "-0.5/0.5", "bag:n_policies=4,greedy reduction=iwr"),
        ("mine", "-1/0", None),
    ],
)
def test_the_papers_fixed_choices(algorithm: str, encoding: str, expected: str | None) -> None:
    choice = fixed_choice(algorithm, encoding)

    assert choice == (expected and Choice.from_text(expected))
