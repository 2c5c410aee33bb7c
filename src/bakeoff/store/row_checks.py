"""Rules: what must hold of rows, whoever wrote them.

A store is data from outside: a user may have edited it, or a disk may have damaged it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, get_args

import polars as pl

from bakeoff.basics.errors import SpecError
from bakeoff.data import Task
from bakeoff.learners import parse_own
from bakeoff.runs import REDUCTIONS, is_own, offset_of
from bakeoff.store.rows import FILLED, SCHEMA

LONGEST = 20_000  # bytes of a text in a row; ours are far shorter


class Rule(NamedTuple):
    """What a column must be, in words and as an expression that is true if it is."""

    column: str
    words: str
    holds: pl.Expr


IS_RUN = pl.col("digest").is_not_null()  # else a problem that could not be read


def rules(columns: Sequence[str]) -> Iterator[Rule]:
    """What must hold of those columns; of a problem that cannot be read, only texts."""
    for name in columns:
        column = pl.col(name)
        if SCHEMA[name] == pl.String():
            fits = column.str.len_bytes() <= LONGEST
            yield Rule(name, f"at most {LONGEST:,} bytes long", fits)
        if SCHEMA[name] == pl.Float64():
            yield Rule(name, "a finite number", column.is_finite())
        if name in FILLED:
            yield Rule(name, "given", column.is_not_null() | ~IS_RUN)
        if name in RANGES:
            low, high = RANGES[name]
            yield Rule(name, f"from {low:g} to {high:g}", column.is_between(low, high))
    if "digest" in columns:
        is_hash = pl.col("digest").str.contains("^[0-9a-f]{64}$")
        yield Rule("digest", "64 hexadecimal digits", is_hash)
    if {"digest", "run"} <= {*columns}:
        yield Rule("digest", "given", IS_RUN | pl.col("run").is_null())
    if {"pv_loss", "error"} <= {*columns}:
        says = pl.col("pv_loss").is_not_null() | pl.col("error").is_not_null()
        yield Rule("pv_loss", "given where there is no error", says)
    if {"curve_rounds", "curve_loss"} <= {*columns}:
        yield from _curve_rules()


MOST = 2.0**62
RANGES: dict[str, tuple[float, float]] = {
    "n": (1, MOST),
    "n_features": (0, MOST),
    "n_actions": (2, MOST),
    "openml_id": (1, MOST),
    "constant_action_cost": (0, 1),
    "uniform_cost": (0, 1),
    "shuffle": (0, MOST * 2 - 1),
    "learning_rate": (1e-30, 1e30),
    "pv_loss": (0, 1),
}


def _curve_rules() -> Iterator[Rule]:
    rounds, loss = pl.col("curve_rounds"), pl.col("curve_loss")
    same = rounds.list.len().eq_missing(loss.list.len())
    yield Rule("curve_loss", "as long as curve_rounds", same)
    values = pl.element()
    numbers = loss.list.eval(values.is_finite().fill_null(value=False)).list.all()
    yield Rule("curve_loss", "a list of finite numbers", numbers)
    counts = rounds.list.eval((values >= 1).fill_null(value=False)).list.all()
    yield Rule("curve_rounds", "a list of rounds from 1", counts)


def broken(rows: pl.DataFrame) -> str | None:
    """What is wrong with rows, in words; None if nothing is."""
    columns = [name for name in rows.columns if name in SCHEMA]
    table = rows if "digest" in columns else rows.with_columns(pl.lit("").alias("digest"))
    violated = table.select(
        (~rule.holds.fill_null(value=True)).any().alias(str(number))
        for number, rule in enumerate(rules(columns))
    )
    for number, rule in enumerate(rules(columns)):
        if violated[str(number)][0]:
            return f"{rule.column} must be {rule.words}"
    for name in columns:
        if name in WORDS:
            for value in rows[name].drop_nulls().unique().to_list():
                if not _is_word(WORDS[name], value):
                    return f"{name} cannot be {value[:100]!r}"
    return None


_SPEC = re.compile(r"[a-z][\w-]*(:\S+)?")


def _explorer(text: str) -> object:
    """A learner of one's own, or any spec: other versions have other explorers."""
    if is_own(text):
        return parse_own(text)
    if not _SPEC.fullmatch(text):
        raise SpecError(f"{text!r} is not a spec")
    return text


def _one_of(known: Sequence[str]) -> Callable[[str], object]:
    return lambda text: known.index(text)


WORDS: dict[str, Callable[[str], object]] = {  # readers that raise on an unknown word
    "task": _one_of(get_args(Task)),
    "reduction": _one_of(REDUCTIONS),
    "explorer": _explorer,
    "encoding": offset_of,
}


def _is_word(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except (SpecError, ValueError):
        return False
    return True
