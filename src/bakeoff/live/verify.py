"""Verify: whether a log holds its learner's decisions, drawn as it says.

Two questions. Are the decisions those that the learner makes, to the last bit? They are
computed again. And were actions drawn with the logged probabilities? Their counts are
compared with what the probabilities promise (a sample-ratio test); given the past, each
difference has mean zero, so this holds for learners that change, too.
"""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from bakeoff.basics.errors import DataError
from bakeoff.live.feedback import UNLIMITED
from bakeoff.live.learner import Learner
from bakeoff.live.replay import Replay, replayed
from bakeoff.live.snapshot import columns_of, restored_actions
from bakeoff.reading.logs import DECISION, HEADER, blaming, placed_records_of, records_of
from bakeoff.runs import Run

ALARM = 1e-3  # honest logs are suspected less often than this
_LEAST_VARIANCE = 5.0  # for a count to be nearly normal
_BINS = [0.0, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.7, 0.9, 0.97, 0.99, 1.0]


@dataclass
class Count:
    """How often something was drawn, and how often it should have been."""

    what: str
    drawn: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, drawn: bool, p: float) -> None:
        """One more decision in which it had probability `p`."""
        self.drawn += drawn
        self.expected += p
        self.variance += p * (1.0 - p)

    @property
    def p_value(self) -> float | None:
        """How likely so large a difference is by chance; none if too few are there."""
        if self.variance < _LEAST_VARIANCE:
            return None
        z = abs(self.drawn - self.expected) / math.sqrt(self.variance)
        return float(2.0 * special.ndtr(-z))


@dataclass
class Ratios:
    """Counts by action and by probability, over the decisions of a log."""

    decisions: int = 0
    contradictions: int = 0  # decisions that contradict their own probabilities
    by_action: dict[int, Count] = field(default_factory=dict)
    by_probability: list[Count] = field(
        default_factory=lambda: [
            Count(f"{low:g} to {high:g}") for low, high in itertools.pairwise(_BINS)
        ]
    )

    def add(self, record: dict[str, Any], is_numbered: bool) -> None:
        """Count a decision."""
        p = np.array(record["probabilities"], np.float64)
        action = np.int64(record["action"])
        self.decisions += 1
        fits = 0 <= action < len(p) and p[action] == record["probability"] > 0
        if not fits or not math.isclose(p.sum(), 1.0, abs_tol=1e-6):
            self.contradictions += 1
            return
        places = np.searchsorted(_BINS[1:-1], p, side="left")
        for place in set(places.tolist()):
            mass = min(1.0, float(p[places == place].sum()))
            self.by_probability[place].add(bool(places[action] == place), mass)
        if is_numbered:
            for a, share in enumerate(p.tolist()):
                count = self.by_action.setdefault(a, Count(str(a)))
                count.add(bool(a == action), share)

    @property
    def p_value(self) -> float | None:
        """The smallest of all, times how many there are (Bonferroni)."""
        counts = [*self.by_action.values(), *self.by_probability]
        found = [count.p_value for count in counts]
        kept = [p for p in found if p is not None]
        return min(1.0, min(kept) * len(kept)) if kept else None


@dataclass
class Verdict:
    """What `verify` found."""

    ratios: Ratios
    replay: Replay | None  # none: there was no learner to compute decisions with
    why_not: str = ""

    @property
    def is_fine(self) -> bool:
        """Whether nothing speaks against the log."""
        drawn = self.ratios.p_value
        return (
            self.ratios.contradictions == 0
            and (self.replay is None or self.replay.different == 0)
            and (drawn is None or drawn >= ALARM)
        )


def verify(log: str | Path, model: str | Path | None = None) -> Verdict:
    """Check a log, from its beginning or from where a saved model was."""
    ratios = Ratios()
    for where, record, is_numbered in _decisions(placed_records_of(log)):
        with blaming(where):
            ratios.add(record, is_numbered)
    if model is not None:
        learner = Learner.load(model)
        learner.ledger.pending.feedback = UNLIMITED
        return Verdict(ratios, replayed(learner, placed_records_of(log)))
    header = next(records_of(log), None)
    if header is None:
        raise DataError(f"{log}: is empty, but a log needs at least its header")
    why_not = _objection(header)
    if why_not:
        return Verdict(ratios, None, why_not)
    return Verdict(ratios, _replayed_alone(placed_records_of(log)))


def _replayed_alone(records: Iterable[tuple[str, dict[str, Any]]]) -> Replay:
    """What comes of going through a log without a model.

    A learner may have begun anew in the middle, with nothing learned.
    """
    replay, header, learner = Replay(), {}, None
    for where, record in records:
        with blaming(where):
            if record["kind"] == HEADER:
                header = record
            if learner is None or _is_anew(record, header, learner):
                learner = learner_of(header)
        replayed(learner, [(where, record)], replay)
    return replay


def _is_anew(record: dict[str, Any], header: dict[str, Any], learner: Learner) -> bool:
    """Whether a record is the first of a learner that had learned nothing.

    A log that was set aside goes on with a header like the one before.
    """
    if _objection(header):
        return False
    if record["kind"] == HEADER:
        return bool(header["spec"] != str(learner.run))
    is_own = record["kind"] == DECISION and not record.get("admitted")
    return is_own and record.get("round", learner.t) <= learner.t


def _decisions(
    records: Iterable[tuple[str, dict[str, Any]]],
) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Decisions with their place, and whether numbers of their actions mean a thing."""
    is_numbered = False
    for where, record in records:
        if record["kind"] == HEADER:
            is_numbered = record.get("n_actions") is not None
        elif record["kind"] == DECISION:
            yield where, record, is_numbered


def _objection(header: dict[str, Any]) -> str:
    """Why decisions cannot be computed from a log alone, if they cannot."""
    settings = header.get("settings")
    if not header.get("spec") or not isinstance(settings, dict):
        return "the log was not written by a bakeoff learner"
    if settings.get("t") != 0 or settings.get("version") != 0:
        return "the log begins with a learner that had learned before: give its --model"
    return ""


def learner_of(header: dict[str, Any]) -> Learner:
    """A fresh learner as the header of a log describes it."""
    settings = header["settings"]
    count, n_actions = settings["actions"]["count"], header["n_actions"]
    has_own = not count or settings["actions"]["features"] is not None
    if n_actions != (None if has_own else count):
        raise DataError(f"n_actions is {n_actions}, but its settings say {count!r:.60}")
    actions = restored_actions(settings["actions"])
    learner = Learner(
        Run.from_text(header["spec"]),
        actions.count or None,
        n_features=header["n_features"],
        bits=settings["space"]["bits"],
        interactions=settings["space"]["interactions"],
        floor=settings["floor"],
        actions=_given(settings["actions"]),
        learning_rate="auto" if len(settings["lanes"]) > 1 else None,
        columns=columns_of(settings),
        feedback=UNLIMITED,
    )
    for number in settings["actions"]["retired"]:
        learner.retire_action(number)
    return learner


def _given(header: dict[str, Any]) -> Any:
    """Actions as a user gives them."""
    if header["features"] is None:
        return header["names"]
    return dict(zip(header["names"], header["features"], strict=True))
