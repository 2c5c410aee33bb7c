"""Grids: lists of runs in the paper's terms (Tables `algos` and `hyperparams2`)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from bakeoff.basics.errors import SpecError
from bakeoff.core.explorers import Explorer
from bakeoff.runs.encodings import DEFAULT, offset_of
from bakeoff.runs.kinds import is_own, own_runs, spec_of
from bakeoff.runs.rules import is_rule, rule, spec_in_file, spec_with
from bakeoff.runs.run import RAW, Run, checked_inputs
from bakeoff.runs.specs import explorer_of, hint_at, is_known
from bakeoff.runs.sweeps import swept
from bakeoff.runs.today import TODAY

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
GRIDS = ("fixed", "paper", "today")
SUPERVISED = "supervised"

Baseline = Literal["off", "on", "both"]
Algorithm = str | Callable[..., Any] | Explorer  # a grid, a spec, or what the user wrote
Runlike = Run | Algorithm

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


def grid(
    algorithms: Algorithm | Sequence[Algorithm] = ("fixed",),
    *,
    learning_rates: float | Iterable[float] = RATES,
    encodings: str | Sequence[str] = (DEFAULT,),
    baseline: Baseline = "off",
    seeds: int = 1,
    inputs: str | Sequence[str] = (RAW,),
) -> list[Run]:
    """Runs of grids ("fixed", "paper", "today") and specs, each once, in a settled order.

    A spec may have lists of values ("bag:n_policies=[4,8]"), and may name a learner of
    your own ("python:module.Name"; docs/guide/own-learner.md) or a rule in a file
    ("rules.py:name"). The class, function or explorer itself may stand for its spec:
    grid(["greedy", Mine]). One value may stand for a list of one.

    "fixed" and "paper" are the paper's nine algorithms with its choices and with all it
    tried; "today" are those that came after it, as tuning datasets elected them. The
    paper's grids hold the skyline, which sees all costs and so has no encoding, baseline
    or seed. Seeds count from 1, and are draws of the exploration. `inputs` are "raw",
    "centred" or both, and also those of the skyline; learners of your own see raw ones.

    Parameters
    ----------
    algorithms
        Grids, specs, classes or functions.
    learning_rates
        Every algorithm that has a learning rate runs at each of these.
    encodings
        Every algorithm runs with each of these.
    baseline
        Whether runs have a shared baseline.
    seeds
        How many independent draws of the exploration.
    inputs
        "raw", "centred" or both.

    Returns
    -------
    list[Run]
        A list of `Run`.

    Raises
    ------
    SpecError
        If a spec, rate, encoding or input is not valid.

    Examples
    --------
    >>> len(grid("paper", encodings=["-1/0"]))
    801
    """
    if baseline not in get_args(Baseline):
        raise SpecError(f"baseline must be off, on or both, got {baseline!r}")
    rates, forms = _listed(learning_rates), [checked_inputs(form) for form in _listed(inputs)]
    unique: dict[Run, None] = {}
    for algorithm in _listed(algorithms):
        for encoding in _listed(encodings):
            offset = offset_of(encoding)
            for text in _choices(algorithm, offset):
                runs = _runs(text, rates, offset, baseline, seeds)
                unique |= dict.fromkeys(_with_inputs(runs, text, forms))
    return list(unique)


def runs_of(runs: Runlike | Iterable[Runlike]) -> list[Run]:
    """Runs as they are, and the runs of `grid` for each name, spec or class among them."""
    unique: dict[Run, None] = {}
    for one in _listed(runs):
        unique |= dict.fromkeys([one] if isinstance(one, Run) else grid([one]))
    return list(unique)


def _listed(value: Any) -> list[Any]:
    """One value or several, as a list."""
    is_one = isinstance(value, str | int | float | Run | Explorer) or callable(value)
    return [value] if is_one else list(value)


def _choices(algorithm: Algorithm, offset: float) -> list[str]:
    """The specs that the name of a grid, a spec, or a class stands for."""
    if not isinstance(algorithm, str):
        if isinstance(algorithm, Explorer) or is_rule(algorithm):
            return [rule(algorithm)]
        if callable(algorithm):
            return [spec_of(algorithm)]
        raise SpecError(
            f"a grid is made of strings such as 'fixed' or 'greedy' and of learners, "
            f"got {algorithm!r}"
        )
    if algorithm == "fixed":
        return [*FIXED.get(offset, FIXED[-1.0]), SUPERVISED]
    if algorithm == "paper":
        return [*paper_choices(), SUPERVISED]
    if algorithm == "today":
        return [*TODAY.get(offset, TODAY[-1.0])]
    if is_own(algorithm):
        return swept(algorithm)
    in_file = spec_in_file(algorithm)
    if in_file is not None:
        value, rest = in_file
        spec = spec_with(value, rest)
        if spec is None:
            return swept(f"{spec_of(value)}{rest}")
        algorithm = spec
    _check_spec(algorithm)
    return swept(algorithm)


def _check_spec(text: str) -> None:
    explorer, _, rest = text.strip().partition(" ")
    name = explorer.partition(":")[0]
    if not is_known(name):
        raise SpecError(f"unknown algorithm {name!r}{hint_at(name, GRIDS)}")
    for setting in ("learning_rate", "offset", "baseline", "seed"):
        if setting in rest:
            raise SpecError(f"{setting!r} in {text!r} is set for the whole grid: leave it out")


def _runs(
    text: str, rates: Sequence[float], offset: float, baseline: Baseline, seeds: int
) -> list[Run]:
    """A spec at every learning rate, with every seed, with and without a baseline."""
    if is_own(text):
        return [*own_runs(text, rates, offset, range(1, seeds + 1))]
    run = Run.from_text(text)
    if explorer_of(run.settings).own_oracle:
        rates = [Run.learning_rate]
    return [
        one
        for rate in rates
        for one in _variants(replace(run, learning_rate=rate), offset, baseline, seeds)
    ]


def _with_inputs(runs: list[Run], text: str, forms: list[str]) -> list[Run]:
    """Runs with all forms of inputs, unless the spec names one."""
    if is_own(text) or "inputs=" in text.partition(" ")[2]:
        return runs
    return [replace(run, inputs=form) for form in forms for run in runs]


def _variants(run: Run, offset: float, baseline: Baseline, seeds: int) -> list[Run]:
    """A run with every seed, and with or without a baseline where it may have one."""
    record = explorer_of(run.settings)
    if record.sees_all_costs:
        return [run]
    flags = {"off": (False,), "on": (True,), "both": (False, True)}[baseline]
    if run.reduction == "ips" or record.own_oracle or record.has_log_loss(run.settings):
        flags = (False,)
    return [
        replace(run, offset=offset, baseline=flag, seed=seed)
        for flag in flags
        for seed in range(1, seeds + 1)
    ]
