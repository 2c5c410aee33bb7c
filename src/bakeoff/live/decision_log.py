"""What a learner writes into its decision log (docs/decision-log.md)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bakeoff.live.contexts import to_json
from bakeoff.live.decision import Decision
from bakeoff.logs.schema import DECISION, OUTCOME
from bakeoff.logs.writer import LogWriter


class DecisionLog:
    """Decisions and outcomes of one learner, line by line."""

    def __init__(
        self, log: str | Path | LogWriter, header: Callable[[], dict[str, Any]]
    ) -> None:
        self.writer = log if isinstance(log, LogWriter) else LogWriter(log)
        self._header = header
        self._has_header = False

    def restart(self) -> None:
        """Write a header again before the next decision."""
        self._has_header = False

    def decision(
        self,
        decision: Decision,
        position: int,
        now: float,
        own: Sequence[Any] | None,
        features: list[Any] | None,
        admitted: bool = False,
    ) -> None:
        """Write a decision; `own` are features of the event's actions, if it has any.

        `features` are those of all actions, if they are known; `position` is that of
        the action taken among the available ones.
        """
        if not self._has_header:
            self.writer.start(self._header())
            self._has_header = True
        p = decision.probabilities
        context, action = to_json(decision.context), decision.action
        if own is not None:
            rows = [to_json(row) for row in own]
            context = {"actions": rows, "shared": context}
        elif features is not None and decision.available is not None:
            rows = [to_json(features[a]) for a in decision.available]
            context = {"actions": rows, "shared": context}
            p, action = p[decision.available], position
        extra = {"admitted": True} if admitted else {}  # another process made it
        self.writer.write(
            {
                "kind": DECISION,
                "id": decision.id,
                "time": now,
                "version": decision.version,
                "seed": decision.seed,
                "round": decision.t,
                "context": context,
                "available": decision.available,
                "action": action,
                "name": decision.name,
                "probability": decision.probability,
                "probabilities": p.tolist(),
                **extra,
            }
        )

    def outcome(
        self,
        id: str,
        cost: float,
        now: float,
        given: float | None = None,
        is_default: bool = False,
    ) -> None:
        """Write an outcome that is about to be learned; `given` is the reward, if any.

        It is written as it was given: 1 - (1 - reward) may be another number.
        """
        reward = 1.0 - cost if given is None else float(given)
        record = {"kind": OUTCOME, "id": id, "time": now, "reward": reward}
        if 1.0 - reward != cost:
            record["cost"] = cost  # exactly, for who learns from the log again
        if is_default:
            record["default"] = True
        self.writer.write(record)
