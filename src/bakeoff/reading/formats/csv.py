"""CSV and TSV files: a column per feature; the target is the last one, or named.

A column of numbers is a feature as it is, a column of words is nominal. Empty fields
and the usual words for nothing are missing values. Whether the first line is a header
is seen from the first two, unless said: a header has a word above some number, or no
number at all.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import MISSING, Problem, form_of
from bakeoff.reading.files import at, decoded, plain_name, plain_stem, read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.tables.table import Table, chosen, column_of, columns_of
from bakeoff.reading.tables.tables import problem_of
from bakeoff.reading.tables.targets import target_columns

NOTHING = ("-", "--", ".", "#n/a", "missing", "n/a", "na", "none", "null", "unknown")
SNIFFED = 2**20  # bytes in which the first two lines are looked for
MOST_COLUMNS = 200_000  # polars needs kilobytes for each


def read(path: Path, options: Options) -> Problem:
    """The problem in a file of separated values."""
    data = re.sub(rb"\A\xef\xbb\xbf", b"", read_bytes(path))
    separator = _separator(path, data)
    first = [row for _, row in zip(range(2), _rows(path, data, separator), strict=False)]
    if not first:
        raise DataError(f"{path}: is empty, but a problem needs at least one row")
    has_header = options.header
    if has_header is None:
        has_header = _is_header(path, first)
    line, head = first[0]
    names = _checked_names(path, line, head if has_header else [""] * len(head))

    def line_of(row: int) -> int:
        for number, (line, _) in enumerate(_rows(path, data, separator)):
            if number == row + has_header:
                return line
        raise AssertionError("no such row")

    asked = (*options.categorical, *options.numeric)
    words = [name for name in asked if name in names]
    frame = _frame(path, data, separator, names, has_header, words)
    table = chosen(Table(frame, str(path), line_of), options)
    if has_header and not head[0]:
        table = _without_row_numbers(table)
    targets = target_columns(table, options)
    columns = [_typed(table, c, separator, c in targets, c in asked) for c in table.frame.columns]
    table = table._replace(frame=pl.DataFrame(columns))
    options = replace(options, ignore=())
    return problem_of(table, options, options.name or plain_stem(path))


# ---- the shape of the file


def _separator(path: Path, data: bytes) -> str:
    if not plain_name(path).lower().endswith(".csv"):
        return "\t"
    unquoted = re.sub(rb'"[^"]*"', b"", data[:SNIFFED])
    lines = [line for line in unquoted.split(b"\n") if line.strip()][:2]
    counts = {s: [line.count(s.encode()) for line in lines] for s in ";\t|,"}
    for separator, found in counts.items():  # a comma may be a decimal one: last
        if found and min(found) == max(found) > 0:
            return separator
    return next((s for s in ",;\t|" if lines and counts[s][0]), ",")


def _rows(path: Path, data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Every row with the line it begins in; slow, for the header and for messages."""
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    reader = csv.reader(lines, delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            if len(row) > 1 or "".join(row).strip():
                yield line, [field.strip() for field in row]
            line = reader.line_num + 1
    except UnicodeDecodeError:
        decoded(data, path)  # says where
    except csv.Error as error:
        raise DataError(f"{at(path, line)}: {_said(error)}") from None


def _said(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return "a quoted value begins here and does not end"
    return f"is not a row of separated values ({error})"


def _is_header(path: Path, first: list[tuple[int, list[str]]]) -> bool:
    head = [_is_number(field) for field in first[0][1]]
    if len(first) == 1 or not any(head):
        return True
    below = [_is_number(field) for field in first[1][1]]
    if any(b and not h for h, b in zip(head, below, strict=False)):
        return True
    notify(
        f"{path}: the first line looks like data, not like the names of columns, and "
        f"is read as data; say `header` if it is one"
    )
    return False


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field


def _checked_names(path: Path, line: int, names: list[str]) -> list[str]:
    if len(names) > MOST_COLUMNS:
        raise DataError(
            f"{at(path, line)}: has {len(names):,} columns, but at most "
            f"{MOST_COLUMNS:,} are read; use a sparse format, such as LibSVM"
        )
    names = [name or f"column_{i + 1}" for i, name in enumerate(names)]
    if len(set(names)) < len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise DataError(f"{at(path, line)}: the column name {twice!r} occurs twice")
    return names


# ---- the values


def _frame(
    path: Path,
    data: bytes,
    separator: str,
    names: list[str],
    has_header: bool,
    words: Sequence[str],
) -> pl.DataFrame:
    """All columns as polars reads them, once it is sure that no row is ragged."""
    quoted = b'"' in data
    body = _without_blank_lines(path, data, separator, quoted)
    try:
        frame = pl.read_csv(
            io.BytesIO(body),
            separator=separator,
            has_header=False,
            skip_rows=int(has_header),
            new_columns=names,
            null_values=list(MISSING),
            infer_schema_length=None,
            schema_overrides=dict.fromkeys(words, pl.String),
        )
    except pl.exceptions.NoDataError:
        raise DataError(f"{path}: has a header but no rows") from None
    except pl.exceptions.PolarsError as error:
        decoded(data, path)
        _check_rows(path, data, separator, len(names))
        reason = str(error).splitlines()[0]
        raise DataError(f"{path}: is not a readable table ({reason})") from None
    separators = body.count(separator.encode())
    if quoted or separators != (frame.height + has_header) * (len(names) - 1):
        n_rows = _check_rows(path, data, separator, len(names))
        if n_rows != frame.height + has_header:
            raise DataError(f"{path}: has lines of nothing but quotation marks")
    return frame


def _without_blank_lines(path: Path, data: bytes, separator: str, quoted: bool) -> bytes:
    """The same rows; to polars a blank line is a row of missing values."""
    blanks = rb" " if separator == "\t" else rb" \t"
    if re.search(rb"(?m)^[%s]*(\r?\n|[%s]\Z)" % (blanks, blanks), data) is None:
        return data
    if not quoted:
        return re.sub(rb"(?m)^[%s]*(\r?\n|\Z)" % blanks, b"", data)
    text = io.StringIO()
    rows = (row for _, row in _rows(path, data, separator))
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _check_rows(path: Path, data: bytes, separator: str, width: int) -> int:
    """The number of rows, the header included, if all have the same width."""
    n_rows = 0
    for line, row in _rows(path, data, separator):
        n_rows += 1
        if len(row) != width:
            raise DataError(f"{at(path, line)}: expected {width} values, found {len(row)}")
    return n_rows


def _without_row_numbers(table: Table) -> Table:
    """The table without a first column that has no name and numbers the rows."""
    name = table.frame.columns[0]
    first = column_of(table, name)
    if first.dtype.is_integer() and len(first) > 1 and first.is_unique().all():
        notify(f"{table.file}: the first column has no name and numbers the rows; left out")
        return table._replace(frame=columns_of(table, table.frame.columns[1:]))
    return table


def _typed(table: Table, column: str, separator: str, is_target: bool, is_asked: bool) -> pl.Series:
    """A column of words without blanks around them, or of numbers if all are."""
    series = table.frame[column] if is_target else column_of(table, column)
    if series.dtype != pl.String:
        return series.alias(column)
    words = series.str.strip_chars()
    words = words.set(words.is_in(MISSING), None)
    numbers = _numbers(words, separator)
    n_words = len(words) - words.null_count()
    n_numbers = len(numbers) - numbers.null_count()
    if n_words == n_numbers and not (is_asked and words.n_unique() > numbers.n_unique()):
        return (_exact(words, numbers) if is_target else numbers).alias(column)
    if is_target or is_asked:
        return words.alias(column)
    commas = words.str.contains(r"^[+-]?\d[\d.,]*,\d+$").fill_null(False)
    if n_numbers or commas.any():
        row = int((numbers.is_null() & words.is_not_null()).arg_max() or 0)
        what = "numbers in other rows, but" if n_numbers else "numbers with commas, as"
        raise DataError(
            f"{table.at(row)}: column {column!r} holds {what} {words[row]!r} here; "
            f"{_advice(words, words[row])}"
        )
    return words.alias(column)


def _advice(words: pl.Series, word: str) -> str:
    """How a column that mixes numbers and words can be read."""
    if word.casefold() in NOTHING:
        return "leave the field empty if the value is missing"
    if form_of(words.drop_nulls()) is not None:
        return "name the column in `numeric` to read all of them as numbers"
    return "correct it, or name the column in `categorical`"


def _exact(words: pl.Series, numbers: pl.Series) -> pl.Series:
    """Numbers, as integers if they are some that floats would round."""
    whole = words.cast(pl.Int128, strict=False)
    is_large = bool((numbers.abs() >= 2**53).any())
    return whole if is_large and whole.null_count() == words.null_count() else numbers


def _numbers(words: pl.Series, separator: str) -> pl.Series:
    """Words as numbers, where they are; a decimal comma needs another separator."""
    if separator != ",":
        words = words.str.replace(r"^([+-]?\d+),(\d+(?:[eE][+-]?\d+)?)$", "$1.$2")
    return words.cast(pl.Float64, strict=False)
