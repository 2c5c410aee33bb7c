"""Fairness: a policy is not judged by the events it has learned from.

A learner remembers the rewards of those events, so on them it looks better than it is. Events that
were logged after it was saved are fair.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted
from bakeoff.data import Log
from bakeoff.evaluation.policies import Policy


class Fair(NamedTuple):
    """The events of a log that may judge some policies, and what to say about it."""

    log: Log
    policies: list[Policy]
    words: str = ""


def fair_part(log: Log, policies: Sequence[Policy]) -> Fair:
    """What is left of a log after the last event that any of the policies has learned from."""
    learned = [0 if policy.learned is None else policy.learned(log) for policy in policies]
    events = max(learned, default=0)
    if events == 0:
        return Fair(log, list(policies))
    name = policies[learned.index(events)].name
    if events == log.n:
        raise unfair(name, log.name, log.n)
    rest = log.part(slice(events, None))
    later = [policy.after(log, events) for policy in policies]
    return Fair(rest, later, left_out(name, events, rest.n))


def left_out(name: str, events: int, rest: int) -> str:
    """The sentence on events that were left out."""
    return (
        f"{name} has learned from the first {counted(events, 'event')}, which are left out: "
        f"it is judged by the {counted(rest, 'later event')}."
    )


def unfair(name: str, log: str, events: int) -> DataError:
    """The error if no event is left."""
    saved = name if Path(name.removeprefix("greedy:")).exists() else "FILE"
    return DataError(
        f"{name} has learned from {log}, up to the last of its {counted(events, 'event')}: judge "
        f"it by events that were logged after it was saved, or as it was before each event, by "
        f"the policy 'progressive:{saved}'"
    )
