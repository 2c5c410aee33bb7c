"""The lines that a learner writes into its decision log (docs/reference/decision-log.md)."""

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.data import Range
from bakeoff.live.batch import Batch
from bakeoff.live.contexts import to_json
from bakeoff.live.decision import Decision
from bakeoff.live.log_writer import Lines, LogWriter
from bakeoff.reading.logs import ACTIONS, ACTIVATION, DECISION, LEFT_OUT, OUTCOME


class _DecisionLine(msgspec.Struct, tag_field="kind", tag=DECISION):
    """A decision, with fields in the order of the line; encoded faster than a dictionary."""

    id: str
    time: float
    version: int
    seed: int
    round: int
    context: Any
    available: list[int] | None
    action: int
    name: str | None
    probability: float
    probabilities: list[float]
    admitted: bool | msgspec.UnsetType = msgspec.UNSET  # another process made it
    active: bool | msgspec.UnsetType = msgspec.UNSET  # false: not shown yet


class _ActivationLine(msgspec.Struct, tag_field="kind", tag=ACTIVATION):
    """A decision is shown from now on."""

    id: str
    time: float


class _ActionsLine(msgspec.Struct, tag_field="kind", tag=ACTIONS):
    """Actions with features came or went since the last header or line of this kind."""

    first: int  # number of the first new one
    names: list[str]  # of new ones
    features: list[Any]
    retired: list[int]
    back: list[int]


class _OutcomeLine(msgspec.Struct, tag_field="kind", tag=OUTCOME):
    """An outcome, with fields in the order of the line."""

    id: str
    time: float
    reward: float
    cost: float | msgspec.UnsetType = msgspec.UNSET  # if the reward does not give it exactly
    default: bool | msgspec.UnsetType = (
        msgspec.UNSET
    )  # no outcome came in time: this is the default


def without_features(context: Any, patterns: Sequence[str]) -> Any:
    """A context as a log stores it, without some features.

    Features of an array have no names: only "*" leaves them out, and all of them.
    """
    if isinstance(context, Mapping) and not {"indices", "values"} <= context.keys():
        return {
            name: value
            for name, value in context.items()
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
        }
    return {} if "*" in patterns and context is not None else context


def _change(before: dict[str, Any], now: dict[str, Any]) -> _ActionsLine:
    """What a header's actions are now, compared with what they were."""
    first, was, is_now = before["count"], set(before["retired"]), set(now["retired"])
    return _ActionsLine(
        first, now["names"][first:], now["features"][first:], sorted(is_now - was),
        sorted(was - is_now),
    )  # fmt: skip


class DecisionLog:
    """Decisions and outcomes of one learner as lines."""

    def __init__(self, log: str | Path | LogWriter, header: Callable[[], dict[str, Any]]) -> None:
        self.writer = log if isinstance(log, LogWriter) else LogWriter(log)
        self._line = self.writer.line
        self._header = header
        self._is_current = False
        self._actions: dict[str, Any] | None = None  # those of the last header, if it says all else
        self._change: Lines | None = None  # how actions differ from those, if it is being written

    def restart(self, only_actions: bool = False) -> None:
        """Write a new header before the next line, or how its actions have changed."""
        self._is_current, self._change = False, None
        if not only_actions:
            self._actions = None

    def start(self) -> None:
        """Write a header, or a change of actions, if one is due."""
        if self._is_current:
            return
        header = self._header()
        if self.writer.without:
            header[LEFT_OUT] = list(self.writer.without)
        actions = header["settings"]["actions"]
        if self._actions is None or actions["features"] is None:
            self.writer.start(header)
        elif actions != self._actions:
            if self._change is None:
                self._change = Lines(self._line(_change(self._actions, actions)))
            self.writer.change(header, self._change)
        self._actions, self._is_current, self._change = actions, True, None

    def put(self, lines: Lines) -> None:
        """Write lines that are not in the file yet."""
        if not self._is_current:
            self.start()
        self.writer.put(lines)

    def decision(
        self,
        decision: Decision,
        position: int,
        now: float,
        own_actions: Sequence[Any] | None,
        features: list[Any] | None,
        admitted: bool = False,
        active: bool = True,
    ) -> bytes:
        """The line of a decision.

        `position` is the place of the action among the available ones. `own_actions`
        are the features of the event's own actions, `features` those of all actions of
        the learner, if there are any.
        """
        p = decision.probabilities
        context, action = to_json(decision.context), decision.action
        if self.writer.without:
            context = without_features(context, self.writer.without)
        if own_actions is not None:
            rows = [to_json(row) for row in own_actions]
            context = {"actions": rows, "shared": context}
        elif features is not None and decision.available is not None:
            rows = [to_json(features[a]) for a in decision.available]
            context = {"actions": rows, "shared": context}
            p, action = p[decision.available], position
        return self._line(
            _DecisionLine(
                decision.id,
                now,
                decision.version,
                decision.seed,
                decision.t,
                context,
                decision.available,
                action,
                decision.name,
                decision.probability,
                p.tolist(),
                True if admitted else msgspec.UNSET,
                msgspec.UNSET if active else False,
            )
        )

    def activation(self, id: str, now: float) -> bytes:
        """The line of a decision that is shown from now on."""
        return self._line(_ActivationLine(id, now))

    def outcome(
        self,
        id: str,
        cost: float,
        now: float,
        rewards: Range,
        reward: float | None = None,
        is_default: bool = False,
    ) -> bytes:
        """The line of an outcome that is about to be learned.

        A reward is written exactly as the user gave it: one made of a cost may be rounded.
        """
        reward = rewards.reward_of(cost) if reward is None else float(reward)
        line = _OutcomeLine(id, now, reward)
        if rewards.cost_of(reward) != cost:
            line.cost = cost  # the exact cost, for replays
        if is_default:
            line.default = True
        return self._line(line)

    def decisions(
        self, batch: Batch, X: Any, names: list[str] | None, seed: int, version: int, now: float
    ) -> Lines:
        """The lines of a batch of decisions; `X` are its contexts."""
        contexts = X if isinstance(X, list) else [X[[i]] for i in range(len(batch))]
        ids, lines = batch.ids, []
        for i, action in enumerate(batch.actions.tolist()):
            decision = Decision(
                action,
                batch.probabilities[i],
                context=contexts[i],
                id=ids[i],
                name=None if names is None else names[action],
                seed=seed,
                version=version,
                t=batch.t + i,
            )
            lines.append(self.decision(decision, action, now, None, None))
        return Lines(b"".join(lines))

    def outcomes(self, batch: Batch, costs: Doubles, now: float, rewards: Range) -> Lines:
        """The lines of the outcomes of a batch that are not NaN."""
        ids = batch.ids
        known = np.flatnonzero(~np.isnan(costs)).tolist()
        lines = [self.outcome(ids[i], costs.item(i), now, rewards) for i in known]
        return Lines(b"".join(lines))
