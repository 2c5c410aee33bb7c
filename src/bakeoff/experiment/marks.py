"""Marks: what tells whether a source may have changed since it was read."""

from pathlib import Path

from bakeoff.problems.catalog import manifest
from bakeoff.problems.catalog.source import Source
from bakeoff.problems.readers.options import Options
from bakeoff.store.store import VERSION


def mark_of(source: Source, options: Options) -> str | None:
    """What changes when a source's files do, or how they are read.

    None if there are no files here: it must be read to know what it holds.
    """
    try:
        stats = [file.stat() for file in _files(source)]
    except OSError:
        return None
    if not stats:
        return None
    sizes = [(stat.st_size, stat.st_mtime_ns) for stat in stats]
    read_as = f"{source.task} {source.published} {options} {VERSION}"
    return f"{source.name} {source.origin} {sizes} {read_as}"


def _files(source: Source) -> list[Path]:
    """The files that a source is read from, and those that say how.

    How a file is read may depend on a manifest in a folder above it.
    """
    if source.path is not None:
        above = (folder / manifest.NAME for folder in source.path.absolute().parents)
        return [source.path, *filter(Path.exists, above)]
    if source.cached is None or not source.is_here():
        return []
    cached = source.cached()
    inside = [file for file in cached.rglob("[!.]*") if file.is_file()]
    return sorted(inside) or [cached]
