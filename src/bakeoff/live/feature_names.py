"""Named features: their places in a space of fixed size, or in one that grows.

A number is a feature with that name and value. A text is the feature "name=text" with
value 1, and a list of texts is several such features. None is ignored.
"""

import struct
from array import array
from collections.abc import Callable, Mapping
from numbers import Real
from operator import getitem
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles, Ints
from bakeoff.live.contexts import is_text
from bakeoff.live.murmur import murmurhash3

MOST_BITS = 28
_PLANS = 1000  # at most so many plans are cached
_BLOCK = 4  # so many texts next to each other are looked up together
_REMEMBERED = 1_000_000  # at most so many places are cached


def _arrays(index: list[int], value: list[Any]) -> tuple[Ints, Doubles]:
    """Lists as arrays, twice as fast as with NumPy."""
    places, values = array("q", index), array("d", value)
    return np.frombuffer(places, np.int64), np.frombuffer(values, np.float64)


def _writer(form: str) -> Callable[..., None]:
    """A function that writes numbers into an array faster than NumPy."""
    return struct.Struct(form).pack_into


class Plan:
    """The places of features for contexts with the same names in the same order."""

    def __init__(self, keys: tuple[Any, ...]) -> None:
        self.keys = keys
        self.places = [0] * len(keys)  # of numbers
        self.texts: list[tuple[int, dict[str, int]]] = []  # their positions, and places by text
        self.blocks: list[tuple[int, int, list[dict[str, int]]]] = []  # of several in a row
        self._write_places = _writer(f"{len(keys)}q")
        self._write_values = _writer(f"{len(keys)}d")

    def gather(self) -> None:
        """Put texts that are next to each other into blocks."""
        texts, self.texts = self.texts, []
        while texts:
            begin, n = texts[0][0], 1
            while n < len(texts) and texts[n][0] == begin + n:
                n += 1
            if n < _BLOCK:
                self.texts += texts[:n]
            else:
                self.blocks.append((begin, begin + n, [known for _, known in texts[:n]]))
            texts = texts[n:]

    def encode(self, values: list[Any]) -> tuple[Ints, Doubles]:
        """Places and values; an error if a value is new or of another type."""
        places = self.places.copy()
        for i, known in self.texts:
            places[i] = known[values[i]]
            values[i] = 1.0
        for begin, end, tables in self.blocks:  # half the time of one by one
            places[begin:end] = map(getitem, tables, values[begin:end])
            values[begin:end] = [1.0] * (end - begin)
        index, value = np.empty(len(places), np.int64), np.empty(len(places))
        self._write_places(index, 0, *places)
        self._write_values(value, 0, *values)
        return index, value


class Names:
    """The places of names: hashed into 2^bits places, or in order of appearance.

    Hashed names may collide: `collisions` counts those that share the place of an
    earlier one. The hash is MurmurHash3 (32 bits, seed 0), as in scikit-learn.
    """

    def __init__(self, bits: int | None, known: list[str] | None = None) -> None:
        self.bits = bits
        self.collisions = 0
        self.known: list[str] = list(known or [])  # in order, if they are not hashed
        self._order = {name: i for i, name in enumerate(self.known)}
        self._numbers: dict[Any, int] = {}  # places of features that are numbers
        self._texts: dict[Any, dict[str, int]] = {}  # places of texts by name
        self._remembered = 0  # the number of cached texts
        self._plans: dict[tuple[Any, ...], Plan] = {}  # by the names in a context
        self._plan: Plan | None = None  # the last one
        self._taken: set[int] = set()

    @property
    def size(self) -> int | None:
        """The number of places, if it is fixed."""
        return None if self.bits is None else 1 << self.bits

    def encode(self, x: Mapping[str, Any]) -> tuple[Ints, Doubles]:
        """The places and values of a context's features."""
        keys, plan = tuple(x), self._plan
        if plan is None or keys != plan.keys:  # names are mostly the same as in the last context
            plan = self._plan = self._plans.get(keys)
        if plan is not None:
            try:
                return plan.encode(list(x.values()))
            except (KeyError, TypeError, OverflowError, struct.error):
                pass  # a new text, or a value of another type
        return self._encode_one_by_one(x, keys)

    def _encode_one_by_one(
        self, x: Mapping[str, Any], keys: tuple[Any, ...]
    ) -> tuple[Ints, Doubles]:
        index: list[int] = []
        value: list[float] = []
        for name, content in x.items():
            kind = type(content)
            if kind is float or kind is int or kind is str:
                self._encode_plain(name, content, index, value)
            else:
                self._encode_other(name, content, index, value)
        try:
            arrays = _arrays(index, value)
        except OverflowError:
            raise DataError("x must hold finite numbers, but one is too large") from None
        if keys not in self._plans and len(self._plans) < _PLANS:
            self._make_plan(x, keys)
        return arrays

    def _make_plan(self, x: Mapping[str, Any], keys: tuple[Any, ...]) -> None:
        """Cache how to encode contexts with these names, if all values are plain."""
        plan = Plan(keys)
        for i, (name, content) in enumerate(x.items()):
            if type(content) is str and name in self._texts:
                plan.texts.append((i, self._texts[name]))
            elif type(content) in (float, int) and name in self._numbers:
                plan.places[i] = self._numbers[name]
            else:
                return
        plan.gather()
        self._plans[keys] = plan

    def _encode_plain(self, name: Any, content: Any, index: list[int], value: list[float]) -> None:
        """Add a plain number or a plain text."""
        if isinstance(content, str):
            index.append(self._place_of_text(name, content))
            value.append(1.0)
        else:
            index.append(self._place_of_number(name))
            value.append(content)

    def _encode_other(self, name: str, content: Any, index: list[int], value: list[float]) -> None:
        """Add a list, a flag, a number of NumPy, or nothing."""
        if content is None:
            return
        if isinstance(content, str):
            texts = [str(content)]
        elif isinstance(content, Real | np.bool_):
            index.append(self._place_of_number(name))
            value.append(_float(content))
            return
        elif isinstance(content, list | tuple | set | frozenset):
            texts = list(content)
        else:
            texts = [content]
        if not all(isinstance(text, str) for text in texts):
            raise DataError(
                f"feature {name!r} must be a number, a text, a flag or a list of "
                f"texts, got {_shown(content)}"
            )
        for text in sorted(texts) if isinstance(content, set | frozenset) else texts:
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
        """The place of a name that is not cached."""
        if not isinstance(name, str):
            raise DataError(f"names of features must be strings, got {name!r}")
        if not (name.isascii() or is_text(name)):
            raise DataError(f"UTF-8 cannot encode the feature {name!r:.80}")
        if self.bits is not None:
            place = murmurhash3(name) & ((1 << self.bits) - 1)
            if not self._is_full():
                self.collisions += place in self._taken
                self._taken.add(place)
            return place
        if name not in self._order:
            self.known.append(name)
            self._order[name] = len(self.known) - 1
        return self._order[name]


def _shown(content: Any) -> str:
    """A value for people, however deep it is."""
    try:
        return f"{content!r:.80}"
    except RecursionError:
        return f"a {type(content).__name__} that is too deep"


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        raise DataError("x must hold finite numbers, but one is too large") from None
