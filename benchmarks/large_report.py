"""A report on 500 datasets x 1,600 runs each: how long it takes, how large the page is.

    python benchmarks/large_report.py [--datasets 500] [--scattered]
    python benchmarks/large_report.py --datasets 5000 --fixed

The results are made up, as a store has them: the paper's whole grid in two encodings;
fixed: one choice per algorithm at nine learning rates; scattered: before its files are
compacted, as an experiment under way has them. Bars, for 500 datasets:
30 s for the report, 10 MB for the page; in Chromium, if there is one, 1.5 s until the
page can be used, and 100 ms to count everything in view anew after a keystroke.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from playwright.sync_api import sync_playwright

from bakeoff.data.facts import Facts
from bakeoff.experiment.engines.workbench import failure
from bakeoff.judging.reading import read_losses
from bakeoff.judging.views import Criteria
from bakeoff.reading.catalog.paper import tuning_ids
from bakeoff.report.write import write_report
from bakeoff.runs.grids import grid
from bakeoff.store.jobs import Group, groups_of, planned
from bakeoff.store.store import Store

SECONDS, BYTES, INTERACTIVE, KEYSTROKE = 30.0, 10e6, 1.5, 0.1


def facts_of(number: int, rng: np.random.Generator) -> Facts:
    """A problem that does not exist; the paper's tuning datasets come first."""
    n = int(10 ** rng.uniform(2, 5))
    actions = int(rng.choice([2, 2, 2, 3, 5, 10, 26]))
    known = tuning_ids()
    name, digest = f"dataset-{number}", f"{number:016x}".ljust(64, "0")
    return Facts(
        name, name, digest, "multiclass", n,
        int(10 ** rng.uniform(0.5, 4)), actions, 10 * n, 11, 0.4, 1 - 1 / actions,
        known[number] if number < len(known) else None,
    )  # fmt: skip


def made_up(rows: pl.DataFrame, facts: Facts, rng: np.random.Generator) -> pl.DataFrame:
    """Rows with losses that depend on algorithm and learning rate, and curves."""
    skill = {"OAA": 0.0, "RO": 0.02, "G": 0.025, "C-nu": 0.03, "B-g": 0.04}
    base = rng.uniform(0.02, 0.5)
    worse = rows["algorithm"].replace_strict(skill, default=0.06).to_numpy()
    off = np.abs(np.log10(rows["learning_rate"].to_numpy()) - rng.uniform(-2, 0))
    loss = base + worse * rng.uniform(0, 2) + 0.02 * off
    loss = rng.binomial(facts.n, np.clip(loss, 0, 1)) / facts.n
    rounds = np.unique(np.geomspace(1, facts.n, 30).astype(int))
    curves = loss[:, None] * (1 + 2 / np.sqrt(rounds))
    return rows.with_columns(
        error=pl.lit(None, pl.String),
        pv_loss=loss,
        ips_reward=facts.uniform_cost + rng.normal(0, 0.1, rows.height),
        ips_loss=facts.uniform_cost + rng.normal(0, 0.2, rows.height),
        curve_rounds=pl.Series([rounds.tolist()] * rows.height),
        curve_loss=pl.Series(np.minimum(curves, 1).tolist()),
    )


def make_store(folder: Path, options: argparse.Namespace) -> int:
    """A store of made-up results; how many rows."""
    rng = np.random.default_rng(0)
    grids = ["fixed"] if options.fixed else ["paper", "fixed"]
    runs = grid(grids, encodings=["-1/0", "0/1"])
    groups = groups_of(runs) if options.scattered else [Group(tuple(runs))]
    problems = [facts_of(i, rng) for i in range(options.datasets)]
    store, n_rows = Store(folder), 0
    with store.writing():
        for job in planned([(facts, (1,)) for facts in problems], groups):
            rows = made_up(failure(job, "made up").rows, job.facts, rng)
            store.write(job, rows)
            n_rows += rows.height
    return n_rows


COUNT_ANEW = """(least) => {
    const start = performance.now();
    change({ minN: least });
    return performance.now() - start;
}"""


class Felt(NamedTuple):
    """What a reader waits for in Chromium, in seconds."""

    interactive: float  # until the first picture is there
    keystroke: float  # median of counting anew what is in view


def felt(page: Path) -> Felt | None:
    """What it is like to open and filter the page; None without a Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page()
        start = time.perf_counter()
        tab.goto(page.as_uri(), wait_until="commit")
        tab.wait_for_selector("#distance-plot svg")
        tab.evaluate("() => new Promise(requestAnimationFrame)")
        seconds = time.perf_counter() - start
        tab.wait_for_timeout(3000)  # what is out of sight is drawn meanwhile
        times = [tab.evaluate(COUNT_ANEW, 10 * k) for k in range(1, 10)]
        browser.close()
    return Felt(seconds, statistics.median(times) / 1000)


def main() -> int:
    """Make the store, report on it, and compare with the bars."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=500)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--scattered", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.out or Path(temporary)
        if not (folder / "jobs").exists():
            n_rows = make_store(folder, options)
            print(f"{n_rows:,} rows of {options.datasets} datasets made up")
        start = time.perf_counter()
        losses = read_losses(Store(folder))
        read = time.perf_counter()
        report = write_report(folder, losses, Criteria())
        seconds, size = time.perf_counter() - start, report.page.stat().st_size
        print(f"report: {seconds:.1f} s, {read - start:.1f} s of it reading; "
              f"page: {size / 1e6:.1f} MB")  # fmt: skip
        found = felt(report.page) or Felt(0, 0)
        print(f"interactive after {found.interactive:.2f} s; a keystroke costs "
              f"{1000 * found.keystroke:.0f} ms")  # fmt: skip
    bars = (SECONDS, BYTES, INTERACTIVE, KEYSTROKE)
    measured = (seconds, size, *found)
    return int(any(one > bar for one, bar in zip(measured, bars, strict=True)))


if __name__ == "__main__":
    sys.exit(main())
