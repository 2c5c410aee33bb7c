"""The lines of JSON that decision logs are made of, part by part, in order."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import in_one_line
from bakeoff.data import at
from bakeoff.reading.files import opened
from bakeoff.reading.logs.parts import parts_of
from bakeoff.reading.logs.schema import ACTIONS, ACTIVATION, DECISION, FORMAT, HEADER, OUTCOME
from bakeoff.runs import ARITHMETIC, spelled_today


def objects_of(path: Path, *, quiet: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line of a file as an object with its number; a torn last one is dropped."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                value = _decoded(line)
            except (ValueError, RecursionError) as error:
                if line.endswith(b"\n"):
                    raise DataError(f"{at(path, number)}: {_why(error)}") from None
                if not quiet:
                    notify(f"{at(path, number)}: the last line is torn and left out")
                return
            if not isinstance(value, dict):
                raise DataError(f"{at(path, number)}: expected an object in braces")
            yield number, value


def _decoded(line: bytes) -> Any:
    """A line as an object; what the quick parser refuses, such as NaN, may be fine."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return json.loads(line)


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        return f"byte 0x{byte:02x} is not UTF-8 text; convert the file to UTF-8"
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        return f"is not a line of JSON ({reason} at column {error.pos + 1})"
    return f"is not a line of JSON ({error})"


def lines_of(path: Path, *, quiet: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every line of all parts of a log, with its file and number."""
    for part in parts_of(path) or [path]:
        for number, line in objects_of(part, quiet=quiet):
            yield at(part, number), line


def records_of(path: str | Path) -> Iterator[dict[str, Any]]:
    """Every record of a log with all its parts, a header first."""
    for _, record in placed_records_of(path):
        yield record


def placed_records_of(path: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every record of a log with its file and line, a header first."""
    has_header = False
    for where, record in lines_of(Path(path)):
        has_header = checked_record(record, where, has_header)
        yield where, record


def checked_record(record: dict[str, Any], where: str, has_header: bool) -> bool:
    """Refuse what is not a record of our log; return that the header has been seen."""
    kind = record.get("kind")
    if kind != HEADER and not has_header:
        raise DataError(
            f'{where}: a log begins with {{"kind": "{HEADER}", "format": {FORMAT}, ...}}'
        )
    if kind == HEADER and record.get("format") != FORMAT:
        raise DataError(
            f"{where}: format {record.get('format')!r} is not known; it must be {FORMAT}"
        )
    if kind not in (HEADER, DECISION, OUTCOME, ACTIVATION, ACTIONS):
        raise DataError(f"{where}: kind must be 'decision' or 'outcome', got {kind!r:.60}")
    if kind not in (HEADER, ACTIONS) and "id" not in record:
        raise DataError(f"{where}: has no id")
    if kind == HEADER:
        spell_today(record)
    return True


def spell_today(header: dict[str, Any]) -> None:
    """Give the run in a header the name that it has today."""
    if isinstance(header.get("spec"), str):
        header["spec"] = spelled_today(header["spec"], header.get("arithmetic"))
        header["arithmetic"] = ARITHMETIC


@contextmanager
def blaming(where: str) -> Iterator[None]:
    """Put the place before errors about the values of a line."""
    try:
        yield
    except (DataError, SpecError) as error:
        raise DataError(f"{where}: {error}") from None
    except KeyError as error:
        raise DataError(f"{where}: has no {error.args[0]}") from None
    except (
        ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError,
        TypeError, ValueError,
    ) as error:  # fmt: skip
        reason = in_one_line(str(error)) or type(error).__name__
        raise DataError(f"{where}: does not fit the schema ({reason})") from None
