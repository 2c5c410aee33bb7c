"""Safeguards: which of forgetting, exploring and starting anew helps under which condition.

Played and written by benchmarks/streams.py.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

from bakeoff import grid
from bakeoff.runs import Run

Numbers = NDArray[np.float64]
BASES = {
    "G": "greedy",
    "RO": "regcb:c0=1e-3,optimistic",
    "C-nu": "cover:n_policies=4,psi=0.1,nu",
    "eG": "epsilon-greedy:epsilon=0.02",
}
SAFEGUARDS = ("forget=100", "forget=500", "explore=0.05", "restart=10", "restart=20")
COLOURS = ("#56B4E9", "#0072B2", "#E69F00", "#CC79A7", "#009E73", "#000000")
LEVEL = 2.11  # of Student's distribution with 17 degrees of freedom, for 95 %


def runs(rate: float) -> list[Run]:
    """The algorithms with each safeguard."""
    specs = [
        f"{spec}{',' if ':' in spec else ':'}{safeguard},label={name(label, safeguard)}"
        for label, spec in BASES.items()
        for safeguard in SAFEGUARDS
    ]
    return grid(specs, learning_rates=[rate])


def name(label: str, safeguard: str) -> str:
    """What an algorithm with a safeguard is called in the store."""
    return f"{label}-{safeguard}"


def interval(differences: Numbers) -> tuple[float, float]:
    """The mean over datasets, and half of its 95 % interval."""
    some = differences[np.isfinite(differences)]
    return float(some.mean()), LEVEL * float(some.std(ddof=1)) / math.sqrt(len(some))


def cell(differences: Numbers) -> str:
    """A difference with its interval; in bold if zero is outside."""
    mean, half = interval(differences)
    text = f"{mean:+.3f} ± {half:.3f}"
    return f"**{text}**" if abs(mean) > half else text


def draw(gaps: dict[str, list[Numbers]], heads: Sequence[str], path: Path) -> None:
    """What each safeguard gains or costs under each condition."""
    mpl.rcParams["svg.hashsalt"] = "bakeoff"
    figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
    y = np.arange(len(gaps))
    for number, (head, colour) in enumerate(zip(heads, COLOURS, strict=True)):
        means, halves = np.transpose([interval(row[number]) for row in gaps.values()])
        at = y + 0.12 * (number - (len(heads) - 1) / 2)
        axes.errorbar(means, at, xerr=halves, fmt="o", color=colour, ms=4, lw=1, label=head)
    axes.axvline(0, color="#999999", lw=0.8)
    axes.set(yticks=y, yticklabels=[one or "no condition" for one in gaps],
             xlabel="change of the mean cost by a safeguard (left of zero: it helps)")  # fmt: skip
    axes.invert_yaxis()
    axes.legend(frameon=False, fontsize=8, ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})
