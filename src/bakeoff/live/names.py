"""Named features: places of names in a space of fixed size, or of one that grows.

A number is a feature by its name, a text is the feature "name=text" with value 1, and a
list of texts is several of those. What is missing or None is no feature.
"""

from array import array
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from bakeoff.core.arrays import Doubles, Ints
from bakeoff.errors import DataError
from bakeoff.live.murmur import murmurhash3

MOST_BITS = 28
_REMEMBERED = 1_000_000  # places that are looked up and not computed again


class Names:
    """Where each name is: hashed into 2^bits places, or in order of appearance.

    Hashed names may collide: `collisions` counts those that share the place of an
    earlier one. The hash is MurmurHash3 (32 bits, seed 0), as in scikit-learn.
    """

    def __init__(self, bits: int | None, known: list[str] | None = None) -> None:
        self.bits = bits
        self.collisions = 0
        self.known: list[str] = list(known or [])  # in order, if not hashed
        self._order = {name: i for i, name in enumerate(self.known)}
        self._numbers: dict[Any, int] = {}  # places of names that have numbers
        self._texts: dict[Any, dict[str, int]] = {}  # and of texts, by name
        self._remembered = 0  # texts
        self._taken: set[int] = set()

    @property
    def size(self) -> int | None:
        """How many places there are, if that is fixed."""
        return None if self.bits is None else 1 << self.bits

    def encode(self, x: Mapping[str, Any]) -> tuple[Ints, Doubles]:
        """The places and values of a context's features."""
        index: list[int] = []
        value: list[float] = []
        numbers, texts = self._numbers, self._texts
        for name, given in x.items():
            kind = type(given)
            try:
                if kind is float or kind is int:
                    index.append(numbers[name])
                    value.append(given)
                elif kind is str:
                    index.append(texts[name][given])
                    value.append(1.0)
                else:
                    self._encode_other(name, given, index, value)
            except KeyError:
                self._encode_new(name, given, index, value)
        try:  # twice as fast as NumPy's way from lists
            places, values = array("q", index), array("d", value)
        except OverflowError:
            raise DataError("x must hold finite numbers, but one is huge") from None
        return np.frombuffer(places, np.int64), np.frombuffer(values, np.float64)

    def _encode_new(
        self, name: Any, given: Any, index: list[int], value: list[float]
    ) -> None:
        """Add a number or a text that was not seen before."""
        if isinstance(given, str):
            index.append(self._place_of_text(name, given))
            value.append(1.0)
        else:
            index.append(self._place_of_number(name))
            value.append(given)

    def _encode_other(
        self, name: str, given: Any, index: list[int], value: list[float]
    ) -> None:
        """Add what is neither a plain number nor a plain text."""
        if given is None:
            return
        if isinstance(given, str):
            texts = [str(given)]
        elif isinstance(given, Real | np.bool_):  # flags, NumPy's numbers
            index.append(self._place_of_number(name))
            value.append(float(given))
            return
        elif isinstance(given, list | tuple | set | frozenset):
            texts = sorted(given) if isinstance(given, set | frozenset) else list(given)
        else:
            texts = [given]
        for text in texts:
            if not isinstance(text, str):
                raise DataError(
                    f"feature {name!r} must be a number, a text, a flag or a list of "
                    f"texts, got {given!r}"
                )
            index.append(self._place_of_text(name, text))
            value.append(1.0)

    def _place_of_number(self, name: Any) -> int:
        """The place of a feature that is a number."""
        if name not in self._numbers:
            place = self._place(name)
            if not self._is_full():
                self._numbers[name] = place
            return place
        return self._numbers[name]

    def _place_of_text(self, name: Any, text: str) -> int:
        """The place of a feature that is a text."""
        texts = self._texts.get(name)
        if texts is None or text not in texts:
            place = self._place(f"{name}={text}")
            if not self._is_full():
                self._texts.setdefault(name, {})[str(text)] = place
                self._remembered += 1
            return place
        return texts[text]

    def _is_full(self) -> bool:
        return self._remembered + len(self._numbers) >= _REMEMBERED

    def _place(self, name: Any) -> int:
        """The place of a name, found anew."""
        if not isinstance(name, str):
            raise DataError(f"names of features must be strings, got {name!r}")
        if self.bits is not None:
            place = murmurhash3(name) & ((1 << self.bits) - 1)
            if not self._is_full():
                self.collisions += place in self._taken
                self._taken.add(place)
            return place
        if name not in self._order:
            self._order[name] = len(self.known)
            self.known.append(name)
        return self._order[name]


_SPREAD = 0x9E3779B1  # odd: spreads products of places over the space


def crossed(
    one: tuple[Ints, Doubles], other: tuple[Ints, Doubles], size: int
) -> tuple[Ints, Doubles]:
    """All pairs of features, hashed into the same space; values are multiplied."""
    index = (one[0][:, None] * _SPREAD ^ other[0][None, :]) * _SPREAD
    index = ((index >> 16) ^ index) & (size - 1)
    value = one[1][:, None] * other[1][None, :]
    return index.ravel(), value.ravel()
