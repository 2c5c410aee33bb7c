"""Snapshots: a learner as a header and arrays, and back."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.core.bandit import Regressors
from bakeoff.core.live import LARGEST, Given
from bakeoff.core.types import Ints
from bakeoff.data import Range, is_integer
from bakeoff.live.actions import Actions, Prior
from bakeoff.live.contexts import to_json
from bakeoff.live.costs import checked_default, checked_range
from bakeoff.live.encoder import Encoder
from bakeoff.live.engine import Engine, Room, arrays_in, used_rows
from bakeoff.live.feature_names import MOST_BITS
from bakeoff.live.feedback import GIVEN_UP, LEARNED, Feedback, Pending, Waiting
from bakeoff.live.ledger import Ledger
from bakeoff.live.model import Model, check_floor
from bakeoff.live.model_file import Arrays, read_model
from bakeoff.live.monitor import Monitor
from bakeoff.live.paired import Paired, Table
from bakeoff.live.settings import run_of
from bakeoff.live.warm_start import WarmStart
from bakeoff.reading.logs import FORMAT, HEADER
from bakeoff.runs import ARITHMETIC, Run, parse, spelled_today

# Errors that invalid contents of a file can cause
_DAMAGE = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError)
_TABLE = ("table.start", "table.place", "table.value")  # rows that pending decisions refer to
_CLOCKS = ("T", "S", "lo", "hi", "w0", "A0")


# Learners


def take(model: Model, ledger: Ledger) -> tuple[dict[str, Any], Arrays]:
    """A learner as a header and arrays, which do not change with the learner."""
    model.settle_inputs(ledger.t)
    header = {
        "run": str(model.run),
        "arithmetic": ARITHMETIC,
        "least_loss": model.least_loss,
        "rewards": list(model.rewards),
        "t": ledger.t,
        "version": ledger.version,
        "sessions": ledger.all_sessions(),
        "warm_starts": [asdict(start) for start in ledger.warm_starts],
        "actions": _actions_header(model.actions),
        "encoder": model.encoder.header(),
        "engine": _engine_header(model.engine),
        "pending": _pending_header(ledger.pending),
        "monitor": ledger.monitor.state(),
    }
    return header, _engine_arrays(model.engine) | _pending_arrays(ledger.pending, model.engine)


def load(path: Path, seed: int | None) -> tuple[Model, Ledger]:
    """The learner in a file; `seed` replaces its own."""
    header, arrays = read_model(path)
    try:
        return _restored(header, arrays, seed)
    except _DAMAGE as error:
        if isinstance(error, BakeoffError) and not isinstance(error, DataError):
            raise
        raise DataError(
            f"{path} is damaged or not a learner: {error!s:.100}; load an earlier copy"
        ) from None


def _restored(header: dict[str, Any], arrays: Arrays, seed: int | None) -> tuple[Model, Ledger]:
    def run_in(text: str) -> Run:
        return Run.from_text(spelled_today(text, header.get("arithmetic")))

    run = run_of(run_in(header["run"]), seed, {})
    least_loss = float(header["least_loss"])
    t, version = _count(header["t"]), _count(header["version"])
    lanes = [run_of(run_in(text), run.seed, {}) for text in header["engine"]["lanes"]]
    engine = _restored_engine(header["engine"], arrays, run, lanes)
    _check_actions(header["actions"], engine.room)
    actions = restored_actions(header["actions"])
    check_floor(engine.floor, actions.count)
    encoder = Encoder.restored(header["encoder"])
    pending = _restored_pending(header["pending"], arrays, engine.room, actions.count)
    monitor = Monitor.restored(header["monitor"], version)
    ledger = Ledger(pending, monitor, t, version)
    ledger.sessions = _restored_sessions(header.get("sessions"))
    ledger.warm_starts = tuple(WarmStart(**start) for start in header.get("warm_starts", []))
    rewards = checked_range(header.get("rewards", Range()))
    checked_default(pending.feedback.default_reward, rewards)
    return Model(run, least_loss, actions, encoder, engine, rewards), ledger


def _restored_sessions(sessions: Any) -> dict[str, int] | None:
    """The sessions in a header; None if it was written before there were any."""
    if sessions is None:
        return None
    return {str(session): _count(t) for session, t in sessions.items()}


def log_header(model: Model, ledger: Ledger) -> dict[str, Any]:
    """The first line of a learner's log."""
    actions, encoder = model.actions, model.encoder
    has_features = actions.count == 0 or actions.features is not None
    rewards = {} if model.rewards == Range() else {"reward_range": list(model.rewards)}
    starts = {"warm_starts": [asdict(start) for start in ledger.warm_starts]}
    return {
        "kind": HEADER,
        "format": FORMAT,
        "actions": None if has_features else actions.names,
        "n_actions": None if has_features else actions.count,
        "n_features": None if encoder.columns else encoder.n_features,
        "spec": str(model.run),
        "arithmetic": ARITHMETIC,
        "adaptive": True,
        **rewards,
        "settings": {
            "t": ledger.t,
            "version": ledger.version,
            "least_loss": model.least_loss,
            **(starts if ledger.warm_starts else {}),
            "actions": _actions_header(actions),
            **encoder.header(),
            **_engine_header(model.engine),
        },
    }


# What was learned


def _engine_arrays(engine: Engine) -> Arrays:
    """Everything learned; of the weights, only rows in which something was learned."""
    arrays: Arrays = {"progress": engine.progress.copy()}
    arrays |= {f"state.{name}": array.copy() for name, array in _memories(engine)}
    if engine.inputs is not None:
        arrays |= engine.inputs.arrays()
    for what in ("policies", "estimator"):
        f: Regressors = getattr(engine.bandit, what)
        pieces = [np.zeros(0, np.int64), *used_rows(f)]
        rows: Ints = np.concatenate(pieces)
        arrays[f"{what}.rows"] = rows
        for name in ("w", "A", "N"):
            arrays[f"{what}.{name}"] = getattr(f, name)[rows]
        for name in _CLOCKS:
            arrays[f"{what}.{name}"] = getattr(f, name).copy()
    return arrays


def _restore_engine(engine: Engine, arrays: Arrays) -> None:
    """Fill an engine that has learned nothing."""
    engine.progress[:] = arrays["progress"]
    for name, array in _memories(engine):
        array[...] = arrays[f"state.{name}"]
    if engine.inputs is not None:
        engine.inputs.restore(arrays)
    for what in ("policies", "estimator"):
        f: Regressors = getattr(engine.bandit, what)
        rows = arrays[f"{what}.rows"]
        if rows.size and not (rows.min() >= 0 and rows.max() < len(f.w)):
            raise ValueError("it has weights for unknown rows")
        for name in ("w", "A", "N"):
            getattr(f, name)[rows] = arrays[f"{what}.{name}"]
        for name in _CLOCKS:
            getattr(f, name)[:] = arrays[f"{what}.{name}"]


def _memories(engine: Engine) -> Iterator[tuple[str, NDArray[Any]]]:
    """Arrays in which an explorer keeps what it learned; those named after settings hold these."""
    settings = {field.name for field in fields(parse(engine.runs[0].explorer))}
    for name, value in arrays_in(engine.state):
        if name.rpartition(".")[2] not in settings:
            yield name, value


# Pending decisions


def _pending_arrays(pending: Pending, engine: Engine) -> Arrays:
    """Pending decisions, concatenated."""
    decisions = list(pending.waiting.values())
    arrays: Arrays = {
        "pending.t": np.array([waiting.t for waiting in decisions], np.int64),
        "pending.action": np.array([waiting.action for waiting in decisions], np.int64),
        "pending.number": np.array([waiting.number for waiting in decisions], np.int64),
        "pending.active": np.array([waiting.is_active for waiting in decisions], np.int64),
        "pending.time": np.array([waiting.time for waiting in decisions], np.float64),
    }
    table, events = Table(), []
    numbers: dict[tuple[int, int], int] = {}  # in the file, by table and number
    for waiting in decisions:
        if isinstance(waiting.event, Paired):
            events.append(_kept(waiting.event, table, numbers))
        else:
            events.append(engine.as_laid_out(waiting.event, waiting.p))
    if table.n_rows:
        rows = table.with_context((np.zeros(0, np.int64), np.zeros(0)))
        for name, part, end in zip(
            _TABLE, rows, (table.n_rows + 1, table.n_entries, table.n_entries), strict=True
        ):
            arrays[name] = part[:end].copy()
    for name in (*Given._fields, "p"):
        parts = (
            [waiting.p for waiting in decisions]
            if name == "p"
            else [getattr(e, name) for e in events]
        )
        kind = np.float64 if name in ("value", "p") else np.int64
        sizes = np.array([len(part) for part in parts], np.int64)
        arrays[f"pending.{name}.sizes"] = sizes
        arrays[f"pending.{name}"] = np.concatenate([np.zeros(0, kind), *parts])
    return arrays


def _kept(event: Paired, table: Table, numbers: dict[tuple[int, int], int]) -> Given:
    """A paired event with its context as the only row; those of actions go into `table`."""
    of = id(event.table)
    actions = []
    for number in event.actions.tolist():
        if (of, number) not in numbers:
            numbers[of, number] = table.add(event.table.row(number))
        actions.append(numbers[of, number])
    place, value = event.context
    places = place if len(place) == len(value) else np.arange(len(value))
    start = np.array([0, len(value)])
    return Given(start, places, value, event.first, np.array(actions, np.int64))


def _restored_table(arrays: Arrays) -> Table:
    """The rows of actions that pending decisions refer to."""
    table = Table()
    if not all(name in arrays for name in _TABLE):
        return table
    start, place, value = (arrays[name] for name in _TABLE)
    is_valid = (
        start.dtype == place.dtype == np.int64
        and value.dtype == np.float64
        and start.ndim == place.ndim == value.ndim == 1
        and len(start) >= 1
        and start[0] == 0
        and (np.diff(start) >= 0).all()
        and start[-1] == len(place) == len(value)
        and ((place >= 0) & (place < 2**31 - 2)).all()
        and (np.abs(value) <= LARGEST).all()
    )
    if not is_valid:
        raise ValueError("the actions of pending decisions are invalid")
    for begin, end in itertools.pairwise(start.tolist()):
        table.add((place[begin:end], value[begin:end]))
    return table


def _restored_pending(
    header: dict[str, Any], arrays: Arrays, room: Room, n_actions: int
) -> Pending:
    """The pending decisions that a header and arrays describe."""
    pending = Pending(Feedback(**header["feedback"]))
    pending.repeated, pending.given_up, pending.defaulted = map(_count, header["counts"])
    for id, how in header["ended"].items():
        if how not in (LEARNED, GIVEN_UP):
            raise ValueError(f"a decision ended as {how!r:.20}")
        pending.ended[id] = LEARNED if how == LEARNED else GIVEN_UP
    table = _restored_table(arrays)
    parts = {name: _parts(arrays, name) for name in (*Given._fields, "p")}
    for i, id in enumerate(header["ids"]):
        given = Given(*(parts[name][i].copy() for name in Given._fields))
        is_paired = room.shared and len(given.first) == 3
        event = _restored_pairs(given, table) if is_paired else given
        waiting = Waiting(
            event,
            int(arrays["pending.t"][i]),
            int(arrays["pending.action"][i]),
            parts["p"][i].copy(),
            int(arrays["pending.number"][i]),
            float(arrays["pending.time"][i]),
        )
        waiting.is_active = bool(arrays["pending.active"][i])
        _check_waiting(waiting, room, n_actions)
        if not isinstance(id, str) or pending.knows(id):
            raise ValueError("the ids of decisions are invalid")
        pending.waiting[id] = waiting
    return pending


def _parts(arrays: Arrays, name: str) -> list[Any]:
    """One array per pending decision."""
    flat, sizes = arrays[f"pending.{name}"], arrays[f"pending.{name}.sizes"]
    kind = np.float64 if name in ("value", "p") else np.int64
    fits = flat.dtype == kind and sizes.dtype == np.int64 and flat.ndim == 1
    if not fits or (sizes < 0).any() or sizes.sum() != len(flat):
        raise ValueError(f"{name} of pending decisions does not fit")
    return np.split(flat, np.cumsum(sizes)[:-1])


def _restored_pairs(given: Given, table: Table) -> Paired:
    """The event that `_kept` kept."""
    start, place, value, first, actions = given
    K, places = len(actions), first.item(2)
    is_valid = (
        start.tolist() == [0, len(value)]
        and len(place) == len(value)
        and ((place >= 0) & (place < 2**31 - 2)).all()
        and (np.abs(value) <= LARGEST).all()
        and first.tolist() == [0, K, places]
        and K > 0
        and 0 <= places <= 2**MOST_BITS
        and ((actions >= 0) & (actions < table.n_rows)).all()
    )
    if not is_valid:
        raise ValueError("a pending decision is invalid")
    return Paired(table, actions, (place, value), first)


def _check_waiting(waiting: Waiting, room: Room, n_actions: int) -> None:
    """Refuse impossible decisions, with which compiled loops could leave their arrays."""
    K = len(waiting.p)
    is_valid = (
        0 <= waiting.action < K
        and 0 <= waiting.number < (n_actions or K)
        and ((waiting.p >= 0) & (waiting.p <= 1)).all()
        and waiting.p[waiting.action] > 0
        and waiting.t >= 1
        and math.isfinite(waiting.time)
        and _fits(waiting, room, K)
    )
    if not is_valid:
        raise ValueError("a pending decision is invalid")


def _fits(waiting: Waiting, room: Room, K: int) -> bool:
    """Whether the event of a decision is one among K actions."""
    if isinstance(waiting.event, Paired):
        return waiting.event.first.item(1) == K
    start, place, value, first, actions = waiting.event
    return bool(
        len(start) >= 2
        and start[0] == 0
        and (np.diff(start) >= 0).all()
        and start[-1] == len(value)
        and len(place) in (0, len(value))
        and ((place >= 0) & (place < 2**31 - 2)).all()
        and first.tolist() == ([0, K] if room.apart or room.shared else [])
        and (room.n_actions == K or room.apart or room.shared)
        and len(actions) == (K if room.apart else 0)
        and ((actions >= 0) & (actions < room.n_actions)).all()
        and len(start) == (K + 1 if room.shared else 2)
        and waiting.number == (actions[waiting.action] if len(actions) else waiting.number)
        and (np.abs(value) <= LARGEST).all()
    )


# Everything else


def _count(value: Any) -> int:
    """A number of events that was read from a file."""
    if not (is_integer(value) and 0 <= value < 2**62):
        raise ValueError(f"{value!r:.20} is not a number of events")
    return int(value)


def _actions_header(actions: Actions) -> dict[str, Any]:
    """The actions."""
    features, priors = actions.features, sorted(actions.priors.items())
    return {
        "count": actions.count,
        "names": None if actions.names is None else list(actions.names),
        "features": None if features is None else [to_json(x) for x in features],
        "retired": sorted(actions.retired),
        **({"priors": [[a, *prior] for a, prior in priors]} if priors else {}),
    }


def _check_actions(header: dict[str, Any], room: Room) -> None:
    """Refuse a number of actions that does not fit the weights."""
    count, n_actions = header["count"], room.n_actions
    exact = not (room.apart or room.shared)
    if not is_integer(count) or not (count == n_actions if exact else count >= 0):
        raise ValueError(f"it has weights of {n_actions} actions, not of {count!r}")
    if not room.shared and count > n_actions:
        raise ValueError(f"it has weights of {n_actions} actions, not of {count}")
    if header["names"] is None and room.shared and count:
        raise ValueError("its actions have features, but no names")


def restored_actions(header: dict[str, Any]) -> Actions:
    """The actions that `_actions_header` describes."""
    names, features, count = header["names"], header["features"], header["count"]
    named = names if features is None else dict(zip(names, features, strict=True))
    actions = Actions(count or None if names is None else None, named)
    for number in header["retired"]:
        actions.retire(number)
    actions.priors = priors_of(header)
    return actions


def priors_of(header: dict[str, Any]) -> dict[int, Prior]:
    """The priors of actions in a header."""
    return {_count(a): Prior(float(r), _count(n)) for a, r, n in header.get("priors", [])}


def _engine_header(engine: Engine) -> dict[str, Any]:
    """The shape of an engine."""
    return {
        "lanes": [str(run) for run in engine.runs],
        "room": engine.room._asdict(),
        "floor": engine.floor,
    }


def _restored_engine(header: dict[str, Any], arrays: Arrays, run: Run, lanes: list[Run]) -> Engine:
    """The engine of a run that `_engine_header` and `_engine_arrays` describe."""
    same = (run.explorer, run.reduction, run.inputs)
    if (lanes[0].explorer, lanes[0].reduction, lanes[0].inputs) != same:
        raise ValueError("its weights belong to another run")
    room = Room(**header["room"])
    if not all(is_integer(n) and 1 <= n < 2**40 for n in room[:3]):
        raise ValueError("the sizes of its weights are invalid")
    if not all(isinstance(flag, bool) for flag in room[3:]):
        raise ValueError("the layout of its weights is invalid")
    engine = Engine(lanes, room, float(header["floor"]))
    _restore_engine(engine, arrays)
    return engine


def _pending_header(pending: Pending) -> dict[str, Any]:
    """Settings and counts of feedback, and the ids of decisions."""
    return {
        "feedback": asdict(pending.feedback),
        "ids": list(pending.waiting),
        "ended": dict(pending.ended),  # it is written while other threads go on
        "counts": [pending.repeated, pending.given_up, pending.defaulted],
    }
