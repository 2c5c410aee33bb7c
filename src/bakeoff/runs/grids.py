"""Grids: lists of runs in the paper's terms (Tables `algos` and `hyperparams2`)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from bakeoff.errors import SpecError
from bakeoff.runs.own import own_runs
from bakeoff.runs.own_specs import is_own
from bakeoff.runs.run import Run
from bakeoff.runs.specs import explorer_of

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
ENCODINGS = {"0/1": 0.0, "-1/0": -1.0, "9/10": 9.0}  # name -> offset (Eq. 7)
GRIDS = ("fixed", "paper")
SUPERVISED = "supervised"

Baseline = Literal["off", "on", "both"]

SAME = (
    "greedy",
    "regcb:c0=1e-3",
    "regcb:c0=1e-3,optimistic",
    "epsilon-greedy:epsilon=0.02",
    "active:epsilon=0.02,c0=1e-6",
)
WITH_NEGATIVE_LOSSES = (  # bold in Table `algos`
    "cover:n_policies=4,psi=0.1,nu",
    "cover:n_policies=4,psi=0.1",
    "bag:n_policies=4",
    "bag:n_policies=4,greedy",
)
FIXED = {
    -1.0: (*SAME, *WITH_NEGATIVE_LOSSES),
    0.0: (
        *SAME,
        "cover:n_policies=4,psi=0.01,nu",
        "cover:n_policies=4,psi=0.1 reduction=dr",
        "bag:n_policies=16",
        "bag:n_policies=8,greedy",
    ),
    9.0: (*SAME, *WITH_NEGATIVE_LOSSES),  # the paper chose none for 9/10
}


def paper_choices() -> tuple[str, ...]:
    """All 88 configurations of Table `algos`."""
    n_policies, psis = (4, 8, 16), ("0.01", "0.1", "1")
    sizes = [f"c0=1e-{k}" for k in (1, 2, 3)]
    all_reductions = ("ips", "dr", "iwr")
    choices = ["greedy"]
    choices += [f"regcb:{c0}{flag}" for flag in ("", ",optimistic") for c0 in sizes]
    choices += [
        f"cover:n_policies={N},psi={psi}{flag} reduction={reduction}"
        for flag in (",nu", "")
        for reduction in ("ips", "dr")
        for N in n_policies
        for psi in psis
    ]
    choices += [
        f"bag:n_policies={N}{flag} reduction={reduction}"
        for flag in ("", ",greedy")
        for reduction in all_reductions
        for N in n_policies
    ]
    choices += [
        f"epsilon-greedy:epsilon={epsilon} reduction={reduction}"
        for reduction in all_reductions
        for epsilon in ("0.02", "0.05", "0.1")
    ]
    choices += [
        f"active:epsilon={epsilon},c0=1e-{k} reduction={reduction}"
        for reduction in all_reductions
        for epsilon in ("0.02", "1")
        for k in (2, 4, 6)
    ]
    return tuple(choices)


def offset_of(encoding: str) -> float:
    """The offset of a loss encoding such as "-1/0".

    >>> offset_of("9/10")
    9.0
    """
    try:
        low, high = (float(part) for part in encoding.split("/"))
    except ValueError:
        low, high = 0.0, 0.0
    if not math.isclose(high - low, 1.0):  # 2.3 - 1.3 is not 1.0
        raise SpecError(
            f"an encoding gives the losses of a right and a wrong action, which differ "
            f"by one, such as -1/0 or 0/1, got {encoding!r}"
        )
    return low + 0.0  # never -0.0, whose text is another


def grid(
    algorithms: Sequence[str] = ("fixed",),
    *,
    learning_rates: Iterable[float] = RATES,
    encodings: Sequence[str] = ("-1/0",),
    baseline: Baseline = "off",
    seeds: int = 1,
) -> list[Run]:
    """Runs of grids ("fixed", "paper") and specs, each once, in a settled order.

    A spec may name a learner of your own ("python:module.Name"; docs/own-learner.md).

    Both grids hold the skyline, which sees all costs and so has no encoding, baseline
    or seed. Seeds count from 1, and are draws of the exploration.

    >>> len(grid(["paper"], encodings=["-1/0"]))
    801
    """
    if baseline not in get_args(Baseline):
        raise SpecError(f"baseline must be off, on or both, got {baseline!r}")
    rates = list(learning_rates)
    found: dict[Run, None] = {}
    for algorithm in algorithms:
        for encoding in encodings:
            offset = offset_of(encoding)
            if is_own(algorithm):
                own = own_runs(algorithm, rates, offset, range(1, seeds + 1))
                found |= dict.fromkeys(own)
                continue
            for text in _choices(algorithm, offset):
                for rate in rates:
                    run = replace(Run.from_text(text), learning_rate=rate)
                    variants = _variants(run, offset, baseline, seeds)
                    found |= dict.fromkeys(variants)
    return list(found)


def _choices(algorithm: str, offset: float) -> tuple[str, ...]:
    if algorithm == "fixed":
        return (*FIXED.get(offset, FIXED[-1.0]), SUPERVISED)
    if algorithm == "paper":
        return (*paper_choices(), SUPERVISED)
    for name in ("learning_rate", "offset", "baseline", "seed"):
        if name in algorithm.partition(" ")[2]:
            raise SpecError(
                f"{name!r} in {algorithm!r} is set for the whole grid: leave it out"
            )
    return (algorithm,)


def _variants(run: Run, offset: float, baseline: Baseline, seeds: int) -> list[Run]:
    """A run with every seed, and with or without a baseline where it may have one."""
    if explorer_of(run.settings).sees_all_costs:
        return [run]
    flags = {"off": (False,), "on": (True,), "both": (False, True)}[baseline]
    if run.reduction == "ips":  # estimates no losses, so has no baseline
        flags = (False,)
    return [
        replace(run, offset=offset, baseline=flag, seed=seed)
        for flag in flags
        for seed in range(1, seeds + 1)
    ]
