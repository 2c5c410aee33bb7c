"""Ours against the paper's tables: whether two leads differ by more than chance.

A lead is the mean of significant wins minus losses per dataset. Ours has the paper's rule
in each order of rows by itself, as the paper has one, and is the mean over the orders, with
weights that give our datasets the paper's mix of n, d and K. The two leads are compared as
those of two independent samples of datasets. Many of our datasets are also the paper's, so
the test is cautious.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy import special

from bakeoff.judging import (
    CLEAR,
    FEW,
    Competitor,
    Condition,
    Criteria,
    Losses,
    WinPanel,
    contest_of,
    in_order,
    orders_of,
)
from bakeoff.report import Duels, Live, PaperCount, cell_of
from bakeoff.reproduction.agreement import Compared, nets_of
from bakeoff.reproduction.strata import margins, weights_of

Pair = tuple[str, str]
Leads = dict[str, float]  # by digest: wins minus losses, mean over orders
SUBSETS = ("breakdown", "multilabel", "uci")  # tables of datasets that the paper does not describe
_DR = "DR's loss estimator is not that of the paper's program (docs/evidence/ablations.md)"
KNOWN = {  # why a whole table may differ
    "reductions": _DR,
    "reductions-wins": _DR,
    "baseline-optimised": "the baseline of the paper's program has a bug that ours has "
    "not (deviation 12)",
}


class Lead(NamedTuple):
    """Net wins per dataset, and the standard error."""

    mean: float
    error: float


class Difference(NamedTuple):
    """A pair of algorithms in the paper and here."""

    table: str
    panel: str
    pair: Pair
    paper: Lead
    ours: Lead
    n: int  # our datasets
    program: float | None  # net wins per dataset of the paper's program on our datasets

    @property
    def title(self) -> str:
        """The two algorithms, or the algorithm whose encodings are compared."""
        first, second = self.pair
        return f"{second}, {first}" if "against" in first else f"{first} vs {second}"

    @property
    def value(self) -> float:
        """Ours minus the paper's."""
        return self.ours.mean - self.paper.mean

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return float(np.hypot(self.ours.error, self.paper.error))

    @property
    def chance(self) -> float:
        """The p-value of no difference."""
        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return float(special.erfc(abs(self.value) / self.error / np.sqrt(2)))

    @property
    def is_clear(self) -> bool:
        """Whether the difference is more than chance."""
        return self.chance <= CLEAR

    @property
    def is_opposite(self) -> bool:
        """Whether the two leads have different signs."""
        return self.ours.mean * self.paper.mean < 0

    @property
    def why(self) -> str:
        """What the paper's program shows on our datasets, unless it may be chance."""
        if not self.is_clear:
            return "chance can do it: the two leads do not clearly differ"
        known = KNOWN.get(self.table, "")
        if known and (known != _DR or "dr" in self.pair):
            return f"perhaps: {known}"
        if self.program is None:
            return "open: no losses of the paper's program to compare with"
        if abs(self.program - self.ours.mean) < abs(self.program - self.paper.mean):
            return "the data: the paper's program is closer to us on our datasets"
        return "ours: the paper's program is closer to the paper on our datasets"


def differences(panels: Sequence[Compared], criteria: Criteria) -> list[Difference]:
    """All pairs of algorithms that the paper's tables and ours have."""
    orders: dict[int, list[Losses]] = {}
    result: list[Difference] = []
    for panel in panels:
        key = id(panel.losses)
        if key not in orders:
            orders[key] = each_order(panel.losses)
        result += _of_panel(panel, orders[key], criteria)
    return result


def each_order(losses: Losses) -> list[Losses]:
    """The losses in each order of rows by itself."""
    seeds = orders_of(losses)
    return [in_order(losses, seed) for seed in seeds] if len(seeds) > 1 else [losses]


def _of_panel(
    panel: Compared, orders: Sequence[Losses], criteria: Criteria
) -> Iterator[Difference]:
    leads = leads_of(panel.live, orders, criteria)
    program = nets_of(panel.program) if panel.program else {}
    n_program = (panel.program.datasets if panel.program else None) or 1
    for pair in nets_of(panel.paper):
        paper = cell_of(panel.paper, *pair)
        own = leads.get(pair, {})
        if paper is None or len(own) < FEW:
            continue
        ours = lead_of(own, panel, paper.n)
        if ours is None:
            continue
        yield Difference(
            panel.table,
            panel.panel,
            pair,
            lead_of_paper(paper, np.abs(list(own.values())).mean()),
            ours,
            len(own),
            program[pair] / n_program if pair in program else None,
        )


def lead_of(own: Leads, panel: Compared, n_paper: int) -> Lead | None:
    """Our lead, with the paper's mix of datasets if the paper describes them.

    None if few datasets would bear most of the weight: then their spread says nothing.
    """
    problems = panel.losses.problems.filter(pl.col("digest").is_in(list(own)))
    values = np.array([own[digest] for digest in problems["digest"]])
    weights = np.full(len(values), 1 / len(values))
    if panel.table not in SUBSETS and "n >=" not in panel.panel:
        weights = weights_of(problems, margins(n_paper))
    n_effective = 1 / float(np.sum(weights**2))
    if n_effective < FEW - 0.5:
        return None
    mean = float(weights @ values)
    spread = np.sum((weights * (values - mean)) ** 2) * n_effective / (n_effective - 1)
    one_more = 1 / n_effective**2  # as if one more dataset were decided either way
    return Lead(mean, float(np.sqrt(spread + one_more)))


def lead_of_paper(count: PaperCount, decided: float) -> Lead:
    """The paper's lead; where it prints no wins and losses, as many are decided as here."""
    share = decided if count.decided is None else count.decided / count.n
    spread = max(share, abs(count.effect)) - count.effect**2
    return Lead(count.effect, float(np.sqrt(max(spread, 0.0) / count.n)))


def leads_of(live: Live, orders: Sequence[Losses], criteria: Criteria) -> dict[Pair, Leads]:
    """Wins minus losses of each pair on each dataset, mean over the orders that it has."""
    times: dict[Pair, dict[str, list[int]]] = {}
    for losses in orders:
        for pair, rivals, condition in _pairs(live):
            own = times.setdefault(pair, {})
            for digest, sign in _signs(losses, rivals, condition, criteria):
                own.setdefault(digest, []).append(sign)
    return {
        pair: {digest: float(np.mean(signs)) for digest, signs in own.items()}
        for pair, own in times.items()
    }


def _pairs(live: Live) -> Iterator[tuple[Pair, Sequence[Competitor], Condition]]:
    if isinstance(live, WinPanel):
        rivals = live.competitors
        for a in rivals:
            for b in rivals:
                if a.label != b.label:
                    yield (a.label, b.label), (a, b), live.condition
    elif isinstance(live, Duels):
        for label, both in live.pairs.items():
            yield ("-1/0 against 0/1", label), both, live.condition


def _signs(
    losses: Losses, rivals: Sequence[Competitor], condition: Condition, criteria: Criteria
) -> Iterator[tuple[str, int]]:
    key = ("signs", condition, tuple(one.where.meta.serialize() for one in rivals))
    by_digest: Mapping[str, int] = losses.once(
        key, lambda: _duel(losses, rivals, condition, criteria)
    )
    yield from by_digest.items()


def _duel(
    losses: Losses, rivals: Sequence[Competitor], condition: Condition, criteria: Criteria
) -> dict[str, int]:
    first, second = (one._replace(label=name) for one, name in zip(rivals, "ab", strict=True))
    contest = contest_of(losses, [first, second], condition)
    won = criteria.wins(contest)
    signs = won[0, 1].astype(int) - won[1, 0]
    rows = zip(contest.problems["digest"], signs.tolist(), contest.is_common, strict=True)
    return {digest: sign for digest, sign, is_common in rows if is_common}
