"""Verify: whether a learner made the decisions in a log, with those probabilities.

There are two questions. Would the learner make the same decisions, to the last bit? To
find out, they are computed again. And were the actions drawn with the logged
probabilities? To find out, their counts are compared with the expected ones (a
sample-ratio test). Given the past, each difference has mean zero, so the test is valid
for learners that change, too.
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
from bakeoff.basics.text import counted
from bakeoff.live.encoder import columns_of
from bakeoff.live.feedback import UNLIMITED
from bakeoff.live.learner import Learner
from bakeoff.live.replay import GapError, Replay, replayed
from bakeoff.live.snapshot import priors_of, restored_actions
from bakeoff.live.warm_start import WarmStart
from bakeoff.reading.logs import DECISION, FORGOTTEN, HEADER, blaming, placed_records_of, records_of
from bakeoff.runs import Run

ALARM = 1e-3  # the probability that a valid log fails the test
_LEAST_VARIANCE = 5.0  # smaller counts are not nearly normal
_BINS = [0.0, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.7, 0.9, 0.97, 0.99, 1.0]


@dataclass
class Count:
    """How often something was drawn, and how often it should have been."""

    what: str
    drawn: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, drawn: bool, p: float) -> None:
        """Count a decision in which it had probability `p`."""
        self.drawn += drawn
        self.expected += p
        self.variance += p * (1.0 - p)

    @property
    def p_value(self) -> float | None:
        """How likely so large a difference is by chance; None if there are too few draws."""
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
        is_consistent = 0 <= action < len(p) and p[action] == record["probability"] > 0
        if not is_consistent or not math.isclose(p.sum(), 1.0, abs_tol=1e-6):
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
        """The smallest p-value of all counts, times their number (Bonferroni)."""
        counts = [*self.by_action.values(), *self.by_probability]
        p_values = [p for p in (count.p_value for count in counts) if p is not None]
        return min(1.0, min(p_values) * len(p_values)) if p_values else None


@dataclass(repr=False)
class Verdict:
    """The result of `verify`."""

    ratios: Ratios
    replay: Replay | None  # None: decisions could not be computed again
    why_not: str = ""

    def __str__(self) -> str:
        ratios, p_value = self.ratios, self.ratios.p_value
        parts = [counted(ratios.decisions, "decision")]
        if ratios.contradictions:
            parts.append(f"{ratios.contradictions:,} contradict their own probabilities")
        if self.replay is None:
            parts.append(f"not made again: {self.why_not}")
        else:
            parts.append(
                f"{self.replay.decisions:,} made again, {self.replay.different:,} different"
            )
        if p_value is not None:
            parts.append(f"actions against their probabilities: p = {p_value:.3g}")
        return f"{'fine' if self.is_fine else 'something does not fit'}: {'; '.join(parts)}"

    __repr__ = __str__  # a notebook shows what it is told

    @property
    def is_fine(self) -> bool:
        """Whether the log passes all checks."""
        p_value = self.ratios.p_value
        return (
            self.ratios.contradictions == 0
            and (self.replay is None or self.replay.different == 0)
            and (p_value is None or p_value >= ALARM)
        )


def verify(log: str | Path, model: str | Path | None = None) -> Verdict:
    """Check a log from its beginning, or from where a saved model was.

    Parameters
    ----------
    log
        The path of a decision log.
    model
        The path of a saved learner from which to start.

    Returns
    -------
    Verdict
        A `Verdict`; its text says whether every decision can be made again.

    Raises
    ------
    DataError
        If the log or the model cannot be read.

    Examples
    --------
    >>> learner = bakeoff.Learner("greedy", n_actions=2, n_features=1, log="log.jsonl")
    >>> _ = learner.choose([1.0])
    >>> learner.close()
    >>> bakeoff.verify("log.jsonl").is_fine
    True
    """
    ratios = Ratios()
    for where, record, is_numbered in _decisions(placed_records_of(log)):
        with blaming(where):
            ratios.add(record, is_numbered)
    try:
        if model is not None:
            learner = Learner.load(model)
            learner.ledger.pending.feedback = UNLIMITED
            return Verdict(ratios, replayed(learner, placed_records_of(log)))
        header = next(records_of(log), None)
        if header is None:
            raise DataError(f"{log}: is empty, but a log needs at least its header")
        why_not = _objection(header) or _deleted(log)
        if why_not:
            return Verdict(ratios, None, why_not)
        return Verdict(ratios, _replayed_alone(placed_records_of(log)))
    except GapError as error:
        return Verdict(ratios, None, str(error))


def _deleted(log: str | Path) -> str:
    """What `forget` has deleted, or an empty string."""
    headers = (record for record in records_of(log) if record["kind"] == HEADER)
    n = sum(header.get(FORGOTTEN, 0) for header in headers)
    if not n:
        return ""
    return (
        f"{counted(n, 'decision')} were deleted from this log, and later ones depend on them: "
        f"pass a file that was saved after these as --model"
    )


def objection_to_replay(log: str | Path, learner: Learner) -> str:
    """Why a log does not show what a learner did before each event, or an empty string.

    All decisions are made again, from the log alone. If the log begins with a learner that had
    learned before, `learner` must be that one.
    """
    header = next(records_of(log), {})
    if not _objection(header):
        if header["spec"] != str(learner.run):
            return f"the log is by {header['spec']}, and not by {learner.run}"
        replay = _replayed_alone(placed_records_of(log))
    else:
        learner.ledger.pending.feedback = UNLIMITED
        replay = replayed(learner, placed_records_of(log))
        if replay.before:
            return _objection(header)
    if replay.different:
        return f"decision {replay.first_different!r} cannot be repeated"
    if replay.admitted:
        return "other processes made some of its decisions"
    return "" if replay.decisions else "it holds no decisions"


def _replayed_alone(records: Iterable[tuple[str, dict[str, Any]]]) -> Replay:
    """Replay a log without a model.

    The log may have several learners, one after the other, that began with nothing.
    """
    replay, header, learner = Replay(), {}, None
    for where, record in records:
        with blaming(where):
            if record["kind"] == HEADER:
                header = record
            if learner is None or _is_new_learner(record, header, learner):
                learner = learner_of(header)
        replayed(learner, [(where, record)], replay)
    return replay


def _is_new_learner(record: dict[str, Any], header: dict[str, Any], learner: Learner) -> bool:
    """Whether a record is the first of another learner that had learned nothing.

    A header alone does not tell: each part of a log has one.
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
    """Decisions with their places, and whether their actions have fixed numbers."""
    is_numbered = False
    for where, record in records:
        if record["kind"] == HEADER:
            is_numbered = record.get("n_actions") is not None
        elif record["kind"] == DECISION:
            yield where, record, is_numbered


def _objection(header: dict[str, Any]) -> str:
    """Why decisions cannot be computed from the log alone, or an empty string."""
    settings = header.get("settings")
    if not header.get("spec") or not isinstance(settings, dict):
        return "the log was not written by a bakeoff learner"
    starts = settings.get("warm_starts")
    if starts:
        return (
            f"the learner was warm-started with {WarmStart(**starts[0])} before this log: pass "
            f"a file that was saved after that as --model"
        )
    if settings.get("t") != 0 or settings.get("version") != 0:
        return "the log begins with a learner that had learned before: pass its file as --model"
    return ""


def learner_of(header: dict[str, Any]) -> Learner:
    """A new learner as described by the header of a log."""
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
        actions=_names_and_features(settings["actions"]),
        learning_rate="auto" if len(settings["lanes"]) > 1 else None,
        columns=columns_of(settings),
        reward_range=header.get("reward_range", (0.0, 1.0)),
        feedback=UNLIMITED,
    )
    for number, prior in priors_of(settings["actions"]).items():
        model, prior = learner.model, prior.checked(learner.model.rewards)
        model.separate_actions()
        model.expect(model.actions.number(number), prior, 0, model.losses_of(prior))
        model.actions.priors[number] = prior
    for number in settings["actions"]["retired"]:
        learner.retire_action(number)
    return learner


def _names_and_features(header: dict[str, Any]) -> Any:
    """Actions as `Learner` takes them."""
    if header["features"] is None:
        return header["names"]
    return dict(zip(header["names"], header["features"], strict=True))
