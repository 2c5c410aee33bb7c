"""Columns: which columns hold numbers and which hold names, and in what order.

Words are names unless the user calls them `numeric`; words that look like dates, times
or money are names too, but a notice says so.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import (
    FORMS,
    Column,
    Form,
    class_name,
    form_of,
    looks_like_dates,
    quantity,
    text_of,
)
from bakeoff.reading.options import Options
from bakeoff.reading.tables.classes import MANY
from bakeoff.reading.tables.table import Table, column_of

NANOSECONDS = 3.6e12  # of an hour, the unit of times and durations
LOOKED_AT = 10_000  # different words of a column
FEW_OF = 0.1  # of them
MEANS: dict[Form, str] = {
    "plain": "numbers written as text",
    "comma": "numbers written as text",
    "date": "dates",
    "time": "times",
}


def coded_column(table: Table, name: str, options: Options) -> tuple[pl.Series, Column]:
    """A column of numbers or of categories in their order, and how it was coded."""
    series = _words_of_moments(column_of(table, name))
    if isinstance(series.dtype, pl.Duration):
        return series.dt.total_nanoseconds() / NANOSECONDS, Column(name, 0)
    is_text = series.dtype in (pl.String, pl.Categorical)
    if name in options.numeric and (is_text or isinstance(series.dtype, pl.Enum)):
        return _quantities(table, name, series.cast(pl.String))
    if isinstance(series.dtype, pl.Enum):
        return series, _nominal(name, series)
    if name in options.categorical and series.dtype.is_numeric():
        named = _named(series)
        return named, _nominal(name, named, of_numbers=True)
    if is_text:
        words = series.cast(pl.String)
        if name not in options.categorical:
            _notify_of(table, name, words)
        coded = words.cast(pl.Enum(words.unique().drop_nulls().sort()))
        return coded, _nominal(name, coded)
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null):
        return series, Column(name, 0)
    raise DataError(
        f"{table.file}: column {name!r} holds {series.dtype}; features must be "
        f"numbers, booleans, words or dates: leave it out with `ignore`"
    )


def _nominal(name: str, series: pl.Series, *, of_numbers: bool = False) -> Column:
    dtype = series.dtype
    assert isinstance(dtype, pl.Enum)
    return Column(name, 0, tuple(dtype.categories), of_numbers)


def _named(numbers: pl.Series) -> pl.Series:
    """Numbers that are only names, as categories in the order of the numbers."""
    if numbers.dtype.is_float():
        numbers = numbers.fill_nan(None)
    values = np.unique(numbers.drop_nulls().to_numpy())  # -0 is 0
    names = pl.Series([class_name(value) for value in values], dtype=pl.String)
    places = np.searchsorted(values, numbers.fill_null(0).to_numpy())
    codes = pl.Series(np.minimum(places, max(0, len(values) - 1)))
    codes = codes.set(numbers.is_null(), None)
    return names.gather(codes).cast(pl.Enum(names))


def _words_of_moments(series: pl.Series) -> pl.Series:
    """Dates and times as the words that a CSV file would have for them."""
    if series.dtype not in (pl.Date, pl.Datetime, pl.Time):
        return series
    moments = series.unique().drop_nulls()
    words = pl.Series([text_of(moment) for moment in moments], dtype=pl.String)
    return series.replace_strict(moments, words, default=None, return_dtype=pl.String)


# ---- words that mean numbers


def _quantities(table: Table, name: str, words: pl.Series) -> tuple[pl.Series, Column]:
    """Words as the numbers that they mean; of dates, days since the earliest."""
    different = words.unique().drop_nulls()
    form = form_of(different) or _blame(table, name, words)
    quantities = [quantity(word, form) or 0.0 for word in different]
    origin = float(math.floor(min(quantities, default=0.0))) if form == "date" else 0.0
    numbers = pl.Series([number - origin for number in quantities], dtype=pl.Float64)
    read = words.replace_strict(different, numbers, default=None)
    return read, Column(name, 0, form=form, origin=origin)


def _blame(table: Table, name: str, words: pl.Series) -> Form:
    """Refuse the first word that is not a quantity in the form of most words."""
    known = [[word and quantity(word, form) for word in words] for form in FORMS]
    best = max(known, key=lambda found: sum(number is not None for number in found))
    wrong = (row for row, word in enumerate(words) if word and best[row] is None)
    row = next(wrong, None)
    if row is None:  # every value is missing
        return "plain"
    raise DataError(
        f"{table.at(row)}: column {name!r} is to be read as numbers (`numeric`), but "
        f"{words[row]!r} is not a number, an ISO date such as 2024-01-31 or a time "
        f"such as 13:45, or not of the same kind as other rows"
    )


# ---- notices


def _notify_of(table: Table, name: str, words: pl.Series) -> None:
    """Notify of words that may not be meant as categories."""
    different = words.unique().drop_nulls()
    what = _meaning(different.to_list())
    begins = f"{table.file}: column {name!r} holds"
    if what is not None:
        notify(
            f"{begins} {what}, such as {different.min()!r}, which become categories "
            f"numbered in sorted order; {_advice(what, different)}"
        )
    elif (odd := _odd_word(different)) is not None:
        notify(
            f"{begins} {MEANS[odd.form]}, such as {odd.usual!r}, but also "
            f"{odd.word!r}; all become categories numbered in sorted order; make such "
            f"words empty and name the column in `numeric` to read the others as "
            f"numbers, or name it in `categorical` if categories are meant"
        )
    elif len(words) >= MANY and 2 * len(different) > len(words):
        notify(
            f"{begins} {len(different)} different words in {len(words)} rows, numbered "
            f"in sorted order; `ignore` it if it is not a category"
        )


class _Odd(NamedTuple):
    """A word among others that are nearly all quantities."""

    word: str
    usual: str
    form: Form


def _odd_word(different: pl.Series) -> _Odd | None:
    """The word that keeps a column from being read as numbers, if few such do."""
    words = different.sort().head(LOOKED_AT).to_list()
    for form in FORMS:
        odd = [word for word in words if quantity(word, form) is None]
        if odd and len(words) >= MANY and len(odd) <= FEW_OF * len(words):
            usual = next(word for word in words if word not in odd)
            return _Odd(odd[0], usual, form)
    return None


def _meaning(words: Sequence[str]) -> str | None:
    """What words mean besides themselves, if anything."""
    form = form_of(words)
    if form is None and words and looks_like_dates(words):
        return "dates"
    return None if form is None else MEANS[form]


def _advice(what: str, words: pl.Series) -> str:
    if what == "dates" and form_of(words) is None:
        return (
            "write them as 2024-01-31 and name the column in `numeric` to read them as "
            "days, or `ignore` it"
        )
    unit = {"dates": " of days", "times": " of hours"}.get(what, "")
    return (
        f"name the column in `numeric` to read them as numbers{unit}, or in "
        f"`categorical` if categories are meant"
    )
