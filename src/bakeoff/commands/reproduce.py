"""`bakeoff reproduce`: the paper's study on a folder of datasets, stage by stage."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bakeoff.commands.console import err, out, plain, say

if TYPE_CHECKING:
    from bakeoff.reproduction import Part

DOCUMENT = "reproduction.md"
TODAYS_DOCUMENT, TODAYS_FIGURE = "bakeoff-today.md", "bakeoff-today.svg"


def reproduce(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A folder of datasets, or a suite such as paper.")
    ],
    stage: Annotated[
        list[str] | None,
        typer.Option(
            help="small, fixed, costs, baseline, nine-ten, grid or all; or today, the "
            "algorithms that came after the paper; can be repeated (default: small)."
        ),
    ] = None,
    out_folder: Annotated[Path, typer.Option("--out", help="The folder for the results.")] = Path(
        "reproduction"
    ),
    jobs: Annotated[int | None, typer.Option(help="How many threads (default: all cores).")] = None,
    shuffles: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="In how many shuffles of its rows every dataset is played (default: 10, "
            "fewer where a large dataset would take too long, but at least 3).",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how long each stage would take.")
    ] = False,
) -> None:
    """Repeat the paper's study on your datasets.

    The results stand beside what the paper printed. A stage that is interrupted
    continues where it stopped.
    """
    from bakeoff.reproduction import DEFAULT, STAGES_OF_TODAY, datasets_of, parts_of, stages_named

    stages = stages_named(stage or DEFAULT, STAGES_OF_TODAY)
    parts = list(parts_of(stages, datasets_of(data), shuffles))
    for part in parts:
        _say_how_long(part, out_folder, jobs)
    if dry_run:
        return
    outcomes = [_carry_out(part, out_folder, jobs) for part in parts]
    _write(data, list(dict.fromkeys(one.name for one in stages)), out_folder)
    if not all(outcomes):
        raise typer.Exit(1)


def _say_how_long(part: "Part", folder: Path, jobs: int | None) -> None:
    from bakeoff.basics.text import counted
    from bakeoff.experiment import duration

    estimate = part.experiment.dry_run(folder, jobs=jobs).estimate
    n = counted(len(part.experiment.sources), "dataset")
    n += f" in {counted(part.shuffles, 'shuffle')}"
    left = f"{counted(estimate.runs, 'run')} to do, about {duration(estimate.seconds)}"
    out.print(
        f"{part.stage.name}: {part.stage.what}; {n}, {left if estimate.runs else 'all done'}",
        highlight=False,
    )


def _carry_out(part: "Part", folder: Path, jobs: int | None) -> bool:
    """Run a stage; whether every run of it has a result."""
    from bakeoff.experiment import Bars, Lines, Resources, compute

    asked, resources = {"reproduces": part.stage.name}, Resources(jobs)
    if err.is_terminal:
        with Bars(err) as bars:
            summary = compute(part.experiment, folder, resources, bars, asked=asked)
    else:
        summary = compute(part.experiment, folder, resources, Lines(err), asked=asked)
    for what, why in summary.failures:
        say(f"failed: {what}: {why}", "red")
    for alike in summary.reasons[:5]:
        say(f"failed: {alike}", "red")
    return summary.is_complete


def _write(data: str, names: list[str], folder: Path) -> None:
    from bakeoff.basics.files import whole
    from bakeoff.commands.report import say_where
    from bakeoff.judging import Criteria, missing_of, read_costs, read_losses
    from bakeoff.report import write_report
    from bakeoff.reproduction import STAGES, STAGES_OF_TODAY, document, today_document, today_figure
    from bakeoff.store import Store

    store = Store(folder)
    losses = read_losses(store, everything=True)
    today = [name for name in names if name in {stage.name for stage in STAGES_OF_TODAY}]
    papers = [name for name in names if name not in today]
    named = [*(["all"] if len(papers) == len(STAGES) else papers), *today]
    command = "bakeoff reproduce DIR " + " ".join(f"--stage {name}" for name in named)
    files: dict[str, bytes] = {}
    documents: dict[str, str] = {}
    if papers:
        files |= document(losses, Path(data), command, missing_of(store)).files
        documents[DOCUMENT] = "the paper, its program and you, side by side"
    if today:
        costs = read_costs(store, everything=True)
        text = today_document(losses, costs, command, missing_of(store))
        files |= {TODAYS_DOCUMENT: text.encode(), TODAYS_FIGURE: today_figure(losses)}
        documents[TODAYS_DOCUMENT] = "the paper's algorithms and those since"
    for name, content in files.items():
        with whole(folder / name) as file:
            file.write(content)
    say_where(write_report(folder, losses, Criteria(view="fixed")))
    for name, what in documents.items():
        out.print(f"{what}: {plain(str(folder / name))}", highlight=False)
