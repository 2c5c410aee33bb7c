"""Inputs of a live learner: the means of its past contexts, which it takes out of new ones.

A decision may fail after its event was mapped, such as when the log cannot be written.
So an event counts when a later round begins: `Seen` is the last one, until then.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bakeoff.core.inputs import Means, Seen, input_loops, new_filled, new_means, new_seen
from bakeoff.core.jit import Packed
from bakeoff.core.live import Given
from bakeoff.core.types import Ints
from bakeoff.live.contexts import NONE
from bakeoff.live.model_file import Arrays

RAW = new_means(0), new_seen(0, 0), new_filled(0)  # of learners that see contexts as they come
_SAVED = ("total", "nonzero", "first")


class Inputs:
    """Means by place, and the last event; the arrays are those that the engine packs."""

    def __init__(self) -> None:
        self.means, self.seen = new_means(0), new_seen(0, 0)
        self._loops = input_loops()
        self._packed = self._pack()
        self._checkpoint: tuple[int, Means] | None = None  # the first round of a batch

    def _pack(self) -> Packed:
        return Packed((self.means, self.seen), "inputs")

    def warm_up(self) -> None:
        """Compile the loops, or read them from the cache, before they are needed."""
        event = Given(np.array([0, 1]), np.array([0]), np.ones(1), NONE, NONE)
        count = self.arrived(event, 1)[1]
        count()

    def grow(self, n_features: int, n_rows: int, entries: int) -> tuple[Means, Seen]:
        """Arrays for so many features, and for events of so many rows and entries."""
        if len(self.means.total) < n_features:
            self.means = _enlarged(self.means, new_means(n_features))
        if len(self.seen.start) <= n_rows or len(self.seen.value) < entries:
            self.seen = _enlarged(self.seen, new_seen(n_rows, entries))
        self._packed = self._pack()
        return self.means, self.seen

    # Events

    def begin(self, t: int) -> None:
        """Undo a batch that did not happen, before anything else happens in round `t`."""
        if self._checkpoint is not None:
            self._roll_back(t)

    def completed(self, event: Given, t: int) -> Given:
        """An event of round `t` with all places that the engine takes means out of."""
        if not event.place.size and event.value.size:
            return event  # it is dense
        n_rows = len(event.start) - 1
        most = len(event.value) + n_rows * (self.means.n_centred.item() + self._most_new)
        start, place, value = (
            np.empty(n_rows + 1, np.int64),
            np.empty(most, np.int64),
            np.empty(most),
        )
        top = self._loops.complete(self._packed.address, t, *event[:3], start, place, value)
        return event._replace(start=start, place=place[:top], value=value[:top])

    @property
    def _most_new(self) -> int:
        """How many places the last event may make centred once it counts."""
        return self.seen.start.item(self.seen.n_rows.item())

    def settle(self, t: int) -> None:
        """Count the last event, if it belongs to a round before `t`."""
        self.begin(t)
        self._loops.settle(self._packed.address, t)

    def forget(self) -> None:
        """Do not count the last event, about which nothing was decided."""
        self.seen.t[0] = 0

    def arrived(self, event: Given, t: int) -> tuple[Given, Callable[[], None]]:
        """An event that another process decided before round `t`, and what counts it once."""
        self.settle(t)
        event = self.completed(event, t)
        before, raw = int(self.means.rows[0]), event._replace(place=_places(event))
        raw = raw._replace(value=event.value.copy())
        places = int(raw.place.max(initial=-1)) + 1
        self.grow(places, 0, 0)
        self._loops.centre(self._packed.address, *event[:3])
        count = partial(self._loops.count_event, self._packed.address, *raw[:3], before)
        return event, partial(_keeping, self._packed, count)

    # Batches

    def begin_batch(self, t: int) -> None:
        """Remember the means before round `t`; its batch may fail as a whole."""
        self.settle(t)
        copies: Any = (array.copy() for array in self.means)
        self._checkpoint = t, Means(*copies)

    def _roll_back(self, t: int) -> None:
        """Forget a batch that did not happen: the next round is not after its first."""
        assert self._checkpoint is not None
        first, means = self._checkpoint
        if t <= first:
            for array, before in zip(self.means, means, strict=True):
                array[: len(before)] = before
                array[len(before) :] = 0
            self.seen.t[0] = 0
        self._checkpoint = None

    # Files

    def arrays(self) -> Arrays:
        """What a model file keeps: the places that were met."""
        means = self.means
        places: Ints = np.flatnonzero(means.nonzero)
        arrays: Arrays = {"inputs.rows": means.rows.copy(), "inputs.place": places}
        arrays["inputs.centred"] = means.is_centred[places].astype(np.int64)
        return arrays | {f"inputs.{name}": getattr(means, name)[places] for name in _SAVED}

    def restore(self, arrays: Arrays) -> None:
        """Fill means that know nothing."""
        means, places = self.means, arrays["inputs.place"]
        rows, centred = int(arrays["inputs.rows"][0]), arrays["inputs.centred"] != 0
        fits = (np.diff(places, prepend=-1) > 0).all() and (places < len(means.total)).all()
        nonzero, first = arrays["inputs.nonzero"], arrays["inputs.first"]
        counts = (nonzero >= 1) & (first >= 0) & (nonzero <= rows) & (first < rows)
        if not fits or not counts.all() or not np.isfinite(arrays["inputs.total"]).all():
            raise ValueError("the means of its contexts are invalid")
        means.rows[0] = rows
        for name in _SAVED:
            getattr(means, name)[places] = arrays[f"inputs.{name}"]
        means.is_centred[places] = centred
        means.n_centred[0] = centred.sum()
        means.centred[: means.n_centred[0]] = places[centred]


def _enlarged(old: Any, new: Any) -> Any:
    """New arrays with the contents of old ones."""
    for mine, before in zip(new, old, strict=True):
        mine[: len(before)] = before[: len(mine)]
    return new


def _places(event: Given) -> Ints:
    """The places of an event's features, also if it is dense."""
    if event.place.size or not event.value.size:
        return event.place
    return np.concatenate([np.arange(size) for size in np.diff(event.start)])


def _keeping(_packed: Packed, call: Callable[[], None]) -> None:
    """Call what reads packed arrays, which live as long as this."""
    call()
