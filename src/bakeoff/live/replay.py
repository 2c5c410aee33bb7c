"""Replay: repeat the decisions of a log, and learn its outcomes again, in order.

A decision is a function of what was learned before, the context, the seed and the
round. So the log of a learner can be computed again, bit for bit.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted
from bakeoff.data import MOST_ACTIONS, is_count
from bakeoff.live.contexts import split_json
from bakeoff.live.decision import Decision
from bakeoff.live.learner import Learner
from bakeoff.live.snapshot import priors_of
from bakeoff.live.warm_start import WarmStart
from bakeoff.reading.logs import (
    ACTIONS,
    ACTIVATION,
    DECISION,
    HEADER,
    LEFT_OUT,
    OUTCOME,
    blaming,
    placed_records_of,
)


@dataclass
class Replay:
    """The result of replaying a log."""

    decisions: int = 0  # repeated
    before: int = 0  # decisions that are older than the model
    outcomes: int = 0  # learned again
    admitted: int = 0  # decisions of other processes, which cannot be repeated
    different: int = 0  # repeated decisions that differ from the log
    first_different: str | None = None


def catch_up(learner: Learner, log: str | Path) -> Replay:
    """Replay what a log has after the learner was saved.

    Afterwards, the loaded learner is what it was when it stopped writing the log. It is
    an error if any decision differs from the log.

    Parameters
    ----------
    learner
        A learner that was just loaded, with the log it goes on writing.
    log
        The path of that log.

    Returns
    -------
    Replay
        What was replayed: numbers of decisions and outcomes.

    Raises
    ------
    DataError
        If the log cannot be read, or a decision differs from it.

    Examples
    --------
    >>> learner = bakeoff.Learner("greedy", n_actions=2, n_features=1, log="log.jsonl")
    >>> learner.save("model")
    >>> learner.learn(learner.choose([1.0]), reward=1.0)
    True
    >>> learner.close()
    >>> loaded = bakeoff.Learner.load("model", log="log.jsonl")
    >>> _ = bakeoff.catch_up(loaded, "log.jsonl")
    >>> loaded.t
    1
    """
    with learner.steps.lock:
        learner.steps.settle()
        replay = replayed(learner, placed_records_of(log))
    if replay.different:
        raise DataError(
            f"{log} does not fit this learner: "
            f"{counted(replay.different, 'decision')} turned out different, first "
            f"{replay.first_different!r}"
        )
    return replay


def replayed(
    learner: Learner, records: Iterable[tuple[str, dict[str, Any]]], replay: Replay | None = None
) -> Replay:
    """Replay records of a log with their places in files, and add to `replay`."""
    replay = Replay() if replay is None else replay
    with learner.ledger.replaying():
        for where, record in records:
            with blaming(where):
                gap = _gap(learner, record)
            if gap:
                raise GapError(f"{where}: {gap}")
            with blaming(where):
                _replay_record(learner, record, replay)
    return replay


def _replay_record(learner: Learner, record: dict[str, Any], replay: Replay) -> None:
    kind = record["kind"]
    if kind == HEADER:
        _follow_actions(learner, record)
        return
    if kind == ACTIONS:
        _follow_change(learner, record)
        return
    learner.ledger.set_time(float(record["time"]))
    if kind == DECISION and record.get("admitted"):
        _admit(learner, record, replay)
    elif kind == DECISION:
        t = int(np.int64(record["round"]))
        if t <= learner.t:
            replay.before += 1
            return
        learner.model.settle_inputs(learner.t)
        learner.ledger.t = t - 1  # rounds in between were not logged
        same = _is_same(_repeated(learner, record), record)
        replay.decisions += 1
        if not same:
            replay.different += 1
            replay.first_different = replay.first_different or record["id"]
    elif kind == ACTIVATION:
        if record["id"] in learner.ledger.pending.waiting:
            learner.activate(record["id"])
    elif kind == OUTCOME and record["id"] in learner.ledger.pending.waiting:
        cost = record.get("cost")
        if cost is None:
            cost = learner.model.rewards.cost_of(record["reward"])
        replay.outcomes += learner.learn(record["id"], cost=cost)


class GapError(DataError):
    """The log does not hold all that the learner saw."""


def _gap(learner: Learner, record: dict[str, Any]) -> str:
    """What the log lacks from this record on, or an empty string."""
    if record["kind"] != HEADER:
        return ""
    if record.get(LEFT_OUT):
        listed = ", ".join(map(str, record[LEFT_OUT]))
        return f"contexts were logged without {listed}, so decisions cannot be made again"
    starts = record.get("settings", {}).get("warm_starts", [])
    known = len(learner.ledger.warm_starts)
    if len(starts) > known:
        start = WarmStart(**starts[known])
        return (
            f"the learner was warm-started with {start} here: begin with a model that was "
            f"saved after that"
        )
    return ""


def _follow_actions(learner: Learner, header: dict[str, Any]) -> None:
    """Add and retire actions as the learner that wrote the log did."""
    logged = header.get("settings", {}).get("actions")
    if logged is None or learner.n_actions is None:
        return
    mine = learner.model.actions
    if not is_count(logged["count"]) or logged["count"] > mine.count + MOST_ACTIONS:
        raise DataError(f"the learner cannot have {logged['count']!r:.60} actions")
    priors = priors_of(logged)
    for number in range(mine.count, logged["count"]):
        features = logged["features"][number] if logged["features"] else None
        name, prior = logged["names"][number] if logged["names"] else None, priors.get(number)
        reward, events = (None, 1) if prior is None else prior
        learner.add_action(name, features, prior=reward, prior_events=events)
    for number in mine.retired - set(logged["retired"]):
        learner.add_action(mine.name(number))
    for number in set(logged["retired"]) - mine.retired:
        learner.retire_action(number)


def _follow_change(learner: Learner, record: dict[str, Any]) -> None:
    """Add and retire actions with features, unless that has been done."""
    mine, first = learner.model.actions, int(record["first"])
    if mine.features is None or not 0 <= first <= mine.count:
        raise DataError(f"the learner has {mine.count} actions, but new ones begin at {first}")
    new = list(zip(record["names"], record["features"], strict=True))
    for name, features in new[mine.count - first :]:
        learner.add_action(name, features)
    for number in set(record["back"]) & learner.model.actions.retired:
        learner.add_action(learner.model.actions.name(number))
    for number in set(record["retired"]) - learner.model.actions.retired:
        learner.retire_action(number)


def _admit(learner: Learner, record: dict[str, Any], replay: Replay) -> None:
    """Admit a decision that another process made."""
    replay.admitted += 1
    if learner.ledger.pending.knows(record["id"]):
        return
    action, p, available = (record[k] for k in ("action", "probabilities", "available"))
    if learner.model.actions.features is not None and available is not None:
        # the log has only the available ones
        p = learner.model.spread(np.array(p), np.array(available, np.int64))
        action = available[action]
    context, actions = _context_of(learner, record)
    learner.admit(
        Decision(
            action,
            p,
            context=context,
            id=record["id"],
            name=record["name"],
            seed=record["seed"],
            version=record["version"],
            t=record["round"],
            available=available,
            actions=actions,
        )
    )


def _context_of(learner: Learner, record: dict[str, Any]) -> tuple[Any, Any]:
    """The context of a logged decision, and the features of its own actions, if any."""
    return split_json(record["context"], has_own=learner.n_actions is None)


def _repeated(learner: Learner, record: dict[str, Any]) -> Decision:
    """A logged decision, made again."""
    context, actions = _context_of(learner, record)
    return learner.choose(
        context,
        available=record["available"],
        actions=actions,
        id=record["id"],
        active=record.get("active", True),
    )


def _is_same(decision: Decision, record: dict[str, Any]) -> bool:
    """Whether a decision equals a logged one, to the last bit."""
    p = decision.probabilities
    logged = np.array(record["probabilities"])
    if len(logged) < len(p) and decision.available is not None:
        p = p[decision.available]
    return (
        decision.probability == record["probability"]
        and decision.name == record["name"]
        and decision.version == record["version"]
        and decision.seed == record["seed"]
        and np.array_equal(p, logged)
        and (decision.name is not None or decision.action == record["action"])
    )
