"""The document of a reproduction: Markdown, all of it from a store."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bakeoff.basics.text import counted
from bakeoff.judging import CLEAR, FEW, KINDS, Criteria, Losses
from bakeoff.report import (
    CLAIMS,
    Count,
    Finding,
    Grid,
    Panel,
    all_tables,
    are_held_out,
    in_short,
    judge,
    marked_down,
)
from bakeoff.reproduction.against_program import Cell, against_program
from bakeoff.reproduction.agreement import Compared, Nets, agreement, compared, nets_of, partings
from bakeoff.reproduction.elections import Vote, votes_of
from bakeoff.reproduction.program import program_losses
from bakeoff.reproduction.whole_grids import on_whole_grids
from bakeoff.reproduction.words import data_in_words, figures_in_words

OPTIMISED = KINDS["optimised"]  # in the titles of panels
TABLES = (
    "main-results", "reductions", "encodings", "breakdown", "multiclass",
    "multilabel", "uci", "reductions-wins", "baseline-optimised",
)  # fmt: skip


def document(losses: Losses, folder: Path, command: str, lacks: str = "") -> str:
    """The paper, its program and this package side by side; `lacks` says what is missing."""
    criteria = Criteria()
    criteria = replace(criteria, everywhere=not are_held_out(losses, criteria))
    program = program_losses(folder, losses)
    panels = list(panels_of(losses, program, criteria))
    of_few = []
    if criteria.everywhere:  # the few held-out datasets by themselves
        seen = {(panel.table, panel.panel) for panel in panels}
        every = panels_of(losses, program, replace(criteria, everywhere=False))
        of_few = [
            one
            for one in every
            if (one.table, one.panel) not in seen and (one.ours.datasets or 0) >= FEW
        ]
    findings = [judge(losses, claim, criteria) for claim in CLAIMS]
    theirs = [judge(program, claim, criteria) for claim in CLAIMS] if program else []
    parts = [
        "# The reproduction",
        f"Made by `{command}` from all that its store has; nothing here is typed by hand.",
        *([f"**{lacks}**"] if lacks else []),
        data_in_words(losses, criteria),
        _grids_played(losses),
        "## The paper's claims",
        _claims(findings, theirs),
        "### The comparisons behind them",
        _comparisons(findings, theirs),
        "## Next to the paper's own program",
        _cells(against_program(losses, program))
        if program
        else "The folder has no losses of the paper's program (`reference/`).",
        "## Next to the paper's tables",
        _agreements([*panels, *of_few]),
        "## Where they part",
        _partings(panels),
        "## Hyperparameters by voting",
        _votes(list(votes_of(losses, criteria))),
        "## The tables",
        *(_panel(one) for one in panels),
        *_losses(losses, criteria),
        "## The figures",
        figures_in_words(),
    ]
    return "\n\n".join(parts) + "\n"


def panels_of(losses: Losses, program: Losses | None, criteria: Criteria) -> Iterator[Compared]:
    """Tables of wins and losses that the paper has, too.

    Those of optimised hyperparameters are about datasets with the whole grid.
    """
    theirs = all_tables(program, criteria, TABLES) if program else None
    for panel in compared(all_tables(losses, criteria, TABLES), theirs):
        if OPTIMISED not in panel.panel:
            yield panel
    whole = on_whole_grids(losses)
    if whole.problems.height >= FEW:
        for one in compared(all_tables(whole, criteria, TABLES)):
            if OPTIMISED in one.panel:
                yield one


def _grids_played(losses: Losses) -> str:
    n = on_whole_grids(losses).problems.height
    few = "" if n >= FEW else f" These are fewer than {FEW}, so there are no such tables."
    return (
        f"Tables of optimised hyperparameters are about the {counted(n, 'dataset')} "
        f"on which the whole grid was played (stage `grid`).{few}"
    )


# ---- claims


def _claims(findings: Sequence[Finding], theirs: Sequence[Finding]) -> str:
    head = ["claim", "the paper says", "where", "its numbers", "verdict", "why"]
    if theirs:
        head.append("verdict on its program")
    rows = []
    for i, one in enumerate(findings):
        claim = one.claim
        row = [claim.name, claim.says, claim.place, claim.numbers]
        row += [f"**{one.verdict}**", one.why]
        rows.append([*row, theirs[i].verdict] if theirs else row)
    names: list[str] = [finding.verdict for finding in findings]
    order = ("holds", "holds weakly", "does not hold", "cannot be told")
    tally = ", ".join(f"{name} {names.count(name)}" for name in order)
    rule = (
        f"A claim holds if every comparison behind it is in favour and chance alone "
        f"would be as uneven in at most {CLEAR:.0%} of cases; it holds weakly if most "
        f"are in favour and none is clearly against it; it cannot be told from fewer "
        f"than {FEW} datasets."
    )
    return f"{len(findings)} claims: {tally}. {rule}\n\n{pipes(head, rows)}"


def _comparisons(findings: Sequence[Finding], theirs: Sequence[Finding]) -> str:
    """One line for each: datasets for and against it, and the flip test."""
    head = ["claim", "comparison", "for / against", "datasets", "chance"]
    if theirs:
        head += ["the paper's program: for / against", "datasets", "chance"]
    rows = []
    for i, finding in enumerate(findings):
        for j, one in enumerate(finding.counts):
            row = [finding.claim.name, one.text]
            counts = [one, theirs[i].counts[j]] if theirs else [one]
            for count in counts:
                shown = (f"{count.won} / {count.lost}", str(count.n), _chance(count))
                row += shown if count.n else ("", "", "")
            rows.append(row)
    text = (
        "Datasets on which a comparison is significantly in favour and against, of all "
        "on which it could be made. *Chance* is how often signs thrown at random would "
        "be as uneven (a binomial test, where outcomes are single wins)."
    )
    return f"{text}\n\n{pipes(head, rows)}"


def _chance(count: Count) -> str:
    return f"{count.chance:.3f}" if count.chance >= 0.001 else "< 0.001"


# ---- the paper's program


def _cells(cells: Iterable[Cell]) -> str:
    head = ["encoding", "algorithm", "datasets", "wins", "losses", "mean of ours",
            "of the program", "difference", "goal"]  # fmt: skip
    rows = [
        [cell.encoding, cell.label, str(cell.n), str(cell.won), str(cell.lost),
         f"{cell.ours:.4f}", f"{cell.theirs:.4f}", f"{cell.ours - cell.theirs:+.4f}",
         cell.goal]
        for cell in cells
    ]  # fmt: skip
    return (
        "Significant wins and losses of ours against the program, each at its best of "
        "nine learning rates. The rows of a dataset are in another order here than "
        "the program had them in; `benchmarks/against_reference.py` has the same order "
        "and five seeds, with the same goals.\n\n" + pipes(head, rows)
    )


# ---- tables


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


def _partings(panels: Sequence[Compared]) -> str:
    head = ["table", "panel", "pair", "the paper", "ours", "the program", "why"]
    rows = [
        [panel.table, panel.panel, it.title, f"{it.paper:+}", f"{it.ours:+}",
         "" if it.program is None else f"{it.program:+}", it.why]
        for panel in panels
        for it in partings(panel)
    ]  # fmt: skip
    if not rows:
        return "No pair of algorithms has another sign here than in the paper."
    return "Pairs whose wins minus losses have another sign than in the paper:\n\n" + pipes(
        head, rows
    )


def _panel(one: Compared) -> str:
    grids = [("The paper", one.paper), ("Ours", one.ours)]
    if one.program is not None:
        grids.append(("The paper's program on our datasets", one.program))
    return _grids(f"### {one.table}: {marked_down(one.panel)}", grids)


def _grids(title: str, grids: Iterable[tuple[str, Grid]]) -> str:
    text = [title]
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
        yield _grids(f"#### {marked_down(panel.title)}", _named(panel))


def _named(panel: Panel) -> Iterator[tuple[str, Grid]]:
    for source, grid in panel.grids:
        yield ({"ours": "Ours", "paper": "The paper"}[source], replace(grid, datasets=None))


# ---- hyperparameters


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


def pipes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; **bold** stays."""
    lines = [[_cell(cell) for cell in line] for line in (head, *rows)]
    lines.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    if text.startswith("**") and text.endswith("**"):
        return f"**{marked_down(text.strip('*'))}**"
    return marked_down(text)
