"""Safeguards: which of forgetting, exploring and starting anew helps under which condition.

    python -m benchmarks.safeguards --data DIR

Datasets, conditions, resumption and estimate (`--dry-run`) are those of benchmarks/streams.py.
At the end the section in docs/evidence/streams.md and the figure
docs/evidence/streams-safeguards.svg are written anew.
"""

import argparse
import math
import os
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

from bakeoff import Experiment, grid
from bakeoff.reproduction.markdown import lined
from bakeoff.runs import Run
from benchmarks.streams import (
    CHANGE,
    FAST,
    RATE,
    ROOT,
    STREAMS,
    WINDOWS,
    Study,
    cell,
    datasets,
    interval,
    named,
    recovered,
    say_estimate,
    table,
    windowed,
)

Numbers = NDArray[np.float64]
BASES = {"G": "greedy", "RO": "regcb:c0=1e-3,optimistic"}
SAFEGUARDS = ("forget=100", "forget=500", "explore=0.05", "restart=10", "restart=20")
FASTER = f"rate {FAST:g}"
HEADS = (*SAFEGUARDS, FASTER)
COLOURS = ("#56B4E9", "#0072B2", "#E69F00", "#CC79A7", "#009E73", "#000000")
BEGIN, END = "<!-- safeguards: python -m benchmarks.safeguards -->", "<!-- end -->"


def runs() -> list[Run]:
    """The algorithms, with each safeguard and at a larger rate."""
    specs = [
        f"{spec}{',' if ':' in spec else ':'}{safeguard},label={name(label, safeguard)}"
        for label, spec in BASES.items()
        for safeguard in SAFEGUARDS
    ]
    return [
        *grid(list(BASES.values()), learning_rates=[RATE, FAST]),
        *grid(specs, learning_rates=RATE),
    ]


def name(label: str, head: str) -> str:
    """What an algorithm with a safeguard is called in the store."""
    return label if head == FASTER else f"{label}-{head}"


def rate_of(head: str) -> float:
    """A larger learning rate is a safeguard, too."""
    return FAST if head == FASTER else RATE


def change(study: Study, stream: str, label: str, head: str) -> Numbers:
    """How a safeguard changes the mean loss of an algorithm, by dataset."""
    return study.losses(stream, name(label, head), rate_of(head)) - study.losses(stream, label)


def recovery(study: Study, label: str, head: str) -> str:
    """The loss under a change, how many runs recover, and how soon."""
    algorithm, rate = (label, RATE) if head == "none" else (name(label, head), rate_of(head))
    share, time = recovered(study.curves(CHANGE, algorithm, rate))
    loss = float(np.nanmean(study.losses(CHANGE, algorithm, rate)))
    return f"{loss:.3f}; {share:.0%}" + ("" if math.isnan(time) else f", after {time:.0%}")


def draw(study: Study, path: Path) -> None:
    """The loss over time under a change, and what each safeguard does under each condition."""
    mpl.rcParams["svg.hashsalt"] = "bakeoff"
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.8), layout="constrained")
    x = np.arange(1, WINDOWS + 1) / WINDOWS
    left.plot(x, windowed(study.curves(CHANGE, "RO")), color="#999999", label="RO as it is")
    for head, colour in zip(HEADS, COLOURS, strict=True):
        curve = windowed(study.curves(CHANGE, name("RO", head), rate_of(head)))
        left.plot(x, curve, color=colour, lw=1.2, label=head)
    left.axvline(0.5, color="#CC3311", lw=0.8)
    left.set(xlabel="share of the rounds", ylabel="mean cost within a window", title=CHANGE)
    left.legend(frameon=False, fontsize=8, ncols=2)
    y = np.arange(len(STREAMS))
    for number, (head, colour) in enumerate(zip(HEADS, COLOURS, strict=True)):
        found = [interval(change(study, stream, "RO", head)) for stream in STREAMS]
        means, halves = np.transpose(found)
        at = y + 0.12 * (number - (len(HEADS) - 1) / 2)
        right.errorbar(means, at, xerr=halves, fmt="o", color=colour, ms=3, lw=1)
    right.axvline(0, color="#999999", lw=0.8)
    right.set(yticks=y, yticklabels=[one or "no condition" for one in STREAMS],
              xlabel="change of RO's mean cost (left of zero: it helps)")  # fmt: skip
    right.invert_yaxis()
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def document(study: Study, picture: str, orders: int) -> str:
    """The generated part of docs/evidence/streams.md."""
    parts = [
        BEGIN,
        f"![RegCB-opt with safeguards under a change, and under each condition]({picture})",
        f"The change of the mean loss by each safeguard, with its 95 % interval over "
        f"{len(study.names)} datasets (orders of the rows: {orders}), paired; learning rate "
        f"{RATE:g} unless the head says another. Negative helps; bold: zero is outside.",
    ]
    for label in BASES:
        rows = [
            [named(stream), *(cell(change(study, stream, label, head)) for head in HEADS)]
            for stream in STREAMS
        ]
        parts.append(table([label, *HEADS], rows))
    both: Sequence[str] = ("none", *HEADS)
    rows = [[label, *(recovery(study, label, head) for head in both)] for label in BASES]
    parts += [
        f"Under `{CHANGE}`: the mean loss, how many runs recover, and after what share of the "
        "rounds (median of those that do).",
        table(["algorithm", *both], rows),
        END,
    ]
    return lined("\n\n".join(parts))


def main() -> None:
    """Play what is missing, and write the section."""
    parser = argparse.ArgumentParser(prog="benchmarks.safeguards")
    folder, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("--data", type=Path, default=folder, required=not folder, help="a folder with a manifest")
    add("--orders", type=int, default=3, help="orders of the rows (3)")
    add("--out", type=Path, default=Path("results-safeguards"), help="the store")
    add("--document", type=Path, default=ROOT / "docs" / "evidence" / "streams.md")
    add("--dry-run", action="store_true", help="only say how long it takes")
    options = parser.parse_args()
    names = datasets(options.data, 1000, 4000, 60)
    sources = [f"{one} | {stream}" if stream else one for one in names for stream in STREAMS]
    experiment = Experiment(sources, runs(), shuffles=options.orders, data=options.data)
    say_estimate(experiment, options.out)
    if options.dry_run:
        return
    experiment.run(options.out)
    study = Study(options.out)
    picture = options.document.with_name(f"{options.document.stem}-safeguards.svg")
    draw(study, picture)
    text = options.document.read_text()
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    options.document.write_text(before + document(study, picture.name, options.orders) + after)


if __name__ == "__main__":
    main()
