"""The document of a reproduction: Markdown, all of it from a store."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from bakeoff.report.findings.claims import CLAIMS
from bakeoff.report.findings.judge import Finding, judge
from bakeoff.report.tables.all import all_tables
from bakeoff.report.tables.table import Grid, marked_down
from bakeoff.report.views import Asked
from bakeoff.reproduction.against_program import Cell, against_program
from bakeoff.reproduction.agreement import (
    Compared,
    Nets,
    agreement,
    compared,
    nets_of,
    partings,
)
from bakeoff.reproduction.program import program_losses
from bakeoff.statistics.losses import Losses
from bakeoff.text import counted

TABLES = (
    "main-results", "reductions", "encodings", "breakdown", "multiclass",
    "multilabel", "uci", "reductions-wins", "baseline-optimised",
)  # fmt: skip


def document(losses: Losses, folder: Path, command: str) -> str:
    """The paper, its program and us, side by side."""
    asked, program = Asked(), program_losses(folder, losses)
    ours = all_tables(losses, asked, TABLES)
    theirs = all_tables(program, asked, TABLES) if program else None
    panels = list(compared(ours, theirs))
    findings = [judge(losses, claim, asked) for claim in CLAIMS]
    parts = [
        "# The reproduction",
        f"Made by `{command}` from its store; nothing here is typed by hand.",
        _data(losses),
        "## The paper's claims",
        _claims(findings, program, asked),
        "## Next to the paper's own program",
        _cells(against_program(losses, program)) if program else
        "The folder has no losses of the paper's program (`reference/`).",
        "## Next to the paper's tables",
        _agreements(panels),
        "## Where they part",
        _partings(panels),
        "## The tables",
        *(_panel(one) for one in panels),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _data(losses: Losses) -> str:
    problems = losses.problems
    tasks = problems["task"].value_counts(sort=True).rows()
    n_held_out = int((~problems["tuning"]).sum())
    return (
        f"{counted(problems.height, 'dataset')}: "
        + ", ".join(f"{n} {task}" for task, n in tasks)
        + f"; {n_held_out} of them are not in the paper's tuning list. "
        f"The paper has 516 multiclass and 5 multilabel datasets, MSLR, Yahoo and RCV1."
    )


# ---- claims


def _claims(findings: Sequence[Finding], program: Losses | None, asked: Asked) -> str:
    head = ["the paper says", "where", "its numbers", "ours", "verdict", "why"]
    if program is not None:
        head.append("the paper's program here")
    rows = []
    for one in findings:
        claim = one.claim
        here = ", ".join(str(count) for count in one.counts if count.n)
        row = [claim.says, claim.place, claim.numbers, here, one.verdict, one.why]
        if program is not None:
            row.append(_short(judge(program, claim, asked)))
        rows.append(row)
    names = [one.verdict for one in findings]
    tally = ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))
    return f"{len(findings)} claims: {tally}.\n\n{pipes(head, rows)}"


def _short(finding: Finding) -> str:
    told = [str(count) for count in finding.counts if count.is_told]
    return f"{finding.verdict}: {', '.join(told)}" if told else finding.verdict


# ---- the paper's program


def _cells(cells: Iterable[Cell]) -> str:
    head = ["encoding", "algorithm", "datasets", "wins", "losses", "mean of ours",
            "of the program", "difference"]  # fmt: skip
    rows = [
        [one.encoding, one.label, str(one.n), str(one.won), str(one.lost),
         f"{one.ours:.4f}", f"{one.theirs:.4f}", f"{one.ours - one.theirs:+.4f}"]
        for one in cells
    ]  # fmt: skip
    return (
        "Significant wins and losses of ours against the program, each at its best of "
        "nine learning rates. The rows of a dataset are in another order here than "
        "the program had them in.\n\n" + pipes(head, rows)
    )


# ---- tables


def _agreements(panels: Sequence[Compared]) -> str:
    head = ["table", "panel", "datasets: the paper", "ours",
            "signs, ours and the paper", "the program and the paper",
            "ours and the program"]  # fmt: skip
    rows = []
    for one in panels:
        paper, ours = nets_of(one.paper), nets_of(one.ours)
        program: Nets = nets_of(one.program) if one.program else {}
        rows.append(
            [one.table, one.panel, str(one.paper.datasets or ""),
             str(one.ours.datasets or ""), str(agreement(ours, paper)),
             str(agreement(program, paper)), str(agreement(ours, program))]
        )  # fmt: skip
    text = (
        "Pairs of algorithms whose significant wins minus losses have the same sign, "
        "of those that have one in both, and the rank correlation of the differences."
    )
    return f"{text}\n\n{pipes(head, rows)}"


def _partings(panels: Sequence[Compared]) -> str:
    head = ["table", "panel", "pair", "the paper", "ours", "the program", "why"]
    rows = [
        [one.table, one.panel, " vs ".join(it.pair), f"{it.paper:+}", f"{it.ours:+}",
         "" if it.program is None else f"{it.program:+}", it.why]
        for one in panels
        for it in partings(one)
    ]  # fmt: skip
    if not rows:
        return "No pair of algorithms has another sign here than in the paper."
    return pipes(head, rows)


def _panel(one: Compared) -> str:
    grids = [("The paper", one.paper), ("Ours", one.ours)]
    if one.program is not None:
        grids.append(("The paper's program on our datasets", one.program))
    text = [f"### {one.table}: {marked_down(one.panel)}"]
    for name, grid in grids:
        n = f", {counted(grid.datasets, 'dataset')}" if grid.datasets else ""
        text += [f"{name}{n}:", _grid(grid)]
    return "\n\n".join(text)


def _grid(grid: Grid) -> str:
    rows = [[label, *cells] for label, cells in grid.rows]
    return pipes(["", *grid.columns], rows)


def pipes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [[marked_down(cell) for cell in line] for line in (head, *rows)]
    lines.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
