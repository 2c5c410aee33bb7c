"""Settings: the run of a learner, from whatever a user gives."""

import secrets
from dataclasses import fields
from typing import Any

from bakeoff.basics.errors import SpecError
from bakeoff.runs import RATES, Run, explorer_of, parse

DEFAULT = "regcb:c0=1e-3,optimistic learning_rate=1"  # benchmarks/live_defaults.py
_SEED_BITS = 53  # JSON's numbers hold as many


def lanes_of(run: Run, rates: bool) -> list[Run]:
    """The runs of a learner: one, or one for each learning rate, its own first."""
    if not rates:
        return [run]
    others = [rate for rate in RATES if rate != run.learning_rate]
    return [run, *(run_of(run, None, {"learning_rate": rate}) for rate in others)]


def run_of(explorer: Any, seed: int | None, settings: dict[str, Any]) -> Run:
    """The run that `explorer` (a spec, a run or its text) and settings describe.

    Settings that are given count more than those of a run. A seed is drawn unless one
    is given or part of the run.
    """
    values: dict[str, Any] = {}
    explorer = DEFAULT if explorer is None else explorer
    if isinstance(explorer, int | list | tuple):
        raise SpecError(
            f"a learner takes an algorithm first, such as 'greedy', got "
            f"{explorer!r:.80}; give actions by n_actions= or actions="
        )
    if isinstance(explorer, str) and " " in explorer.strip():
        is_seeded = "seed=" in explorer
        explorer = Run.from_text(explorer)
        values = {} if is_seeded else {"seed": fresh_seed()}
    elif not isinstance(explorer, Run):
        values = {"seed": fresh_seed()}
    if isinstance(explorer, Run):
        known = {f.name: getattr(explorer, f.name) for f in fields(explorer)}
        values = {**known, **values}
    else:
        values["explorer"] = explorer
    given = {name: value for name, value in settings.items() if value is not None}
    if "encoding" in given:
        values.pop("offset", None)
    values |= given
    if seed is not None:
        values["seed"] = seed
    _check_bandit(values["explorer"])
    try:
        return Run(**values)
    except TypeError as error:
        raise SpecError(f"a learner does not take this setting: {error}") from None


def loss_scale(run: Run, explorer: Any, settings: dict[str, Any]) -> float:
    """The least loss that users will give: the offset, if they have named one.

    Who has not may never have heard of offsets, and takes a loss for a cost.
    """
    named = isinstance(explorer, Run) or settings.get("encoding") is not None
    named = named or settings.get("offset") is not None
    return run.offset if named or "offset=" in str(explorer) else 0.0


def _check_bandit(explorer: Any) -> None:
    """Refuse what learns from more than an application knows."""
    record = explorer_of(parse(explorer)) if isinstance(explorer, str) else None
    if record is not None and record.sees_all_costs:
        raise SpecError(
            f"{record.name!r} learns from the costs of all actions, which no "
            f"application has; choose another explorer"
        )


def fresh_seed() -> int:
    """A seed that nobody else has."""
    return secrets.randbits(_SEED_BITS)
