"""Files that cannot be opened, unpacked or told apart, and bad Parquet files."""

import bz2
import gzip
import io
import os
from pathlib import Path

import polars as pl

from bakeoff.reading.files import BOMB_BYTES
from tests.bad_inputs.case import Bad

ROWS = b"a,class\n" + b"".join(b"%d,%d\n" % (i, i % 3) for i in range(5000))


def folder(path: Path) -> None:
    path.mkdir()


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def link_to_nothing(path: Path) -> None:
    path.symlink_to("gone")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def nothing(path: Path) -> None:
    path.unlink(missing_ok=True)


def bomb(path: Path) -> None:
    """A small file that unpacks to more than all it may."""
    with gzip.open(path, "wb", 9) as file:
        file.write(b"a,class\n")
        for _ in range(BOMB_BYTES // 2**20 + 64):
            file.write(b"0,0\n" * (2**20 // 4))


def parquet(**columns: list[object]) -> bytes:
    """The bytes of a Parquet file."""
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


GOOD = parquet(a=[1.0, 2.0, 3.0], y=[0, 1, 0])

CASES = [
    Bad("a file that is not there", "rows.csv", nothing, "rows.csv: such"),
    Bad("a kind of file nobody knows", "rows.docx", b"PK", "pandas"),
    Bad("text that is no ranking data", "rows.txt", b"once upon a time", "reader"),
    Bad("a link to itself", "rows.csv", link_to_itself, "circle"),
    Bad("a link to nothing", "rows.csv", link_to_nothing, "rows.csv: such"),
    Bad("a pipe", "rows.csv", pipe, "rows.csv: neither"),
    Bad("an empty folder", "rows", folder, "rows: neither"),
    Bad("gzip data cut off", "rows.csv.gz", gzip.compress(ROWS)[:-2000], "rows.csv.gz: compressed"),
    Bad(
        "gzip data with a flipped bit",
        "rows.csv.gz",
        gzip.compress(ROWS)[:-8] + b"\0" * 8,
        "rows.csv.gz: compressed",
    ),
    Bad("bzip2 data cut off", "rows.csv.bz2", bz2.compress(ROWS)[:-20], "rows.csv.bz2: compressed"),
    Bad("plain text that is called gzip", "rows.csv.gz", ROWS, "rows.csv.gz: compressed"),
    Bad("plain text that is called bzip2", "rows.csv.bz2", ROWS, "rows.csv.bz2: compressed"),
    Bad("plain text that is called Zstandard", "rows.csv.zst", ROWS, "rows.csv.zst: compressed"),
    Bad("an empty gzip file", "rows.csv.gz", b"", "rows.csv.gz: empty"),
    Bad("a bomb", "rows.csv.gz", bomb, "rows.csv.gz: unpacks 250"),
    Bad("Parquet cut off", "rows.parquet", GOOD[:-30], "readable"),
    Bad("an empty Parquet file", "rows.parquet", b"", "readable"),
    Bad("text called Parquet", "rows.parquet", ROWS, "readable"),
    Bad("Parquet without rows", "rows.parquet", parquet(a=[], y=[]), "rows.parquet: rows"),
    Bad(
        "a Parquet column of lists of other lengths",
        "rows.parquet",
        parquet(a=[[1], [2, 3]], y=[0, 1]),
        "rows.parquet: row 2: column 'a'",
    ),
    Bad(
        "an infinite value in Parquet",
        "rows.parquet",
        parquet(a=[1.0, float("-inf")], y=[0, 1]),
        "rows.parquet: row 2: finite 'a'",
    ),
    Bad(
        "a missing target in Parquet",
        "rows.parquet",
        parquet(a=[1.0, 2.0, 3.0], y=[0, 1, None]),
        "rows.parquet: row 3: missing 'y'",
    ),
    Bad("a single Parquet column", "rows.parquet", parquet(y=[0, 1]), "rows.parquet: columns 1"),
]
