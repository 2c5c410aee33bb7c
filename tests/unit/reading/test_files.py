"""Files that may be compressed."""

import bz2
import gzip
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bakeoff.basics.errors import DataError
from bakeoff.reading import files
from bakeoff.reading.files import opened, plain_name, plain_stem, read_bytes

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CONTENT = bytes(range(256)) * 5000
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstd.compress,
    ".GZ": gzip.compress,
}


@pytest.mark.parametrize("ending", PACKERS)
def test_a_file_is_unpacked_by_its_ending(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.csv{ending}"
    path.write_bytes(PACKERS[ending](CONTENT))

    assert read_bytes(path) == CONTENT
    assert plain_name(path) == "rows.csv"
    assert plain_stem(path) == "rows"


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_parts_packed_one_after_the_other_are_one_file(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.csv{ending}"
    path.write_bytes(PACKERS[ending](CONTENT) + PACKERS[ending](b"the end"))

    assert read_bytes(path) == CONTENT + b"the end"


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_data_cut_off_anywhere_are_refused(ending: str, tmp_path: Path) -> None:
    packed = PACKERS[ending](CONTENT)
    path = tmp_path / f"rows.csv{ending}"

    for length in range(1, len(packed), max(1, len(packed) // 50)):
        path.write_bytes(packed[:length])
        with pytest.raises(DataError, match=r"rows\.csv"):
            read_bytes(path)


def test_a_file_can_be_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))

    with opened(path) as file:
        lines = list(file)

    assert lines == [b"one\n", b"two\n"]


def test_only_files_out_of_proportion_are_taken_for_bombs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BOMB_BYTES", 2**20)
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(b"0" * 2**20))

    assert len(read_bytes(path)) == 2**20
    path.write_bytes(gzip.compress(b"0" * 2**22))
    with pytest.raises(DataError, match="unpack it first if you trust it"):
        read_bytes(path)


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b"")
    opens = Path.open

    def refuse(file: Path, *given: Any, **more: Any) -> Any:
        if file == path:
            raise PermissionError(13, "Permission denied")
        return opens(file, *given, **more)

    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(DataError, match=r"rows\.csv: cannot be read: Permission denied"):
        read_bytes(path)
