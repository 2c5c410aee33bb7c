"""Streams: what delay, drift, noise and the like do to the bake-off's verdict.

    python -m benchmarks.streams --data DIR

Results go into a store (`--out`), and what is there is not computed again: stop at any
time, and go on later. An estimate comes first (`--dry-run`: and nothing else). At the end
the study in docs/evidence/streams.md and the figure docs/evidence/streams.svg are written anew.

Losses are means over orders; intervals are those of Student over datasets, at 95 %.
"""

import argparse
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from scipy import special

import bakeoff
from bakeoff import Experiment, Problem, grid, load, simulate
from bakeoff.data import split_stream
from bakeoff.data.streams.stream import matrix_of
from bakeoff.reading.catalog import find
from bakeoff.reproduction.markdown import lined
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
CONCLUSIONS = (  # of the paper, and who does not lose more than whom by them
    ("RO", "eG", "RegCB-opt is better than epsilon-greedy"),
    ("RO", "G", "RegCB-opt is better than Greedy"),
    ("G", "eG", "Greedy is better than epsilon-greedy"),
    ("C-nu", "eG", "Cover-NU is better than epsilon-greedy"),
    ("C-nu", "C-u", "Cover is better without uniform exploration"),
    ("B-g", "B", "Bag is better with a greedy first policy"),
    ("eG", "eG-0.1", "Epsilon 0.02 is better than 0.1"),
)
PHASED = ("", "drift(after=0.5)", "drift(every=0.25)")
RIDGE = 1e-3
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


class Best(NamedTuple):
    """Costs of each event under what knows more than a bandit."""

    action: Numbers  # the best fixed action in hindsight
    phase_action: Numbers  # that of each phase
    policy: Numbers  # the best fixed linear policy in hindsight, by least squares on all costs
    phase_policy: Numbers  # that of each phase
    skyline: Numbers  # told all costs, one event after the other
    phase_skyline: Numbers  # starts anew with each phase


def best_of(problem: Problem) -> Best:
    """What a stream would cost those who know more; `problem` has its rows in the order played."""
    costs = matrix_of(problem.true_costs, problem.n_actions)
    parts = [slice(*phase) for phase in problem.phases]
    whole = [slice(0, problem.n)]
    return Best(
        *(np.concatenate([_best_action(costs[p]) for p in some]) for some in (whole, parts)),
        *(_best_policy(problem, costs, some) for some in (whole, parts)),
        *(np.concatenate([_skyline(problem, p) for p in some]) for some in (whole, parts)),
    )


def _best_action(costs: Numbers) -> Numbers:
    found: Numbers = costs[:, costs.mean(axis=0).argmin()]
    return found


def _best_policy(problem: Problem, costs: Numbers, parts: list[slice]) -> Numbers:
    """Fitted to the very rows that it is judged on, so nothing linear does much better."""
    x, rows = problem.contexts, np.arange(problem.n)
    X = np.zeros((problem.n, problem.n_features + 1))
    X[np.repeat(rows, np.diff(x.start)), x.feature] = x.value
    X[:, 1:] /= np.maximum(np.abs(X[:, 1:]).max(axis=0), 1e-30)
    chosen = np.empty(problem.n, np.int64)
    for part in parts:
        gram = X[part].T @ X[part] + RIDGE * np.eye(X.shape[1])
        chosen[part] = (X[part] @ np.linalg.solve(gram, X[part].T @ costs[part])).argmin(axis=1)
    found: Numbers = costs[rows, chosen]
    return found


def _skyline(problem: Problem, part: slice) -> Numbers:
    some = problem.events(np.arange(part.start, part.stop))
    [result] = simulate(some, [Run("supervised", learning_rate=RATE)], shuffle=0, record=True)
    assert result.costs is not None
    return np.asarray(result.costs, float)


def interval(differences: Numbers) -> tuple[float, float]:
    """The mean over datasets, and half of its 95 % interval (Student's)."""
    some = differences[np.isfinite(differences)]
    level = float(special.stdtrit(len(some) - 1, 0.975))
    return float(some.mean()), level * float(some.std(ddof=1)) / math.sqrt(len(some))


def cell(differences: Numbers) -> str:
    """A difference with its interval; in bold if zero is outside."""
    mean, half = interval(differences)
    text = f"{mean:+.3f} ± {half:.3f}"
    return f"**{text}**" if abs(mean) > half else text


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


def conclusions_table(study: Study) -> str:
    """Differences of mean losses under each condition."""
    rows = []
    for one, other, words in CONCLUSIONS:
        cells = [cell(study.losses(s, one) - study.losses(s, other)) for s in STREAMS]
        rows.append([f"{words} ({one} - {other})", *cells])
    return table(["", *(named(stream) for stream in STREAMS)], rows)


def survival_table(study: Study) -> str:
    """Under how many conditions a difference is what it is without them, by its interval."""
    rows = []
    for one, other, words in CONCLUSIONS:
        found = {s: interval(study.losses(s, one) - study.losses(s, other)) for s in STREAMS}
        kinds = {stream: _kind(*there) for stream, there in found.items()}
        counts = [
            ", ".join(named(s) for s in STREAMS if s and kinds[s] == kind) or "none"
            for kind in ("yes", "not told", "the reverse")
        ]
        if counts[0].count("`") == 2 * (len(STREAMS) - 1):
            counts[0] = "all"
        rows.append([words, kinds[""], *counts])
    return table(["conclusion", "without", "holds under", "cannot be told under", "reversed"], rows)


def _kind(mean: float, half: float) -> str:
    return "not told" if abs(mean) <= half else "yes" if mean < 0 else "the reverse"


def verdicts_table(study: Study) -> str:
    """Who leads under each condition, by the package's own verdict."""
    found = {one["stream"]: one for one in study.store.by_stream().iter_rows(named=True)}
    rows = []
    for stream in STREAMS:
        one = found[stream]
        numbers = (one["mean_loss"], one["rise"], one["behind"], one["plain_behind"])
        loss, rise, behind, plain = (f"{number:.3f}" for number in numbers)
        rows.append(
            [named(stream), one["leader"], loss, rise, one["second"], behind, one["grade"], plain]
        )
    head = ["condition", "leads", "mean loss", "rise", "next", "behind", "how sure"]
    return table([*head, f"{found['']['leader']} behind"], rows)


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


def bests(study: Study, data: Path, stream: str, orders: int) -> list[Best]:
    """What is best on each dataset and order."""
    plain = study.rows.filter(pl.col("stream") == "").unique("plain").sort("plain")
    return [
        best_of(load(" | ".join(filter(None, [f"openml:{number}", stream])), data=data).shuffled(o))
        for number in plain["openml_id"]
        for o in range(1, orders + 1)
    ]


def bests_table(found: dict[str, list[Best]]) -> str:
    """Mean costs of what knows more."""
    heads = ("best action", "of each phase", "best fixed policy", "of each phase",
             "skyline", "anew in each phase")  # fmt: skip
    rows = []
    for stream, some in found.items():
        means = np.mean([[costs.mean() for costs in one] for one in some], axis=0)
        rows.append([named(stream), *(f"{mean:.3f}" for mean in means)])
    return table(["condition", *heads], rows)


def over_time(some: Sequence[Best], name: str) -> Numbers:
    """The mean cost within each window, over datasets and orders."""
    parts = [np.array_split(getattr(one, name), WINDOWS) for one in some]
    return np.mean([[float(part.mean()) for part in one] for one in parts], axis=0)


def draw(study: Study, found: Sequence[Best], path: Path) -> None:
    """The loss over time under drift beside what is best, and what each condition costs."""
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
    knowing = over_time(found, "phase_skyline")
    left.plot(x, knowing, color="#777777", ls="-.", label="skyline, knows the phases")
    fixed = over_time(found, "policy")
    left.plot(x, fixed, color="#DDAA33", lw=1, label="best fixed policy")
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


def document(study: Study, found: dict[str, list[Best]], orders: int) -> str:
    """The generated part of docs/evidence/streams.md."""
    plain = study.rows.filter(pl.col("stream") == "").unique("digest")
    n, K = plain["n"].to_list(), plain["n_actions"].to_list()
    by_chance = 0.05 * len(CONCLUSIONS) * len(STREAMS)
    parts = [
        BEGIN,
        f"{len(study.names)} of the paper's tuning datasets ({min(n):,} to {max(n):,} rows, "
        f"{min(K)} to {max(K)} actions), {orders} orders of their rows, encoding -1/0.",
        f"Mean losses at learning rate {RATE:g} (no rate is chosen by the results):",
        losses_table(study),
        "Which of the paper's conclusions survive, by the intervals of the table below:",
        survival_table(study),
        "Mean differences with their 95 % intervals over datasets; negative: the first of the "
        f"two in brackets is better; bold: zero is outside. Of these {len(CONCLUSIONS)} x "
        f"{len(STREAMS)} intervals, chance alone would leave {by_chance:.0f} without zero.",
        conclusions_table(study),
        "The verdict under each condition (`store.by_stream()`), at the rate that is better on "
        "the other datasets:",
        verdicts_table(study),
        "What knows more, beside the algorithms: mean costs. Fixed policies are linear, and "
        "fitted by least squares to the costs of the very rows that they are judged on; the "
        "skyline is told all costs as it goes, and knows the phases if it starts anew in each.",
        bests_table(found),
        "How many runs recover from the change, and after what share of the rounds (median "
        "of those that do; `Curve.recovery`), at two learning rates:",
        recovery_table(study),
        END,
    ]
    return lined("\n\n".join(parts))


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
    results = Study(options.out)
    found = {s: bests(results, options.data, s, options.orders) for s in PHASED}
    draw(results, found[CHANGE], options.document.with_suffix(".svg"))
    text = options.document.read_text()
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    options.document.write_text(before + document(results, found, options.orders) + after)


if __name__ == "__main__":
    main()
