"""Tables as logs: named columns of a CSV file, or of a pandas or polars frame.

    action        which was taken: numbers from 0, or names
    probability   how likely that was (also: propensity, pscore); may be absent
    reward        in [0, 1], or `cost` or `loss`, of which less is better
    available     actions that could be taken, separated by blanks; may be absent
    time          in seconds, or a date (also: timestamp); may be absent

Every other column is a feature: words become a feature per word.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.core.types import Bools
from bakeoff.data import LARGEST, Log, Origin, Place, as_pieces, is_frame, number_of_actions
from bakeoff.reading.files import plain_stem
from bakeoff.reading.formats.csv import table_in
from bakeoff.reading.logs.options import LogOptions
from bakeoff.reading.options import Options
from bakeoff.reading.tables.features import features_of
from bakeoff.reading.tables.frames import as_polars
from bakeoff.reading.tables.table import Table

NO_PLACE = Place()
ROLES = {
    "action": ("action", "arm"),
    "probability": ("probability", "propensity", "pscore", "propensity_score"),
    "reward": ("reward",),
    "cost": ("cost",),
    "loss": ("loss",),
    "available": ("available", "available_actions"),
    "time": ("time", "timestamp"),
    "id": ("id", "event_id"),
}


class Roles(NamedTuple):
    """The column of each role; None if it is absent."""

    action: str
    probability: str | None
    outcome: str
    is_cost: bool
    others: list[str]  # columns that are not features
    available: str | None
    time: str | None
    id: str | None


def read(path: Path, options: LogOptions) -> Log:
    """The log in a file of separated values."""
    table = table_in(path, header=True).table
    return of_frame(table.frame, options, table.at, plain_stem(path))


def of_frame(table: Any, options: LogOptions, at: Place = NO_PLACE, name: str = "table") -> Log:
    """The log in a table; `at` says where its rows come from."""
    if not is_frame(table):
        raise DataError(f"a log is the name of a file or a table, got {type(table).__name__}")
    frame = as_polars(table, at.file or name)
    if not frame.height:
        raise DataError(f"{at.whole()}a log needs at least one event, got none")
    roles = roles_of(frame, options, at)
    if roles.id is not None:
        check_ids(frame[roles.id], at)
    names, actions = actions_of(frame[roles.action], options, at)
    span = options.costs() if roles.is_cost else options.rewards()
    outcome = _numbers(frame[roles.outcome], roles.outcome, at)
    if roles.is_cost:
        _check_costs(outcome, span, roles.outcome, at)
        outcome, span = span[1] - outcome, (0.0, span[1] - span[0])
    K = number_of_actions(actions, options.n_actions, names, at)
    log = Log.from_arrays(
        _features(frame, roles, options, at, name),
        actions,
        None
        if roles.probability is None
        else _numbers(frame[roles.probability], roles.probability, at),
        outcome,
        n_actions=K,
        available=_available(frame, roles, names, K, at),
        time=_times(frame, roles),
        action_names=names,
        reward_range=span,
        adaptive=options.is_adaptive(False),
        name=name,
        at=at,
    )
    if roles.id is not None and not frame[roles.id].null_count():
        unknown = np.full(log.n, -1)
        ids = tuple(str(id) for id in frame[roles.id])
        log = replace(log, origin=Origin(ids, unknown, unknown))
    return log.with_columns(frame)


def roles_of(frame: pl.DataFrame, options: LogOptions, at: Place) -> Roles:
    """The column of each role, by its name or by the option `columns`."""
    unknown = set(options.columns) - set(ROLES)
    if unknown:
        raise DataError(f"columns must be among {', '.join(ROLES)}, got {sorted(unknown)[0]!r}")
    columns = {role: _find(frame, role, options, at) for role in ROLES}
    outcomes = [role for role in ("reward", "cost", "loss") if columns[role]]
    if columns["action"] is None or len(outcomes) != 1:
        missing = "action" if columns["action"] is None else "reward (or cost, or loss)"
        several = f"both {' and '.join(outcomes)}" if len(outcomes) > 1 else ""
        raise DataError(
            f"{at.whole()}"
            + (f"has {several}; name one in `columns`" if several else "")
            + ("" if several else f"has no column {missing}; its columns are ")
            + ("" if several else ", ".join(frame.columns[:10]))
        )
    outcome = columns[outcomes[0]]
    assert outcome is not None
    return Roles(
        columns["action"],
        columns["probability"],
        outcome,
        outcomes[0] != "reward",
        [column for column in columns.values() if column is not None],
        columns["available"],
        columns["time"],
        columns["id"],
    )


def check_ids(ids: pl.Series, at: Place) -> None:
    """Refuse the first event whose id an earlier one has."""
    at.check(
        (ids.is_first_distinct() | ids.is_null()).to_numpy(),
        lambda i: f"the id {str(ids[i])!r} was used before",
    )


def _find(frame: pl.DataFrame, role: str, options: LogOptions, at: Place) -> str | None:
    """The column of a role, if there is one."""
    if role in options.columns:
        if options.columns[role] not in frame.columns:
            raise DataError(f"{at.whole()}has no column {options.columns[role]!r}")
        return options.columns[role]
    return next((name for name in ROLES[role] if name in frame.columns), None)


def actions_of(
    series: pl.Series, options: LogOptions, at: Place
) -> tuple[tuple[str, ...] | None, Any]:
    """Names of actions if they have some, and what was taken."""
    at.check(series.is_not_null().to_numpy(), lambda i: "action is missing")
    if options.action_names is not None:
        return options.action_names, np.array([str(a) for a in series], object)
    if series.dtype.is_integer() or series.dtype.is_float():
        return None, series.cast(pl.Float64).to_numpy()
    if series.dtype.is_nested():
        raise DataError(
            f"{at.whole()}the column {series.name} must hold numbers or words, not {series.dtype}"
        )
    words = series.cast(pl.String)
    names = tuple(sorted(words.unique().to_list()))
    if options.n_actions is None:
        notify(
            f"{at.whole()}the actions are taken to be the {len(names)} that occur; "
            f"give action_names if there are others"
        )
    return names, np.array(words.to_list(), object)


def _numbers(series: pl.Series, column: str, at: Place) -> Any:
    if not (series.dtype.is_numeric() or series.dtype == pl.Boolean):
        numbers = series.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
        at.check(
            numbers.is_not_null().to_numpy(),
            lambda i: f"{column} must be a number, got {series[i]!r}",
        )
        series = numbers
    at.check(series.is_not_null().to_numpy(), lambda i: f"{column} is missing")
    return series.cast(pl.Float64).to_numpy()


def _check_costs(values: Any, span: tuple[float, float], column: str, at: Place) -> None:
    at.check(
        (values >= span[0]) & (values <= span[1]),
        lambda i: (
            f"{column} must lie between {span[0]:g} and {span[1]:g}, got "
            f"{values[i]:g}; give cost_range=(low, high) if it has another range"
        ),
    )


def _features(frame: pl.DataFrame, roles: Roles, options: LogOptions, at: Place, name: str) -> Any:
    left_out = [*roles.others, *options.ignore]
    kept = [c for c in frame.columns if c not in left_out]
    for column in kept:
        _check_finite(frame[column], at)
    if not kept:
        return None
    made = features_of(
        Table(frame, at if at.file else Place(name)), left_out, Options(features="one-hot")
    )
    pieces = as_pieces(made)
    return sparse.csr_array(sparse.vstack(list(pieces.rows()), format="csr"))


def _check_finite(series: pl.Series, at: Place) -> None:
    """Refuse a number that is too large for a feature; NaN is a missing value."""
    if series.dtype.is_float():
        at.check(
            ~(series.abs() > LARGEST).fill_null(False).to_numpy() | _is_nan(series),
            lambda i: f"{series.name} must be at most {LARGEST:g}, got {series[i]}",
        )


def _is_nan(series: pl.Series) -> Bools:
    return series.is_nan().fill_null(False).to_numpy()


def _available(
    frame: pl.DataFrame, roles: Roles, names: tuple[str, ...] | None, K: int, at: Place
) -> Bools | None:
    """Which actions could be taken."""
    if roles.available is None:
        return None
    places = {name: a for a, name in enumerate(names or map(str, range(K)))}
    table = np.zeros((frame.height, K), np.bool_)
    for i, value in enumerate(frame[roles.available]):
        listed = value if isinstance(value, pl.Series | list) else str(value).split()
        if value is None and frame[roles.available].dtype.is_nested():
            table[i] = True  # as in our own logs: all of them
            continue
        for action in map(str, listed):
            if action not in places:
                raise DataError(f"{at(i)}: unknown action {action!r} in available")
            table[i, places[action]] = True
    return table


def _times(frame: pl.DataFrame, roles: Roles) -> Any:
    """Times in seconds; None if some value is not a date or a number."""
    if roles.time is None:
        return None
    series = frame[roles.time]
    if series.dtype == pl.String:
        series = series.str.to_datetime(strict=False)
    if series.dtype.is_temporal():
        series = series.cast(pl.Datetime("us")).cast(pl.Int64) / 1e6
    if series.null_count() or not series.dtype.is_numeric():
        return None
    return series.cast(pl.Float64).to_numpy()
