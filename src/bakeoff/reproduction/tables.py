"""The tables of a reproduction: a file beside the document, all of it from a store."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bakeoff.basics.text import counted
from bakeoff.judging import Criteria, Losses, chance_figure
from bakeoff.report import Count, Finding, Grid, Panel, all_tables, in_short, marked_down
from bakeoff.reproduction.against_paper import Difference
from bakeoff.reproduction.against_program import Cell
from bakeoff.reproduction.agreement import Compared, Nets, agreement, nets_of
from bakeoff.reproduction.elections import Vote, votes_of
from bakeoff.reproduction.markdown import fold, pipes
from bakeoff.reproduction.words import figures_in_words


def tables_file(
    losses: Losses,
    criteria: Criteria,
    findings: Sequence[Finding],
    theirs: Sequence[Finding],
    cells: Sequence[Cell],
    panels: Sequence[Compared],
    few: Sequence[Compared],
    pairs: Sequence[Difference],
) -> str:
    """All tables behind the document, in Markdown."""
    parts = [
        "# The tables of the reproduction",
        "What stands behind [the reproduction](reproduction.md); nothing here is typed by hand. "
        "Tables open by a click.",
        "## Why claims are not supported",
        _reasons(findings),
        "## The comparisons behind the claims",
        _comparisons(findings, theirs),
        "## Next to the paper's own program",
        _cells(cells),
        "## Next to the paper's tables",
        _agreements([*panels, *few]),
        "## Pairs that differ from the paper",
        _differences(pairs),
        "## Hyperparameters by voting",
        _votes(list(votes_of(losses, criteria))),
        "## The paper's tables and ours",
        *(_panel(one) for one in panels),
        *_losses(losses, criteria),
        "## The figures",
        figures_in_words(),
    ]
    return "\n\n".join(parts) + "\n"


def _reasons(findings: Sequence[Finding]) -> str:
    head = ["claim", "where", "the paper's numbers", "verdict", "why"]
    rows = [
        [one.claim.name, one.claim.place, one.claim.numbers, one.verdict, one.why]
        for one in findings
    ]
    return pipes(head, rows)


def _comparisons(findings: Sequence[Finding], theirs: Sequence[Finding]) -> str:
    """One line for each: datasets for and against it, and the flip test."""
    head = ["claim", "comparison", "the paper: net of datasets", "for / against", "datasets", "p"]
    if theirs:
        head += ["the paper's program: for / against", "datasets", "p"]
    rows = []
    for i, finding in enumerate(findings):
        for j, one in enumerate(finding.counts):
            paper = f"{one.paper.net:+} of {one.paper.n}" if one.paper else ""
            row = [finding.claim.name, one.text, paper]
            counts = [one, theirs[i].counts[j]] if theirs else [one]
            for count in counts:
                shown = (f"{count.won} / {count.lost}", str(count.n), _chance(count))
                row += shown if count.n else ("", "", "")
            rows.append(row)
    text = (
        "Datasets on which a comparison is significantly in favour and against, of all "
        "on which it could be made. The p-value is how often signs thrown at random "
        "would be as uneven (a binomial test, where outcomes are single wins)."
    )
    return f"{text}\n\n{pipes(head, rows)}"


def _chance(count: Count) -> str:
    return f"{count.chance:.3f}" if count.chance >= 0.001 else "< 0.001"


def _agreements(panels: Sequence[Compared]) -> str:
    head = ["table", "panel", "datasets: the paper", "ours",
            "signs, ours and the paper", "the program and the paper",
            "ours and the program"]  # fmt: skip
    rows = []
    for panel in panels:
        paper, ours = nets_of(panel.paper), nets_of(panel.ours)
        program: Nets = nets_of(panel.program) if panel.program else {}
        rows.append(
            [panel.table, panel.panel, str(panel.paper.datasets or ""),
             str(panel.ours.datasets or ""), str(agreement(ours, paper)),
             str(agreement(program, paper)), str(agreement(ours, program))]
        )  # fmt: skip
    text = (
        "Pairs of algorithms whose significant wins minus losses have the same sign, "
        "of those that have one in both, and the rank correlation of the differences. "
        "In the table of encodings, a pair is one algorithm with either of them."
    )
    return f"{text}\n\n{pipes(head, rows)}"


def _cells(cells: Sequence[Cell]) -> str:
    if not cells:
        return "The folder has no losses of the paper's program (`reference/`)."
    head = ["encoding", "algorithm", "datasets", "wins / losses", "ours", "the program's",
            "difference", "95 % interval", "verdict"]  # fmt: skip
    rows = [
        [cell.encoding, cell.label, str(cell.n), f"{cell.won} / {cell.lost}",
         f"{cell.ours:.4f}", f"{cell.theirs:.4f}", f"{cell.difference:+.4f}",
         "{:+.4f} to {:+.4f}".format(*cell.interval), cell.verdict]
        for cell in cells
    ]  # fmt: skip
    text = (
        "Significant wins and losses of ours against the program, and mean losses. Both have "
        "the best of nine learning rates in one order of rows; ours is the mean over several "
        "orders, which are not the program's."
    )
    return f"{text}\n\n{pipes(head, rows)}"


def _differences(pairs: Sequence[Difference]) -> str:
    shown = [one for one in pairs if one.is_opposite or one.is_clear]
    if not shown:
        return "No pair of algorithms differs clearly from the paper or has another sign."
    text = (
        "Net wins per 100 datasets where the two differ by more than chance (p at most 0.05) or "
        "have different signs. Ours are standardised to the paper's mix of n, d and K, but for "
        "tables of subsets."
    )
    head = ["table", "panel", "pair", "the paper", "ours", "datasets", "ours - paper",
            "95 % interval", "p", "its program", "why"]  # fmt: skip
    return f"{text}\n\n{pipes(head, [difference_row(one) for one in shown])}"


def difference_row(one: Difference) -> list[str]:
    """A pair in the paper and here, per 100 datasets."""
    low, high = one.value - 1.96 * one.error, one.value + 1.96 * one.error
    return [
        one.table, one.panel, one.title, hundred(one.paper.mean), hundred(one.ours.mean),
        str(one.n), hundred(one.value), f"{hundred(low)} to {hundred(high)}",
        chance_figure(one.chance), "" if one.program is None else hundred(one.program), one.why,
    ]  # fmt: skip


def hundred(share: float) -> str:
    """Net wins per 100 datasets, with a sign; empty if unknown."""
    return "" if math.isnan(share) else f"{100 * share:+.1f}"


def _panel(one: Compared) -> str:
    grids = [("The paper", one.paper), ("Ours", one.ours)]
    if one.program is not None:
        grids.append(("The paper's program on our datasets", one.program))
    names = ", ".join(name[0].lower() + name[1:] for name, _ in grids)
    opens = fold(f"{names[0].upper()}{names[1:]}", _grids(grids))
    return f"### {one.table}: {marked_down(one.panel)}\n\n{opens}"


def _grids(grids: Iterable[tuple[str, Grid]]) -> str:
    text = []
    for name, grid in grids:
        n = f", {counted(grid.datasets, 'dataset')}" if grid.datasets else ""
        text += [f"{name}{n}:", _grid(grid)]
    return "\n\n".join(text)


def _grid(grid: Grid) -> str:
    rows = [[label, *cells] for label, cells in grid.rows]
    return pipes(["", *grid.columns], rows)


def _losses(losses: Losses, criteria: Criteria) -> Iterator[str]:
    """Table `cost_sensitive`: what was played, then what the paper prints."""
    (table,) = all_tables(losses, criteria, ("cost-sensitive",))
    yield f"### cost-sensitive\n\n{table.caption}"
    for panel in sorted(table.panels, key=lambda panel: panel.ours is None):
        yield f"#### {marked_down(panel.title)}\n\n{_grids(_named(panel))}"


def _named(panel: Panel) -> Iterator[tuple[str, Grid]]:
    for source, grid in panel.grids:
        yield ({"ours": "Ours", "paper": "The paper"}[source], replace(grid, datasets=None))


def _votes(votes: Sequence[Vote]) -> str:
    if not votes:
        return "The stage `grid` was not played on the tuning datasets, or not yet."
    head = ["encoding", "algorithm", "the paper chose", "elected here",
            "with a recount", "voters", "elected against the paper's: wins / losses",
            "of held-out datasets"]  # fmt: skip
    rows = [
        [vote.encoding, vote.label, in_short(vote.paper), in_short(vote.elected),
         "the same" if vote.recounted == vote.elected else in_short(vote.recounted),
         str(vote.n_voters), f"{vote.won} / {vote.lost}", str(vote.n)]
        for vote in votes
    ]  # fmt: skip
    same = sum(one.elected == one.paper for one in votes)
    recounts = counted(sum(one.recounted != one.elected for one in votes), "election")
    return (
        f"As in the paper, tuning datasets elect hyperparameters by instant runoff, "
        f"and held-out datasets judge them. {same} of {len(votes)} elections end "
        f"with the paper's choice. The paper's script counts wins anew among the "
        f"choices still in, round by round; that would change {recounts} "
        f"(deviation 27).\n\n" + pipes(head, rows)
    )
