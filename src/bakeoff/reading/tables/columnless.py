"""Columnless: what the readers of formats without named columns share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bakeoff.basics.errors import DataError
from bakeoff.data import Task
from bakeoff.reading.options import Options, columns_named


def check_options(path: Path, options: Options, place: str) -> None:
    """Refuse options that name columns; `place` says where the target is."""
    if options.target is not None:
        raise DataError(
            f"{path}: the target {options.target!r} cannot be chosen in this format: {place}"
        )
    for column in columns_named(options):
        raise DataError(
            f"{path}: has no column {column!r}, since this format does not name columns"
        )


def check_task(path: Path, options: Options, task: Task, reason: str) -> None:
    """Refuse a task other than the one that the file is for."""
    if options.task not in (None, task):
        raise DataError(
            f"{path}: cannot be read as {options.task}: {reason}, which makes it {task}"
        )


@contextmanager
def blaming(path: Path) -> Iterator[None]:
    """Put the file before what the constructors of a problem say."""
    try:
        yield
    except DataError as error:
        if str(error).startswith(f"{path}:"):
            raise
        raise DataError(f"{path}: {error}") from None
