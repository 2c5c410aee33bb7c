"""Datasets: a table of the problems to be had, and how to bring them here."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from bakeoff.basics.errors import BakeoffError, DataError, DataNotice
from bakeoff.data import Facts
from bakeoff.reading.catalog.download import UnreachableError
from bakeoff.reading.catalog.source import Progress, Source
from bakeoff.reading.catalog.sources import read
from bakeoff.reading.options import Options


@dataclass(frozen=True)
class Row:
    """One problem: its sizes as read, or as published if it is not on this machine."""

    name: str
    source: str
    task: str | None
    n: int | None = None
    n_features: int | None = None
    n_actions: int | None = None
    nonzeros: int | None = None
    constant_action_cost: float | None = None
    here: bool = True
    openml_id: int | None = None
    published_loss: float | None = None  # of the supervised skyline, in the paper
    digest: str | None = None
    notices: tuple[str, ...] = ()
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The row for JSON."""
        return asdict(self)


def listed(sources: Sequence[Source], options: Options) -> Iterator[Row]:
    """A row per source; one that cannot be read has an error instead of sizes."""
    for source in sources:
        if not source.is_here() and source.fetch is not None:
            yield _published(source)
            continue
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DataNotice)
            row = _as_read(source, options)
        notices = tuple(str(one.message) for one in caught)
        yield Row(**{**row, "notices": notices})


def _published(source: Source) -> Row:
    known = source.published
    if known is None:
        return Row(source.name, source.origin, source.task, here=False, openml_id=source.openml_id)
    return Row(
        source.name,
        source.origin,
        source.task,
        known.n,
        known.n_features,
        known.n_actions,
        constant_action_cost=known.constant_action_cost,
        here=False,
        openml_id=source.openml_id,
        published_loss=known.supervised_loss,
    )


def _as_read(source: Source, options: Options) -> dict[str, Any]:
    known = {
        "name": source.name,
        "source": source.origin,
        "task": source.task,
        "openml_id": source.openml_id,
        "published_loss": source.published and source.published.supervised_loss,
    }
    try:
        problem = read(source, options)
    except (BakeoffError, MemoryError) as error:
        why = str(error) or "there is not enough memory to read it"
        return known | {"error": why, "here": source.is_here()}
    facts = vars(Facts.of(problem, source.origin))
    shown = {field.name for field in fields(Row)}
    return known | {name: value for name, value in facts.items() if name in shown}


def missing(sources: Sequence[Source]) -> list[Source]:
    """The sources that must be brought to this machine."""
    return [source for source in sources if source.fetch and not source.is_here()]


def fetch(source: Source, progress: Progress) -> str | None:
    """Bring a problem to this machine; the error if that fails.

    Raises `UnreachableError` if no server answers: others would fare no better.
    """
    try:
        if source.fetch is not None:
            source.fetch(progress)
    except UnreachableError:
        raise
    except DataError as error:
        return str(error)
    return None
