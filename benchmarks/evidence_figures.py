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

from bakeoff.reproduction.figure import draw_company
from bakeoff.runs import INPUTS

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
    times_as_fast(
        axes, "times as fast as Vowpal Wabbit (filled: a run in a grid, open: a single run)"
    )
    axes.set_yticks(range(len(names)), names)
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


def draw_inputs(page: str, axes: Axes) -> None:
    """For each algorithm, what centring changes where rates are chosen on other datasets."""
    encodings = {"-1/0": BLUE, "0/1": RED}
    for encoding, colour in encodings.items():
        section = page.partition(f"## Losses with {encoding}")[2].partition("\n## ")[0]
        view = section.partition("**The rate that was best on the other datasets**")[2]
        rows = [row for row in rows_of(view.partition("\n**")[0]) if "difference" in row][::-1]
        for place, row in enumerate(rows):
            height = place + (0.15 if encoding == "-1/0" else -0.15)
            low, high = re.findall(NUMBER, row["95 %"])
            axes.plot([float(low), float(high)], [height, height], color=colour)
            axes.plot(float(row["difference"]), height, "o", ms=5, color=colour)
    axes.set_yticks(range(len(rows)), [row["algorithm"] for row in rows])
    axes.axvline(0, color="black", lw=0.8)
    axes.set_xlabel("mean loss with centred inputs minus that with raw ones (95 % intervals)")
    add_legend(axes, encodings)


def draw_today(page: str, axes: Axes) -> None:
    """The mean loss of each algorithm, raw and centred, without peeking at its rate."""
    glance = page.partition("## At a glance")[2].partition("### 0/1")[0]
    losses = {
        row["algorithm"]: {inputs: float(row[f"{inputs}, elected"]) for inputs in INPUTS}
        for row in rows_of(glance)
    }
    draw_company(axes, losses)


def draw_live(page: str, axes: Axes) -> None:
    """How many times Vowpal Wabbit's speed: fixed actions above, actions with features below."""
    tables = {
        "fixed actions": ("algorithm", BLUE),
        "actions with features": ("algorithm, K, user x action features", RED),
    }
    rows = [
        (row[column], float(row["ratio"].rstrip("x")), colour)
        for column, colour in tables.values()
        for row in rows_of(page)
        if "VW events/s" in row and column in row
    ][::-1]
    for height, (_, ratio, colour) in enumerate(rows):
        axes.plot(ratio, height, "o", ms=6, color=colour)
    times_as_fast(axes, "times as many events per second as Vowpal Wabbit called from Python")
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows], fontsize=8)
    add_legend(axes, {name: colour for name, (_, colour) in tables.items()})


def draw_serving(page: str, axes: Axes) -> None:
    """From the median to the 99th percentile of a request, by number of workers."""
    rows = [row for row in rows_of(page) if "p99 ms" in row][::-1]
    for height, row in enumerate(rows):
        median, late = float(row["p50 ms"]), float(row["p99 ms"])
        axes.plot([median, late], [height, height], color=BLUE)
        axes.plot(median, height, "o", ms=6, color=BLUE)
        axes.plot(late, height, "o", ms=6, color=BLUE, fillstyle="none")
    axes.set_xlim(left=0)
    names = [f"{row['']}\n{row['requests/s']} requests/s" for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlabel("milliseconds per request (filled: median, open: 99th percentile)")


def draw_statistics(page: str, axes: Axes) -> None:
    """How often an algorithm is called a clear winner, by how much better it is."""
    section = page.partition("How often are equal algorithms called winners?")[2]
    found = defaultdict(list)
    colours = {"10 datasets": BLUE, "30 datasets": GREEN, "100 datasets": RED}
    for row in rows_of(section.partition("The price is paid")[0]):
        case = re.fullmatch(r"(\d+) (?:equal ones|algorithms, one better by ([\d.]+))", row["case"])
        for size in colours if case else ():
            clear = float(row[size].partition("%")[0])
            found[case[1], size].append((float(case[2] or 0), clear))  # type: ignore[index]
    for style, n in (("-", "2"), ("--", "9")):
        for size, colour in colours.items():
            leads, shares = zip(*sorted(found[n, size]), strict=True)
            axes.plot(range(len(leads)), shares, style, marker="o", ms=4, color=colour)
    axes.set_xticks(range(len(leads)), ["equal", *(f"better by {lead:g}" for lead in leads[1:])])
    axes.set_ylabel("called a clear winner (%)")
    axes.set_xlabel("solid: two algorithms; dashed: nine, of which one is better")
    add_legend(axes, colours)


def draw_corpus(page: str, axes: Axes) -> None:
    """Our losses against the published ones."""
    rows = [row for row in rows_of(page) if "the paper" in row]
    losses = [(float(row["the paper"]), float(row["ours"])) for row in rows]
    axes.axline((0, 0), slope=1, color="black", lw=0.8)
    for published, ours in losses:
        axes.plot(published, ours, "o", ms=5, alpha=0.6, mew=0, color=BLUE)
    axes.set(xlabel="supervised loss that the paper published", ylabel="ours, mean of ten shuffles")
    axes.set_aspect("equal")


def times_as_fast(axes: Axes, label: str) -> None:
    """A logarithmic axis of ratios."""
    axes.set_xscale("log")
    ticks = [1, 2, 5, 10, 20, 50]
    axes.set_xticks(ticks, [f"{tick}x" for tick in ticks])
    axes.minorticks_off()
    axes.axvline(1, color="black", lw=0.8)
    axes.set_xlabel(label)


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
    "inputs": (draw_inputs, 4.2),
    "bakeoff-today": (draw_today, 6.0),
    "live": (draw_live, 4.6),
    "serving": (draw_serving, 2.4),
    "statistics": (draw_statistics, 3.6),
    "corpus": (draw_corpus, 4.6),
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
