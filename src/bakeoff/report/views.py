"""Views: the paper's comparisons as contests, for tables, figures and the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import polars as pl

from bakeoff.statistics.contest import BINARY, Competitor, Condition, Contest
from bakeoff.statistics.losses import ALGORITHMS, Losses
from bakeoff.statistics.significance import Correction, Outcomes, Test, wins
from bakeoff.statistics.voting import choice_of, elect, fixed_choice

Kind = Literal["difference", "both"]  # wins minus losses, or wins / losses

FIVE = ("G", "RO", "C-nu", "B-g", "eG")  # those of the paper's main text
NAMES = {
    "G": "Greedy", "R": "RegCB-elim", "RO": "RegCB-opt", "C-nu": "Cover-NU",
    "B": "Bag", "B-g": "Bag-greedy", "eG": "epsilon-greedy", "C-u": "Cover",
    "A": "active epsilon-greedy", "OAA": "supervised skyline",
}  # fmt: skip
ALL = Condition()
HELD_OUT = Condition(held_out=True, tasks=BINARY)
BREAKDOWNS = (  # the paper's nine subsets
    Condition(least_k=3), Condition(least_k=10),
    Condition(least_d=100), Condition(least_d=10_000),
    Condition(least_n=1000), Condition(least_n=10_000),
    Condition(greatest_skyline=0.2), Condition(greatest_skyline=0.05),
    Condition(least_n=10_000, greatest_skyline=0.1),
)  # fmt: skip
RULES = {
    "paper": "the paper's rule",
    "z": "a z-test at 5 %",
    "paired": "a paired test over shuffles at 5 %",
    "hoeffding": "Hoeffding's bound for real-valued costs",
}
CORRECTIONS: dict[Correction, str] = {
    "none": "",
    "holm": ", corrected after Holm",
    "bh": ", corrected after Benjamini and Hochberg",
}


@dataclass(frozen=True)
class Asked:
    """What a report should look at, and how."""

    encoding: str | None = None  # all of the store's if None, the first of them leads
    held_out: bool = False  # only datasets that are not in the paper's tuning list
    min_actions: int = 5  # in the figure of the introduction
    test: Test = "paper"
    correction: Correction = "none"

    @property
    def rule(self) -> str:
        """What counts as a win, in words."""
        rule = RULES[self.test]
        if self.test == "paired":
            rule += f" (with fewer than three, {RULES['z']})"
        return rule + CORRECTIONS[self.correction]

    def wins(self, held: Contest) -> Outcomes:
        """Who wins significantly against whom, and where."""
        return wins(held, self.test, self.correction)

    @property
    def condition(self) -> Condition:
        """Which problems are looked at where the paper does not say."""
        return Condition(held_out=self.held_out)

    def encodings(self, losses: Losses) -> list[str]:
        """The encodings to look at."""
        return [self.encoding] if self.encoding else losses.encodings

    def encoding_of(self, losses: Losses) -> str:
        """The encoding that leads."""
        return (self.encodings(losses) or ["-1/0"])[0]


class WinPanel(NamedTuple):
    """A grid of significant wins and losses."""

    title: str
    competitors: list[Competitor]
    condition: Condition
    kind: Kind
    printed: tuple[str, str] | None = None  # the paper's: table and panel
    needs: str = ""  # what makes it, if the store has no such results


# ---- competitors


def settings(
    label: str, encoding: str, *, choice: str | None = None, baseline: bool = False
) -> pl.Expr:
    """A condition on settings; any hyperparameters if no choice is given."""
    where = (pl.col("algorithm") == label) & (pl.col("encoding") == encoding)
    where &= pl.col("baseline") if baseline else ~pl.col("baseline")
    return where if choice is None else where & (pl.col("choice") == choice)


@lru_cache(maxsize=64)
def fixed_choices(losses: Losses, encoding: str) -> dict[str, str]:
    """The hyperparameters of each algorithm's fixed view.

    They are the paper's; of an algorithm that was not played with those, what the
    problems at hand elect.
    """
    chosen = {}
    played = losses.settings.filter(
        (pl.col("encoding") == encoding) & ~pl.col("baseline")
    )
    for label in losses.algorithms:
        choices = played.filter(pl.col("algorithm") == label)["choice"].unique()
        paper = fixed_choice(label, encoding)
        if paper in choices:
            chosen[label] = str(paper)
        elif len(choices) == 1:
            chosen[label] = choices[0]
        elif len(choices) > 1:
            election = elect(losses, label, encoding, ALL)
            chosen[label] = election.winner if election else min(choices)
    return chosen


def fixed(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None
) -> list[Competitor]:
    """Each algorithm with fixed hyperparameters; only the learning rate is chosen."""
    choices = fixed_choices(losses, encoding)
    wanted = losses.algorithms if labels is None else labels
    return [
        Competitor(label, settings(label, encoding, choice=choices[label]))
        for label in wanted
        if label in choices
    ]


def optimised(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None
) -> list[Competitor]:
    """Each algorithm with the best hyperparameters on each problem."""
    has = fixed_choices(losses, encoding)
    wanted = losses.algorithms if labels is None else labels
    return [
        Competitor(label, settings(label, encoding)) for label in wanted if label in has
    ]


class View(NamedTuple):
    """All algorithms with one encoding: fixed or optimised."""

    encoding: str
    kind: str
    competitors: list[Competitor]


def views_of(losses: Losses, asked: Asked) -> list[View]:
    """The views between which one can choose, the leading one first."""
    found = [
        View(encoding, kind, competitors(losses, encoding))
        for encoding in asked.encodings(losses)
        for kind, competitors in (("fixed", fixed), ("optimised", optimised))
    ]
    return [view for view in found if view.competitors]


def reductions(label: str, encoding: str) -> list[Competitor]:
    """One algorithm with each of the three reductions, otherwise optimised."""
    return [
        Competitor(
            reduction, settings(label, encoding) & (pl.col("reduction") == reduction)
        )
        for reduction in ("ips", "dr", "iwr")
    ]


# ---- tables


def main_results(losses: Losses, asked: Asked) -> list[WinPanel]:
    """Table `win_loss_diff`, and the fixed view on all datasets."""
    panels = []
    every = asked.condition._replace(tasks=BINARY)
    for encoding in asked.encodings(losses):
        views = [
            ("fixed", HELD_OUT, fixed(losses, encoding, FIVE)),
            ("optimised", every, optimised(losses, encoding, FIVE)),
        ]
        if not asked.held_out:
            views.append(("fixed", every, fixed(losses, encoding, FIVE)))
        for kind, on, competitors in views:
            where = "held-out" if on.held_out else "all"
            of_paper = (("fixed", "held-out"), ("optimised", "all"))
            same = encoding in ("-1/0", "0/1") and (kind, where) in of_paper
            panels.append(WinPanel(
                f"{encoding} encoding, {kind} hyperparameters, {where} datasets",
                competitors, on, "difference",
                ("win_loss_diff", f"{encoding} {kind}") if same else None,
                f"needs runs of {', '.join(FIVE)} with encoding {encoding} (-a "
                f"{'fixed' if kind == 'fixed' else 'paper'} --encoding={encoding}) "
                f"on {where} datasets with binary costs",
            ))  # fmt: skip
    return panels


def reduction_panels(losses: Losses, asked: Asked, kind: Kind) -> list[WinPanel]:
    """Tables `reductions` (difference, -1/0) and `reductions_win_loss` (both)."""
    table = "reductions" if kind == "difference" else "reductions_win_loss"
    printed = ("-1/0",) if kind == "difference" else ("-1/0", "0/1")
    encodings = asked.encodings(losses)
    if kind == "difference":
        encodings = [name for name in encodings if name == "-1/0"] or encodings[:1]
    return [
        WinPanel(
            f"{NAMES[label]}, {encoding} encoding, optimised hyperparameters",
            reductions(label, encoding), asked.condition._replace(tasks=BINARY), kind,
            (table, f"{encoding} {label}")
            if encoding in printed and not asked.held_out else None,
            f"needs runs of {NAMES[label]} with reductions ips, dr and iwr (-a paper "
            f"--encoding={encoding})",
        )
        for encoding in encodings
        for label in ("B", "eG")
    ]  # fmt: skip


LARGE = Condition(least_n=10_000)


def encoding_duels(losses: Losses) -> dict[str, list[Competitor]]:
    """Table `encoding`: of each algorithm -1/0 against 0/1, optimised."""
    others = {one.label: one for one in optimised(losses, "0/1")}
    return {
        one.label: [one, others[one.label]]
        for one in optimised(losses, "-1/0")
        if one.label in others
    }


def breakdown(losses: Losses, asked: Asked) -> list[WinPanel]:
    """Table `breakdown`: subsets of the held-out datasets, and of all of them."""
    encoding = asked.encoding_of(losses)
    competitors = fixed(losses, encoding, FIVE)
    return [
        WinPanel(
            f"{where} datasets with {subset}", competitors,
            subset._replace(held_out=where == "held-out", tasks=BINARY), "difference",
            ("breakdown", str(subset))
            if (where, encoding) == ("held-out", "-1/0") else None,
            f"needs {where} datasets with {subset} (-a fixed --encoding={encoding})",
        )
        for where in (("held-out",) if asked.held_out else ("held-out", "all"))
        for subset in BREAKDOWNS
    ]  # fmt: skip


def extended(losses: Losses, asked: Asked, name: str) -> list[WinPanel]:
    """Tables `win_loss_multiclass`, `win_loss_multilab` and `win_loss_uci`."""
    condition = {
        "multiclass": Condition(held_out=True, tasks=("multiclass",)),
        "multilabel": Condition(tasks=("multilabel",)),
        "uci": Condition(uci=True),
    }[name]
    in_paper = not asked.held_out or condition.held_out
    condition = condition._replace(held_out=condition.held_out or asked.held_out)
    table = {"multilabel": "win_loss_multilab"}.get(name, f"win_loss_{name}")
    return [
        WinPanel(
            f"{encoding} encoding, fixed hyperparameters, {condition} datasets",
            fixed(losses, encoding), condition, "both",
            (table, encoding) if in_paper and encoding in ("-1/0", "0/1") else None,
            f"needs {condition} datasets (-a fixed --encoding={encoding})",
        )
        for encoding in asked.encodings(losses)
    ]  # fmt: skip


BASELINE_CHOICES = tuple(  # below Table `baseline_opt`
    map(choice_of, (
        "greedy", "regcb:c0=1e-3", "regcb:c0=1e-3,optimistic",
        "cover:n_policies=16,psi=0.1,nu reduction=dr",
        "bag:n_policies=4", "bag:n_policies=4,greedy", "epsilon-greedy:epsilon=0.02",
        "cover:n_policies=4,psi=0.1 reduction=ips", "active:epsilon=0.02,c0=1e-6",
    ))
)  # fmt: skip


def baseline_optimised(losses: Losses, asked: Asked) -> WinPanel:
    """Table `baseline_opt`: baseline or not is chosen with the learning rate."""
    encoding = asked.encoding_of(losses)
    played = losses.settings.filter(pl.col("encoding") == encoding)
    has_any = bool(played["baseline"].any())
    competitors = [
        Competitor(
            label,
            (pl.col("algorithm") == label)
            & (pl.col("encoding") == encoding)
            & (pl.col("choice") == choice),
        )
        for label, choice in zip(ALGORITHMS, BASELINE_CHOICES, strict=True)
        if has_any
    ]
    return WinPanel(
        f"{encoding} encoding, baseline optimised, held-out datasets", competitors,
        HELD_OUT, "both", ("baseline_opt", "-1/0") if encoding == "-1/0" else None,
        f"needs runs with and without a baseline (-a paper --baseline both "
        f"--encoding={encoding}) on held-out datasets",
    )  # fmt: skip
