"""Twins: the paper's views beside those in which no loss is chosen by itself."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bakeoff.judging import (
    BINARY,
    FEW,
    KINDS,
    TWINS,
    TWINS_OF,
    Condition,
    Contest,
    Criteria,
    Losses,
    competitors_of,
    contest_of,
    standings,
)
from bakeoff.report import are_held_out
from bakeoff.reproduction.whole_grids import on_whole_grids

ENCODINGS = ("-1/0", "0/1")


class Place(NamedTuple):
    """An algorithm in one view."""

    mean_loss: float
    score: int  # significant wins minus losses against all others


class Twins(NamedTuple):
    """A view of the paper and its twins, all on the same datasets."""

    encoding: str
    view: str  # of the paper: fixed or optimised
    n: int
    kinds: tuple[str, ...]  # the paper's first
    places: dict[str, tuple[Place, ...]]  # by algorithm: in each of the kinds

    def leader(self, kind: str) -> str:
        """The algorithm with the best score in a view."""
        at = self.kinds.index(kind)
        return max(self.places, key=lambda label: self.places[label][at].score)


TITLES = {**KINDS, **TWINS}


def twins_of(losses: Losses, criteria: Criteria) -> Iterator[Twins]:
    """Each view of the paper with its twins, where there are enough datasets."""
    condition = Condition(tasks=BINARY, held_out=are_held_out(losses, criteria))
    whole = on_whole_grids(losses)
    for view in TWINS_OF:
        some = losses if view == "fixed" else whole
        for encoding in ENCODINGS:
            twins = _twins(some, view, encoding, condition, criteria)
            if twins is not None:
                yield twins


def _twins(
    losses: Losses, view: str, encoding: str, condition: Condition, criteria: Criteria
) -> Twins | None:
    contests: dict[str, Contest] = {}
    for kind in (view, *TWINS_OF[view]):
        rivals = competitors_of(losses, kind, encoding, criteria)
        contest = contest_of(losses, rivals, condition)
        if len(contest.labels) > 1 and contest.is_common.sum() >= FEW:
            contests[kind] = contest
    if view not in contests or len(contests) < 2:
        return None
    digests = [
        set(contest.problems.filter(contest.is_common)["digest"]) for contest in contests.values()
    ]
    shared = sorted(set.intersection(*digests))
    if len(shared) < FEW:
        return None
    by_kind = [_places(contest, shared, criteria) for contest in contests.values()]
    labels = [label for label in by_kind[0] if all(label in one for one in by_kind)]
    places = {label: tuple(one[label] for one in by_kind) for label in labels}
    return Twins(encoding, view, len(shared), tuple(contests), places)


def _places(contest: Contest, digests: list[str], criteria: Criteria) -> dict[str, Place]:
    kept = contest.where(contest.problems["digest"].is_in(digests))
    losses = np.mean(kept.losses, axis=0)
    scores = {one.label: one.score for one in standings(kept, criteria.wins(kept))}
    return {
        label: Place(float(loss), scores[label])
        for label, loss in zip(kept.labels, losses, strict=True)
    }
