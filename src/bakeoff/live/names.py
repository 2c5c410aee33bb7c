"""Named features: places of names in a space of fixed size, or of one that grows.

A number is a feature by its name, a text is the feature "name=text" with value 1, and a
list of texts is several of those. What is missing or None is no feature.
"""

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
        self._places: dict[Any, int] = {name: i for i, name in enumerate(self.known)}
        self._taken: set[int] = set()

    @property
    def size(self) -> int | None:
        """How many places there are, if that is fixed."""
        return None if self.bits is None else 1 << self.bits

    def encode(self, x: Mapping[str, Any]) -> tuple[Ints, Doubles]:
        """The places and values of a context's features."""
        index: list[int] = []
        value: list[float] = []
        places = self._places
        for name, given in x.items():
            kind = type(given)
            if kind is float or kind is int:
                place = places.get(name)
                index.append(self._place(name, name) if place is None else place)
                value.append(given)
            elif kind is str:
                place = places.get((name, given))
                if place is None:
                    place = self._place((name, given), f"{name}={given}")
                index.append(place)
                value.append(1.0)
            else:
                self._encode_other(name, given, index, value)
        try:
            return np.array(index, np.int64), np.array(value, np.float64)
        except OverflowError:
            raise DataError("x must hold finite numbers, but one is huge") from None

    def _encode_other(
        self, name: str, given: Any, index: list[int], value: list[float]
    ) -> None:
        """Add what is neither a plain number nor a plain text."""
        if given is None:
            return
        if isinstance(given, str):
            texts = [str(given)]
        elif isinstance(given, Real | np.bool_):  # flags, NumPy's numbers
            index.append(self._place(name, name))
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
            index.append(self._place((name, text), f"{name}={text}"))
            value.append(1.0)

    def _place(self, key: Any, name: Any) -> int:
        """The place of a name, looked up or found."""
        place = self._places.get(key)
        if place is not None:
            return place
        if not isinstance(name, str):
            raise DataError(f"names of features must be texts, got {name!r}")
        if self.bits is None:
            place = self._places.setdefault(name, len(self.known))
            if place == len(self.known):
                self.known.append(name)
        else:
            place = murmurhash3(name) & ((1 << self.bits) - 1)
            self._remember(place)
        if len(self._places) < _REMEMBERED or self.bits is None:
            self._places[key] = place
        return place

    def _remember(self, place: int) -> None:
        """Count a new name that shares the place of an earlier one."""
        if len(self._places) < _REMEMBERED:
            self.collisions += place in self._taken
            self._taken.add(place)


_SPREAD = 0x9E3779B1  # odd: spreads products of places over the space


def crossed(
    one: tuple[Ints, Doubles], other: tuple[Ints, Doubles], size: int
) -> tuple[Ints, Doubles]:
    """All pairs of features, hashed into the same space; values are multiplied."""
    index = (one[0][:, None] * _SPREAD ^ other[0][None, :]) * _SPREAD
    index = ((index >> 16) ^ index) & (size - 1)
    value = one[1][:, None] * other[1][None, :]
    return index.ravel(), value.ravel()
