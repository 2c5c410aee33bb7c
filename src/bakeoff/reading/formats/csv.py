"""CSV and TSV files: a column per feature; the target is the last one, or named.

A column of numbers is a feature as it is, a column of words is nominal. Empty fields
and the usual words for nothing are missing values. Whether the first line is a header
is seen from the first two, unless the options say so: a header has a word above some
number, or no number at all.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import MISSING, Place, Problem, at, form_of
from bakeoff.reading.files import check_text, decoded, plain_name, plain_stem, read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.tables.table import Table, chosen, column_of, columns_of
from bakeoff.reading.tables.tables import problem_with
from bakeoff.reading.tables.targets import target_columns

NOTHING = ("-", "--", ".", "#n/a", "missing", "n/a", "na", "none", "null", "unknown")
SNIFFED = 2**20  # bytes in which the first two lines are looked for
_BLANK_LINES = (b"\n\n", b"\n\r", b"\n ", b"\n\t")  # how they begin: found faster than by patterns
UNNAMED_FIRST = "column_1"
MOST_COLUMNS = 200_000  # polars needs kilobytes for each


class Separated(NamedTuple):
    """The text of a file of separated values."""

    path: Path
    data: bytes
    separator: str

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Every row with the line it begins in; slow, for the header and for messages."""
        lines = io.TextIOWrapper(io.BytesIO(self.data), "utf-8", newline="")
        reader = csv.reader(lines, delimiter=self.separator, strict=True)
        line = 1
        try:
            for row in reader:
                if len(row) > 1 or "".join(row).strip():
                    yield line, [field.strip() for field in row]
                line = reader.line_num + 1
        except UnicodeDecodeError:
            decoded(self.data, self.path)  # says where
        except csv.Error as error:
            raise DataError(f"{at(self.path, line)}: {_explanation(error)}") from None


class Parsed(NamedTuple):
    """The columns of a file, as polars reads them."""

    table: Table
    separator: str
    first_is_unnamed: bool


def read(path: Path, options: Options) -> Problem:
    """The problem in a file of separated values."""
    as_words = (*options.categorical, *options.numeric)
    parsed = table_in(path, header=options.header, words=as_words, missing=MISSING)
    table = chosen(parsed.table, options)
    if parsed.first_is_unnamed and UNNAMED_FIRST in table.frame.columns:
        table = _without_row_numbers(table)
    targets = target_columns(table, options)
    columns = [
        _typed(table, name, parsed.separator, name in targets, name in as_words)
        for name in table.frame.columns
    ]
    table = table._replace(frame=pl.DataFrame(columns))
    return problem_with(table, targets, options, options.name or plain_stem(path))


def table_in(
    path: Path, *, header: bool | None, words: Sequence[str] = (), missing: Collection[str] = ()
) -> Parsed:
    """The columns of a file; whether it has a header is guessed if that is None.

    The columns in `words` are not read as numbers; the texts in `missing` become null,
    as empty fields do.
    """
    data = read_bytes(path)
    check_text(data, path)
    text = Separated(path, data, separator_of(path, data))
    first = list(islice(text.rows(), 2))
    if not first:
        raise DataError(f"{path}: is empty, but at least one row is needed")
    has_header = _is_header(path, first) if header is None else header
    line, head = first[0]
    names = _checked_names(path, line, head if has_header else [""] * len(head))

    def line_of(row: int) -> int:
        line, _ = next(islice(text.rows(), row + has_header, None))
        return line

    frame = _frame(text, names, has_header, words, missing)
    table = Table(frame, Place(str(path), line_of))
    return Parsed(table, text.separator, has_header and not head[0])


# ---- the shape of the file


def separator_of(path: Path, data: bytes) -> str:
    """The separator, by the first two lines of a `.csv` file; else a tab."""
    if not plain_name(path).lower().endswith(".csv"):
        return "\t"
    unquoted = re.sub(rb'"[^"]*"', b"", data[:SNIFFED])
    lines = [line for line in unquoted.split(b"\n") if line.strip()][:2]
    counts = {s: [line.count(s.encode()) for line in lines] for s in ";\t|,"}
    for separator, times in counts.items():  # a comma may be a decimal one: last
        if times and min(times) == max(times) > 0:
            return separator
    return next((s for s in ",;\t|" if lines and counts[s][0]), ",")


def _explanation(error: csv.Error) -> str:
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
    text: Separated,
    names: list[str],
    has_header: bool,
    words: Sequence[str],
    missing: Collection[str],
) -> pl.DataFrame:
    """All columns as polars reads them, after a check that no row is ragged."""
    body = _without_blank_lines(text)
    try:
        frame = pl.read_csv(
            io.BytesIO(body),
            separator=text.separator,
            has_header=False,
            skip_rows=int(has_header),
            new_columns=names,
            null_values=list(missing),
            infer_schema_length=None,
            schema_overrides={name: pl.String for name in words if name in names},
        )
    except pl.exceptions.NoDataError:
        raise DataError(f"{text.path}: has a header but no rows") from None
    except pl.exceptions.PolarsError as error:
        decoded(text.data, text.path)
        _check_rows(text, len(names))
        reason = str(error).splitlines()[0]
        raise DataError(f"{text.path}: is not a readable table ({reason})") from None
    unquoted = _without_quoted(body, text.separator)
    expected = (frame.height + has_header) * (len(names) - 1)
    if unquoted is None or unquoted.count(text.separator.encode()) != expected:
        n_rows = _check_rows(text, len(names))
        if n_rows != frame.height + has_header:
            raise DataError(f"{text.path}: has lines of nothing but quotation marks")
    return frame


def _without_blank_lines(text: Separated) -> bytes:
    """The same rows; to polars a blank line is a row of missing values."""
    if text.data[:1].strip() and not any(start in text.data for start in _BLANK_LINES):
        return text.data
    blanks = rb" " if text.separator == "\t" else rb" \t"
    if re.search(rb"(?m)^[%s]*(\r?\n|[%s]\Z)" % (blanks, blanks), text.data) is None:
        return text.data
    if b'"' not in text.data:
        return re.sub(rb"(?m)^[%s]*(\r?\n|\Z)" % blanks, b"", text.data)
    file = io.StringIO()
    rows = (row for _, row in text.rows())
    csv.writer(file, delimiter=text.separator, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()


def _without_quoted(body: bytes, separator: str) -> bytes | None:
    """The text with a single mark for each quoted value; None if some quote is irregular.

    Regular quotes stand around whole values, and none stands inside.
    """
    if b'"' not in body:
        return body
    parts = body.split(b'"')
    marked = b'"'.join(parts[::2])
    edges = (separator.encode(), b"\n", b"\r")
    opening = sum(marked.count(edge + b'"') for edge in edges) + marked.startswith(b'"')
    closing = sum(marked.count(b'"' + edge) for edge in edges) + marked.endswith(b'"')
    return marked if 2 * opening == 2 * closing == len(parts) - 1 else None


def _check_rows(text: Separated, width: int) -> int:
    """The number of rows, the header included, if all have the same width."""
    n_rows = 0
    for line, row in text.rows():
        n_rows += 1
        if len(row) != width:
            raise DataError(f"{at(text.path, line)}: expected {width} values, found {len(row)}")
    return n_rows


def _without_row_numbers(table: Table) -> Table:
    """The table without a first column that has no name and numbers the rows."""
    first = column_of(table, UNNAMED_FIRST)
    if first.dtype.is_integer() and len(first) > 1 and first.is_unique().all():
        notify(f"{table.file}: the first column has no name and numbers the rows; left out")
        return table._replace(frame=columns_of(table, table.frame.columns[1:]))
    return table


def _typed(table: Table, column: str, separator: str, is_target: bool, is_named: bool) -> pl.Series:
    """A column of words without blanks around them, or of numbers if all are."""
    series = table.frame[column] if is_target else column_of(table, column)
    if series.dtype != pl.String:
        return series.alias(column)
    words = series.str.strip_chars()
    words = words.set(words.is_in(MISSING), None)
    numbers = _numbers(words, separator)
    n_words = len(words) - words.null_count()
    n_numbers = len(numbers) - numbers.null_count()
    if n_words == n_numbers and not (is_named and words.n_unique() > numbers.n_unique()):
        return (_exact(words, numbers) if is_target else numbers).alias(column)
    if is_target or is_named:
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
