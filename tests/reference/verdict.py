"""The verdict in slow, obvious Python: four parts, of which the weakest decides.

Rows of a store are dictionaries, as in `statistics`. Every algorithm has one choice of
hyperparameters and was played with one seed. Views, scores and means are computed anew for
every question, also for every dataset that is left out.
"""

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from tests.reference import statistics
from tests.reference.statistics import BINARY, Row, mean

GRADES = ("open", "likely", "clear")
SAME, FEW = 0.01, 10

Field = dict[str, dict[str, list[float]]]  # dataset -> label -> losses in the orders


class Judged(NamedTuple):
    """What the reference finds; differences are an algorithm's loss minus the leader's."""

    grade: str
    leader: str | None
    chance: tuple[str, float, str]  # rival, p, grade
    size: str  # its grade
    beside: dict[str, tuple[float, float, float, int, int, int]]  # difference, ends, record
    ways: list[tuple[Any, ...]]  # view, encoding, test, leader, p, grade
    robustness: str
    decisive: dict[str, str]  # dataset -> who leads without it


# ---- views


def field_of(rows: Sequence[Row], view: str, encoding: str) -> Field:
    """The losses that a view shows, of the datasets on which two or more were played."""
    losses: dict[str, dict[str, dict[float, dict[int, float]]]] = {}
    for row in rows:
        if row["encoding"] == encoding:
            own = losses.setdefault(row["algorithm"], {}).setdefault(row["problem"], {})
            own.setdefault(row["learning_rate"], {})[row["shuffle"]] = row["pv_loss"]
    found: Field = {}
    for label, by_dataset in losses.items():
        means = {
            name: {rate: mean(orders.values()) for rate, orders in by_rate.items()}
            for name, by_rate in by_dataset.items()
        }
        rates = rates_of(means, view)
        for name, rate in rates.items():
            orders = by_dataset[name][rate]
            found.setdefault(name, {})[label] = [orders[k] for k in sorted(orders)]
    return {name: field for name, field in sorted(found.items()) if len(field) > 1}


def only(field: Field, names: Collection[str]) -> Field:
    """The same on some datasets."""
    return {name: some for name, some in field.items() if name in names}


def rates_of(means: dict[str, dict[float, float]], view: str) -> dict[str, float]:
    """By dataset, the rate of the least loss: there, elsewhere, or over all datasets."""
    if view == "unpeeked":
        return statistics.rates_elsewhere(means)
    if view == "one_rate":
        every = sorted({rate for by_rate in means.values() for rate in by_rate})
        best = min(every, key=lambda rate: mean(by_rate[rate] for by_rate in means.values()))
        return dict.fromkeys(means, best)
    return {name: min(by_rate, key=lambda r: (by_rate[r], r)) for name, by_rate in means.items()}


# ---- wins, scores, leads


def beats(a: list[float], b: list[float], n: int, task: str, test: str) -> bool:
    """Whether the losses a are significantly lower than b on a dataset of n examples."""
    x, y = mean(a), mean(b)
    if not x < y:
        return False
    if test == "paired" and len(a) >= 3:
        return statistics.paired_test(a, b, n) < 0.05
    if task not in BINARY:
        return statistics.hoeffding(x, y, n) < 0.05
    return statistics.paper_wins(x, y, n) if test == "paper" else statistics.z_test(x, y, n) < 0.05


def score(label: str, field: dict[str, list[float]], facts: Row, test: str) -> int:
    """Wins minus losses of an algorithm on one dataset; 0 if it was not played there."""
    total = 0
    for other in field:
        if label in field and other != label:
            n, task = facts["n"], facts["task"]
            total += beats(field[label], field[other], n, task, test)
            total -= beats(field[other], field[label], n, task, test)
    return total


def order(field: Field, facts: dict[str, Row], test: str) -> list[str]:
    """Labels by score, then by mean loss over the datasets that all have, then by name."""
    labels = labels_of(field)
    common = [some for some in field.values() if len(some) == len(labels)]

    def place(label: str) -> tuple[int, float, int]:
        total = sum(score(label, some, facts[name], test) for name, some in field.items())
        loss = mean(mean(some[label]) for some in common) if common else 0.0
        return -total, round(loss, 9), labels.index(label)

    return sorted(labels, key=place)


def labels_of(field: Field) -> list[str]:
    """The labels in the order of the paper's tables."""
    known = ["G", "R", "RO", "C-nu", "B", "B-g", "eG", "C-u", "A"]
    return sorted({label for some in field.values() for label in some}, key=known.index)


def lead(first: str, rival: str, field: Field, facts: dict[str, Row], test: str) -> tuple[Any, ...]:
    """The p-value and the grade of a lead, over the datasets that both have.

    The same data under several conditions ("digits" and "digits | delay(10)") swap together.
    """
    both = [name for name, some in field.items() if first in some and rival in some]
    by_source: dict[str, int] = {}
    for name in both:
        source = name.partition(" | ")[0]
        of_first, of_rival = (score(x, field[name], facts[name], test) for x in (first, rival))
        by_source[source] = by_source.get(source, 0) + of_first - of_rival
    ahead = list(by_source.values())
    p = float(statistics.flip_test([d for d in ahead if d])) if sum(ahead) > 0 else 1.0
    grade = "open"
    if len(both) >= FEW and p <= 0.2:
        grade = "clear" if p <= 0.05 else "likely"
    return p, grade


def least_sure(
    first: str, field: Field, facts: dict[str, Row], test: str
) -> tuple[str, float, str]:
    """The rival over whom the lead is least sure."""
    found = [
        (rival, *lead(first, rival, field, facts, test))
        for rival in order(field, facts, test)
        if rival != first
    ]
    return min(found, key=lambda one: (GRADES.index(one[2]), -one[1]))


def has_wins(field: Field, facts: dict[str, Row], test: str) -> bool:
    """Whether anybody beats anybody anywhere."""
    return any(
        beats(some[a], some[b], facts[name]["n"], facts[name]["task"], test)
        for name, some in field.items()
        for a in some
        for b in some
        if a != b
    )


# ---- the verdict


def judged(
    rows: Sequence[Row],
    view: str,
    encoding: str,
    test: str,
    resamples: Sequence[Sequence[int]],
    among: Collection[str] | None = None,
) -> Judged:
    """The verdict on some datasets, or all; rates are chosen on all.

    `resamples` name datasets by their places in alphabetical order.
    """
    facts = {row["problem"]: row for row in rows if among is None or row["problem"] in among}
    field = only(field_of(rows, view, encoding), facts)
    places = order(field, facts, test)
    first, others = places[0], places[1:]
    won = has_wins(field, facts, test)
    chance = least_sure(first, field, facts, test)
    beside = {label: against(first, label, field, facts, test, resamples) for label in others}
    size = "clear"
    if any(round(one[0], 9) < SAME for one in beside.values()):
        size = "likely"
    if any(round(one[0], 9) <= 0 or one[2] < SAME for one in beside.values()):
        size = "open"
    ways = ways_of(rows, facts)
    own = [way for way in ways if way[3] == first]
    clear = [way for way in own if way[5] == "clear"]
    robustness = "likely" if len(own) > len(ways) / 2 else "open"
    if len(own) >= 0.75 * len(ways) and len(clear) >= 0.5 * len(ways):
        robustness = "clear"
    for way in ways:
        is_twin = view == "fixed" and way[:3] == ("unpeeked", encoding, test)
        if is_twin and (way[3] != first or way[5] == "open"):
            robustness = "open"  # only hindsight makes it lead
    decisive = {}
    for name in field:
        left = {other: some for other, some in field.items() if other != name}
        leader = order(left, facts, test)[0]
        if leader != first and won:
            decisive[name] = leader
    parts = [chance[2], size, robustness, "open" if decisive else "clear"]
    grade = min(parts, key=GRADES.index) if won else "open"
    return Judged(grade, first if won else None, chance, size, beside, ways, robustness, decisive)


def against(
    first: str,
    label: str,
    field: Field,
    facts: dict[str, Row],
    test: str,
    resamples: Sequence[Sequence[int]],
) -> tuple[float, float, float, int, int, int]:
    """Difference of mean losses with its ends, and wins, ties and losses against the leader."""
    gaps: list[float | None] = []
    record = [0, 0, 0]
    for name in sorted(field):
        some = field[name]
        if first not in some or label not in some:
            gaps.append(None)
            continue
        gaps.append(mean(some[label]) - mean(some[first]))
        n, task = facts[name]["n"], facts[name]["task"]
        if beats(some[label], some[first], n, task, test):
            record[0] += 1
        elif beats(some[first], some[label], n, task, test):
            record[2] += 1
        else:
            record[1] += 1
    known = [gap for gap in gaps if gap is not None]
    low = high = math.nan
    if len(known) >= FEW:
        means = []
        for places in resamples:
            drawn = [gap for gap in (gaps[i] for i in places) if gap is not None]
            means.append(mean(drawn))
        low, high = (percentile(means, share) for share in (0.025, 0.975))
    return mean(known), low, high, record[0], record[1], record[2]


def percentile(values: Sequence[float], share: float) -> float:
    """Between the two nearest values, in proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def ways_of(rows: Sequence[Row], facts: dict[str, Row]) -> list[tuple[Any, ...]]:
    """Views x encodings x tests, and who leads in each."""
    several = len({row["learning_rate"] for row in rows}) > 1
    views = ["fixed", "unpeeked", "one_rate"] if several else ["fixed"]
    orders = len({row["shuffle"] for row in rows})
    tests = ["paper", "z", "paired"] if orders >= 3 else ["paper", "z"]
    found: list[tuple[Any, ...]] = []
    for view in views:
        for encoding in ("-1/0", "0/1"):
            field = only(field_of(rows, view, encoding), facts)
            if not field:
                continue
            for test in tests:
                first = order(field, facts, test)[0]
                _, p, grade = least_sure(first, field, facts, test)
                if has_wins(field, facts, test):
                    found.append((view, encoding, test, first, p, grade))
                else:
                    found.append((view, encoding, test, None, 1.0, "open"))
    return found
