"""LibSVM and svmlight files: `label index:value ... # comment`, zeros left out.

The label is a number (multiclass), numbers with commas or nothing (multilabel), or a
grade that `qid:` follows (ranking, as in LETOR files). Indices count from 1, or from 0
if a 0 occurs. A line with neither label nor features is a blank one, not a row.
"""

from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import Problem
from bakeoff.reading.files import plain_name, plain_stem, shown
from bakeoff.reading.formats.labelled_lines import Lines
from bakeoff.reading.formats.letor import ranking
from bakeoff.reading.formats.svmlight import LAST_LABEL, Rows, number_of, parsed
from bakeoff.reading.options import Options
from bakeoff.reading.tables.classes import class_name, classes_of, two_or_more
from bakeoff.reading.tables.columnless import blaming, check_options, check_task
from bakeoff.reading.tables.ranking import documents_kept


def read(path: Path, options: Options) -> Problem:
    """The problem in a LibSVM file."""
    check_options(path, options, "the label comes first in a line")
    rows = parsed(path, documents_kept(options))
    if options.task == "ranking" or any(rows.queries.distinct):
        return ranking(rows, options)
    name = options.name or plain_stem(path)
    if _is_multilabel(rows.lines, options):
        return _multilabel(rows, name)
    check_task(path, options, "multiclass", "a line begins with a label, not with costs")
    return _multiclass(rows, name)


def _is_multilabel(lines: Lines, options: Options) -> bool:
    if options.task is not None:
        return options.task == "multilabel"
    if ".multilabel." in plain_name(lines.path).lower():
        return True
    for code, text in enumerate(lines.labels.distinct):
        if not text or b"," in text:
            found = "has several labels" if text else "has no label"
            notify(
                f"{lines.place(lines.labels.first_row(code))}: {found}, so that the file "
                f"is read as multilabel; say so with `task`, or correct the line"
            )
            return True
    return False


def _multiclass(rows: Rows, name: str) -> Problem:
    lines = rows.lines
    y = np.array(lines.each(lines.labels, _label))[lines.labels.codes]
    with blaming(lines.path):
        codes, names = classes_of(y, f"{lines.path}:")
        return Problem.from_classes(rows.X, codes, len(names), names, name=name)


def _label(text: bytes) -> float:
    number = number_of(text)
    if number is None:
        found = f"got {shown(text)}" if text else "found none"
        raise DataError(
            f"a label, a number of at most {LAST_LABEL:g} in magnitude, must come first; {found}"
        )
    return number


def _multilabel(rows: Rows, name: str) -> Problem:
    lines = rows.lines
    sets = lines.each(lines.labels, _label_set)
    labels = sorted(set().union(*sets))
    names = two_or_more([class_name(label) for label in labels], f"{lines.path}:")
    with blaming(lines.path):
        Y = _label_matrix(sets, labels)[lines.labels.codes]
        return Problem.from_labels(rows.X, Y, class_names=names, name=name)


def _label_set(text: bytes) -> set[float]:
    labels = [number_of(part) for part in text.split(b",")] if text else []
    whole = [k for k in labels if k is not None and k.is_integer()]
    if len(whole) < len(labels):
        raise DataError(f"labels must be integers with commas between them, got {shown(text)}")
    if len(set(whole)) < len(whole):
        raise DataError(f"{shown(text)} repeats a label")
    return set(whole)


def _label_matrix(sets: list[set[float]], labels: list[float]) -> Any:
    """A row of flags for each set of labels."""
    column = {label: k for k, label in enumerate(labels)}
    columns = [sorted(column[label] for label in found) for found in sets]
    start = np.concatenate(([0], np.cumsum([len(found) for found in columns])))
    indices = np.array([k for found in columns for k in found], np.int32)
    flags = np.ones(len(indices), np.uint8)
    return sparse.csr_array((flags, indices, start), (len(sets), len(labels)))
