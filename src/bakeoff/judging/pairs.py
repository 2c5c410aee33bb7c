"""Pairs: the paper's scatter plots as contests of two, for figures and the page."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from bakeoff.judging.competitors import fixed, settings
from bakeoff.judging.contest import BINARY, Competitor, Condition
from bakeoff.judging.losses import Losses
from bakeoff.judging.views import NAMES, Criteria
from bakeoff.judging.voting import fixed_choice
from bakeoff.runs import Choice


class Pair(NamedTuple):
    """A plot of one competitor's normalised losses against another's."""

    title: str
    x: Competitor
    y: Competitor


class Pairs(NamedTuple):
    """A figure of several pairs."""

    name: str
    title: str
    caption: str
    rows: list[list[Pair]]
    condition: Condition
    needs: str = ""


def introduction(losses: Losses, criteria: Criteria) -> Pairs:
    """Figure `greed_is_good`."""
    condition = _condition(losses, criteria)._replace(least_k=criteria.min_actions)
    pairs = _pairs(losses, criteria, (("RO", "C-nu"), ("RO", "G"), ("C-nu", "G")))
    return Pairs(
        "introduction", "RegCB-opt, Cover-NU and Greedy",
        f"Loss relative to supervised learning (lower is better) on datasets with "
        f"{criteria.min_actions} actions or more, {criteria.encoding_of(losses)} encoding.",
        [pairs], condition, f"needs datasets with {criteria.min_actions} actions or more",
    )  # fmt: skip


def six_pairs(losses: Losses, criteria: Criteria) -> Pairs:
    """Figure `comp`."""
    four = ("G", "C-nu", "B-g", "RO")
    names = [(x, y) for i, x in enumerate(four) for y in four[i + 1 :]]
    pairs = _pairs(losses, criteria, names)
    return Pairs(
        "pairs", "Greedy, Cover-NU, Bag-greedy and RegCB-opt",
        f"Loss relative to supervised learning, fixed hyperparameters, "
        f"{criteria.encoding_of(losses)} encoding.",
        [pairs[:3], pairs[3:]], _condition(losses, criteria),
        "needs two of G, C-nu, B-g and RO (-a fixed); in Python, 'scatter' shows any two",
    )  # fmt: skip


def _condition(losses: Losses, criteria: Criteria) -> Condition:
    """Datasets with binary costs, as in the paper; all datasets if there are none."""
    binary = criteria.condition._replace(tasks=BINARY)
    return binary if binary.holds(losses.problems).any() else criteria.condition


def _pairs(losses: Losses, criteria: Criteria, names: Sequence[tuple[str, str]]) -> list[Pair]:
    return [
        Pair(
            f"{NAMES[x]} against {NAMES[y]}",
            _fixed(losses, criteria, x),
            _fixed(losses, criteria, y),
        )
        for x, y in names
    ]


def _fixed(losses: Losses, criteria: Criteria, label: str) -> Competitor:
    """An algorithm with fixed hyperparameters; one that was not played has no losses."""
    found = fixed(losses, criteria.encoding_of(losses), (label,), criteria.test)
    return found[0] if found else Competitor(label, pl.lit(False))


def widths(losses: Losses, criteria: Criteria) -> Pairs:
    """Figure `ro`: RegCB-opt with several C0 against Greedy and Cover-NU."""
    encoding = criteria.encoding_of(losses)
    rows = []
    for rival in ("G", "C-nu"):
        other = _fixed(losses, criteria, rival)
        rows.append([
            Pair(f"C0 = {c0} against {NAMES[rival]}", other, Competitor(
                f"RO, C0 = {c0}", settings("RO", encoding, choice=Choice.from_spec(
                    f"regcb:c0={c0},optimistic"))))
            for c0 in ("1e-1", "1e-2", "1e-3")
        ])  # fmt: skip
    return Pairs(
        "regcb-widths", "RegCB-opt with wider and narrower confidence bounds",
        f"RegCB-opt against Greedy (top) and Cover-NU (bottom) for several C0, "
        f"{encoding} encoding.",
        rows, _condition(losses, criteria), f"needs -a paper --encoding={encoding}",
    )  # fmt: skip


def active(losses: Losses, criteria: Criteria) -> Pairs:
    """Figure `active`: active epsilon-greedy against epsilon-greedy, DR and IWR."""
    encoding = criteria.encoding_of(losses)
    rows = []
    for reduction in ("dr", "iwr"):
        choice = Choice.from_spec(f"epsilon-greedy:epsilon=0.02 reduction={reduction}")
        other = Competitor(f"eG, {reduction}", settings("eG", encoding, choice=choice))
        rows.append([
            Pair(f"{reduction}, C0 = {c0}", other, Competitor(
                f"A, C0 = {c0}", settings("A", encoding, choice=Choice.from_spec(
                    f"active:epsilon=0.02,c0={c0} reduction={reduction}"))))
            for c0 in ("1e-6", "1e-4", "1e-2")
        ])  # fmt: skip
    return Pairs(
        "active", "Active epsilon-greedy against epsilon-greedy",
        f"With DR (top) and IWR (bottom), epsilon = 0.02, for several C0, {encoding} "
        f"encoding.",
        rows, _condition(losses, criteria), f"needs -a paper --encoding={encoding}",
    )  # fmt: skip


def baselines(losses: Losses, criteria: Criteria) -> Pairs:
    """Figure `baseline`: with against without, for -1/0 and 9/10."""
    rows: list[list[Pair]] = []
    for encoding, labels in (
        ("-1/0", ("G", "RO", "C-nu")),
        ("9/10", ("G", "C-nu", "B-g")),  # as the paper's script draws them
    ):
        rows.append([])
        for label in labels:
            choice = fixed_choice(label, encoding)
            without, with_it = (
                Competitor(name, settings(label, encoding, choice=choice, baseline=on))
                for name, on in ((label, False), (f"{label}, baseline", True))
            )
            rows[-1].append(Pair(f"{NAMES[label]}, {encoding}", without, with_it))
    return Pairs(
        "baseline", "With a baseline against without",
        "Fixed hyperparameters; encodings -1/0 (top) and 9/10 (bottom).",
        rows, _condition(losses, criteria),
        "needs --baseline both --encoding=-1/0 --encoding=9/10",
    )  # fmt: skip


def all_pairs(losses: Losses, criteria: Criteria) -> list[Pairs]:
    """The paper's figures of pairs."""
    makers = (introduction, six_pairs, widths, active, baselines)
    return [make(losses, criteria) for make in makers]
