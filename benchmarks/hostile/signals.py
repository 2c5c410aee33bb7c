"""Ctrl-C during commands."""

import random
import shutil
from pathlib import Path

from benchmarks.hostile.commands import WORDS, BadError, apart, slowness
from benchmarks.hostile.store import made_store


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
