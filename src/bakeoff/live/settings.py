"""Settings: the run of a learner from the arguments of a user."""

import secrets
from dataclasses import fields
from typing import Any

from bakeoff.basics.errors import SpecError
from bakeoff.runs import CENTRED, RATES, Run, explorer_of, parse, spec_of_users

DEFAULT = "regcb:c0=1e-3,optimistic learning_rate=1,inputs=centred"  # benchmarks/live_defaults.py
_SEED_BITS = 53  # integers that JSON numbers can represent exactly


def default_of(has_products: bool, settings: dict[str, Any]) -> str:
    """The algorithm of a learner that was not told any.

    Products of features cannot be centred.
    """
    if has_products and settings.get("inputs") is None:
        return DEFAULT.replace(f",inputs={CENTRED}", "")
    return DEFAULT


def lanes_of(run: Run, tunes_rate: bool) -> list[Run]:
    """The runs of a learner: one, or one for each learning rate, starting with its own."""
    if not tunes_rate:
        return [run]
    others = [rate for rate in RATES if rate != run.learning_rate]
    return [run, *(run_of(run, None, {"learning_rate": rate}) for rate in others)]


def run_of(explorer: Any, seed: int | None, settings: dict[str, Any]) -> Run:
    """The run that `explorer` (a spec, a run, its text or a rule) and settings describe.

    Settings override those of a run. A seed is drawn if neither the settings nor the
    run has one.
    """
    values: dict[str, Any] = {}
    explorer = spec_of_users(explorer)
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
    chosen = {name: value for name, value in settings.items() if value is not None}
    if "encoding" in chosen:
        values.pop("offset", None)
    values |= chosen
    if seed is not None:
        values["seed"] = seed
    _check_bandit(values["explorer"])
    try:
        return Run(**values)
    except TypeError as error:
        raise SpecError(f"a learner does not take this setting: {error}") from None


def loss_scale(run: Run, explorer: Any, settings: dict[str, Any]) -> float:
    """The least loss that users will report: the offset, if they have set one.

    Users who have not set an offset mean a cost when they report a loss.
    """
    is_set = isinstance(explorer, Run) or "offset=" in str(explorer)
    is_set = is_set or any(settings.get(name) is not None for name in ("encoding", "offset"))
    return run.offset if is_set else 0.0


def _check_bandit(explorer: Any) -> None:
    """Refuse algorithms that need the costs of all actions."""
    record = explorer_of(parse(explorer)) if isinstance(explorer, str) else None
    if record is not None and record.sees_all_costs:
        raise SpecError(
            f"{record.name!r} learns from the costs of all actions, which an "
            f"application does not know; choose another explorer"
        )


def fresh_seed() -> int:
    """A random seed."""
    return secrets.randbits(_SEED_BITS)
