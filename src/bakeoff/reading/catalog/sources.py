"""Sources: one syntax for where problems come from, in Python and on the command line.

    digits.csv, data/iris.arff.gz    a file
    data                             a folder: its manifest.csv, or every known file
    openml:61                        a dataset of OpenML
    embedded, paper-tuning, uci      a suite; embedded:digits one problem of it
    data | delay(100) | noise(0.1)   any of these under conditions (docs/guide/streams.md)

A name of a suite means the suite; a folder of that name is written `./embedded`.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Unpack, overload

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import nearest
from bakeoff.data import Condition, Problem, is_frame, named, parse_conditions, split_source
from bakeoff.reading.catalog import manifest, openml
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.catalog.suites import SUITES, SuiteName, sources_of
from bakeoff.reading.files import explained, plain_name
from bakeoff.reading.options import Keywords, Options, options_of
from bakeoff.reading.read_file import ending_of, files_in, name_of, read_file
from bakeoff.reading.tables.arrays import problem_of_arrays
from bakeoff.reading.tables.frames import problem_of_frame


class Found(NamedTuple):
    """What a source syntax stands for: one problem, or a list of them."""

    sources: list[Source]
    is_one: bool


class Frame(Protocol):
    """A table in memory: a DataFrame of pandas or polars, a Table of pyarrow."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


@overload
def load(
    source: SuiteName, *, data: str | os.PathLike[str] | None = None, **options: Unpack[Keywords]
) -> list[Problem]: ...


@overload
def load(source: Frame | tuple[Any, ...], **options: Unpack[Keywords]) -> Problem: ...


@overload  # a file holds one problem, a folder a list of them: only reading tells
def load(
    source: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    **options: Unpack[Keywords],
) -> Any: ...


def load(
    source: str | os.PathLike[str] | Frame | tuple[Any, ...],
    *,
    data: str | os.PathLike[str] | None = None,
    **options: Unpack[Keywords],
) -> Problem | list[Problem]:
    """The problem of a file, a frame or an OpenML id, or those of a folder or a suite.

    Arrays are a tuple: load((X, y)). With `task`, y may be labels (a 0/1 matrix) or costs;
    ranking takes (X, grades, qid).
    `docs/guide/data.md` lists the options. `data` is a folder whose manifest may hold
    datasets of OpenML and of the paper, so that they need not be downloaded (also: the
    environment variable BAKEOFF_DATA).

    Parameters
    ----------
    source
        A file, a folder, a frame, arrays as a tuple, `openml:61`, or a suite.
    data
        A folder with datasets that need not be downloaded.
    **options
        What the file does not say, such as `target`, `task` or `ignore`.

    Returns
    -------
    Problem | list[Problem]
        A `Problem`, or a list of them if the source is a folder or a suite.

    Raises
    ------
    DataError
        If the source cannot be read, or there is no such option.

    Examples
    --------
    >>> load("embedded:iris").n
    150
    """
    settings = options_of(**options)
    if not isinstance(source, str | os.PathLike) and is_frame(source):
        return _marked(problem_of_frame(source, settings), settings)
    if isinstance(source, tuple):
        return problem_of_arrays(source, settings)
    found = find(source, data)
    if found.is_one:
        return read(found.sources[0], settings)
    if settings.name is not None:
        raise DataError(f"{source}: holds several problems, but `name` names one")
    return [read(each, settings) for each in found.sources]


def read(source: Source, options: Options) -> Problem:
    """The problem of a source, under the source's name."""
    named = replace(options, name=options.name or source.name)
    return _marked(source.read(named), replace(options, **source.options))


def _marked(problem: Problem, options: Options) -> Problem:
    """The problem, with its coding in its name if that is not the usual one."""
    if options.features == "codes" or problem.conditions:  # it was marked before
        return problem
    return replace(problem, name=f"{problem.name} ({options.features})")


def _hint_for(value: object) -> str:
    """How to make a source of a value that is not one, if that is known."""
    if hasattr(value, "__array__"):
        return "; arrays make a problem with Problem.from_classes(X, y) and its like"
    return "; make a frame of it first" if isinstance(value, Mapping | list) else ""


def find(text: object, data: str | os.PathLike[str] | None = None) -> Found:
    """What a source stands for."""
    where = os.fspath(text) if isinstance(text, str | os.PathLike) else ""
    if not where:
        kind = repr(text) if isinstance(text, str) else type(text).__name__
        raise DataError(
            f"a source is the name of a file, folder or suite, or a frame of pandas, "
            f"polars or pyarrow, got {kind}{_hint_for(text)}"
        )
    path = Path(where).expanduser()
    if "|" in where and not os.path.lexists(path):
        return _stream(where, data)
    if where in SUITES:
        return Found(sources_of(where, _local(data)), is_one=False)
    suite, _, name = where.partition(":")
    if suite == "openml" and name:
        return Found([_openml(where, name, _local(data))], is_one=True)
    if suite in SUITES and name:
        return Found([_member(suite, name, _local(data))], is_one=True)
    with explained(path):
        if not path.exists() and not path.is_symlink():
            raise DataError(_not_found(where))
        if path.is_dir():
            return Found(_in_folder(path), is_one=False)
    return Found([_of_file(path, name_of(path))], is_one=True)


def _stream(where: str, data: str | os.PathLike[str] | None) -> Found:
    """The problems of a source, under the conditions that follow it."""
    source, text = split_source(where)
    if not source:
        raise DataError(f"{where!r}: a source comes first, as in embedded:digits | {text}")
    conditions = parse_conditions(text)
    plain = find(source, data)
    return Found([_under(each, conditions) for each in plain.sources], plain.is_one)


def _under(plain: Source, conditions: tuple[Condition, ...]) -> Source:
    def read_stream(options: Options) -> Problem:
        name = None if options.name == stream.name else options.name
        return read(plain, replace(options, name=name)).with_conditions(*conditions)

    stream = replace(
        plain,
        name=named(plain.name, conditions),
        read=read_stream,
        origin=named(plain.origin, conditions),
        task=None,  # conditions may change it
        published=None,
    )
    return stream


def find_all(texts: Sequence[str], data: str | os.PathLike[str] | None = None) -> list[Source]:
    """The problems of several sources, each once, under names that are unique."""
    return each_once(s for text in texts for s in find(text, data).sources)


def each_once(sources: Iterable[Source]) -> list[Source]:
    """Sources without repeats; where several share a name, their origins are names."""
    unique = {source.origin: source for source in sources}
    times = Counter(source.name for source in unique.values())
    return [
        source if times[source.name] == 1 else replace(source, name=source.origin)
        for source in unique.values()
    ]


def _openml(where: str, name: str, local: Mapping[int | str, Source]) -> Source:
    if not re.fullmatch(r"[1-9]\d{0,8}", name):
        raise DataError(f"{where!r}: openml: is followed by a dataset's number, as in openml:61")
    return local.get(int(name)) or openml.source(int(name))


def _member(suite: str, name: str, local: Mapping[int | str, Source]) -> Source:
    sources = {source.name: source for source in sources_of(suite, local)}
    if name not in sources:
        near = nearest(name, sources)
        hint = f"; did you mean {near!r}?" if near else ""
        raise DataError(f"the suite {suite!r} has no problem {name!r}{hint}")
    return sources[name]


def _local(data: str | os.PathLike[str] | None) -> dict[int | str, Source]:
    """What the user's folder holds, by OpenML id and by name."""
    folder = data or os.environ.get("BAKEOFF_DATA")
    if not folder:
        return {}
    sources: dict[int | str, Source] = {}
    for source in _in_folder(Path(folder).expanduser()):
        sources[source.openml_id or source.name] = source
    return sources


def _in_folder(folder: Path) -> list[Source]:
    with explained(folder):
        if not folder.is_dir():
            folder.stat()
            raise DataError(f"{folder}: is not a folder")
        if (folder / manifest.NAME).exists():
            return manifest.sources_in(folder)
        files = files_in(folder)
    if not files:
        raise DataError(f"{folder}: holds neither a {manifest.NAME} nor any file of a known format")
    names = [(path.parent / name_of(path)).relative_to(folder) for path in files]
    times = Counter(names)
    return [
        _of_file(path, str(name if times[name] == 1 else path.relative_to(folder)))
        for path, name in zip(files, names, strict=True)
    ]


def _of_file(path: Path, name: str) -> Source:
    return Source(name, partial(read_file, path), str(path), path=path)


def _not_found(where: str) -> str:
    near = nearest(where, SUITES)
    if near:
        return f"{where}: no such file, folder or suite; did you mean {near!r}?"
    if ending_of(Path(where)) or "/" in where or "." in plain_name(Path(where)):
        return f"{where}: no such file or folder"
    return f"{where}: no such file, folder or suite; suites are {', '.join(SUITES)}"
