"""Hostile: random attacks on every part of the package, and counts.

    python -m benchmarks.hostile [--times 200] [--seed 1] [--data DIR] [--what store]
    python -m benchmarks.hostile --first 507 --times 1      # one trial again

Each trial runs within a limit of time and of memory. What must not be is counted: lost
events that were acknowledged, tracebacks, hangs of more than 20 s (60 s where kernels
are compiled), memory above 2 GB, and changes of which nothing is said. All must be 0.
Files of DIR (or $BAKEOFF_DATA) are mutated beside small ones of every format.
"""

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.hostile.cache import try_cache
from benchmarks.hostile.commands import BadError, compile_all
from benchmarks.hostile.files import make_samples, try_archive, try_file
from benchmarks.hostile.forks import try_fork
from benchmarks.hostile.full_log import try_full_log
from benchmarks.hostile.interrupts import try_interrupt
from benchmarks.hostile.learners import try_learner
from benchmarks.hostile.models import try_model
from benchmarks.hostile.moved_log import try_moved_log
from benchmarks.hostile.odd_calls import try_odd_call
from benchmarks.hostile.rollouts import try_rollout
from benchmarks.hostile.service import try_service
from benchmarks.hostile.signals import try_signal
from benchmarks.hostile.store import try_store

BAD = ("lost", "traceback", "hang", "memory", "silent")
REPORT_EVERY = 100  # trials
TRIALS: dict[str, Callable[[random.Random, Path], str]] = {
    "learners": try_learner, "store": try_store, "files": try_file,
    "signals": try_signal, "interrupts": try_interrupt, "forks": try_fork,
    "full-log": try_full_log, "moved-log": try_moved_log, "cache": try_cache,
    "models": try_model, "odd-calls": try_odd_call, "rollouts": try_rollout,
    "service": try_service, "archives": try_archive,
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
    bad: dict[str, int] = {}
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
            done = number - options.first + 1
            if done % REPORT_EVERY == 0 or done == options.times:
                bad = {what: sum(found[what] for found in counts.values()) for what in BAD}
                report = ", ".join(f"{n} {what}" for what, n in bad.items())
                print(f"{done} trials: {report}", flush=True)
    for kind, found in counts.items():
        print(f"{kind}:", ", ".join(f"{n} {what}" for what, n in sorted(found.items())))
    return int(any(bad.values()))


if __name__ == "__main__":
    sys.exit(main())
