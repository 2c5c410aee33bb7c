"""Labelled lines: the rows of a text file whose columns have no names, and their labels."""

from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Ints
from bakeoff.data import Place

T = TypeVar("T")


class Texts:
    """A short text per row; few of them differ, and each is then looked at once."""

    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}
        self._rows = array("q")
        self._first = array("q")  # the first row of each text

    def extend(self, texts: Iterable[bytes]) -> Ints:
        """Append the texts of the next rows; how far each is from its first row."""
        known, codes = len(self._codes), self._codes
        some = np.array([codes.setdefault(t, len(codes)) for t in texts], np.int64)
        top = len(self._rows)
        if len(codes) > known:
            occurring, first = np.unique(some, return_index=True)
            self._first.extend((top + first[occurring >= known]).tolist())
        self._rows.frombytes(some.tobytes())
        first_rows = np.frombuffer(self._first, np.int64)[some]
        return np.arange(top, top + len(some)) - first_rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def distinct(self) -> list[bytes]:
        """The texts that occur, by first appearance."""
        return list(self._codes)

    @property
    def codes(self) -> Ints:
        """The place of each row's text in `distinct`."""
        return np.array(self._rows, np.int64)

    def first_row(self, code: int) -> int:
        """The first row with a text."""
        return self._first[code]


class Lines:
    """Lines that hold rows, those that do not, and the label that each row has."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.labels = Texts()
        self.skipped: list[int] = []  # numbers of the lines that hold no row

    @property
    def numbers(self) -> Ints:
        """The line of each row, from 1."""
        every = np.arange(1, len(self.labels) + len(self.skipped) + 1)
        return np.setdiff1d(every, self.skipped, assume_unique=True)

    @property
    def place(self) -> Place:
        """The line of each row, for messages."""
        return Place(str(self.path), lambda row: int(self.numbers[row]))

    def each(self, texts: Texts, read: Callable[[bytes], T]) -> list[T]:
        """What `read` makes of each distinct text; its errors get their place here."""
        made = []
        for code, text in enumerate(texts.distinct):
            try:
                made.append(read(text))
            except DataError as error:
                where = self.place(texts.first_row(code))
                raise DataError(f"{where}: {error}") from None
        return made
