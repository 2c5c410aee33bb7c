"""Write a report: read a store, make tables, figures and the page."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.basics.files import whole
from bakeoff.basics.text import did_you_mean
from bakeoff.judging import (
    Criteria,
    Losses,
    contest_of,
    curves_of,
    main_contest,
    missing_of,
    read_curves,
    read_times,
    views_of,
)
from bakeoff.report.figures.all import FIGURES, FORMATS, Figure, captions, write_figures
from bakeoff.report.figures.saver import Saver
from bakeoff.report.page.data import page_data
from bakeoff.report.page.origins import About
from bakeoff.report.page.page import page
from bakeoff.report.tables.all import TABLES, all_tables
from bakeoff.report.tables.matrix import NAME as MAIN
from bakeoff.report.tables.matrix import matrix_files
from bakeoff.report.tables.table import Table, to_csv, to_latex, to_markdown, without_paper
from bakeoff.store import Store

PAGE, FOLDER, CAPTIONS = "report.html", "report", "figures.md"
WRITERS: dict[str, Callable[..., str]] = {"csv": to_csv, "md": to_markdown, "tex": to_latex}


class Report(NamedTuple):
    """What was written, and what could not be written and why."""

    page: Path
    folder: Path
    files: list[Path]
    n_tables: int
    n_figures: int
    missing: list[tuple[str, str]]
    notice: str  # what the store still lacks, if anything


def write_report(
    folder: Path,
    losses: Losses,
    criteria: Criteria,
    out: Path | None = None,
    tables: Sequence[str] | None = None,
    figures: Sequence[str] | None = None,
    paper: bool | None = None,
    *,
    everything: bool = False,
) -> Report:
    """Write the page, and the selected tables and figures.

    Earlier files of other tables and figures are left alone. The paper's figures stand
    beside ours in all tables but "main", in all with `paper`, in none without it.
    `everything` tells that the losses are not those of the last experiment only.
    """
    wanted_tables = _names(tables, [MAIN, *TABLES], "table")
    wanted_figures = _names(figures, FIGURES, "figure")
    target = (out or folder) / FOLDER
    with _written(target):
        target.mkdir(parents=True, exist_ok=True)
        for old in _files(target, wanted_tables, WRITERS) + _files(target, wanted_figures, FORMATS):
            old.unlink(missing_ok=True)
    store = Store(folder)
    manifest = store.usable_manifest()
    twins = manifest.twins if manifest else {}
    # Curves are read and figures written while the rest is made.
    with Saver() as saver, ThreadPoolExecutor(1) as beside:
        curves = beside.submit(read_curves, store, _shown(losses, criteria), everything=everything)
        main = cache(lambda: curves_of(curves.result(), main_contest(losses, criteria)))
        drawn = write_figures(losses, main, criteria, target, wanted_figures, save=saver)
        if drawn:
            _write(target / CAPTIONS, captions(drawn))
        every = all_tables(losses, criteria)
        made = [table for table in every if table.name in wanted_tables]
        if paper is False:
            made = [without_paper(table) for table in made]
        texts = {
            f"{table.name}.{ending}": writer(table)
            for table in made
            for ending, writer in WRITERS.items()
        }
        if MAIN in wanted_tables:
            found = matrix_files(losses, criteria, paper=bool(paper))
            texts |= {f"{MAIN}.{ending}": text for ending, text in found.items()}
        for name, text in texts.items():
            _write(target / name, text)
        curves.result()  # damaged files are noticed while they are read
        times = read_times(store, everything=everything)
        notice = missing_of(store)
        about = About(
            folder.resolve().name,
            manifest.asked if manifest else {},
            times,
            [f"{FOLDER}/{name}.csv" for name in wanted_tables]
            + [f"{FOLDER}/{drawing.name}.svg" for drawing in drawn if drawing.files],
            " ".join(filter(None, (notice, losses.others))),
            manifest.history if manifest else (),
            {one.digest: one.origin for one in manifest.problems} if manifest else {},
        )
        data = page_data(losses, twins, criteria, curves.result(), every, about)
    path = (out or folder) / PAGE
    _write(path, page(data))
    return Report(
        path,
        target,
        _files(target, wanted_tables, WRITERS)
        + ([target / CAPTIONS] if drawn else [])
        + [file for figure in drawn for file in figure.files],
        len(wanted_tables),
        sum(bool(figure.files) for figure in drawn),
        _missing(made, drawn),
        notice,
    )


def _shown(losses: Losses, criteria: Criteria) -> list[pl.DataFrame]:
    """The settings of everything that any view shows."""
    views = views_of(losses, criteria)
    contests = [contest_of(losses, view.competitors) for view in views]
    return [table for contest in contests for table in contest.chosen]


def _files(folder: Path, names: Iterable[str], endings: Iterable[str]) -> list[Path]:
    return [folder / f"{name}.{ending}" for name in names for ending in endings]


def _missing(tables: Sequence[Table], figures: Sequence[Figure]) -> list[tuple[str, str]]:
    """What could not be made, and what it needs."""
    panels = [
        (f"{table.name}, {panel.title}", panel.needs)
        for table in tables
        for panel in table.panels
        if panel.ours is None
    ]
    return panels + [(figure.name, figure.needs) for figure in figures if not figure.files]


def _names(wanted: Sequence[str] | None, known: Iterable[str], what: str) -> list[str]:
    if wanted is None or "all" in wanted:
        return list(known)
    names = [name for name in wanted if name != "none"]
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise SpecError(f"unknown {what} {name!r}{hint}")
    return names


def _write(path: Path, text: str) -> None:
    with _written(path), whole(path) as file:
        file.write(text.encode())


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResultsError(f"{path}: cannot be written: {reason}") from None
