"""Views: the paper's comparisons as contests, for tables, figures and the page."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import polars as pl

from bakeoff.core.explorers import NAMES as EXPLORER_NAMES
from bakeoff.judging.competitors import (
    elected,
    fixed,
    one_rate,
    optimised,
    optimised_reductions,
    other_orders,
    settings,
    tuned_on_other_orders,
    unpeeked,
    voted,
)
from bakeoff.judging.contest import BINARY, Competitor, Condition, Contest, contest_of
from bakeoff.judging.losses import Losses
from bakeoff.judging.statistics.significance import Correction, Outcomes, Test, wins
from bakeoff.runs import INPUTS, Choice, Run, with_inputs

Kind = Literal["difference", "both"]  # wins minus losses, or wins / losses

FIVE = ("G", "RO", "C-nu", "B-g", "eG")  # those of the paper's main text
NAMES = {
    with_inputs(label, inputs): with_inputs(name.title, inputs)
    for inputs in INPUTS
    for label, name in EXPLORER_NAMES.items()
}
ALL = Condition()
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
class Criteria:
    """Which results are compared, and what counts as a win."""

    encoding: str | None = None  # all of the store's if None, the first of them leads
    held_out: bool = False  # only datasets that are not in the paper's tuning list
    min_actions: int = 5  # in the figure of the introduction
    test: Test = "paper"
    correction: Correction = "none"
    everywhere: bool = False  # all datasets beside the paper's figures of held-out ones
    view: str | None = None  # how settings are chosen (KINDS, TWINS); without peeking if None

    @property
    def rule(self) -> str:
        """What counts as a win, in words."""
        rule = RULES[self.test]
        if self.test == "paired":
            rule += f" (with fewer than three, {RULES['z']})"
        return rule + CORRECTIONS[self.correction]

    def wins(self, contest: Contest) -> Outcomes:
        """Who wins significantly against whom, and where."""
        return wins(contest, self.test, self.correction)

    @property
    def condition(self) -> Condition:
        """Which problems are looked at where the paper does not say."""
        return Condition(held_out=self.held_out)

    @property
    def held_out_only(self) -> bool:
        """Whether only held-out datasets stand beside those of the paper."""
        return self.held_out or not self.everywhere

    def view_of(self, losses: Losses) -> str:
        """The leading view: rates come from the other datasets, if these can choose them."""
        return self.view or ("fixed" if peeking_reason(losses, self) else "unpeeked")

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


# ---- views


class View(NamedTuple):
    """All algorithms with one encoding and one way to choose settings (KINDS)."""

    encoding: str
    kind: str
    competitors: list[Competitor]

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.encoding} encoding, {KINDS[self.kind]}"

    @property
    def needs(self) -> str:
        """What it takes to compare anything in this view."""
        where = " on two datasets" if self.kind == "unpeeked" else ""
        return f"needs runs of two algorithms{where} (-a fixed)"


KINDS = {
    "fixed": "fixed hyperparameters",
    "unpeeked": "fixed hyperparameters, learning rate elected on the other datasets",
    "one_rate": "fixed hyperparameters, one learning rate for all datasets",
    "optimised": "optimised hyperparameters",
}
WITHOUT_PEEKING = ("unpeeked", "one_rate")  # at the rate
TWINS = {  # nothing is chosen by the losses that are then reported
    "other_orders": "fixed hyperparameters, learning rate chosen on the other shuffles",
    "tuned_orders": "hyperparameters and learning rate chosen on the other shuffles",
    "elected": "hyperparameters and learning rate with the least mean loss on the other datasets",
    "voted": "hyperparameters by the vote of the other datasets, learning rate elected there",
}
TWINS_OF = {
    "fixed": ("other_orders", "unpeeked"),
    "optimised": ("tuned_orders", "elected", "voted"),
}


def competitors_of(
    losses: Losses, kind: str, encoding: str, criteria: Criteria
) -> list[Competitor]:
    """All algorithms that take part in a view; found once, since many tables ask for them."""
    key = ("competitors", kind, encoding, criteria.test)
    return [*losses.once(key, lambda: _competitors_of(losses, kind, encoding, criteria))]


def _competitors_of(
    losses: Losses, kind: str, encoding: str, criteria: Criteria
) -> list[Competitor]:
    free = {"optimised": optimised, "tuned_orders": tuned_on_other_orders, "elected": elected}
    if kind in free:
        return free[kind](losses, encoding)
    of_kind = {
        "fixed": fixed,
        "unpeeked": unpeeked,
        "one_rate": one_rate,
        "other_orders": other_orders,
        "voted": voted,
    }[kind]
    return of_kind(losses, encoding, test=criteria.test)


def everybody(losses: Losses, criteria: Criteria, kind: str) -> Contest:
    """All algorithms of the store in the leading encoding, on all datasets."""
    encoding, condition = criteria.encoding_of(losses), criteria.condition

    def find() -> Contest:
        competitors = competitors_of(losses, kind, encoding, criteria)
        return contest_of(losses, competitors, condition)

    return losses.once(("contest", kind, encoding, criteria.test, condition), find)


def main_contest(losses: Losses, criteria: Criteria, kind: str | None = None) -> Contest:
    """Those that can be compared; in the leading view, if none is named."""
    kind = kind or criteria.view_of(losses)
    contest = everybody(losses, criteria, kind)
    key = ("compared", kind, criteria.encoding_of(losses), criteria.test, criteria.condition)
    return losses.once(key, contest.compared)


ENOUGH = 5  # datasets: with fewer, the others cannot choose a learning rate
ONE_RATE = "one rate"


def peeking_reason(losses: Losses, criteria: Criteria) -> str:
    """Why learning rates cannot be chosen on the other datasets; empty if they can.

    ONE_RATE if there is nothing to choose, else in words.
    """
    if not losses.has_several_rates:
        return ONE_RATE
    best = everybody(losses, criteria, "fixed")
    if best.n < ENOUGH:
        n = f"{best.n} dataset{' is' if best.n == 1 else 's are'}"
        return f"{n} too few to choose it on the others (we ask for {ENOUGH})"
    before, after = (main_contest(losses, criteria, kind) for kind in ("fixed", "unpeeked"))
    lost = [label for label in before.labels if label not in after.labels]
    if lost:
        return f"there are no other datasets to choose it on for {', '.join(lost)}"
    return ""


def views_of(losses: Losses, criteria: Criteria) -> list[View]:
    """The views between which one can choose, the leading one first."""
    result = [
        View(encoding, kind, competitors_of(losses, kind, encoding, criteria))
        for encoding in criteria.encodings(losses)
        for kind in sorted(KINDS, key=lambda kind: kind != criteria.view_of(losses))
        if kind not in WITHOUT_PEEKING or losses.has_several_rates
    ]
    return [view for view in result if view.competitors]


# ---- tables


def main_results(losses: Losses, criteria: Criteria) -> list[WinPanel]:
    """Table `win_loss_diff`, and the fixed view on all datasets."""
    panels = []
    every = criteria.condition._replace(tasks=BINARY)
    for encoding in criteria.encodings(losses):
        paper = every._replace(held_out=criteria.held_out_only)
        views = [
            ("fixed", paper, fixed(losses, encoding, FIVE, criteria.test)),
            ("optimised", every, optimised(losses, encoding, FIVE)),
        ]
        if paper != every:
            views.append(("fixed", every, fixed(losses, encoding, FIVE, criteria.test)))
        of_paper = (("fixed", paper.held_out), ("optimised", False))
        for kind, on, competitors in views:
            where = "held-out" if on.held_out else "all"
            same = encoding in ("-1/0", "0/1") and (kind, on.held_out) in of_paper
            panels.append(WinPanel(
                f"{encoding} encoding, {kind} hyperparameters, {where} datasets",
                competitors, on, "difference",
                ("win_loss_diff", f"{encoding} {kind}") if same else None,
                f"needs runs of {', '.join(FIVE)} with encoding {encoding} (-a "
                f"{'fixed' if kind == 'fixed' else 'paper'} --encoding={encoding}) "
                f"on {where} datasets with binary costs",
            ))  # fmt: skip
    return panels


def reduction_panels(losses: Losses, criteria: Criteria, kind: Kind) -> list[WinPanel]:
    """Tables `reductions` (difference, -1/0) and `reductions_win_loss` (both)."""
    table = "reductions" if kind == "difference" else "reductions_win_loss"
    printed = ("-1/0",) if kind == "difference" else ("-1/0", "0/1")
    encodings = criteria.encodings(losses)
    if kind == "difference":
        encodings = [name for name in encodings if name == "-1/0"] or encodings[:1]
    return [
        WinPanel(
            f"{NAMES[label]}, {encoding} encoding, optimised hyperparameters",
            optimised_reductions(losses, label, encoding),
            criteria.condition._replace(tasks=BINARY),
            kind,
            (table, f"{encoding} {label}")
            if encoding in printed and not criteria.held_out
            else None,
            f"needs runs of {NAMES[label]} with reductions ips, dr and iwr and several "
            f"hyperparameters each (-a paper --encoding={encoding})",
        )
        for encoding in encodings
        for label in ("B", "eG")
    ]


LARGE = Condition(least_n=10_000)
ONE_REDUCTION = {"C-nu": "dr", "B": "iwr", "B-g": "iwr", "eG": "iwr", "A": "iwr"}


def encoding_duels(
    losses: Losses, criteria: Criteria, kind: str = "optimised"
) -> dict[str, list[Competitor]]:
    """Table `encoding`: of each algorithm -1/0 against 0/1.

    Where hyperparameters are optimised, the reduction is not, as in the paper's script.
    """
    ours, theirs = (
        {
            competitor.label: _with_one_reduction(competitor) if kind == "optimised" else competitor
            for competitor in competitors_of(losses, kind, encoding, criteria)
        }
        for encoding in ("-1/0", "0/1")
    )
    return {label: [one, theirs[label]] for label, one in ours.items() if label in theirs}


def _with_one_reduction(one: Competitor) -> Competitor:
    if one.label not in ONE_REDUCTION:
        return one
    is_it = pl.col("reduction") == ONE_REDUCTION[one.label]
    return one._replace(where=one.where & is_it)


def breakdown(losses: Losses, criteria: Criteria) -> list[WinPanel]:
    """Table `breakdown`: subsets of the held-out datasets, and of all of them."""
    encoding = criteria.encoding_of(losses)
    competitors = fixed(losses, encoding, FIVE, criteria.test)
    paper = "held-out" if criteria.held_out_only else "all"
    both = (paper,) if criteria.held_out or criteria.everywhere else (paper, "all")
    return [
        WinPanel(
            f"{where} datasets with {subset}",
            competitors,
            subset._replace(held_out=where == "held-out", tasks=BINARY),
            "difference",
            ("breakdown", str(subset)) if (where, encoding) == (paper, "-1/0") else None,
            f"needs {where} datasets with {subset} (-a fixed --encoding={encoding})",
        )
        for where in both
        for subset in BREAKDOWNS
    ]


def extended(losses: Losses, criteria: Criteria, name: str) -> list[WinPanel]:
    """Tables `win_loss_multiclass`, `win_loss_multilab` and `win_loss_uci`."""
    condition = {
        "multiclass": Condition(held_out=criteria.held_out_only, tasks=("multiclass",)),
        "multilabel": Condition(tasks=("multilabel",)),
        "uci": Condition(uci=True),
    }[name]
    in_paper = not criteria.held_out or condition.held_out
    condition = condition._replace(held_out=condition.held_out or criteria.held_out)
    table = {"multilabel": "win_loss_multilab"}.get(name, f"win_loss_{name}")
    return [
        WinPanel(
            f"{encoding} encoding, fixed hyperparameters, {condition} datasets",
            fixed(losses, encoding, test=criteria.test), condition, "both",
            (table, encoding) if in_paper and encoding in ("-1/0", "0/1") else None,
            f"needs {condition} datasets (-a fixed --encoding={encoding})",
        )
        for encoding in criteria.encodings(losses)
    ]  # fmt: skip


COVER = "cover:n_policies=16,psi=0.1,nu reduction=dr"
BASELINE_CHOICES = {  # below Table `baseline_opt`
    Run.from_text(spec).label: Choice.from_spec(spec)
    for spec in (
        "greedy", "regcb:c0=1e-3", "regcb:c0=1e-3,optimistic",
        COVER,
        "bag:n_policies=4", "bag:n_policies=4,greedy", "epsilon-greedy:epsilon=0.02",
        "cover:n_policies=4,psi=0.1 reduction=ips", "active:epsilon=0.02,c0=1e-6",
    )
}  # fmt: skip


def baseline_optimised(losses: Losses, criteria: Criteria) -> WinPanel:
    """Table `baseline_opt`: baseline or not is chosen with the learning rate."""
    encoding = criteria.encoding_of(losses)
    competitors = []
    for label, choice in BASELINE_CHOICES.items():
        without, with_it = (
            settings(label, encoding, choice=choice, baseline=on) for on in (False, True)
        )
        takes_none = choice.reduction == "ips"
        if takes_none or not losses.settings.filter(with_it).is_empty():
            competitors.append(Competitor(label, without | with_it))
    if not losses.settings.filter(pl.col("encoding") == encoding)["baseline"].any():
        competitors = []
    where = "held-out" if criteria.held_out_only else "all"
    return WinPanel(
        f"{encoding} encoding, baseline optimised, {where} datasets", competitors,
        Condition(held_out=criteria.held_out_only, tasks=BINARY), "both",
        ("baseline_opt", "-1/0") if encoding == "-1/0" else None,
        f"needs runs with and without a baseline (-a fixed -a "
        f"'{COVER}' --baseline both --encoding={encoding}) on {where} datasets",
    )  # fmt: skip
