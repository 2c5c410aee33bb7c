"""Place: where a fault is, for error messages."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError


def at(file: str | Path, line: int | None = None) -> str:
    """A line of a file, `iris.arff:57`, or the whole file, `iris.arff`."""
    return f"{file}" if line is None else f"{file}:{line}"


class Place(NamedTuple):
    """Where the rows of a table or an array come from.

    `line_of` maps a row to its line in `file`, or to a complete place if rows come from
    several files. Without it, messages number the rows.
    """

    file: str = ""
    line_of: Callable[[int], int | str] | None = None
    first: int = 0  # rows of the file before these

    def __call__(self, row: int) -> str:
        """`decisions.jsonl:57`, `frame: row 57`, or `event 56` of arrays."""
        if self.line_of is not None:
            line = self.line_of(row)
            return line if isinstance(line, str) else at(self.file, int(line))
        row += self.first
        return f"{self.file}: row {row + 1}" if self.file else f"event {row}"

    def whole(self) -> str:
        """The prefix of a message about the whole file; empty without a file."""
        return f"{self.file}: " if self.file else ""

    def of(self, rows: Sequence[int] | Any) -> "Place":
        """The place of a selection of these rows, which may repeat them."""
        return Place(self.file, lambda row: self(int(rows[row])))

    def check(self, fine: Any, message: Callable[[int], str]) -> None:
        """Refuse the first row that is not fine."""
        if not np.all(fine):
            row = int(np.flatnonzero(~np.asarray(fine))[0])
            raise DataError(f"{self(row)}: {message(row)}")
