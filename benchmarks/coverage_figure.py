"""The figure of the page on coverage, from the tables that stand on it.

    python benchmarks/coverage_figure.py docs/evidence/coverage.md docs/evidence/coverage.svg

`benchmarks/interval_coverage.py` measures the tables. A dot is a cell: one kind of log, one
estimator.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt

SHOWN = ("normal", "student", "bootstrap", "likelihood", "stabilised", "smoothing", "sequence",
         "robust", "auto")  # fmt: skip
LEVEL = 95.0


def cells_of(page: str) -> dict[str, list[tuple[bool, float]]]:
    """Interval -> (weights are heavy or exploration falls, coverage) at one look."""
    cells = defaultdict(list)
    header: list[str] = []
    for line in page.partition("## Looking again")[0].splitlines():
        fields = [field.strip() for field in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = fields
        else:
            is_hard = bool(re.search("heavy|settling", fields[0]))
            for name, text in zip(header[1:], fields[1:], strict=False):
                coverage = re.match(r"\**([\d.]+) %\**", text)
                interval = name.rpartition(", ")[2]
                if coverage and interval in SHOWN and ", " in name:
                    cells[interval].append((is_hard, float(coverage[1])))
    return cells


def draw(cells: dict[str, list[tuple[bool, float]]], path: Path) -> None:
    """A row for each interval, a dot for each cell, and the promise as a line."""
    mpl.rcParams["svg.hashsalt"] = "bakeoff"
    figure, axes = plt.subplots(figsize=(7.5, 3.6))
    names = [name for name in SHOWN if name in cells]
    for row, name in enumerate(reversed(names)):
        for is_hard, colour in ((True, "#D55E00"), (False, "#0072B2")):
            values = sorted(value for hard, value in cells[name] if hard == is_hard)
            shifts = [row + 0.18 * (1 if is_hard else -1)] * len(values)
            axes.plot(values, shifts, "o", ms=4, alpha=0.6, mew=0, color=colour)
    axes.axvline(LEVEL, color="black", lw=0.8)
    axes.set_yticks(range(len(names)), reversed(names))
    axes.set_xlabel("logs in which a 95 % interval held the truth (%)")
    axes.plot([], [], "o", color="#0072B2", label="light weights")
    axes.plot([], [], "o", color="#D55E00", label="heavy weights or falling exploration")
    axes.legend(loc="lower left", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(cells_of(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
