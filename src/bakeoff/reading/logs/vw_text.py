"""Vowpal Wabbit's text of contextual bandits.

2:0.5:0.1 | age:3 male           --cb: action (from 1), cost, probability; one line
1 2:0.5:0.1 4 | age:3            ... and which actions were available
shared | age:3                   --cb_adf: a block of lines, then a blank one
0:0.5:0.1 | price:2              the action taken
| price:3
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted
from bakeoff.data import Log, Place, at, log_of_rows
from bakeoff.reading.files import plain_stem
from bakeoff.reading.formats.labelled_lines import Lines
from bakeoff.reading.formats.vw_lines import parsed, with_shared
from bakeoff.reading.logs.options import LogOptions


class Label(NamedTuple):
    """What a label says: costs given for an action, and which were available."""

    action: int
    cost: float
    probability: float
    available: tuple[int, ...]


def read(path: Path, options: LogOptions) -> Log:
    """The log in a file of Vowpal Wabbit's text."""
    lines, X = parsed(path)
    texts = [lines.labels.distinct[code].decode() for code in lines.labels.codes]
    numbers = lines.numbers
    is_adf = "shared" in texts or (len(lines.skipped) > 1 and "" in texts)
    if is_adf:
        return _blocks(path, texts, numbers, X, options)
    return _single(path, texts, lines, X, options)


def _single(path: Path, texts: list[str], lines: Lines, X: Any, options: LogOptions) -> Log:
    """One line per event."""
    labels = [_label(t, at(path, n)) for t, n in zip(texts, lines.numbers, strict=True)]
    kept = [i for i, label in enumerate(labels) if label is not None]
    labelled = [label for label in labels if label is not None]
    place = lines.place.of(kept)
    if not labelled:
        raise DataError(f"{path}: no line has a label action:cost:probability")
    K = options.n_actions or max(max((o.action, *o.available)) + 1 for o in labelled)
    low, high = options.costs()
    log = log_of_rows(
        X[kept],
        None,
        action=[o.action for o in labelled],
        probability=[o.probability for o in labelled],
        reward=_rewards([o.cost for o in labelled], low, high, place),
        n_actions=K,
        available=_available(labelled, K),
        reward_range=(0.0, high - low),
        adaptive=options.is_adaptive(False),
        action_names=options.action_names,
        name=plain_stem(path),
        at=place,
    )
    skipped = len(labels) - len(labelled)
    notes = [f"left out: {counted(skipped, 'line')} without a label"] if skipped else []
    return log.with_notes(notes)


def _label(text: str, where: str) -> Label | None:
    """The label of a line; None if it says no cost."""
    if not text:
        return None
    chosen, others = None, []
    for word in text.split():
        parts = word.split(":")
        if len(parts) not in (1, 3) or not parts[0].isdecimal():
            raise DataError(f"{where}: a label must read action:cost:probability, got {word!r}")
        others.append(int(parts[0]) - 1)
        if len(parts) == 3:
            if chosen is not None:
                raise DataError(f"{where}: two actions have a cost")
            chosen = (int(parts[0]) - 1, *_pair(parts, where, word))
    if chosen is None:
        return None
    if min(others) < 0:
        raise DataError(f"{where}: actions count from 1 here, got 0")
    available = tuple(others) if len(others) > 1 else ()
    return Label(*chosen, available)


def _pair(parts: list[str], where: str, word: str) -> tuple[float, float]:
    try:
        return float(parts[1]), float(parts[2])
    except ValueError:
        raise DataError(f"{where}: cost and probability must be numbers, got {word!r}") from None


def _available(labels: list[Label], K: int) -> Any:
    if not any(o.available for o in labels):
        return None
    table = np.zeros((len(labels), K), np.bool_)
    for i, o in enumerate(labels):
        table[i, list(o.available) if o.available else slice(None)] = True
    return table


def _rewards(costs: list[float], low: float, high: float, place: Place) -> Any:
    values = np.array(costs)
    place.check(
        (values >= low) & (values <= high),
        lambda i: (
            f"cost must lie between {low:g} and {high:g}, got {values[i]:g}; give "
            f"cost_range=(low, high) if costs have another range"
        ),
    )
    return high - values


# ---- blocks of lines


def _blocks(path: Path, texts: list[str], numbers: Any, X: Any, options: LogOptions) -> Log:
    """A block of lines per event, one line per action after the shared one."""
    breaks = np.flatnonzero(np.diff(numbers) > 1) + 1
    rows: list[int] = []
    shared: list[int] = []
    sizes, taken_actions, where, skipped = [], [], [], 0
    for block in np.split(np.arange(len(texts)), breaks):
        has_shared = texts[block[0]] == "shared"
        own = block[1:] if has_shared else block
        labels = [_block_label(texts[i], at(path, numbers[i])) for i in own]
        taken = [k for k, label in enumerate(labels) if label is not None]
        if len(taken) > 1:
            second = numbers[own[taken[1]]]
            raise DataError(f"{at(path, second)}: two actions of an event have a cost")
        if not taken or len(own) < 2:
            skipped += 1
            continue
        label = labels[taken[0]]
        assert label is not None
        taken_actions.append((taken[0], *label))
        where.append(int(numbers[own[taken[0]]]))
        rows += own.tolist()
        shared += [int(block[0]) if has_shared else -1] * len(own)
        sizes.append(len(own))
    if not taken_actions:
        raise DataError(f"{path}: no event has a label 0:cost:probability")
    place = Place(str(path), where.__getitem__)
    low, high = options.costs()
    log = log_of_rows(
        with_shared(X, np.array(rows), np.array(shared)),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        action=[a for a, _, _ in taken_actions],
        probability=[p for _, _, p in taken_actions],
        reward=_rewards([c for _, c, _ in taken_actions], low, high, place),
        n_actions=max(sizes),
        reward_range=(0.0, high - low),
        adaptive=options.is_adaptive(False),
        name=plain_stem(path),
        at=place,
    )
    notes = [f"left out: {counted(skipped, 'event')} without a label"] if skipped else []
    return log.with_notes(notes)


def _block_label(text: str, where: str) -> tuple[float, float] | None:
    """Cost and probability of a line, if it has them."""
    if not text:
        return None
    parts = text.split(":")
    if len(parts) != 3:
        raise DataError(
            f"{where}: a label must read 0:cost:probability, or be absent, got {text!r}"
        )
    return _pair(parts, where, text)
