"""Hostile: random learners, edits of a store, mutated files and signals, and counts.

    python -m benchmarks.hostile [--times 200] [--seed 1] [--data DIR] [--what store]
    python -m benchmarks.hostile --first 507 --times 1      # one trial again

Each trial runs in a process of its own with a limit of time and of memory. What must
not be is counted: tracebacks, hangs of more than 20 s, memory above 2 GB, and a verdict
that changed though nothing was said to be wrong. All must be 0.
Files of DIR (or $BAKEOFF_DATA) are mutated beside small ones of every format.
"""

import argparse
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from bakeoff import cli
from bakeoff.store.store import Store
from tests.hostile.learners import ALLOWED, ENDLESS, WAYS

LIMIT = 20.0  # seconds; a trial that takes longer hangs
MOST = 2 * 10**9  # bytes
BAD = ("traceback", "hang", "memory", "silent")
LARGEST = 200_000  # bytes of files that are mutated
WORDS = ("run", "embedded:iris", "-a", "greedy", "-a", "epsilon-greedy", "-a",
         "supervised", "--learning-rate", "0.1", "--shuffles", "2", "--jobs", "1",
         "--quiet")  # fmt: skip
JSON = ("--json", "--figures", "none", "--tables", "none")


class BadError(BaseException):
    """A trial that did not end well, and how; nobody must catch it on the way."""


# ---- the command line, in this process or in one of its own


class Said(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def inside(*words: str) -> Said:
    """Run the command line in this process, which is quicker."""

    def give_up(_: int, __: object) -> None:
        raise BadError("hang", " ".join(words))

    out, err, code = io.StringIO(), io.StringIO(), 0
    argv, sys.argv = sys.argv, ["bakeoff", *words]
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(int(LIMIT * slowness()))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            cli.main()
    except SystemExit as end:
        code = int(end.code or 0)
    except BadError:
        raise
    except BaseException:
        raise BadError("traceback", traceback.format_exc()[-2000:]) from None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        sys.argv = argv
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MOST:
        raise BadError("memory", " ".join(words))
    return Said(code, out.getvalue(), err.getvalue())


def apart(*words: str, interrupt_after: float | None = None) -> Said:
    """Run the command line in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "bakeoff", *words], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        if interrupt_after is not None:
            time.sleep(interrupt_after)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=LIMIT * slowness())
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise BadError("hang", " ".join(words)) from None
    if "Traceback" in err:
        raise BadError("traceback", err[-2000:])
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 > MOST:
        raise BadError("memory", " ".join(words))
    return Said(process.returncode, out, err)


def slowness() -> float:
    """How much longer everything takes because others use the machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def compile_all(folder: Path) -> None:
    """Compile what the trials need, which may take longer than a trial may."""
    command = [sys.executable, "-m", "bakeoff", *WORDS, "--out", str(folder / "first")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


# ---- learners


def try_learner(rng: random.Random, folder: Path) -> str:
    """A learner that misbehaves in one of many ways, beside a good one."""
    way = rng.choice(sorted(WAYS))
    spec = f"python:tests.hostile.learners.Misbehaves,how={way},label=bad"
    limit = "2s" if way in ENDLESS else "15s"  # forks in every round take a while
    done = apart("run", "embedded:iris", "-a", spec, "-a", "greedy", "--limit", limit,
                 "--learning-rate", "0.1", "--quiet", "--out", str(folder))  # fmt: skip
    rows = pl.read_parquet(folder / "jobs" / "*.parquet")
    errors = dict(rows["algorithm", "error"].iter_rows())
    if errors["G"] is not None or (errors["bad"] is None) != (way in ALLOWED):
        raise BadError("silent", f"{way}: {errors}")
    if done.code != int(way not in ALLOWED):
        raise BadError("traceback", f"{way}: exit code {done.code}: {done.err}")
    return "ended by --limit" if way in ENDLESS else "played or an error row"


# ---- stores


def try_store(rng: random.Random, folder: Path) -> str:
    """An edit of a store: it is found, or changes no verdict; a run mends it."""
    store = folder / "s"
    shutil.copytree(made_store(), store)
    edit = rng.choice(EDITS)
    edit(rng, store)
    inside("status", str(store))
    report = inside("report", str(store), *JSON)
    is_told = "cannot be used" in _page(store) or "the last experiment" in _page(store)
    if not report.code and verdict_of(report.out) != _clean["verdict"] and not is_told:
        raise BadError("silent", f"{edit.__name__}: {report.out}")
    again = inside(*WORDS, "--out", str(store))
    if again.code == 0 and rows_in(store) != _clean["rows"]:
        raise BadError("silent", f"{edit.__name__}: other rows after a run")
    return "mended" if again.code == 0 else f"refused ({again.code})"


_clean: dict[str, Any] = {}


def made_store() -> Path:
    """A store that nobody has touched, made once."""
    if not _clean:
        store = Path(tempfile.mkdtemp(prefix="bakeoff-hostile-")) / "s"
        inside(*WORDS, "--out", str(store))
        _clean["store"], _clean["rows"] = store, rows_in(store)
        _clean["verdict"] = verdict_of(inside("report", str(store), *JSON).out)
    made: Path = _clean["store"]
    return made


def verdict_of(text: str) -> Any:
    """What a report says in words and in numbers."""
    found = json.loads(text)
    places = [(one["label"], one["mean_loss"]) for one in found["standings"]]
    return found["verdict"], places


def rows_in(store: Path) -> list[Any]:
    """What matters of the rows of a store."""
    rows = Store(store).read(["digest", "shuffle", "run", "pv_loss", "error"])
    return sorted(rows.rows())


def _page(store: Path) -> str:
    path = store / "report.html"
    return path.read_text() if path.exists() else ""


VALUES: tuple[Any, ...] = (
    None, True, 0, 1, -1, 10**12, 2**63 - 1, 10**30, 0.0, 0.5, -3.5, 1e308, "", "x",
    "\0", "\x1b[2J", "=1+1", "x" * 100_000, [], [1, "2"], {}, {"a": None}, "nan",
)  # fmt: skip


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value."""
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from places_in(inner, (*path, key))


def edit_manifest(rng: random.Random, store: Path) -> None:
    """Another value somewhere, or none."""
    path = store / "manifest.json"
    manifest = json.loads(path.read_text())
    *above, last = rng.choice(list(places_in(manifest))[1:])
    place = manifest
    for key in above:
        place = place[key]
    if rng.random() < 0.3:
        del place[last]
    else:
        place[last] = rng.choice(VALUES)
    path.write_text(json.dumps(manifest))


def edit_text(rng: random.Random, store: Path) -> None:
    """Text in place of the manifest."""
    texts = ["", "null", "[]", "{", "[" * 100_000, '{"format": 2}', '{"format": "2"}',
             '{"format": 3}', "\0" * 99, '{"format": 2, "problems": {}}']  # fmt: skip
    (store / "manifest.json").write_text(rng.choice(texts))


def edit_row(rng: random.Random, store: Path) -> None:
    """Another value in a row."""
    path = rng.choice(sorted((store / "jobs").iterdir()))
    rows = pl.read_parquet(path)
    name = rng.choice(rows.columns)
    values = rows[name].to_list()
    values[rng.randrange(len(values))] = rng.choice(
        [None, 0, 1, -1, 0.25, float("nan"), float("inf"), "x", "bag:n_policies=4", [1],
         [0.1, None], "é" * 30_000, True]
    )  # fmt: skip
    with suppress(Exception):  # a value that polars does not take there is no edit
        edited = pl.Series(name, values, dtype=rows.schema[name], strict=False)
        rows.with_columns(edited).write_parquet(path)


def edit_columns(rng: random.Random, store: Path) -> None:
    """A column gone, or of another type, or one more."""
    path = rng.choice(sorted((store / "jobs").iterdir()))
    rows = pl.read_parquet(path)
    name = rng.choice(rows.columns)
    way = rng.randrange(4)
    if way == 0:
        rows = rows.drop(name)
    elif way == 1:
        rows = rows.with_columns(pl.lit("text").alias(name))
    elif way == 2:
        rows = rows.with_columns(pl.lit(1).alias("more"))
    else:
        rows = pl.concat([rows, rows[:1]])
    rows.write_parquet(path)


def edit_bytes(rng: random.Random, store: Path) -> None:
    """Other bytes in a file of rows, or fewer."""
    path = rng.choice(sorted((store / "jobs").iterdir()))
    path.write_bytes(mutated(path.read_bytes(), rng))


def edit_files(rng: random.Random, store: Path) -> None:
    """Something else in place of a file."""
    path = rng.choice([*(store / "jobs").iterdir(), store / "manifest.json",
                       store / "checked"])  # fmt: skip
    path.unlink()
    way = rng.randrange(4)
    if way == 0:
        path.mkdir()
    elif way == 1:
        os.mkfifo(path)
    elif way == 2:
        path.symlink_to("nowhere")


EDITS = [edit_manifest, edit_manifest, edit_manifest, edit_text, edit_row, edit_row,
         edit_row, edit_columns, edit_bytes, edit_files]  # fmt: skip


# ---- files


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
    return bytes(changed[: rng.randrange(len(changed) + 1)] if rng.random() < 0.1
                 else changed)  # fmt: skip


def try_file(rng: random.Random, folder: Path) -> str:
    """A mutated file: it is read, or refused with a sentence."""
    source = rng.choice(_samples)
    path = folder / source.name
    path.write_bytes(mutated(source.read_bytes(), rng))
    done = inside("datasets", str(path))
    if done.code not in (0, 3, 5):
        raise BadError("traceback", f"{source.name}: {done.code}: {done.err}")
    return "read" if done.code == 0 else "refused"


_samples: list[Path] = []


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
    graded = [f"{label} qid:{i // 5} {row}"
              for i, (label, row) in enumerate(zip(y, rows, strict=True))]  # fmt: skip
    (folder / "e.letor").write_text("\n".join(graded))
    events = [f"{label + 1} | {row}" for label, row in zip(y, rows, strict=True)]
    (folder / "f.vw").write_text("\n".join(events))
    head = "".join(f"@attribute x{j} numeric\n" for j in range(4))
    both = zip(X, y, strict=True)
    body = "\n".join(",".join(map(str, (*row, label))) for row, label in both)
    (folder / "g.arff").write_text(
        f"@relation g\n{head}@attribute y {{0,1,2}}\n@data\n{body}\n"
    )
    _samples.extend(sorted(folder.iterdir()))
    if data is not None:
        known = (path for path in sorted(data.rglob("*.*")) if path.is_file())
        _samples.extend(path for path in known if path.stat().st_size < LARGEST)


# ---- signals


def try_signal(rng: random.Random, folder: Path) -> str:
    """Ctrl-C at any moment of a run or a report: one line, exit code 130."""
    shutil.copytree(made_store(), folder / "s")
    shutil.rmtree(folder / "s" / "jobs")
    words = (*WORDS, "--shuffles", "40", "--report", "--out", str(folder / "s"))
    moment = rng.uniform(0.3, 6.0) * slowness()
    done = apart(*words, interrupt_after=moment)
    if done.code not in (0, 130):
        raise BadError("traceback", f"{moment:.1f} s: {done.code}: {done.err}")
    if done.code == 0 and list((folder / "s").rglob("*.tmp")):
        raise BadError("silent", "files are left unfinished")
    return "done before" if done.code == 0 else "interrupted"


TRIALS: dict[str, Callable[[random.Random, Path], str]] = {
    "learners": try_learner, "store": try_store, "files": try_file,
    "signals": try_signal,
}  # fmt: skip


def main() -> int:
    """Print what happened how often; 1 if anything did that must not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="begin with this trial")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=os.environ.get("BAKEOFF_DATA"))
    parser.add_argument("--what", choices=TRIALS, action="append")
    options = parser.parse_args()
    kinds = options.what or list(TRIALS)
    counts = {kind: Counter[str]() for kind in kinds}
    with tempfile.TemporaryDirectory() as samples:
        make_samples(Path(samples), options.data and Path(options.data))
        compile_all(Path(samples))
        for number in range(options.first, options.first + options.times):
            kind = kinds[number % len(kinds)]
            rng = random.Random(f"{options.seed} {number}")
            with tempfile.TemporaryDirectory() as folder:
                try:
                    counts[kind][TRIALS[kind](rng, Path(folder))] += 1
                except BadError as outcome:
                    counts[kind][outcome.args[0]] += 1
                    print(f"{kind}, trial {number}:", *outcome.args, flush=True)
    for kind, found in counts.items():
        print(f"{kind}:", ", ".join(f"{n} {what}" for what, n in sorted(found.items())))
    bad = {what: sum(found[what] for found in counts.values()) for what in BAD}
    print(
        f"{options.times} trials:", ", ".join(f"{n} {what}" for what, n in bad.items())
    )
    return int(any(bad.values()))


if __name__ == "__main__":
    sys.exit(main())
