"""Noise: what the verdicts would be if the algorithms were all the same.

Labels are permuted at random within each dataset, which leaves the losses as they are but
takes away who made them. What the claims then get is what noise gives.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.basics.text import counted
from bakeoff.judging import FEW, Criteria, Losses, contest_of, fixed, flip_test
from bakeoff.report.findings.claims import BIN, CLAIMS, Claim, Duel, Shift
from bakeoff.report.findings.comparisons import (
    PERMUTATIONS,
    Nets,
    common,
    nets_of,
    on,
    permutations,
    permuted,
)
from bakeoff.report.findings.judge import VERDICTS, Finding, Verdict, decision, p_values, tally_of

ENCODINGS = ("-1/0", "0/1")


class Noise(NamedTuple):
    """How many claims get which verdict from noise, on average."""

    claims: tuple[str, ...]  # names of those that were judged
    n: int  # datasets
    mean: dict[Verdict, float]

    def words(self, findings: Iterable[Finding]) -> str:
        """What noise would give, beside what the same claims got."""
        ours = tally_of(one for one in findings if one.claim.name in self.claims)
        given = ", ".join(f"{v} {self.mean.get(v, 0):.1f}" for v in VERDICTS[:3])
        return (
            f"If it were all noise, with labels permuted at random within each of "
            f"{counted(self.n, 'dataset')}, the {len(self.claims)} claims about fixed "
            f"hyperparameters would on average get {given}. Here they get {ours}."
        )


class _Field(NamedTuple):
    """All algorithms with fixed hyperparameters on the datasets that have them all."""

    labels: tuple[str, ...]
    problems: pl.DataFrame
    nets: dict[str, Nets]  # by encoding


def noise_of(losses: Losses, criteria: Criteria, times: int = PERMUTATIONS) -> Noise | None:
    """Verdicts with labels permuted; None if nothing can be judged.

    Claims are judged whose comparisons are all between fixed hyperparameters.
    """
    field = _field(losses, criteria)
    if field is None:
        return None
    masks = {claim.name: _masks(claim, field) for claim in CLAIMS if is_plain(claim, field)}
    judged = [claim for claim in CLAIMS if any(m.sum() >= FEW for m in masks.get(claim.name, []))]
    if not judged:
        return None
    rng, tally = np.random.default_rng(1), Counter[Verdict]()
    for _ in range(times):
        order = permutations(next(iter(field.nets.values())), rng)
        nets = {name: permuted(own, rng, order) for name, own in field.nets.items()}
        moved = field._replace(nets=nets)
        tally.update(_verdict(claim, moved, masks[claim.name]) for claim in judged)
    return Noise(
        tuple(claim.name for claim in judged),
        field.problems.height,
        {verdict: number / times for verdict, number in tally.items()},
    )


def _field(losses: Losses, criteria: Criteria) -> _Field | None:
    condition = on(losses, BIN, criteria)
    contests = {}
    for encoding in ENCODINGS:
        rivals = fixed(losses, encoding, test=criteria.test)
        if len(rivals) > 1:
            contests[encoding] = common(contest_of(losses, rivals, condition))
    shared = (
        set.intersection(*(set(one.labels) for one in contests.values())) if contests else set()
    )
    if len(shared) < 2:
        return None
    digests = set.intersection(*(set(one.problems["digest"]) for one in contests.values()))
    labels = tuple(label for label in losses.algorithms if label in shared)
    nets = {}
    for encoding, contest in contests.items():
        kept = contest.where(contest.problems["digest"].is_in(sorted(digests)))
        at = np.array([kept.labels.index(label) for label in labels])
        nets[encoding] = nets_of(kept, criteria)[np.ix_(at, at, np.arange(kept.n))]
        problems = kept.problems
    return _Field(labels, problems, nets)


def is_plain(claim: Claim, field: _Field) -> bool:
    """Whether a claim is about fixed hyperparameters only."""
    return bool(claim.judged_by) and all(
        isinstance(one, Duel | Shift) and all(_is_plain(duel, field) for duel in _duels(one))
        for one in claim.judged_by
    )


def _duels(one: Duel | Shift) -> tuple[Duel, ...]:
    return (one,) if isinstance(one, Duel) else (one.more, one.less)


def _is_plain(duel: Duel, field: _Field) -> bool:
    return duel.first.encoding == duel.second.encoding and all(
        side.kind == "fixed"
        and not side.choice
        and side.baseline == "off"
        and side.label in field.labels
        and side.encoding in field.nets
        for side in (duel.first, duel.second)
    )


def _masks(claim: Claim, field: _Field) -> list[NDArray[np.bool_]]:
    """For each comparison, the datasets it is about."""
    duels = [_duels(one)[0] for one in claim.judged_by if isinstance(one, Duel | Shift)]
    return [duel.on.holds(field.problems).to_numpy() for duel in duels]


def _verdict(claim: Claim, field: _Field, masks: Sequence[NDArray[np.bool_]]) -> Verdict:
    leans, chances = [], []
    for one, mask in zip(claim.judged_by, masks, strict=True):
        if mask.sum() < FEW or not isinstance(one, Duel | Shift):
            continue
        more, *less = (_nets(duel, field) for duel in _duels(one))
        signs = (more - less[0] if less else more)[mask]
        leans.append(int(np.sign(signs.sum())))
        chances.append(_chance(tuple(np.bincount(signs + 2, minlength=5).tolist())))
    return decision(*p_values(leans, chances))


def _nets(duel: Duel, field: _Field) -> NDArray[np.int64]:
    a, b = field.labels.index(duel.first.label), field.labels.index(duel.second.label)
    result: NDArray[np.int64] = field.nets[duel.first.encoding][a, b]
    return result


@cache
def _chance(times: tuple[int, ...]) -> float:
    """The flip test of differences from -2 to 2, of which there are so many each."""
    return flip_test(np.repeat(np.arange(-2, 3), times))
