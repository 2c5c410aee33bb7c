"""OpenML: datasets by their number, fetched once and then kept in the cache.

A client of our own: scikit-learn's can set its base address only by private names.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import Problem
from bakeoff.reading.catalog.cache import data_folder, store, writable
from bakeoff.reading.catalog.download import (
    RefusedError,
    UnreachableError,
    contents,
    download,
    unwatched,
)
from bakeoff.reading.catalog.source import Progress, Source
from bakeoff.reading.files import read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file
from bakeoff.reading.tables.table import listed

VARIABLE = "BAKEOFF_OPENML"
PUBLIC = "https://www.openml.org"
UNKNOWN, RESTRICTED = ("111", "271"), ("112", "272")  # codes of OpenML's errors

FOLDER = (
    "into a folder with a manifest.csv that gives its openml_id, and pass that folder "
    "as data (--data) or name it in BAKEOFF_DATA"
)
ADVICE = f"without a network, put its file {FOLDER}"


class Description(NamedTuple):
    """What OpenML says of a dataset; names of columns are those of the data."""

    url: str
    md5: str | None
    features: list[str]  # all columns
    targets: list[str]  # more than one in multilabel data
    ignored: list[str]  # row numbers and the like
    unknown: list[str]  # to be ignored, but not among the columns


def source(openml_id: int) -> Source:
    """A dataset of OpenML as a source."""
    name = f"openml:{openml_id}"
    return Source(
        name,
        partial(read, openml_id),
        origin=name,
        openml_id=openml_id,
        is_here=partial(is_here, openml_id),
        fetch=partial(fetch, openml_id),
        cached=partial(_folder, openml_id),
    )


def is_here(openml_id: int) -> bool:
    """Whether all of a dataset is in the cache."""
    files = ("description.json", "features.json", "data.arff")
    return all(_file(openml_id, name).is_file() for name in files)


def fetch(openml_id: int, progress: Progress) -> None:
    """Bring what is missing of a dataset into the cache."""
    description = describe(openml_id)
    data = _file(openml_id, "data.arff")
    if data.is_file():
        return
    try:
        with _explained_by_openml(openml_id):
            download(description.url, data, progress, ADVICE, md5=description.md5)
    except UnreachableError:
        raise
    except DataError:  # perhaps the data have moved since they were described
        with writable(data):
            _file(openml_id, "description.json").unlink(missing_ok=True)
        raise


def read(openml_id: int, options: Options) -> Problem:
    """A dataset as a problem; OpenML names its target and the columns to leave out."""
    if not is_here(openml_id):
        fetch(openml_id, unwatched)
    description = describe(openml_id)
    if description.unknown:
        notify(
            f"openml:{openml_id}: OpenML says to ignore {description.unknown[0]!r}, "
            f"but the data have no such column"
        )
    target = options.target
    if target is None:
        target = _default_target(openml_id, description, options)
    ignored = [name for name in description.ignored if name != target]
    options = replace(
        options,
        name=options.name or f"openml:{openml_id}",
        target=target,
        ignore=(*ignored, *options.ignore),
    )
    problem = read_file(_file(openml_id, "data.arff"), options)
    return replace(problem, openml_id=openml_id)


def _file(openml_id: int, name: str) -> Path:
    return _folder(openml_id) / name


def _folder(openml_id: int) -> Path:
    return data_folder("openml", str(openml_id))


def _default_target(openml_id: int, description: Description, options: Options) -> str:
    """The target that OpenML names, or a sentence that asks for one."""
    targets, columns = description.targets, description.features
    for name in targets:
        if name not in columns:
            raise DataError(
                f"openml:{openml_id}: OpenML names the target {name!r}, which is not "
                f"among the columns; give one of them as target: {listed(columns)}"
            )
    if not targets:
        raise DataError(
            f"openml:{openml_id}: OpenML names no target; give one of its "
            f"{len(columns)} columns as target: {listed(columns)}"
        )
    if len(targets) > 1 and options.task not in ("multilabel", "cost-sensitive"):
        raise DataError(
            f"openml:{openml_id}: OpenML names {len(targets)} targets; give one of "
            f"them as target, or the task multilabel"
        )
    return ",".join(targets)


# ---- what OpenML says


def describe(openml_id: int) -> Description:
    """What OpenML says of a dataset, from the cache or from its server."""
    description = _answer_of(openml_id, "description.json", "", "data_set_description")
    listed = _answer_of(openml_id, "features.json", "features/", "data_features")
    columns = [feature["name"] for feature in listed["feature"]]
    kind = str(description.get("format") or "ARFF")
    if kind.lower() not in ("arff", "sparse_arff"):
        raise DataError(
            f"openml:{openml_id}: is kept as {kind} at OpenML, and only ARFF is read "
            f"from there; if you have its file, put it {FOLDER}"
        )
    md5 = description.get("md5_checksum")
    ignored = [
        *_columns(description.get("row_id_attribute"), columns),
        *_columns(description.get("ignore_attribute"), columns),
    ]
    return Description(
        description["url"],
        md5 if isinstance(md5, str) and md5 else None,
        columns,
        _columns(description.get("default_target_attribute"), columns),
        [name for name in ignored if name in columns],
        [name for name in ignored if name not in columns],
    )


def _columns(value: Any, columns: list[str]) -> list[str]:
    """The columns that a description names: one, several with commas, or a list."""
    if isinstance(value, str):
        value = [value] if value in columns else value.split(",")
    if not isinstance(value, list):
        return []
    names = [str(name).strip().strip("'\"") for name in value]
    return [_spelled(name, columns) for name in names if name]


def _spelled(name: str, columns: list[str]) -> str:
    """A column's name as the data spell it; ARFF ignores case."""
    alike = [column for column in columns if column.lower() == name.lower()]
    return alike[0] if name not in columns and len(alike) == 1 else name


def _answer_of(openml_id: int, file: str, kind: str, key: str) -> dict[str, Any]:
    """An answer of OpenML, from the cache unless it is missing or damaged there."""
    path = _file(openml_id, file)
    try:
        kept = _value(read_bytes(path), key, openml_id)
    except DataError:
        kept = None
    if kept is not None:
        return kept
    base = os.environ.get(VARIABLE) or PUBLIC
    url = f"{base.rstrip('/')}/api/v1/json/data/{kind}{openml_id}"
    with _explained_by_openml(openml_id):
        data = contents(url, ADVICE)
    value = _value(data, key, openml_id)
    if value is None:
        raise DataError(
            f"{url}: the answer is not one of OpenML's (it begins with {data[:40]!r}); "
            f"is there a login page before the network?"
        )
    store(path, [data])
    return value


def _value(data: bytes, key: str, openml_id: int) -> dict[str, Any] | None:
    """What an answer holds under its key, if it is of the form that it must have."""
    try:
        value = json.loads(data)[key]
        if key == "data_features":
            features = value["feature"]
            features = [features] if isinstance(features, dict) else features
            if not all(isinstance(feature["name"], str) for feature in features):
                return None
            return {"feature": features}
        fine = isinstance(value["url"], str) and int(value["id"]) == openml_id
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError):
        return None
    return value if fine else None


@contextmanager
def _explained_by_openml(openml_id: int) -> Iterator[None]:
    """Turn a refusal with an error code of OpenML into a sentence."""
    try:
        yield
    except RefusedError as refused:
        try:
            error = json.loads(refused.body)["error"]
            code, message = str(error["code"]), " ".join(str(error["message"]).split())
        except (ValueError, TypeError, KeyError, RecursionError):
            raise refused from None
        if code in UNKNOWN:
            reason = "OpenML has no dataset with this number"
        elif code in RESTRICTED:
            reason = f"access to it is restricted; if you have its file, put it {FOLDER}"
        else:
            reason = f"OpenML refuses it with error {code}: {message[:200].rstrip('.')}"
        raise DataError(f"openml:{openml_id}: {reason}") from None
