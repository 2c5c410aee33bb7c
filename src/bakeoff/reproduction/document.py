"""The document of a reproduction: Markdown, a figure and a file of tables, from a store."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bakeoff.basics.text import counted
from bakeoff.judging import CLEAR, FEW, Criteria, Losses, chance_figure
from bakeoff.report import CLAIMS, Finding, are_held_out, effect_text, judge, noise_of, tally_of
from bakeoff.reproduction.against_paper import Difference, differences
from bakeoff.reproduction.against_program import MARGIN, Cell, against_program
from bakeoff.reproduction.agreement import Compared, agreement, nets_of
from bakeoff.reproduction.figure import figure_of
from bakeoff.reproduction.markdown import folded, lined, pipes
from bakeoff.reproduction.one_order import Worth, worth_of_one
from bakeoff.reproduction.panels import of_few_held_out, panels_of
from bakeoff.reproduction.program import program_losses
from bakeoff.reproduction.strata import margins, missing_share
from bakeoff.reproduction.tables import difference_row, tables_file
from bakeoff.reproduction.twins import TITLES, Twins, twins_of
from bakeoff.reproduction.whole_grids import on_whole_grids
from bakeoff.reproduction.words import data_in_words

TEXT, TABLES, FIGURE = "reproduction.md", "reproduction-tables.md", "reproduction.svg"
MOST = 6  # pairs that the document itself names


class Document(NamedTuple):
    """A text, its figure and its tables."""

    text: str
    tables: str
    figure: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """What to write, by name."""
        return {TEXT: self.text.encode(), TABLES: self.tables.encode(), FIGURE: self.figure}


def document(losses: Losses, folder: Path, command: str, lacks: str = "") -> Document:
    """The paper, its program and this package side by side; `lacks` says what is missing."""
    criteria = Criteria(view="fixed")
    criteria = replace(criteria, everywhere=not are_held_out(losses, criteria))
    program = program_losses(folder, losses)
    panels = list(panels_of(losses, program, criteria))
    few = of_few_held_out(losses, program, criteria, panels)
    findings = [judge(losses, claim, criteria) for claim in CLAIMS]
    theirs = [judge(program, claim, criteria) for claim in CLAIMS] if program else []
    pairs = differences(panels, criteria)
    noise = noise_of(losses, criteria)
    twins = list(twins_of(losses, criteria))
    same = agreement_in_words(panels)
    cells = against_program(losses, program) if program else []
    parts = [
        "# The reproduction",
        f"![Effects of the paper's claims, and losses without peeking]({FIGURE})",
        "*Left: each claim as net wins per 100 datasets, the mean over its comparisons, with a "
        "95 % interval from resamples of the datasets; the diamond is the paper's own number. "
        "Right: mean losses in the paper's view and without peeking.*",
        f"Made by `{command}` from all that its store has; nothing here is typed by hand. "
        f"[All tables]({TABLES}) are in a file of their own.",
        *([f"**{lacks}**"] if lacks else []),
        data_in_words(losses, criteria),
        _grids_played(losses),
        "## The paper's claims",
        _claims(findings, theirs),
        f"**What noise would give.** {noise.words(findings)}" if noise else "",
        "## What one order is worth",
        _worth(worth_of_one(losses, findings, criteria)),
        "## Without peeking",
        _twins(twins),
        "## Next to the paper's own program",
        _cells(cells)
        if cells
        else "The folder has no losses of the paper's program (`reference/`).",
        "## Next to the paper's tables",
        same,
        _differences(pairs, losses),
    ]
    text = "\n\n".join(filter(None, parts)) + "\n"
    tables = tables_file(losses, criteria, findings, theirs, cells, panels, few, pairs)
    return Document(lined(text), folded(lined(tables)), figure_of(findings, twins))


def _grids_played(losses: Losses) -> str:
    whole = on_whole_grids(losses)
    n, orders = whole.problems.height, whole.settings["shuffles"].list.len()
    played = sorted(orders.unique())
    more = f" These are fewer than {FEW}, so there are no such tables." if n < FEW else ""
    if n >= FEW and len(played) > 1:
        more = (
            f" Its settings were played in {counted(played[0], 'order')} or more, the fixed "
            f"ones in up to {played[-1]}."
        )
    return (
        f"Tables of optimised hyperparameters are about the {counted(n, 'dataset')} "
        f"on which the whole grid was played (stage `grid`).{more}"
    )


# ---- claims


def _claims(findings: Sequence[Finding], theirs: Sequence[Finding]) -> str:
    head = ["claim", "the paper says", "verdict", "effect", "the paper's", "p for", "p against"]
    if theirs:
        head.append("its program")
    rows = []
    for i, one in enumerate(findings):
        is_judged = not math.isnan(one.effect)
        paper = "" if math.isnan(one.paper_effect) else f"{100 * one.paper_effect:+.0f}"
        row = [one.claim.name, one.claim.says, f"**{one.verdict}**", effect_text(one), paper]
        row += [chance_figure(p) if is_judged else "" for p in (one.p_for, one.p_against)]
        rows.append([*row, theirs[i].verdict] if theirs else row)
    rule = (
        f"A claim is supported if all its comparisons are in favour: the null of *p for* is "
        f"that at least one is not, and the largest of their p-values counts. It is refuted if "
        f"one is clearly against it: the null of *p against* is that none is, with the "
        f"smallest p-value times their number. Both take p of at most {CLEAR}; anything else "
        f"is undecided. Fewer than {FEW} datasets tell nothing, and a claim of whose comparisons "
        f"fewer than half can be told is not supported. Effects are net wins per 100 "
        f"datasets, with 95 % intervals."
    )
    opposite = [
        f"{one.claim.name} ({one.verdict}): {count.text}"
        for one in findings
        for count in one.counts
        if count.is_opposite
    ]
    signs = (
        f"In {counted(len(opposite), 'comparison')} the sign is opposite to the paper's own "
        f"table, whatever the verdict: {'; '.join(opposite)}."
        if opposite
        else "No comparison has a sign opposite to the paper's own table."
    )
    table = pipes(head, rows)
    return f"{len(findings)} claims: {tally_of(findings)}. {rule}\n\n{table}\n\n{signs}"


def _worth(worth: Worth | None) -> str:
    if worth is None:
        return (
            "Every dataset was played in one order of its rows, so nobody can tell how much of "
            "a verdict is the luck of that order. Several orders (`--shuffles`) can."
        )
    changing = f" These change: {', '.join(worth.changing)}." if worth.changing else ""
    return (
        f"Judged by one order of rows at a time, {worth.stable} of {worth.claims} claims keep "
        f"one verdict in all {worth.orders} orders, and {worth.agree:.0%} of the verdicts are "
        f"those of the means over orders.{changing}"
    )


# ---- twins


def _twins(twins: Sequence[Twins]) -> str:
    if not twins:
        return (
            "This needs several learning rates on ten datasets or more, and several orders of "
            "their rows."
        )
    text = (
        "In the paper's views a learning rate, or more, is the best in hindsight: chosen by the "
        "loss that is then reported. That flatters whoever has more to choose from or more "
        "luck. In the twins beside them no loss has a say in what it is reported for. Each cell "
        "is a mean loss and the significant wins minus losses against all others, on the "
        "same datasets in a table."
    )
    return "\n\n".join([text, *map(_twin, twins)])


def _twin(one: Twins) -> str:
    letters = "ABCDEF"
    names = "; ".join(f"{a}: {TITLES[kind]}" for a, kind in zip(letters, one.kinds, strict=False))
    leaders = ", ".join(
        f"{a} {one.leader(kind)}" for a, kind in zip(letters, one.kinds, strict=False)
    )
    head = ["", *letters[: len(one.kinds)], "B - A"]
    rows = [
        [label, *(f"{p.mean_loss:.4f} ({p.score:+})" for p in places),
         f"{places[1].mean_loss - places[0].mean_loss:+.4f}"]
        for label, places in one.places.items()
    ]  # fmt: skip
    return (
        f"**{one.encoding} encoding**, {counted(one.n, 'dataset')}. {names}. "
        f"First by net wins: {leaders}.\n\n{pipes(head, rows)}"
    )


# ---- the paper's program


def _cells(cells: Sequence[Cell]) -> str:
    named: dict[str, list[str]] = {}
    for cell in cells:
        named.setdefault(cell.verdict, []).append(f"{cell.label} {cell.encoding}")
    each = "; ".join(
        f"**{verdict}** {len(some)} ({', '.join(some)})" for verdict, some in named.items()
    )
    return (
        f"Ours is not inferior to the program if its mean loss is higher by at most {MARGIN:g}, "
        f"what we call practically the same, with the whole 95 % interval. Of {len(cells)} "
        f"comparisons: {each}. [The tables]({TABLES}) have the numbers; "
        f"`benchmarks/against_reference.py` has the program's own order of rows and five seeds."
    )


# ---- the paper's tables


def agreement_in_words(panels: Sequence[Compared]) -> str:
    """How many signs agree, over all tables."""
    both = [agreement(nets_of(one.ours), nets_of(one.paper)) for one in panels]
    same, decided = sum(one.same_sign for one in both), sum(one.pairs for one in both)
    return (
        f"In {counted(len(both), 'panel')} that the paper prints, {same} of {decided} pairs of "
        f"algorithms have the same sign of wins minus losses as there."
        if decided
        else "The store has none of the paper's tables yet."
    )


def _differences(pairs: Sequence[Difference], losses: Losses) -> str:
    if not pairs:
        return ""
    clear = sorted((one for one in pairs if one.is_clear), key=lambda one: one.chance)
    opposite = sum(one.is_opposite for one in pairs)
    chance = sum(one.is_opposite and not one.is_clear for one in pairs)
    missing = missing_share(losses.problems, margins(1))
    lacks = f" We have no counterpart for {missing:.0%} of its datasets." if missing else ""
    text = (
        f"Is our lead the paper's? Leads are net wins per 100 datasets, ours by the paper's "
        f"rule in each order by itself, standardised to the paper's shares of n, d and K, and "
        f"compared with the paper's as two samples.{lacks} Of {len(pairs)} pairs, {opposite} "
        f"have the other sign, in {chance} of which chance can do it; "
        f"{len(clear)} differ by more than chance (5 % of equals would)."
    )
    if not clear:
        return text
    head = ["table", "panel", "pair", "the paper", "ours", "datasets", "ours - paper",
            "95 % interval", "p", "its program", "why"]  # fmt: skip
    once = {(one.pair, one.paper.mean, one.ours.mean): one for one in reversed(clear)}
    rows = [difference_row(one) for one in [*once.values()][::-1][:MOST]]
    return f"{text} The clearest {len(rows)}:\n\n{pipes(head, rows)}"
