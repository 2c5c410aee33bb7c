"""Listing: a table of available problems, and how to download them."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bakeoff.basics.errors import BakeoffError, DataError, DataNotice
from bakeoff.data import Facts
from bakeoff.reading.catalog.download import UnreachableError
from bakeoff.reading.catalog.source import Progress, Published, Source
from bakeoff.reading.catalog.sources import read
from bakeoff.reading.options import Options

KEYS = (
    "name", "source", "task", "n", "n_features", "n_actions", "nonzeros", "constant_action_cost",
    "here", "openml_id", "published_loss", "digest", "notices", "error",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One problem in a list, with its facts if it could be read.

    A problem that is not on this machine has published figures, or nothing.
    """

    name: str
    source: str
    task: str | None
    facts: Facts | Published | None = None
    here: bool = True
    openml_id: int | None = None
    published_loss: float | None = None  # of the supervised skyline, in the paper
    notices: tuple[str, ...] = ()
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The row for JSON; what is not known is None."""
        return {key: getattr(self if hasattr(self, key) else self.facts, key, None) for key in KEYS}


def listed(sources: Sequence[Source], options: Options) -> Iterator[Row]:
    """A row per source; one that cannot be read has an error instead of facts."""
    for source in sources:
        published = source.published
        row = Row(
            source.name,
            source.origin,
            source.task,
            published,
            source.is_here(),
            source.openml_id,
            published and published.supervised_loss,
        )
        if not row.here and source.fetch is not None:
            yield row
            continue
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DataNotice)
            row = _as_read(row, source, options)
        yield replace(row, notices=tuple(str(notice.message) for notice in caught))


def _as_read(row: Row, source: Source, options: Options) -> Row:
    try:
        facts = Facts.of(read(source, options), source.origin)
    except (BakeoffError, MemoryError) as error:
        reason = str(error) or "there is not enough memory to read it"
        return replace(row, facts=None, here=source.is_here(), error=reason)
    return replace(
        row, name=facts.name, task=facts.task, facts=facts, here=True, openml_id=facts.openml_id
    )


def missing(sources: Sequence[Source]) -> list[Source]:
    """The sources that must be downloaded first."""
    return [source for source in sources if source.fetch and not source.is_here()]


def fetch(source: Source, progress: Progress) -> str | None:
    """Download a problem; return the error if that fails.

    Raises `UnreachableError` if no server answers: the next fetch would fail as well.
    """
    try:
        if source.fetch is not None:
            source.fetch(progress)
    except UnreachableError:
        raise
    except DataError as error:
        return str(error)
    return None
