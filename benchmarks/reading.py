"""What reading costs: our readers next to the bare parsers they are built on.

    python benchmarks/reading.py

For each file: the best of some times, as a ratio to the bare parser in the same run,
and the peak of memory while reading, as a ratio to the larger of the decoded table and
the final arrays. Bars: at most 2 and at most 3.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse
from scipy.io import arff
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file


class Case(NamedTuple):
    """A file, and what the bare parser makes of it."""

    title: str
    write: Callable[[Path], None]
    bare: Callable[[Path], Any]
    table_bytes: Callable[[Any], int]


def pixels(kind: type) -> Callable[[Path], None]:
    """70,000 x 784 values, 19 % of them nonzero, as images of digits have."""

    def write(path: Path) -> None:
        rng = np.random.default_rng(0)
        X = rng.integers(1, 256, (70_000, 784)) * (rng.random((70_000, 784)) < 0.19)
        columns: dict[str, Any] = {f"f{j}": X[:, j].astype(kind) for j in range(784)}
        frame = pl.DataFrame(columns | {"target": rng.integers(0, 10, 70_000)})
        frame.write_parquet(path)

    return write


def parquet_and_csr(path: Path) -> pl.DataFrame:
    """What anyone would write: polars, then SciPy."""
    frame = pl.read_parquet(path)
    sparse.csr_matrix(frame.to_numpy())
    return frame


def mixed_arff(path: Path) -> None:
    """20,000 rows of 20 numbers, 10 nominal values and a class; some are missing."""
    rng = np.random.default_rng(0)
    colours = ["red", "green", "blue", "yellow"]
    head = [f"@attribute x{j} numeric" for j in range(20)]
    head += [f"@attribute c{j} {{{','.join(colours)}}}" for j in range(10)]
    head += ["@attribute class {yes,no}"]
    frame = pl.DataFrame(
        {f"x{j}": rng.normal(size=20_000).round(4) for j in range(20)}
        | {f"c{j}": rng.choice(colours, 20_000) for j in range(10)}
        | {"class": rng.choice(["yes", "no"], 20_000)}
    ).with_columns(x3=pl.when(pl.Series(rng.random(20_000) > 0.1)).then(pl.col("x3")))
    rows = frame.write_csv(include_header=False, null_value="?")
    path.write_text("@relation r\n" + "\n".join(head) + "\n@data\n" + rows)


def arff_by_polars(path: Path) -> pl.DataFrame:
    """The data section alone, its types known."""
    body = path.read_bytes().partition(b"@data\n")[2]
    schema: dict[str, Any] = {f"x{j}": pl.Float64 for j in range(20)}
    schema |= {f"c{j}": pl.String for j in range(10)} | {"class": pl.String}
    return pl.read_csv(io.BytesIO(body), has_header=False, null_values="?", schema=schema)


def libsvm(path: Path) -> None:
    """10,000 rows with 50 of 5,000 features each: 500,000 nonzeros."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((10_000, 5_000), density=0.01, format="csr", rng=rng)
    X.data = X.data.round(4) + 0.0001
    dump_svmlight_file(X, rng.integers(0, 5, 10_000), str(path), zero_based=False)


def frame_bytes(frame: pl.DataFrame) -> int:
    """The size of a decoded table."""
    return int(frame.estimated_size())


CASES = {
    "bytes.parquet": Case(
        "Parquet 70,000 x 784, bytes", pixels(np.uint8), parquet_and_csr, frame_bytes
    ),
    "doubles.parquet": Case(
        "Parquet 70,000 x 784, doubles", pixels(float), parquet_and_csr, frame_bytes
    ),
    "scipy.arff": Case(
        "ARFF 20,000 rows, to SciPy's",
        mixed_arff,
        lambda path: arff.loadarff(path),
        lambda loaded: int(loaded[0].nbytes),
    ),
    "polars.arff": Case(
        "ARFF 20,000 rows, to polars' CSV", mixed_arff, arff_by_polars, frame_bytes
    ),
    "rows.svm": Case(
        "LibSVM 500,000 nonzeros",
        libsvm,
        lambda path: load_svmlight_file(str(path)),
        lambda loaded: int(loaded[0].data.nbytes + loaded[0].indices.nbytes),
    ),
}


def best_seconds(call: Callable[[], Any], times: int) -> float:
    """The shortest of some times."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def peak_of_reading(path: Path) -> tuple[int, int]:
    """Bytes at the peak beyond those before, and bytes of the final arrays."""
    done = subprocess.run(
        [sys.executable, __file__, "--peak-of", str(path)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    peak, final = map(int, done.stdout.split())
    return peak, final


def print_peak(path: Path) -> None:
    """Read one file and print how much memory that took (Linux only)."""
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / f"small{path.suffix}"
        _write_small(small)
        read_file(small, Options())
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _status("VmRSS")
    problem = read_file(path, Options())
    arrays = (*problem.contexts, *problem.true_costs)
    print(_status("VmHWM") - before, sum(array.nbytes for array in arrays))


def _write_small(path: Path) -> None:
    match path.suffix:
        case ".arff":
            path.write_text(
                "@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2,y\n"
            )
        case ".svm":
            path.write_text("0 1:1\n1 2:1\n")
        case _:
            pl.DataFrame({"a": [1, 2], "y": [0, 1]}).write_parquet(path)


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--peak-of", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak_of:
        print_peak(options.peak_of)
        return
    print(f"{os.cpu_count()} cores, polars {pl.__version__}; best of {options.times}\n")
    print(f"{'file':<36}{'bare s':>8}{'ours s':>8}{'ratio':>7}{'peak MB':>9}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for file, case in CASES.items():
            path = Path(folder) / file
            case.write(path)
            table = case.table_bytes(case.bare(path))
            ours = best_seconds(partial(read_file, path, Options()), options.times)
            bare = best_seconds(partial(case.bare, path), options.times)
            peak, final = peak_of_reading(path)
            print(
                f"{case.title:<36}{bare:>8.3f}{ours:>8.3f}{ours / bare:>7.2f}"
                f"{peak / 1e6:>9.1f}{peak / max(table, final):>7.2f}"
            )


if __name__ == "__main__":
    main()
