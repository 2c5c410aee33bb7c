"""The figures of pages of evidence, from the tables that stand on these pages.

    python benchmarks/evidence_figures.py                # all of them
    python benchmarks/evidence_figures.py coverage speed

Benchmarks measure the tables; each page names its own. A figure is drawn again from what
its page says, so the two cannot disagree.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import fill

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

EVIDENCE = Path(__file__).resolve().parents[1] / "docs" / "evidence"
BLUE, RED, GREEN = "#0072B2", "#D55E00", "#009E73"
INTERVALS = ("normal", "student", "bootstrap", "likelihood", "stabilised", "smoothing",
             "sequence", "robust", "auto")  # fmt: skip
LEVEL = 95.0
MARGIN = 0.01
NUMBER = r"([+-]?\d*\.?\d+)"


def rows_of(page: str) -> Iterator[dict[str, str]]:
    """Every row of every table of a page, by the names of its columns."""
    header: list[str] = []
    for line in page.splitlines():
        fields = [field.strip() for field in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = fields
        elif not set(line) <= set("|-: "):
            yield dict(zip(header, fields, strict=False))


def draw_coverage(page: str, axes: Axes) -> None:
    """A row for each interval, a dot for each kind of log and estimator."""
    cells = defaultdict(list)
    for row in rows_of(page.partition("## Looking again")[0]):
        log, *others = row.items()
        colour = RED if re.search("heavy|settling", log[1]) else BLUE
        for column, text in others:
            coverage = re.match(r"\**([\d.]+) %\**", text)
            if coverage and ", " in column:
                cells[column.rpartition(", ")[2]].append((float(coverage[1]), colour))
    names = [name for name in reversed(INTERVALS) if name in cells]
    for place, name in enumerate(names):
        for value, colour in cells[name]:
            height = place + (0.18 if colour == RED else -0.18)
            axes.plot(value, height, "o", ms=4, alpha=0.6, mew=0, color=colour)
    axes.axvline(LEVEL, color="black", lw=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("logs in which a 95 % interval held the truth (%)")
    add_legend(axes, {"light weights": BLUE, "heavy weights or falling exploration": RED})


def draw_speed(page: str, axes: Axes) -> None:
    """A row for each algorithm: filled dots for a grid, open ones for a single run."""
    papers = page.partition("## Explorers after the paper")[0]
    rows = [row for row in rows_of(papers) if "VW / grid" in row]
    names = list(dict.fromkeys(row["algorithm"] for row in rows))[::-1]
    colours = dict(
        zip(dict.fromkeys(row["shape"] for row in rows), (BLUE, GREEN, RED), strict=True)
    )
    for row in rows:
        height = names.index(row["algorithm"])
        for column, style in (("VW / grid", "full"), ("VW / single", "none")):
            ratio = float(row[column].rstrip("x"))
            axes.plot(ratio, height, "o", ms=6, color=colours[row["shape"]], fillstyle=style)
    axes.set_xscale("log")
    ticks = [1, 2, 5, 10, 20, 50]
    axes.set_xticks(ticks, [f"{tick}x" for tick in ticks])
    axes.minorticks_off()
    axes.axvline(1, color="black", lw=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("times as fast as Vowpal Wabbit (filled: a run in a grid, open: a single run)")
    add_legend(axes, colours)


def draw_quality(page: str, axes: Axes) -> None:
    """The difference of each cell with its interval, and the margin."""
    rows = [row for row in rows_of(page) if "verdict (95 % interval)" in row][::-1]
    for height, row in enumerate(rows):
        low, high = re.findall(NUMBER, row["verdict (95 % interval)"])
        colour = BLUE if row["encoding"] == "-1/0" else RED
        axes.plot([float(low), float(high)], [height, height], color=colour)
        axes.plot(float(row["difference"]), height, "o", ms=5, color=colour)
    axes.axvline(0, color="black", lw=0.8)
    axes.axvline(MARGIN, color="black", lw=0.8, ls="--")
    axes.set_yticks(range(len(rows)), [row["algorithm"] for row in rows])
    axes.set_xlabel("our mean loss minus the program's (dashed: the margin)")
    add_legend(axes, {"-1/0": BLUE, "0/1": RED})


def draw_ablations(page: str, axes: Axes) -> None:
    """For each decision, the mean difference of each algorithm that it concerns."""
    found = defaultdict(list)
    for row in rows_of(page):
        difference = re.match(NUMBER, row.get("mean difference (95 % interval)", ""))
        if difference and row["decision"][0].isdigit():
            found[row["decision"]].append((float(difference[1]), row["encoding"]))
    names = list(found)[::-1]
    for height, name in enumerate(names):
        for value, encoding in found[name]:
            colour = BLUE if encoding == "-1/0" else RED
            axes.plot(value, height, "o", ms=5, alpha=0.6, mew=0, color=colour)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(range(len(names)), [fill(name, 44) for name in names], fontsize=8)
    axes.set_xlabel("mean loss of the package minus that without the decision")
    add_legend(axes, {"-1/0": BLUE, "0/1": RED})


def add_legend(axes: Axes, colours: dict[str, str]) -> None:
    """Name the colours above the plot."""
    for label, colour in colours.items():
        axes.plot([], [], "o", color=colour, label=label)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(colours), frameon=False)


FIGURES: dict[str, tuple[Callable[[str, Axes], None], float]] = {
    "coverage": (draw_coverage, 3.8),
    "speed": (draw_speed, 3.8),
    "quality": (draw_quality, 4.8),
    "ablations": (draw_ablations, 3.0),
}
"""How to draw the figure of a page, and its height in inches."""


def main(names: list[str]) -> None:
    """Draw the figures of some pages, or of all."""
    mpl.rcParams["svg.hashsalt"] = "bakeoff"
    for name in names or FIGURES:
        draw, height = FIGURES[name]
        figure, axes = plt.subplots(figsize=(7.5, height))
        draw((EVIDENCE / f"{name}.md").read_text(), axes)
        axes.spines[["top", "right"]].set_visible(False)
        figure.tight_layout()
        figure.savefig(EVIDENCE / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1:])
