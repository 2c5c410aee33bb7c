"""Our decision log: JSON Lines, a header first, then decisions and outcomes.

Outcomes join their decision by id. A decision without one is left out and counted; so
is a second outcome. The last line may be torn, if the writer was killed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError, ResourceError
from bakeoff.basics.memory import available_memory
from bakeoff.basics.text import counted
from bakeoff.core.types import Bools, Doubles
from bakeoff.data import (
    Log,
    Origin,
    Place,
    Range,
    checked_reward,
    is_count,
    is_integer,
    is_number,
    log_of_rows,
)
from bakeoff.reading.files import plain_stem
from bakeoff.reading.logs.contexts import rows_of
from bakeoff.reading.logs.lines import checked_record, lines_of
from bakeoff.reading.logs.options import LogOptions
from bakeoff.reading.logs.schema import DECISION, HEADER, LEFT_OUT, OUTCOME


class Joined(NamedTuple):
    """Decisions with their rewards, and what could not be joined."""

    header: dict[str, Any]
    decisions: list[dict[str, Any]]
    places: list[str]  # file and line of each decision
    rewards: list[float]
    reward_places: list[str]
    notes: list[str]
    is_replayable: bool = True  # whether the file has outcomes in their order


def read(path: Path, options: LogOptions) -> Log:
    """The log in a file of ours."""
    return log_of(joined(path), str(path), plain_stem(path), options)


def joined(path: Path) -> Joined:
    """Decisions and outcomes of a file, put together."""
    known = outcomes_of(path)
    decisions, places, rewards, reward_places = (
        list(column) for column in zip(*decided(path, known), strict=True)
    )
    return Joined(known.header, decisions, places, rewards, reward_places, known.notes)


class Outcomes(NamedTuple):
    """What came of decisions by id, and all that is known of a log before them."""

    header: dict[str, Any]
    rewards: dict[str, tuple[float, str]]  # with file and line
    n_actions: int  # as many as distributions are long, or as actions occur
    notes: list[str]


def outcomes_of(path: Path) -> Outcomes:
    """Every outcome of a log, in one pass that checks what its lines are."""
    header: dict[str, Any] = {}
    decisions: dict[str, str] = {}
    outcomes: dict[str, tuple[float, str]] = {}
    repeated = unmatched = most = 0
    for where, line in lines_of(path):
        checked_record(line, where, bool(header))
        kind = line["kind"]
        if kind == HEADER:
            header = _header(line, header, where)
        elif kind == DECISION:
            key = str(line["id"])
            if key in decisions:
                first = decisions[key]
                raise DataError(f"{where}: the id {key!r} was used in {first}")
            decisions[key] = where
            most = max(most, _actions_in(line))
        elif kind == OUTCOME:
            key = str(line["id"])
            repeated += key in outcomes
            unmatched += key not in decisions
            outcomes.setdefault(key, (_reward(line, where), where))
    if not header:
        raise DataError(f"{path}: is empty, but a log needs at least its header")
    unfinished = len(decisions.keys() - outcomes.keys())
    if unfinished == len(decisions):
        why = "none has an outcome" if decisions else "it holds none"
        raise DataError(f"{path}: a log needs decisions with outcomes, but {why}")
    return Outcomes(header, outcomes, most, _notes(unfinished, repeated, unmatched))


def _actions_in(decision: dict[str, Any]) -> int:
    """How many actions there must be for a decision to be what it is."""
    p, a = decision.get("probabilities"), decision.get("action")
    return max(len(p) if isinstance(p, list) else 0, a + 1 if is_count(a) else 0)


def decided(path: Path, known: Outcomes) -> Iterator[tuple[dict[str, Any], str, float, str]]:
    """Every decision with an outcome and its place, then the reward and its place."""
    for where, line in lines_of(path, quiet=True):
        if line["kind"] == DECISION and str(line["id"]) in known.rewards:
            yield (line, where, *known.rewards[str(line["id"])])


def _header(line: dict[str, Any], known: dict[str, Any], where: str) -> dict[str, Any]:
    """A header whose actions are those known so far, perhaps with new ones."""
    before, now, K = known.get("actions"), line.get("actions"), line.get("n_actions")
    if now is not None and not _are_names(now):
        raise DataError(f"{where}: actions must list different names, got {now!r:.60}")
    if K is not None and not is_count(K):
        raise DataError(f"{where}: n_actions must be a whole number, got {K!r:.60}")
    if before is not None and (now is None or now[: len(before)] != before):
        raise DataError(f"{where}: another header with other actions")
    return line


def _are_names(values: Any) -> bool:
    if not isinstance(values, list) or any(isinstance(v, list | dict) for v in values):
        return False
    return len({str(value) for value in values}) == len(values)


def _reward(line: dict[str, Any], where: str) -> float:
    value = line.get("reward")
    if not is_number(value):
        raise DataError(f"{where}: reward must be a number, got {value!r:.60}")
    return float(value)


def _notes(unfinished: int, repeated: int, unmatched: int) -> list[str]:
    """What was left out, and why."""
    notes = []
    if unfinished:
        notes.append(f"left out: {counted(unfinished, 'decision')} without an outcome")
    if repeated:
        notes.append(f"ignored: {counted(repeated, 'outcome')} that came a second time")
    if unmatched:
        notes.append(f"found {counted(unmatched, 'outcome')} without an earlier decision")
    return notes


def log_of(joined: Joined, file: str, name: str, options: LogOptions) -> Log:
    """Joined decisions as a log."""
    place = Place(file, joined.places.__getitem__)
    decisions = joined.decisions
    rows = rows_of([d.get("context") for d in decisions], place)
    names = options.action_names or joined.header.get("actions")
    K = options.n_actions or joined.header.get("n_actions")
    if K is None and names is not None:
        K = len(names)
    if K is None and rows.first_row is not None:
        K = int(np.diff(rows.first_row).max())
    if K is None:
        K = max(_actions_in(d) for d in decisions)
    _check_room(len(decisions), K, file)
    place.check(
        [is_count(d.get("action")) for d in decisions],
        lambda i: f"action must be an integer from 0, got {decisions[i].get('action')!r:.60}",
    )
    span = Range(*options.rewards(_range_of(joined.header, file)))
    outcomes = Place(file, joined.reward_places.__getitem__)
    checked_reward(joined.rewards, len(decisions), span, outcomes)
    log = log_of_rows(
        rows.X,
        rows.first_row,
        action=[d["action"] for d in decisions],
        probability=_probabilities(decisions, place),
        reward=joined.rewards,
        n_actions=K,
        available=_available(_in_positions(decisions), K, place),
        probabilities=_distributions(decisions, K, place),
        time=_times(decisions),
        action_names=None if names is None else tuple(map(str, names)),
        reward_range=span,
        adaptive=options.is_adaptive(bool(joined.header.get("adaptive", True))),
        name=name,
        at=place,
    )
    raw = [d.get("context") for d in decisions]
    return log.with_notes([*joined.notes, *_gaps(joined.header)], raw, _origin(joined, file))


def _gaps(header: dict[str, Any]) -> list[str]:
    """What is missing from a log on purpose."""
    names = header.get(LEFT_OUT)
    if not isinstance(names, list) or not names:
        return []
    listed = ", ".join(map(str, names))
    return [f"contexts were logged without {listed}: policies that use these features are not "
            f"judged as they would decide"]  # fmt: skip


def _range_of(header: dict[str, Any], file: str) -> tuple[float, float]:
    """Where rewards lie, as the header says."""
    ends = header.get("reward_range", [0.0, 1.0])
    if not (isinstance(ends, list) and len(ends) == 2 and all(map(is_number, ends))):
        raise DataError(f"{file}: reward_range must be two numbers, got {ends!r:.60}")
    return float(ends[0]), float(ends[1])


def _origin(joined: Joined, file: str) -> Origin | None:
    """Who made the decisions; None if they have no ids."""
    ids = [d.get("id") for d in joined.decisions]
    if any(id is None for id in ids):
        return None
    seeds, rounds = (
        np.array([_number(d.get(key)) for d in joined.decisions], np.int64)
        for key in ("seed", "round")
    )
    spec = joined.header.get("spec")
    return Origin(
        tuple(map(str, ids)), seeds, rounds, str(spec) if spec else None,
        file if joined.is_replayable else None, joined.header.get("settings"),
    )  # fmt: skip


def _number(value: Any) -> int:
    """A seed or a round; -1 if it was not logged."""
    return int(value) if is_integer(value) and 0 <= value < 2**62 else -1


def _check_room(n: int, K: int, file: str) -> None:
    """Refuse more actions than a table of all of them has room for."""
    if is_integer(K) and 8 * n * K > available_memory():
        raise ResourceError(
            f"{file}: {counted(n, 'decision')} among {K:,} actions need more memory than there is"
        )


def _probabilities(decisions: list[dict[str, Any]], place: Place) -> Doubles | None:
    values = [d.get("probability") for d in decisions]
    if all(p is None for p in values):
        return None
    place.check(
        [is_number(p) for p in values],
        lambda i: f"probability must be a number, got {values[i]!r:.60}",
    )
    return np.array(values, np.float64)


def _distributions(decisions: list[dict[str, Any]], K: int, place: Place) -> Doubles | None:
    """Distributions over all actions, if every decision has one."""
    if not all(d.get("probabilities") for d in decisions):
        return None
    table = np.zeros((len(decisions), K))
    for i, d in enumerate(decisions):
        p = d["probabilities"]
        if not isinstance(p, list) or not all(is_number(x) for x in p):
            raise DataError(f"{place(i)}: probabilities must be a list of numbers")
        if len(p) > K:
            raise DataError(f"{place(i)}: {len(p)} probabilities for {K} actions")
        table[i, : len(p)] = p
    return table


def _in_positions(decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Decisions whose actions are positions among the rows of their context.

    A learner whose actions have features logs the rows of those available, and as
    `available` their numbers among all its actions: every row is available.
    """
    return [{**d, "available": None} if _lists_its_rows(d) else d for d in decisions]


def _lists_its_rows(decision: dict[str, Any]) -> bool:
    context, available = decision.get("context"), decision.get("available")
    rows = context.get("actions") if isinstance(context, dict) else None
    if not isinstance(rows, list) or not isinstance(available, list):
        return False
    return len(rows) == len(available)


def _available(decisions: list[dict[str, Any]], K: int, place: Place) -> Bools | None:
    if all(d.get("available") is None for d in decisions):
        return None
    table = np.ones((len(decisions), K), np.bool_)
    for i, d in enumerate(decisions):
        values = d.get("available")
        if values is None:
            continue
        if not (isinstance(values, list) and all(is_count(a) and a < K for a in values)):
            raise DataError(
                f"{place(i)}: available must list actions from 0 to {K - 1}, got {values!r:.60}"
            )
        table[i] = False
        table[i, values] = True
    return table


def _times(decisions: list[dict[str, Any]]) -> list[float] | None:
    times = [d.get("time") for d in decisions]
    numbers = [t for t in times if is_number(t)]
    return numbers if len(numbers) == len(times) else None
