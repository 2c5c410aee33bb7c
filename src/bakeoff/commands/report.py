"""`bakeoff report`: tables, figures and a page of a store of results."""

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bakeoff.basics.text import counted
from bakeoff.commands.console import out, plain, say

if TYPE_CHECKING:
    from bakeoff.judging import Criteria, Losses, Standing
    from bakeoff.report import Report

Folder = Annotated[Path, typer.Argument(help="The folder with the results.")]
RESULTS = Path("results")  # where `bakeoff run` puts them
Encoding = Annotated[
    str | None, typer.Option(help="Only this encoding, such as -1/0 (default: all, -1/0 first).")
]
HeldOut = Annotated[bool, typer.Option("--held-out", help="Leave out the paper's tuning datasets.")]
Everything = Annotated[
    bool, typer.Option("--all", help="Count all the store has, not only the last run.")
]
Test = Annotated[
    Literal["paper", "z", "paired"],
    typer.Option(help="What counts as a win; see docs/guide/report.md."),
]
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithms", "-a", help="Only this algorithm, by label or spec; can be repeated."
    ),
]
Datasets = Annotated[
    list[str] | None, typer.Option("--datasets", help="Only this dataset; can be repeated.")
]
Stream = Annotated[
    str | None,
    typer.Option(help='Only datasets under these conditions: "delay(100)", or "" for none.'),
]
Correction = Annotated[
    Literal["none", "holm", "bh"],
    typer.Option(help="How to correct for the number of comparisons."),
]
View = Annotated[
    Literal["unpeeked", "fixed", "one_rate", "optimised"] | None,
    typer.Option(
        help="How settings are chosen: unpeeked (the learning rate is the best on the other "
        "datasets; the default), fixed (the best on each dataset, as in the paper), one_rate "
        "(one for all) or optimised (hyperparameters, too)."
    ),
]
Matrix = Annotated[
    bool | None,
    typer.Option(
        "--matrix/--no-matrix",
        help="Print each algorithm against each other one (default: if there is room).",
    ),
]


def report(
    folder: Folder = RESULTS,
    out_folder: Annotated[
        Path | None, typer.Option("--out", help="Where to write (default: FOLDER).")
    ] = None,
    tables: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this table, such as main (the one that is printed), or none; "
            "can be repeated (default: all)."
        ),
    ] = None,
    figures: Annotated[
        list[str] | None,
        typer.Option(help="Only this figure, or none; can be repeated (default: all)."),
    ] = None,
    paper: Annotated[
        bool | None,
        typer.Option(
            "--paper/--no-paper", help="The paper's figures beside yours (in all tables but main)."
        ),
    ] = None,
    encoding: Encoding = None,
    min_actions: Annotated[
        int, typer.Option(help="Fewest actions in the figure of the introduction.", min=2)
    ] = 5,
    held_out: HeldOut = False,
    test: Test = "paper",
    correction: Correction = "none",
    everything: Everything = False,
    algorithms: Algorithms = None,
    datasets: Datasets = None,
    stream: Stream = None,
    view: View = None,
    matrix: Matrix = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Write the report, and print the verdict.

    The report is the page report.html and the folder report/ (tables, figures).
    """
    from bakeoff.commands.verdict_table import print_verdict
    from bakeoff.judging import Criteria
    from bakeoff.report import write_report

    asked = Criteria(encoding, held_out, min_actions, test, correction, view=view)
    losses = losses_for(folder, asked, algorithms, datasets, stream, everything=everything)
    written = write_report(
        folder, losses, asked, out_folder, tables, figures, paper, everything=everything
    )
    if as_json:
        sys.stdout.write(json.dumps(as_dict(written, losses, asked), indent=1) + "\n")
    elif not quiet:
        print_verdict(losses, asked, written.notice, matrix=matrix)
        say_where(written)


def say_where(written: "Report") -> None:
    """Print what was written, and what could not be for lack of results."""
    if written.missing:
        names = {what.partition(",")[0] for what, _ in written.missing}
        verb = "needs" if len(names) == 1 else "need"
        say(f"note: {counted(len(names), 'table or figure', 'tables and figures')} of the paper "
            f"{verb} other runs, in part or in whole; they say which", "yellow"
            )  # fmt: skip
    out.print(
        f"{counted(written.n_tables, 'table')} and {counted(written.n_figures, 'figure')} in "
        f"{plain(str(written.folder))}; the page is {plain(str(written.page))}",
        highlight=False,
        soft_wrap=True,
    )


def as_dict(written: "Report", losses: "Losses", asked: "Criteria") -> dict[str, object]:
    """What was found and written, for programs."""
    from bakeoff.judging import by_stream, main_contest, standings, streams_frame, verdict

    contest = main_contest(losses, asked)
    places = standings(contest, asked.wins(contest))
    return {
        "verdict": verdict(losses, asked).to_dict(),
        "encoding": asked.encoding_of(losses),
        "datasets": contest.n,
        "standings": [_numbers(one) for one in places],
        "streams": streams_frame(by_stream(losses, asked)).to_dicts(),
        "page": str(written.page),
        "folder": str(written.folder),
        "files": [str(path) for path in written.files],
        "missing": [{"what": what, "needs": needs} for what, needs in written.missing],
    }


def _numbers(one: "Standing") -> dict[str, object]:
    """A standing as JSON takes it: what is not known is null."""
    values = one._asdict() | {"lead": one.lead and one.lead._asdict()}
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in values.items()
    }


def losses_for(
    folder: Path,
    asked: "Criteria",
    algorithms: list[str] | None = None,
    datasets: list[str] | None = None,
    stream: str | None = None,
    *,
    everything: bool,
) -> "Losses":
    """The losses of a store, which must have what is asked for; of some algorithms, if named."""
    from bakeoff.basics.errors import SpecError
    from bakeoff.judging import read_losses, with_algorithms, with_datasets, with_stream
    from bakeoff.store import opened

    losses = read_losses(opened(folder), everything=everything)
    if asked.encoding is not None and asked.encoding not in losses.encodings:
        has = ", ".join(losses.encodings) or "none"
        raise SpecError(f"{folder}: has no results for {asked.encoding!r}, only for {has}")
    some = with_stream(with_datasets(losses, datasets or None), stream)
    return with_algorithms(some, algorithms or None)
