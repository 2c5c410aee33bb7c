"""Learners that misbehave in a bake-off."""

import random
from pathlib import Path

import polars as pl

from benchmarks.hostile.commands import BadError, apart
from tests.hostile.learners import ALLOWED, ENDLESS, WAYS


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
