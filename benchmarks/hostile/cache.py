"""A cache of compiled kernels that somebody has damaged."""

import os
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.hostile.commands import BadError, Said, apart
from benchmarks.hostile.store import rows_in

WORDS = ("run", "embedded:iris", "-a", "greedy", "--learning-rate", "0.1", "--jobs", "1", "--quiet")
LIMIT = 60.0  # seconds, for what is damaged is compiled again


def try_cache(rng: random.Random, folder: Path) -> str:
    """A run says nothing of it, and its rows are the same."""
    home = folder / "home"
    shutil.copytree(_warm(), home)
    files = sorted(path for path in home.rglob("*") if path.is_file())
    damage = rng.choice(DAMAGES)
    several = rng.sample(files, min(len(files), rng.choice([1, 1, 3, len(files)])))
    for path in several:
        damage(rng, path)
    done = _run(home, folder / "store")
    about = f"{damage.__name__}: {', '.join(path.name for path in several)}"
    if done.code != 0:
        raise BadError("traceback", f"{about}: exit code {done.code}: {done.err}")
    if rows_in(folder / "store") != _rows():
        raise BadError("silent", f"{about}: other rows")
    for path in [home, *home.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)  # so that it can be removed
    return "compiled again" if "compiling" in done.err else "used"


def _run(home: Path, store: Path) -> Said:
    words = (*WORDS, "--out", str(store))
    return apart(*words, limit=LIMIT, environment={"XDG_CACHE_HOME": str(home)})


@cache
def _warm() -> Path:
    """A cache with the kernels of the run, made once."""
    folder = Path(tempfile.mkdtemp(prefix="bakeoff-hostile-"))
    _run(folder / "home", folder / "store")
    return folder / "home"


@cache
def _rows() -> list[Any]:
    return rows_in(_warm().parent / "store")


def flip(rng: random.Random, path: Path) -> None:
    """A few bits are others."""
    data = bytearray(path.read_bytes())
    for _ in range(rng.randrange(1, 20) if data else 0):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def empty(_: random.Random, path: Path) -> None:
    """Nothing is in it."""
    path.write_bytes(b"")


def cut(rng: random.Random, path: Path) -> None:
    """The end is missing."""
    os.truncate(path, rng.randrange(path.stat().st_size + 1))


def to_pipe(_: random.Random, path: Path) -> None:
    """A pipe that nobody writes to."""
    path.unlink()
    os.mkfifo(path)


def to_folder(_: random.Random, path: Path) -> None:
    """A folder of the same name."""
    path.unlink()
    path.mkdir()


def read_only(_: random.Random, path: Path) -> None:
    """Nobody may write, and something is missing."""
    path.unlink()
    path.parent.chmod(0o555)


DAMAGES: tuple[Callable[[random.Random, Path], None], ...] = (
    flip, flip, empty, cut, to_pipe, to_folder, read_only,
)  # fmt: skip
