"""Vowpal Wabbit text files, with one of three kinds of labels.

    3 |a x:0.5 y              the class of the line: an integer or a word
    1:0.3 2:1 3:0 |a x y      the cost of every action
    shared |s x               features of an event, then a line for each of its
    1:0.3 |a y                actions with its cost and features of its own;
    2:1 |a z                  a blank line ends the event

Values of a feature that a line repeats add up, and a namespace's value (`|a:0.5`)
multiplies those of its features, as in Vowpal Wabbit. An action's features are its own
and those of its event's shared line.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data import Problem
from bakeoff.reading.files import plain_stem, shown
from bakeoff.reading.formats.labelled_lines import Lines
from bakeoff.reading.formats.svmlight import number_of
from bakeoff.reading.formats.vw_lines import check_sums, parsed, with_shared
from bakeoff.reading.options import Options
from bakeoff.reading.tables.classes import classes_of, two_or_more
from bakeoff.reading.tables.columnless import blaming, check_options, check_task

Kind = Literal["class", "costs", "one cost", "shared"]
Action = int | str


def read(path: Path, options: Options) -> Problem:
    """The problem in a file of Vowpal Wabbit text."""
    check_options(path, options, "the label comes first in a line")
    lines, X = parsed(path)
    kinds = _kinds(lines)
    name = options.name or plain_stem(path)
    with blaming(path):
        if "class" in kinds:
            check_task(path, options, "multiclass", "its lines begin with a class")
            return _class_problem(lines, X, name)
        if "shared" in kinds or ("costs" not in kinds and lines.skipped):
            check_task(path, options, "ranking", "its actions have lines of their own")
            return _action_problem(lines, X, options.max_documents, name)
        check_task(path, options, "cost-sensitive", "its lines begin with costs")
        return _cost_problem(lines, X, name)


# ---- kinds of labels


def _kinds(lines: Lines) -> list[Kind]:
    """The kind of each distinct label; those of a file must go together."""
    lines.each(lines.labels, _check_not_bandit)
    kinds = lines.each(lines.labels, _kind)
    has_shared = "shared" in kinds

    def check(text: bytes) -> None:
        kind = _kind(text)
        if (kind == "class") != (kinds[0] == "class"):
            raise DataError(f"the label {shown(text)} is of another kind than those before it")
        if kind == "costs" and has_shared:
            raise DataError(
                f"expected the cost of one action, since the file has shared lines, "
                f"got {shown(text)}"
            )

    lines.each(lines.labels, check)
    return kinds


def _check_not_bandit(text: bytes) -> None:
    if any(word.count(b":") > 1 for word in text.split()):
        raise DataError(
            f"{shown(text)} is a log of bandit feedback (action:cost:probability), "
            f"where only one cost is known; a problem needs the costs of all actions"
        )


def _kind(text: bytes) -> Kind:
    if not text:
        raise DataError("has no label; one must come first, with a blank between it and the bar")
    if text == b"shared":
        return "shared"
    if b":" not in text:
        return "class"
    return "costs" if b" " in text else "one cost"


# ---- classes


def _class_problem(lines: Lines, X: Any, name: str) -> Problem:
    classes = lines.each(lines.labels, _class)
    _check_same_type([[action] for action in classes], lines)
    codes, names = classes_of(np.array(classes)[lines.labels.codes], f"{lines.path}:")
    check_sums(X, lines, np.arange(len(codes)))
    return Problem.from_classes(X, codes, len(names), names, name=name)


def _class(text: bytes) -> Action:
    label, *importance = text.split(b" ")
    if len(importance) > 1:
        raise DataError(f"expected one label, got {shown(text)}")
    if importance and number_of(importance[0]) != 1:
        raise DataError(
            f"the importance {shown(importance[0])} cannot be used; all rows must have importance 1"
        )
    return _action(label)


def _action(text: bytes) -> Action:
    number = number_of(text)
    if number is not None and number.is_integer():
        return int(number)
    try:
        float(text)
    except ValueError:
        if text and b"," not in text:
            return text.decode()
    raise DataError(f"a class must be an integer or a word, got {shown(text)}")


def _check_same_type(actions: Sequence[Iterable[Action]], lines: Lines) -> None:
    """Refuse integers and words together, which have no order."""
    first = next(iter(actions[0]))
    for code, some in enumerate(actions):
        for action in some:
            if type(action) is not type(first):
                raise DataError(
                    f"{lines.place(lines.labels.first_row(code))}: classes must be all "
                    f"integers or all words, but {action!r} comes after {first!r}"
                )


# ---- costs


def _cost_problem(lines: Lines, X: Any, name: str) -> Problem:
    given = lines.each(lines.labels, _costs)
    _check_same_type(given, lines)
    actions: list[Any] = sorted(set().union(*given))
    names = two_or_more([str(action) for action in actions], f"{lines.path}:")

    for code, costs in enumerate(given):
        if len(costs) < len(actions):
            missing = next(action for action in actions if action not in costs)
            raise DataError(
                f"{lines.place(lines.labels.first_row(code))}: gives no cost for the "
                f"action {missing!r}; a line must give the costs of all actions, or of "
                f"one of an event that a blank line ends"
            )
    C = np.array([[costs[action] for action in actions] for costs in given])
    C = C[lines.labels.codes]
    check_sums(X, lines, np.arange(len(C)))
    return Problem.from_costs(X, C, class_names=names, name=name)


def _costs(text: bytes) -> dict[Action, float]:
    """The actions of a label such as `1:0.3 2:1`, with their costs."""
    costs: dict[Action, float] = {}
    for word in text.split(b" "):
        left, _, right = word.partition(b":")
        cost = number_of(right)
        if cost is None:
            raise DataError(f"expected action:cost, as in 2:0.5, got {shown(word)}")
        if not 0 <= cost <= 1:
            raise DataError(f"costs must lie between 0 and 1, got {shown(word)}; rescale them")
        action = _action(left)
        if action in costs:
            raise DataError(f"gives two costs for the action {action!r}")
        costs[action] = cost
    return costs


# ---- actions with features of their own


def _action_problem(lines: Lines, X: Any, most: int | None, name: str) -> Problem:
    is_shared = np.array([text == b"shared" for text in lines.labels.distinct])
    shared = is_shared[lines.labels.codes]
    event = np.searchsorted(lines.skipped, lines.numbers)
    _check_shared(lines, shared, event)
    cost = _action_costs(lines, event)
    own = np.flatnonzero(~shared)
    first = np.searchsorted(event, event[own])
    both = with_shared(X, own, np.where(shared[first], first, -1))
    check_sums(both, lines, own)
    return Problem.from_action_costs(both, cost[own], event[own], most, name=name)


def _check_shared(lines: Lines, shared: Bools, event: Ints) -> None:
    """Refuse shared lines that do not begin an event, or begin one without actions."""
    late = np.flatnonzero(shared[1:] & (event[1:] == event[:-1])) + 1
    if late.size:
        raise DataError(
            f"{lines.place(int(late[0]))}: a shared line must come first in its event; "
            f"a blank line ends an event"
        )
    alone = np.flatnonzero(shared & np.append(event[1:] != event[:-1], True))
    if alone.size:
        raise DataError(f"{lines.place(int(alone[0]))}: no actions follow this shared line")


def _action_costs(lines: Lines, event: Ints) -> Doubles:
    """The cost of each row's action; no action occurs twice in an event."""

    def action_and_cost(text: bytes) -> tuple[Action, float]:
        return next(iter(_costs(text).items())) if text != b"shared" else ("", np.nan)

    given = lines.each(lines.labels, action_and_cost)
    number = {action: k for k, action in enumerate(dict(given))}
    action = np.array([number[action] for action, _ in given])[lines.labels.codes]
    _, first = np.unique(event * len(number) + action, return_index=True)
    again = np.setdiff1d(np.arange(len(event)), first)
    if again.size:
        row = int(again[0])
        raise DataError(
            f"{lines.place(row)}: the action {list(number)[action[row]]!r} occurs twice "
            f"in its event; a blank line ends an event"
        )
    return np.array([cost for _, cost in given])[lines.labels.codes]
