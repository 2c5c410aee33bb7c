"""Clocks by hand: how schedules by rounds follow an oracle that forgets or starts anew."""

import inspect
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bakeoff import Problem, Run, SpecError, simulate
from bakeoff.core import clocks
from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.types import Event
from bakeoff.runs import explorer_of
from tests.uncompiled import uncompiled as uncompiled  # a fixture

FORGETS = "forget=100"
BOUNDS = {"regcb", "randregcb"}  # log(K t) is a bound on all rounds at once


def clocks_of(*specs: str) -> clocks.Clocks:
    settings = [Run(spec).settings for spec in specs]
    return clocks.new_clocks(explorer_of(settings[0]).innermost, settings, 3)


def times(found: clocks.Clocks, t: int) -> list[int]:
    return [clocks.time_of(found, Event(0, 3, t), lane) for lane in range(len(found.runs))]


def test_a_clock_counts_from_the_last_start_and_no_further_than_the_memory() -> None:
    found = clocks_of(
        "squarecb:restart=5", "squarecb:forget=50", "squarecb:forget=50,restart=5",
        "squarecb:explore=0.1",
    )  # fmt: skip
    found.start[:] = [10, 0, 10, 0]

    assert times(found, 8) == [1, 8, 1, 8]  # a round from before the start is its first
    assert times(found, 11) == [1, 11, 1, 11]
    assert times(found, 70) == [60, 50, 50, 70]
    assert clocks.count_times(found, Event(0, 3, 70)) == 3


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("squarecb", True), ("squarecb:by_cost", False), ("squarecb:by_cost,elim", True),
        ("fastcb", True), ("fastcb:by_cost", False), ("epsilon-greedy:epsilon=0.1", False),
        ("epsilon-greedy:decay=0.3", True), ("greedy", False), ("softmax", False),
        ("softmax:exponent=0.5", True), ("cover:nu", True), ("first:tau=9", True),
        ("active", True), ("bag", False), ("regcb", False), ("linucb", False),
    ],
)  # fmt: skip
def test_schedules_by_rounds_have_a_clock_and_others_none(spec: str, counts: bool) -> None:
    found = clocks_of(f"{spec}{',' if ':' in spec else ':'}{FORGETS}")

    assert bool(found.runs[0]) == counts
    assert len(found.p) == (3 if counts else 0)
    assert found.learns == spec.startswith("cover")


def test_all_explorers_that_look_at_rounds_are_known() -> None:
    known = {one.explore.__module__ for one in EXPLORERS.values() if one.counts_rounds}
    for name, record in EXPLORERS.items():
        source = inspect.getsource(inspect.getmodule(record.explore) or clocks)
        if "event.t" in source and not record.sees_all_costs and name != "bag":
            assert record.explore.__module__ in known or name in BOUNDS


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("spec", ["squarecb:gamma=50", "first:tau=20", "epsilon-greedy:decay=0.9"])
def test_exploring_begins_anew_with_the_oracle(spec: str) -> None:
    plain = Problem.from_classes(np.ones((400, 1)), np.zeros(400, int), 4)
    drifting = plain.with_drift(after=0.5)

    [goes_on] = simulate(drifting, [Run(spec, seed=1)], record=True, shuffle=0)
    [anew] = simulate(drifting, [Run(f"{spec},restart=3", seed=1)], record=True, shuffle=0)

    assert anew.probabilities is not None
    assert goes_on.probabilities is not None
    assert_array_equal(anew.probabilities[:200], goes_on.probabilities[:200])
    begun = 200 + int(np.argmax(anew.probabilities[200:] != goes_on.probabilities[200:]))
    assert_allclose(anew.probabilities[[0, begun]], 0.25)


@pytest.mark.usefixtures("uncompiled")
def test_a_memory_holds_a_falling_epsilon() -> None:
    plain = Problem.from_classes(np.ones((300, 1)), np.zeros(300, int), 2)

    [result] = simulate(
        plain,
        [Run("epsilon-greedy:epsilon=0.5,decay=0.5,forget=25", seed=1)],
        record=True,
        shuffle=0,
    )

    assert result.probabilities is not None
    assert result.actions is not None
    epsilon = 0.5 / math.sqrt(25)
    best = result.actions[30:] == 0
    assert_allclose(result.probabilities[30:][best], 1 - epsilon / 2)
    assert_allclose(result.probabilities[30:][~best], epsilon / 2)


@pytest.mark.usefixtures("uncompiled")
def test_lanes_whose_clocks_differ_learn_as_alone() -> None:
    rng = np.random.default_rng(0)
    plain = Problem.from_classes(rng.normal(size=(120, 3)), rng.integers(0, 3, 120))
    drifting = plain.with_drift(after=0.5)
    runs = [
        Run(f"cover:n_policies=3,psi=0.5{nu}{safeguards}", reduction=reduction, seed=seed)
        for reduction, nu in (("dr", ",nu"), ("ips", ""))
        for seed, safeguards in enumerate(("", ",forget=20", ",restart=2", ",forget=9,restart=1"))
    ]

    for some in (runs[:4], runs[4:]):
        together = simulate(drifting, some, record=True, shuffle=0)
        for run, one in zip(some, together, strict=True):
            [alone] = simulate(drifting, [run], record=True, shuffle=0)
            assert_array_equal(one.probabilities, alone.probabilities)
            assert_array_equal(one.actions, alone.actions)


def test_a_memory_shorter_than_exploring_first_is_refused() -> None:
    assert Run("first:tau=40,forget=41").settings.tau == 40
    with pytest.raises(SpecError, match=r"forget must be larger than tau=40, .* got 40"):
        Run("first:tau=40,forget=40")
