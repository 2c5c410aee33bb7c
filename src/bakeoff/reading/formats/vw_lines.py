"""VW lines: `label 'tag |namespace name:value name` as label texts and a matrix.

Every (namespace, name) is a column of its own: nothing is hashed. Columns are sorted,
numbers in names by size (f2 before f10), so that the order of rows does not matter.
"""

import re
from array import array
from collections import defaultdict
from itertools import count, islice
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Bools, Indices, Ints
from bakeoff.data import LARGEST, at
from bakeoff.reading.files import decoded, opened, read_bytes, shown
from bakeoff.reading.formats.labelled_lines import Lines

_DIGITS = re.compile(r"[0-9]{1,1000}")


class _Features:
    """The features of all lines so far; a name's code is its order of appearance."""

    def __init__(self) -> None:
        code = count()
        self.codes_in: dict[bytes, dict[bytes, int]] = defaultdict(
            lambda: defaultdict(code.__next__)
        )
        self.code, self.value, self.start = array("q"), array("d"), array("q", [0])

    def add_line(self, text: bytes) -> bool:
        """Append what follows a line's first bar; False if it is malformed.

        Numbers that are too large and empty names are left to `bad_rows`.
        """
        try:
            fine = all(self._add_namespace(part) for part in text.split(b"|"))
        except ValueError:  # of a number
            return False
        self.start.append(len(self.code))
        return fine

    def _add_namespace(self, part: bytes) -> bool:
        words = part.split()
        space, scale = b"", 1.0
        if words and not part[:1].isspace():
            space, colon, number = words.pop(0).partition(b":")
            scale = float(number) if colon else 1.0
            if not space or b"_" in number or not abs(scale) <= LARGEST:
                return False
        codes = self.codes_in[space]
        split = [word.partition(b":") for word in words]
        self.code.extend([codes[name] for name, _, _ in split])
        self.value.extend([float(n) * scale if colon else scale for _, colon, n in split])
        return b"_" not in part or not any(b"_" in number for _, _, number in split)

    def bad_rows(self) -> Ints:
        """Rows with a feature that must not be."""
        nameless = [codes[b""] for codes in self.codes_in.values() if b"" in codes]
        large = ~(np.abs(np.frombuffer(self.value)) <= LARGEST)
        bad = np.flatnonzero(large | np.isin(np.frombuffer(self.code, np.int64), nameless))
        return np.searchsorted(np.array(self.start), bad, side="right") - 1


def parsed(path: Path) -> tuple[Lines, Any]:
    """The lines of a file with their labels, and a row of features for each."""
    lines, labels, features = Lines(path), [], _Features()
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            label, bar, text = line.partition(b"|")
            if not bar and not line.strip():
                lines.skipped.append(number)
            elif not bar or b"\r" in text.rstrip() or not features.add_line(text):
                _blame(line, at(path, number))
            else:
                labels.append(_without_tag(label))
    if not labels:
        raise DataError(f"{path}: has no rows, but a problem needs at least one")
    lines.labels.extend(labels)
    for row in features.bad_rows()[:1]:
        _blame(_line(path, int(lines.numbers[row])), lines.place(int(row)))
    try:
        b"\n".join(lines.labels.distinct).decode()
        return lines, _matrix(features, path)
    except UnicodeDecodeError:
        decoded(read_bytes(path), path)  # says where
        raise


def _line(path: Path, number: int) -> bytes:
    with opened(path) as file:
        return next(islice(file, number - 1, None))


def check_sums(matrix: Any, lines: Lines, rows: Ints) -> None:
    """Refuse sums of repeated features that are too large; `rows` are their rows."""
    large = np.flatnonzero(np.abs(matrix.data) > LARGEST)
    if large.size:
        row = int(np.searchsorted(matrix.indptr, large[0], side="right")) - 1
        raise DataError(
            f"{lines.place(int(rows[row]))}: the values of a repeated feature add up to "
            f"{matrix.data[large[0]]:g}, but at most {LARGEST:g} is allowed"
        )


def with_shared(X: Any, own: Ints, shared: Ints) -> Any:
    """The rows of actions, each plus the shared row of its event; -1 for none."""
    start = np.append(X.indptr, X.indptr[-1])  # row -1 is empty
    rows = sparse.csr_array((X.data, X.indices, start), (X.shape[0] + 1, X.shape[1]))
    return rows[own] + rows[shared]


def _without_tag(label: bytes) -> bytes:
    """The label's words; as in Vowpal Wabbit, a word that touches the bar is a tag."""
    words = label.split()
    if words and (not label[-1:].isspace() or words[-1].startswith(b"'")):
        words.pop()
    return b" ".join(words)


def _matrix(features: _Features, path: Path) -> Any:
    """The rows as a matrix without zeros; values of a repeated feature are added."""
    code = np.frombuffer(features.code, np.int64)
    value = np.frombuffer(features.value)
    used = np.zeros(code.max(initial=-1) + 1, np.bool_)
    used[code[value != 0]] = True
    column = _columns(features.codes_in, used)
    start = np.array(features.start)
    shape = (len(start) - 1, int(used.sum()))
    if shape[1] == 0:
        raise DataError(f"{path}: no line has a feature after its bar")
    matrix = sparse.csr_array((value.copy(), column[code], start), shape)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _columns(codes_in: dict[bytes, dict[bytes, int]], used: Bools) -> Indices:
    """The column of each used code: namespaces, then names, in natural order."""
    order = []
    for space in sorted(codes_in, key=natural):
        names = sorted(codes_in[space], key=natural)
        order += [codes_in[space][name] for name in names]
    kept = np.array(order, np.int64)[used[order]]
    columns = np.zeros(len(used), np.int32)
    columns[kept] = np.arange(len(kept))
    return columns


def natural(name: bytes) -> tuple[str, bytes]:
    """A key to sort by in which numbers in names compare as numbers."""
    return _DIGITS.sub(_sized, name.decode()), name  # the name itself orders 01 and 1


def _sized(digits: re.Match[str]) -> str:
    """Digits with their count before them: the longer number is the larger."""
    number = digits[0].lstrip("0")
    return f"0{chr(len(number))}{number}"


def _blame(line: bytes, where: str) -> NoReturn:
    """Say what is wrong with a line that was refused."""
    text = line.partition(b"|")[2]
    if b"|" not in line:
        raise DataError(f"{where}: expected a bar before the features, as in 1 | x:0.5")
    if b"\r" in text.rstrip():
        raise DataError(f"{where}: a carriage return must stand at the end of a line")
    for part in text.split(b"|"):
        for i, word in enumerate(part.split()):
            name, colon, number = word.partition(b":")
            if not name:
                raise DataError(f"{where}: {shown(word)} has no name before the colon")
            if colon and not _is_number(number):
                what = "namespace" if i == 0 and not part[:1].isspace() else "feature"
                raise DataError(
                    f"{where}: the value of the {what} {shown(word)} must be a number "
                    f"of at most {LARGEST:g} in magnitude"
                )
    raise DataError(
        f"{where}: a feature's value times that of its namespace must be at most "
        f"{LARGEST:g} in magnitude"
    )


def _is_number(text: bytes) -> bool:
    try:
        return b"_" not in text and abs(float(text)) <= LARGEST
    except ValueError:
        return False
