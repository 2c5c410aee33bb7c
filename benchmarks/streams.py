"""Streams: what delay, drift, noise and the like do to the bake-off's verdict.

    python -m benchmarks.streams --data DIR

Results go into a store (`--out`), and what is there is not computed again: stop at any
time, and go on later. An estimate comes first (`--dry-run`: and nothing else). At the end
the study in docs/evidence/streams.md and the figure docs/evidence/streams.svg are written anew.
"""

import argparse
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib import pyplot as plt
from numpy.typing import NDArray

import bakeoff
from bakeoff import Experiment, Problem, grid, load, simulate
from bakeoff.data import split_stream
from bakeoff.reading.catalog import find
from bakeoff.runs import Run
from bakeoff.simulation import Curve

Numbers = NDArray[np.float64]
ROOT = Path(__file__).resolve().parents[1]
STREAMS = (
    "",
    "delay(100)",
    "delay(batch, every=200)",
    "lost(0.5)",
    "noise(0.1)",
    "noise(1, after=0.4, until=0.5)",
    "drift(after=0.5)",
    "drift(every=0.25)",
    "lives(0.5)",
)
RATE, FAST = 0.5, 3.0
EPSILON = "epsilon-greedy:epsilon=0.1,label=eG-0.1"
SKYLINE = "OAA"
CHANGE = "drift(after=0.5)"
WINDOWS = 50
PAIRS = (("RO", "G"), ("C-nu", "eG"), ("B-g", "G"), ("eG-0.1", "eG"))
BEGIN, END = "<!-- study: python -m benchmarks.streams -->", "<!-- end of the study -->"


def runs() -> list[Run]:
    """The paper's algorithms, and one that explores more, at two learning rates."""
    return grid(["fixed", EPSILON], learning_rates=[RATE, FAST])


def datasets(data: Path, least: int, most: int, widest: int) -> list[str]:
    """The paper's tuning datasets that are here and neither too small nor too large."""
    found = []
    for source in find("paper-tuning", data).sources:
        sizes = source.published
        if sizes is None or not source.is_here():
            continue
        if least <= sizes.n <= most and sizes.n_features <= widest:
            found.append(source.name)
    return found


def experiment(names: Iterable[str], data: Path, orders: int) -> Experiment:
    """All datasets under all conditions."""
    sources = [f"{name} | {stream}" if stream else name for name in names for stream in STREAMS]
    return Experiment(sources, runs(), shuffles=orders, data=data)


def say_estimate(study: Experiment, out: Path) -> None:
    """Say what is left to do, and for how long."""
    plan, estimate, means = study.dry_run(out)
    print(
        f"{len(plan.problems)} streams; to do: {estimate.runs:,} runs, about "
        f"{estimate.seconds:.0f} s with {means.threads} threads",
        flush=True,
    )


# ---- what is measured


class Study:
    """Losses and curves by stream, algorithm, learning rate and dataset."""

    def __init__(self, out: Path) -> None:
        self.store = bakeoff.open(out)
        rows = self.store.rows().filter(pl.col("error").is_null())
        split = [split_stream(name) for name in rows["problem"]]
        self.rows = rows.with_columns(
            plain=pl.Series([name for name, _ in split]),
            stream=pl.Series([stream for _, stream in split]),
        )
        self.names = sorted(self.rows["plain"].unique())
        self.algorithms = [*self.store.algorithms, SKYLINE]

    def losses(self, stream: str, algorithm: str, rate: float = RATE) -> Numbers:
        """The mean loss over orders, by dataset."""
        some = self._some(stream, algorithm, rate).group_by("plain").agg(pl.col("pv_loss").mean())
        by_name = dict(some.iter_rows())
        return np.array([by_name.get(name, np.nan) for name in self.names])

    def curves(self, stream: str, algorithm: str, rate: float = RATE) -> list[tuple[int, Curve]]:
        """Numbers of rounds and learning curves, of every dataset and order."""
        some = self._some(stream, algorithm, rate).select("n", "curve_rounds", "curve_loss")
        return [(n, Curve(np.array(r), np.array(loss))) for n, r, loss in some.iter_rows()]

    def _some(self, stream: str, algorithm: str, rate: float) -> pl.DataFrame:
        return self.rows.filter(
            (pl.col("stream") == stream)
            & (pl.col("algorithm") == algorithm)
            & (pl.col("learning_rate") == rate)
        )


def windowed(curves: Sequence[tuple[int, Curve]]) -> Numbers:
    """The mean loss within each window of the stream, over all curves."""
    return np.mean([curve.windows(WINDOWS).pv_loss for _, curve in curves], axis=0)


def recovered(curves: Sequence[tuple[int, Curve]]) -> tuple[float, float]:
    """How many runs recover after the change, and their median time, as shares."""
    found = [(curve.recovery(round(n / 2)), n) for n, curve in curves]
    times = [time / n for time, n in found if time is not None]
    return len(times) / len(found), float(np.median(times)) if times else math.nan


def by_phase(problem: Problem) -> tuple[float, float]:
    """The cost of the best action of each phase, and the skyline's that knows the phases."""
    constant = skyline = 0.0
    for first, last in problem.phases:
        part = problem.events(np.arange(first, last))
        constant += part.constant_action_cost * part.n / problem.n
        [result] = simulate(part, [Run("supervised", learning_rate=RATE)])
        skyline += result.pv_loss * part.n / problem.n
    return constant, skyline


# ---- what is written


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; bars in cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def named(stream: str) -> str:
    """A stream in tables."""
    return f"`{stream}`" if stream else "none"


def losses_table(study: Study) -> str:
    """Mean losses of all algorithms under each condition, the best in bold."""
    bandits = [a for a in study.algorithms if a != SKYLINE]
    rows = []
    for stream in STREAMS:
        means = [float(np.nanmean(study.losses(stream, a))) for a in bandits]
        cells = [f"**{m:.3f}**" if m == min(means) else f"{m:.3f}" for m in means]
        skyline = float(np.nanmean(study.losses(stream, SKYLINE)))
        rows.append([named(stream), *cells, f"{skyline:.3f}"])
    return table(["condition", *bandits, "skyline"], rows)


def pairs_table(study: Study) -> str:
    """Differences of mean losses, with standard errors over datasets."""
    rows = []
    for stream in STREAMS:
        cells = []
        for one, other in PAIRS:
            gap = study.losses(stream, one) - study.losses(stream, other)
            gap = gap[np.isfinite(gap)]
            error = gap.std(ddof=1) / math.sqrt(len(gap))
            cells.append(f"{gap.mean():+.3f} ± {error:.3f} ({(gap < 0).sum()}/{(gap > 0).sum()})")
        rows.append([named(stream), *cells])
    return table(["condition", *(f"{one} - {other}" for one, other in PAIRS)], rows)


def verdicts_table(study: Study) -> str:
    """The first sentence of the verdict under each condition."""
    rows = []
    for stream in STREAMS:
        said = str(study.store.verdict(stream=stream, test="paired")).splitlines()[0]
        rows.append([named(stream), said])
    return table(["condition", "verdict, at the better of the two rates"], rows)


def recovery_table(study: Study) -> str:
    """How soon algorithms recover from a change, at both rates."""
    rows = []
    for algorithm in study.algorithms:
        cells = []
        for rate in (RATE, FAST):
            share, time = recovered(study.curves(CHANGE, algorithm, rate))
            loss = float(np.nanmean(study.losses(CHANGE, algorithm, rate)))
            still = float(np.nanmean(study.losses("", algorithm, rate)))
            when = "" if math.isnan(time) else f", after {time:.0%}"
            cells += [f"{still:.3f}", f"{loss:.3f}", f"{share:.0%}{when}"]
        rows.append([algorithm, *cells])
    heads = [
        f"{what}, rate {rate:g}" for rate in (RATE, FAST) for what in ("plain", "drift", "recover")
    ]
    return table(["algorithm", *heads], rows)


def phases_sentence(study: Study, data: Path) -> str:
    """What the best fixed action and the skyline cost, with and without the phases."""
    found = []
    for number in sorted(study.rows["openml_id"].unique()):
        problem = load(f"openml:{number} | {CHANGE}", data=data).shuffled(1)
        [skyline] = simulate(problem, [Run("supervised", learning_rate=RATE)])
        found.append((problem.constant_action_cost, *by_phase(problem), skyline.pv_loss))
    always, constant, knowing, blind = np.mean(found, axis=0)
    return (
        f"Under `{CHANGE}` the best fixed action costs {always:.3f}, the best of each phase "
        f"{constant:.3f}; the skyline costs {blind:.3f}, and {knowing:.3f} if it knows the phases "
        f"and starts anew."
    )


def draw(study: Study, path: Path) -> None:
    """The loss over time under drift, and what each condition costs."""
    mpl.rcParams["svg.hashsalt"] = "bakeoff"
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    shown = {
        "G": "#000000",
        "eG-0.1": "#E69F00",
        "RO": "#0072B2",
        "C-nu": "#009E73",
        "B-g": "#CC79A7",
    }
    x = np.arange(1, WINDOWS + 1) / WINDOWS
    for algorithm, colour in shown.items():
        left.plot(x, windowed(study.curves(CHANGE, algorithm)), color=colour, label=algorithm)
    fast = windowed(study.curves(CHANGE, "RO", FAST))
    left.plot(x, fast, color=shown["RO"], ls="--", label=f"RO, rate {FAST:g}")
    left.plot(x, windowed(study.curves(CHANGE, SKYLINE)), color="#777777", ls=":", label="skyline")
    left.axvline(0.5, color="#CC3311", lw=0.8)
    left.set(xlabel="share of the rounds", ylabel="mean cost within a window", title=CHANGE)
    left.legend(frameon=False, fontsize=8, ncols=2)
    streams = [stream for stream in STREAMS if stream]
    y = np.arange(len(streams))
    for number, (algorithm, colour) in enumerate(shown.items()):
        rise = [
            np.nanmean(study.losses(s, algorithm) - study.losses("", algorithm)) for s in streams
        ]
        right.plot(rise, y + 0.12 * (number - 2), "o", color=colour, ms=4, label=algorithm)
    right.axvline(0, color="#999999", lw=0.8)
    right.set(yticks=y, yticklabels=streams, xlabel="rise of the mean loss")
    right.invert_yaxis()
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def document(study: Study, data: Path, orders: int) -> str:
    """The generated part of docs/evidence/streams.md."""
    plain = study.rows.filter(pl.col("stream") == "").unique("digest")
    n, K = plain["n"].to_list(), plain["n_actions"].to_list()
    return "\n\n".join(
        [
            BEGIN,
            f"{len(study.names)} of the paper's tuning datasets ({min(n):,} to {max(n):,} rows, "
            f"{min(K)} to {max(K)} actions), {orders} orders of their rows, encoding -1/0.",
            "![Loss over time under drift, and what each condition costs](streams.svg)",
            f"Mean losses at learning rate {RATE:g} (no rate is chosen by the results):",
            losses_table(study),
            "What becomes of four comparisons: mean difference ± its standard error over "
            "datasets, and on how many datasets the first is better/worse. Negative is better.",
            pairs_table(study),
            'What `store.verdict(stream=..., test="paired")` says:',
            verdicts_table(study),
            phases_sentence(study, data),
            "How many runs recover from the change, and after what share of the rounds (median "
            "of those that do; `Curve.recovery`), at two learning rates:",
            recovery_table(study),
            END,
        ]
    )


def main() -> None:
    """Play what is missing, and write the study."""
    parser = argparse.ArgumentParser(prog="benchmarks.streams")
    folder, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("--data", type=Path, default=folder, required=not folder, help="a folder with a manifest")
    add("--least", type=int, default=1000, help="rows of a dataset (1,000)")
    add("--most", type=int, default=4000, help="rows of a dataset (4,000)")
    add("--widest", type=int, default=60, help="features of a dataset (60)")
    add("--orders", type=int, default=3, help="orders of the rows (3)")
    add("--out", type=Path, default=Path("results-streams"), help="the store")
    add(
        "--document",
        type=Path,
        default=ROOT / "docs" / "evidence" / "streams.md",
        help="what to write",
    )
    add("--dry-run", action="store_true", help="only say how long it takes")
    options = parser.parse_args()
    names = datasets(options.data, options.least, options.most, options.widest)
    study = experiment(names, options.data, options.orders)
    say_estimate(study, options.out)
    if options.dry_run:
        return
    study.run(options.out)
    found = Study(options.out)
    draw(found, options.document.with_suffix(".svg"))
    text = options.document.read_text()
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    options.document.write_text(before + document(found, options.data, options.orders) + after)


if __name__ == "__main__":
    main()
