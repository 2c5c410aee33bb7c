"""Streams: the verdict under each condition beside the others, in one table."""

import math
from typing import NamedTuple

import polars as pl

from bakeoff.data import Price, parse_conditions, split_stream
from bakeoff.judging.evidence import Against
from bakeoff.judging.losses import Losses
from bakeoff.judging.selection import streams_in, with_stream
from bakeoff.judging.verdict import Verdict, verdict
from bakeoff.judging.views import Criteria

NO_CONDITION = "no condition"


class UnderStream(NamedTuple):
    """Who leads under a condition, and what becomes of the one who leads without any."""

    stream: str  # the conditions as text; "" is none
    datasets: int
    leader: str  # the first of its verdict
    mean_loss: float
    rise: float  # above its own mean loss on the same datasets without conditions, or nan
    second: str
    behind: float  # mean loss of the second minus the leader's
    p: float  # of the lead over the second
    grade: str  # how sure the lead is: "clear", "likely" or "open"
    plain_leader: str  # who leads without conditions; "" if that is not known
    plain_behind: float  # its mean loss here minus the leader's; 0 if it leads here, too


def by_stream(losses: Losses, criteria: Criteria) -> list[UnderStream]:
    """The verdict under each condition of a store, that without conditions first."""
    return losses.once(("streams", criteria), lambda: _by_stream(losses, criteria))


def _by_stream(losses: Losses, criteria: Criteria) -> list[UnderStream]:
    streams = streams_in(losses)
    some = {text: with_stream(losses, text) if len(streams) > 1 else losses for text in streams}
    found = {text: verdict(one, criteria) for text, one in some.items()}
    plain = {plain_names(one): found[text] for text, one in some.items() if text == ""}
    return [
        _under(text, one, plain.get(plain_names(some[text])))
        for text, one in found.items()
        if one.algorithms
    ]


def plain_names(losses: Losses) -> frozenset[str]:
    """The names of problems without their conditions."""
    return frozenset(split_stream(name)[0] for name in losses.problems["problem"])


def streams_frame(rows: list[UnderStream]) -> pl.DataFrame:
    """The same as a table for programs; what is not known is null."""
    kinds = [pl.Float64 if kind is float else pl.Int64 if kind is int else pl.String
             for kind in UnderStream.__annotations__.values()]  # fmt: skip
    schema = dict(zip(UnderStream._fields, kinds, strict=True))
    return pl.DataFrame(rows, schema, orient="row").fill_nan(None)


def _under(stream: str, found: Verdict, plain: Verdict | None) -> UnderStream:
    here = {one.label: one for one in found.algorithms}
    there = {one.label: one for one in plain.algorithms} if plain else {}
    first, *others = found.algorithms
    second = others[0] if others else None
    before = next(iter(there), "")
    return UnderStream(
        stream,
        found.datasets,
        first.label,
        first.mean_loss,
        _rise(stream, first, there.get(first.label)),
        second.label if second else "",
        _difference(second),
        second.p if second else math.nan,
        found.grade,
        before,
        0.0 if before == first.label else _difference(here.get(before)),
    )


def _rise(stream: str, here: Against, there: Against | None) -> float:
    """How far a loss lies above that without conditions; with prices, costs have other units."""
    is_price = any(isinstance(one, Price) for one in parse_conditions(stream))
    return math.nan if there is None or is_price else here.mean_loss - there.mean_loss


def _difference(one: Against | None) -> float:
    return math.nan if one is None else one.difference
