"""dsjson: the JSON lines of Vowpal Wabbit and Azure Personalizer.

A line holds the actions ranked (`a`, from 1, the one taken first), their probabilities
(`p`), the features (`c`, with a list of actions in `_multi`) and the cost
(`_label_cost`, minus the reward). Events that were not activated are skipped, counted.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted
from bakeoff.data import Log, Place, at, is_count, is_number, log_of_rows
from bakeoff.reading.files import plain_stem
from bakeoff.reading.logs.contexts import rows_of
from bakeoff.reading.logs.lines import objects_of
from bakeoff.reading.logs.options import LogOptions


def read(path: Path, options: LogOptions) -> Log:
    """The log in a dsjson file."""
    lines = list(objects_of(path))
    if not any(is_decision(line) for _, line in lines):
        raise DataError(f"{path}: no line has a cost, a probability and an action")
    return log_of(lines, path, options, {})


def log_of(
    lines: list[tuple[int, dict[str, Any]]], path: Path, options: LogOptions, seen: dict[str, int]
) -> Log:
    """The log in some lines with their numbers; `seen` holds the ids before them."""
    events, numbers = [], []
    for number, line in lines:
        if is_decision(line):
            events.append(_event(line, at(path, number)))
            _check_new(line, seen, path, number)
            numbers.append(number)
    skipped = len(lines) - len(events)
    place = Place(str(path), numbers.__getitem__)
    rows = rows_of([event["context"] for event in events], place)
    assert rows.first_row is not None
    sizes = np.diff(rows.first_row)
    low, high = options.costs((-1.0, 0.0))
    costs = np.array([event["cost"] for event in events])
    place.check(
        (costs >= low) & (costs <= high),
        lambda i: (
            f"_label_cost must lie between {low:g} and {high:g}, got {costs[i]:g}; "
            f"give cost_range=(low, high) if costs have another range"
        ),
    )
    K = int(sizes.max())
    log = log_of_rows(
        rows.X,
        rows.first_row,
        action=[event["action"] for event in events],
        probability=[event["probability"] for event in events],
        reward=high - costs,
        n_actions=K,
        probabilities=_table([event["p"] for event in events], K),
        reward_range=(0.0, high - low),
        adaptive=options.is_adaptive(True),
        name=plain_stem(path),
        at=place,
    )
    notes = [f"left out: {counted(skipped, 'line')} that are not decisions with an outcome"]
    return log.with_notes(notes if skipped else [])


def is_decision(line: Mapping[str, Any]) -> bool:
    """Whether a line is a decision that took effect."""
    needed = {"_label_cost", "_label_probability", "c"}
    return needed <= line.keys() and not line.get("_skipLearn", False)


def _check_new(line: Mapping[str, Any], seen: dict[str, int], path: Path, number: int) -> None:
    """Refuse an event that an earlier line has."""
    key = line.get("EventId")
    if key is None:
        return
    first = seen.setdefault(str(key), number)
    if first != number:
        raise DataError(f"{at(path, number)}: the EventId {key!r:.60} was used in line {first}")


def _event(line: Mapping[str, Any], where: str) -> dict[str, Any]:
    """What a line says of an event; actions count from 0 from here on."""
    context = dict(line["c"]) if isinstance(line["c"], dict) else {}
    multi = context.pop("_multi", None)
    if not isinstance(multi, list) or not all(isinstance(action, dict) for action in multi):
        raise DataError(f"{where}: has no list of actions (c._multi)")
    for name in ("_label_cost", "_label_probability"):
        if not is_number(line[name]):
            raise DataError(f"{where}: {name} must be a number, got {line[name]!r:.60}")
    ranked = _ranked(line, len(multi), where)
    return {
        "context": {"shared": context, "actions": [_features(action) for action in multi]},
        "action": ranked[0] - 1,
        "cost": float(line["_label_cost"]),
        "probability": line["_label_probability"],
        "p": _spread(line.get("p"), ranked, len(multi), where),
    }


def _ranked(line: Mapping[str, Any], K: int, where: str) -> list[int]:
    """The actions in their order, from 1; the first was taken."""
    ranked = line.get("a")
    if ranked is None:
        index = line.get("_labelIndex")
        ranked = [index + 1] if is_count(index) else []
    if not isinstance(ranked, list) or not ranked:
        raise DataError(f"{where}: a must list actions from 1, got {ranked!r:.60}")
    for a in ranked:
        if not (is_count(a) and 1 <= a <= K):
            raise DataError(f"{where}: unknown action {a!r:.60}; the event has {K}")
    return ranked


def _spread(p: Any, ranked: list[int], K: int, where: str) -> Any:
    """The distribution over all actions, if the line holds it."""
    if not isinstance(p, list) or not len(p) == len(ranked) == K:
        return None
    if not all(is_number(share) for share in p):
        raise DataError(f"{where}: p must be a list of numbers")
    spread = np.zeros(K)
    spread[np.array(ranked) - 1] = p
    return spread


def _features(action: Any) -> dict[str, Any]:
    """An action's features, without its tag and the like."""
    return {key: value for key, value in action.items() if not key.startswith("_")}


def _table(distributions: list[Any], K: int) -> Any:
    if any(p is None for p in distributions):
        return None
    table = np.zeros((len(distributions), K))
    for i, p in enumerate(distributions):
        table[i, : len(p)] = p
    return table
