"""Mutated files of every format, and mutated archives of logs."""

import random
from pathlib import Path

import numpy as np
import polars as pl

from bakeoff import Learner, read_log, read_pieces
from bakeoff.basics.errors import DataError
from bakeoff.live.archive import to_parquet
from benchmarks.hostile.commands import BadError, inside

LARGEST = 200_000  # bytes of files that are mutated


def mutated(data: bytes, rng: random.Random) -> bytes:
    """A file with bytes that are others, gone, or there twice."""
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 9)):
        place = rng.randrange(len(changed) + 1)
        way = rng.randrange(4)
        if way == 0:
            changed[place : place + rng.randrange(1, 20)] = b""
        elif way == 1:
            changed[place:place] = bytes(rng.randrange(256) for _ in range(8))
        elif way == 2:
            changed[place:place] = changed[place : place + 500]
        elif place < len(changed):
            changed[place] = rng.randrange(256)
    return bytes(changed[: rng.randrange(len(changed) + 1)] if rng.random() < 0.1 else changed)


def try_file(rng: random.Random, folder: Path) -> str:
    """A mutated file: it is read, or refused with a sentence."""
    source = rng.choice(_samples)
    path = folder / source.name
    path.write_bytes(mutated(source.read_bytes(), rng))
    done = inside("datasets", str(path))
    if done.code not in (0, 3, 5):
        raise BadError("traceback", f"{source.name}: {done.code}: {done.err}")
    return "read" if done.code == 0 else "refused"


def try_archive(rng: random.Random, folder: Path) -> str:
    """A log in Parquet with a flipped bit: in pieces it has all its events, or a sentence."""
    path = folder / "log.parquet"
    if not _archive:
        _archive.append(_made_archive(folder))
    changed = bytearray(_archive[0])
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    path.write_bytes(changed)
    try:
        whole = read_log(path).n
    except DataError:
        whole = -1
    try:
        n = sum(piece.n for piece in read_pieces(path, events=100))
    except DataError:
        return "refused"
    if n != whole:
        raise BadError("silent", f"{n} events in pieces; as a whole {whole} (-1: refused)")
    return "read"


def _made_archive(folder: Path) -> bytes:
    log, rng = folder / "made.jsonl", np.random.default_rng(0)
    learner = Learner("epsilon-greedy:epsilon=0.3", n_actions=3, seed=1, log=log)
    for _ in range(300):
        decision = learner.choose(rng.normal(size=4))
        learner.learn(decision, reward=float(decision.action == 0))
    learner.close()
    to_parquet(log, folder / "made.parquet")
    return (folder / "made.parquet").read_bytes()


_samples: list[Path] = []
_archive: list[bytes] = []


def make_samples(folder: Path, data: Path | None) -> None:
    """A small file of every format, and those of a corpus that are not large."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)).round(3), rng.integers(0, 3, 30)
    table = pl.DataFrame({f"x{j}": X[:, j] for j in range(4)} | {"y": y})
    table.write_csv(folder / "a.csv")
    table.write_parquet(folder / "b.parquet")
    np.savez(folder / "c.npz", X=X, y=y)
    rows = [" ".join(f"{j + 1}:{x}" for j, x in enumerate(row)) for row in X]
    lines = [f"{label} {row}" for label, row in zip(y, rows, strict=True)]
    (folder / "d.svm").write_text("\n".join(lines))
    graded = [
        f"{label} qid:{i // 5} {row}" for i, (label, row) in enumerate(zip(y, rows, strict=True))
    ]
    (folder / "e.letor").write_text("\n".join(graded))
    events = [f"{label + 1} | {row}" for label, row in zip(y, rows, strict=True)]
    (folder / "f.vw").write_text("\n".join(events))
    head = "".join(f"@attribute x{j} numeric\n" for j in range(4))
    both = zip(X, y, strict=True)
    body = "\n".join(",".join(map(str, (*row, label))) for row, label in both)
    (folder / "g.arff").write_text(f"@relation g\n{head}@attribute y {{0,1,2}}\n@data\n{body}\n")
    _samples.extend(sorted(folder.iterdir()))
    if data is not None:
        known = (path for path in sorted(data.rglob("*.*")) if path.is_file())
        _samples.extend(path for path in known if path.stat().st_size < LARGEST)
