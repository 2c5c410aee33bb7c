"""Whether error bars, tests and verdicts keep what they promise.

    python benchmarks/calibration.py             # everything, a quarter of an hour
    python benchmarks/calibration.py --quick     # a rougher look

Coverage: how often "mean +- t standard errors" over ten shuffles contains the expected
loss of the setting it is printed for. False positives: how often a test calls a run
better than the same algorithm's with another seed. Verdicts: how often one of several
equal algorithms is called a clear or likely winner, and how often a better one is.
Selection: whether a learner whose settings are pure noise gains from having many of
them. The tables are Markdown, for docs/evidence/statistics.md.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import stats

from bakeoff import Experiment, grid
from bakeoff.judging.competitors import fixed, unpeeked
from bakeoff.judging.contest import Contest, Numbers, contest_of
from bakeoff.judging.evidence import (
    against_leader,
    chance_of,
    influence_of,
    robustness_of,
    size_of,
    way_of,
    weakest,
)
from bakeoff.judging.losses import ALGORITHMS, Losses, losses_of
from bakeoff.judging.statistics.leads import Grade, scores_of
from bakeoff.judging.statistics.signed_rank import signed_rank
from bakeoff.judging.statistics.significance import Test, p_values, wins
from bakeoff.reading.catalog.paper import tuning_ids
from bakeoff.runs.grids import RATES
from bakeoff.store.rows import rows_of
from bakeoff.store.store import Store

PROBLEMS = {  # name: blocks of ten shuffles
    "iris": 40, "wine": 40, "breast_cancer": 40, "iris-majority": 40,
    "wine-traits": 40, "iris-tree": 40, "breast_cancer-triage": 40,
    "digits": 10, "digits-majority": 10, "rich-contexts": 10,
}  # fmt: skip
SHUFFLES = 10  # of one printed mean
SURE = 0.95  # a second opinion that sounds certain


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    print(f"\n{title}\n")
    for row in (head, ["---"] * len(head), *rows):
        print("| " + " | ".join(row) + " |")
    sys.stdout.flush()


# ---- runs of algorithms on real problems


def played(
    problem: str,
    algorithms: Sequence[str],
    n_blocks: int,
    n_seeds: int,
    rates: Sequence[float] = RATES,
) -> pl.DataFrame:
    """Rows of an experiment: blocks of ten shuffles, each with several seeds."""
    runs = grid(algorithms, learning_rates=rates, seeds=n_seeds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shuffles = n_blocks * SHUFFLES
        Experiment(f"embedded:{problem}", runs, shuffles=shuffles).run(folder)
        rows = Store(folder).read()
    block = (pl.col("shuffle") - 1) // SHUFFLES
    return rows.with_columns(block.alias("block")).sort(
        "algorithm", "learning_rate", "seed", "shuffle"
    )


def chosen(rows: pl.DataFrame) -> pl.DataFrame:
    """What is printed of each algorithm, block and seed: the rate of the least mean."""
    means = rows.group_by("algorithm", "block", "seed", "learning_rate", maintain_order=True).agg(
        pl.col("pv_loss").mean().alias("mean"),
        (pl.col("pv_loss").std() / pl.len().sqrt()).alias("error"),
        pl.col("pv_loss").alias("by_shuffle"),
        pl.col("n").first(),
        pl.col("task").first(),
    )
    return (
        means.sort("mean", "learning_rate", maintain_order=True)
        .group_by("algorithm", "block", "seed", maintain_order=True)
        .first()
        .sort("algorithm", "block", "seed")
    )


def coverage(rows: pl.DataFrame) -> dict[str, float]:
    """By algorithm, how often the 95 % interval contains the expected loss."""
    expected = rows.group_by("algorithm", "learning_rate").agg(
        pl.col("pv_loss").mean().alias("expected")
    )
    reach = float(stats.t.ppf(0.975, SHUFFLES - 1))
    hit = (pl.col("mean") - pl.col("expected")).abs() <= reach * pl.col("error") + 1e-12
    found = chosen(rows).join(expected, on=["algorithm", "learning_rate"])
    shares = found.group_by("algorithm").agg(hit.mean().alias("share"))
    return dict(shares.iter_rows())


class Counts(NamedTuple):
    """Of how many comparisons how many were significant."""

    significant: int
    comparisons: int


def false_positives(rows: pl.DataFrame, test: Test, n_orders: int) -> dict[str, Counts]:
    """By algorithm: neighbouring seeds of one algorithm, block by block, tested."""
    found = {}
    first = rows.filter((pl.col("shuffle") - 1) % SHUFFLES < n_orders)
    for (label,), part in chosen(first).group_by("algorithm", maintain_order=True):
        pairs = part.filter(pl.col("seed") % 2 == 1).join(
            part.with_columns(pl.col("seed") - 1).filter(pl.col("seed") % 2 == 1),
            on=["block", "seed"],
            suffix="_other",
        )
        cube = np.stack(
            [np.array(pairs[name].to_list()) for name in ("by_shuffle", "by_shuffle_other")], axis=1
        )
        contest = Contest(("one", "other"), pairs.select("n", "task"), cube, [])
        p = p_values(contest, test)[0, 1]
        found[str(label)] = Counts(int((p < 0.05).sum()), p.size)
    return found


def print_coverage(every: dict[str, pl.DataFrame]) -> None:
    """Coverage of printed standard errors, by algorithm and problem."""
    found = {name: coverage(rows) for name, rows in every.items()}
    rows = []
    for label in ALGORITHMS:
        shares = [found[name][label] for name in every]
        rows.append([label, *(f"{s:.0%}" for s in shares), f"{np.mean(shares):.1%}"])
    head = ["algorithm", *every, "mean"]
    print_table("Coverage of mean +- t standard errors (95 %) over ten shuffles:", head, rows)


def print_false_positives(every: dict[str, pl.DataFrame]) -> None:
    """False positives of each test, by problem."""
    tests: list[tuple[str, Test, int]] = [
        ("the paper's rule, one shuffle", "paper", 1),
        ("z-test, one shuffle", "z", 1),
        ("the paper's rule, ten shuffles", "paper", SHUFFLES),
        ("z-test, ten shuffles", "z", SHUFFLES),
        ("paired test, ten shuffles", "paired", SHUFFLES),
    ]
    rows = []
    for title, test, n_orders in tests:
        cells, total = [], Counts(0, 0)
        for table in every.values():
            counts = false_positives(table, test, n_orders).values()
            one = Counts(*(sum(each) for each in zip(*counts, strict=True)))
            cells.append(f"{one.significant / one.comparisons:.1%}")
            total = Counts(*(a + b for a, b in zip(total, one, strict=True)))
        share = total.significant / total.comparisons
        rows.append([title, *cells, f"{share:.1%}", f"{total.comparisons:,}"])
    head = ["test", *every, "all", "comparisons"]
    print_table("False positives: one algorithm with two seeds, all nine algorithms:", head, rows)


# ---- made-up contests


class Called(NamedTuple):
    """A grade by all four parts, and by chance alone."""

    grade: Grade
    by_chance: Grade


def made_up(rng: np.random.Generator, n_datasets: int, better: Sequence[float]) -> Contest:
    """Algorithms whose expected losses differ by `better` on datasets of all kinds.

    Sizes, losses and the luck of an algorithm on a dataset vary widely between
    datasets; equal algorithms have equal chances on each.
    """
    n = np.exp(rng.uniform(np.log(100), np.log(20_000), n_datasets)).astype(int)
    mean = rng.uniform(0.02, 0.6, n_datasets)
    luck = rng.gamma(0.5, 0.02, n_datasets)  # often next to none, sometimes a lot
    drawn = mean[:, None] + luck[:, None] * rng.normal(size=(n_datasets, len(better)))
    expected = np.clip(drawn - np.asarray(better), 0.0, 1.0)
    losses = rng.binomial(n[:, None], expected) / n[:, None]
    names = [f"d{k}" for k in range(n_datasets)]
    facts = pl.DataFrame(
        {"problem": names, "digest": names, "n": n, "task": ["multiclass"] * n_datasets}
    )
    labels = tuple(f"a{k}" for k in range(len(better)))
    return Contest(labels, facts, losses[:, :, None], [])


def on_relatives(
    rng: np.random.Generator, n_sources: int, conditions: int, n_algorithms: int
) -> Contest:
    """Equal algorithms on some sources under several conditions, which share the luck."""
    n_datasets = n_sources * conditions
    n = np.repeat(rng.integers(300, 5000, n_sources), conditions)
    mean = rng.uniform(0.05, 0.5, n_datasets)
    luck = 0.03 * rng.normal(size=(n_sources, n_algorithms))
    expected = np.clip(mean[:, None] + np.repeat(luck, conditions, axis=0), 0.0, 1.0)
    losses = rng.binomial(n[:, None], expected) / n[:, None]
    names = [f"d{s} | delay({c + 1})" for s in range(n_sources) for c in range(conditions)]
    facts = pl.DataFrame(
        {"problem": names, "digest": names, "n": n, "task": ["multiclass"] * n_datasets}
    )
    labels = tuple(f"a{k}" for k in range(n_algorithms))
    return Contest(labels, facts, losses[:, :, None], [])


def called(contest: Contest, test: Test = "paper") -> Called:
    """What the verdict calls the leader of a contest, which two tests may count.

    With more ways of counting it is stricter. Chance alone was the whole rule once.
    """
    outcomes = wins(contest, test)
    places = against_leader(contest, outcomes)
    leader = places[0].label
    tests: tuple[Test, ...] = ("paper", "z")
    ways = [way_of(contest, wins(contest, one), ("fixed", "-1/0", one), False) for one in tests]
    chance = chance_of(places).grade
    parts = [
        chance,
        size_of(places).grade,
        robustness_of(tuple(ways), leader).grade,
        influence_of(contest, outcomes).grade,
    ]
    return Called(weakest(parts) if outcomes.any() else "open", chance)


def shares_of(found: Sequence[Called]) -> dict[str, float]:
    """How often a leader is called clear, or at least likely; and clear by chance alone."""
    grades = [one.grade for one in found]
    n_clear = grades.count("clear")
    n_likely = n_clear + grades.count("likely")
    by_chance = sum(one.by_chance == "clear" for one in found)
    return {
        "clear": n_clear / len(found),
        "likely": n_likely / len(found),
        "by chance": by_chance / len(found),
    }


def verdicts(
    rng: np.random.Generator,
    times: int,
    n_datasets: int,
    better: Sequence[float],
    n_missing: int = 0,
) -> dict[str, float]:
    """What leaders are called; the second was not played on the last few datasets."""
    found = []
    for _ in range(times):
        contest = made_up(rng, n_datasets, better)
        contest.by_shuffle[n_datasets - n_missing :, 1] = np.nan
        found.append(called(contest))
    return shares_of(found)


def print_verdicts(times: int) -> None:
    """Verdicts among equals, among equals at the top, and where one is better."""
    sizes = (10, 30, 100)
    equals = {f"{k} equal ones": [0.0] * k for k in (2, 3, 5, 9)}
    top = {
        "2 equal ones, 7 worse by 0.03": [0.03] * 2 + [0.0] * 7,
        "the same, one of the equals played on half": [0.03] * 2 + [0.0] * 7,
    }
    power = {
        f"{k} algorithms, one better by {gain}": [gain] + [0.0] * (k - 1)
        for k in (2, 9)
        for gain in (0.005, 0.01, 0.02, 0.05)
    }
    for title, cases in (
        (
            "Called a clear / at least a likely winner among equals (clear by chance alone):",
            equals | top,
        ),
        ("Power: called so where one is better:", power),
    ):
        rng = np.random.default_rng(1)
        rows = []
        for name, better in cases.items():
            share = 0.5 if "half" in name else 0.0
            cells = [verdicts(rng, times, n, better, int(share * n)) for n in sizes]
            rows.append([name, *map(percent, cells)])
        print_table(title, ["case", *(f"{n} datasets" for n in sizes)], rows)


def percent(shares: dict[str, float]) -> str:
    """Shares as text; in brackets what chance alone would call clear."""
    parts = [f"{share:.1%}" for name, share in shares.items() if name != "by chance"]
    before = f" ({shares['by chance']:.1%})" if "by chance" in shares else ""
    return " / ".join(parts) + before


def print_relatives(times: int) -> None:
    """Verdicts among equals, where datasets come from fewer sources."""
    rng, rows = np.random.default_rng(6), []
    for n_sources, conditions in ((3, 6), (7, 3), (7, 8), (15, 2)):
        cells = []
        for n_algorithms in (2, 5):
            contests = [
                on_relatives(rng, n_sources, conditions, n_algorithms) for _ in range(times)
            ]
            cells.append(percent(shares_of([called(one) for one in contests])))
        rows.append([f"{n_sources} sources under {conditions} conditions", *cells])
    print_table("Equals on relatives: clear / at least likely (clear by chance alone):",
                ["case", "2 algorithms", "5 algorithms"], rows)  # fmt: skip


def opinions(
    rng: np.random.Generator, times: int, n_datasets: int, gain: float
) -> dict[str, float]:
    """How often a second opinion is sure of a difference, or that there is none."""
    sure = {"different": 0, "same": 0}
    for _ in range(times):
        losses = made_up(rng, n_datasets, [gain, 0.0]).losses
        found = signed_rank(losses[:, 0] - losses[:, 1])
        sure["different"] += max(found.better, found.worse) >= SURE
        sure["same"] += found.same >= SURE
    return {name: count / times for name, count in sure.items()}


def print_opinions(times: int) -> None:
    """Second opinions, where one is better and where none is."""
    rng, sizes, rows = np.random.default_rng(2), (10, 30, 100), []
    for gain in (0.0, 0.005, 0.02, 0.05):
        cells = [opinions(rng, times, n, gain) for n in sizes]
        name = "equal" if gain == 0 else f"one better by {gain}"
        rows.append([name, *map(percent, cells)])
    print_table("Second opinion at least 95 % sure: different / practically the same:",
                ["case", *(f"{n} datasets" for n in sizes)], rows)  # fmt: skip


# ---- selection


def noise_store(
    rng: np.random.Generator, n_datasets: int, n_settings: int, n_rates: int, tuning: bool
) -> pl.DataFrame:
    """Greedy, and a learner as good as it whose settings differ by noise alone."""
    rows: list[dict[str, Any]] = []
    for d in range(n_datasets):
        n = int(rng.integers(200, 5000))
        mean = rng.uniform(0.1, 0.5)
        common = {
            "problem": f"data-{d}", "digest": f"{d:064x}", "task": "multiclass", "n": n,
            "n_features": 5, "n_actions": 3, "shuffle": 1, "encoding": "-1/0",
            "baseline": False, "seed": 1,
            "openml_id": tuning_ids()[d] if tuning and d % 2 else None,
        }  # fmt: skip
        greedy = {"algorithm": "G", "explorer": "greedy", "reduction": "iwr"}
        others = [
            {"algorithm": "Noise", "explorer": f"python:m.Noise,s={s}"} for s in range(n_settings)
        ]
        settings = [greedy | {"learning_rate": RATES[0]}] + [
            other | {"learning_rate": rate} for other in others for rate in RATES[:n_rates]
        ]
        for k, one in enumerate(settings):
            loss = rng.binomial(n, mean) / n
            rows.append(common | one | {"run": f"{d} {k}", "pv_loss": loss})
    return rows_of(rows)


def scores_of_noise(
    rng: np.random.Generator,
    times: int,
    *,
    n_datasets: int = 40,
    n_settings: int = 20,
    n_rates: int = 1,
    tuning: bool = False,
    view: str = "fixed",
) -> Numbers:
    """Significant wins minus losses of noise against Greedy; the truth is 0."""
    found = []
    for _ in range(times):
        store = noise_store(rng, n_datasets, n_settings, n_rates, tuning)
        losses = losses_of(store)
        competitors = {"fixed": fixed, "unpeeked": unpeeked}[view](losses, "-1/0")
        outcomes = wins(contest_of(losses, competitors))
        place = [one.label for one in competitors].index("Noise")
        found.append(scores_of(outcomes)[place].sum())
    return np.array(found, float)


def twins_of(rng: np.random.Generator, n_datasets: int, kind: str) -> Losses:
    """Two learners that are the same, each with settings or rates that matter."""
    rows: list[dict[str, Any]] = []
    for d in range(n_datasets):
        n, mean = int(rng.integers(200, 5000)), rng.uniform(0.1, 0.5)
        best = rng.normal(0.0, 1.0)
        for label in ("One", "Other"):
            for k in range(5):
                name = f"python:m.{label}" + (f",s={k}" if kind == "fixed" else "")
                loss = rng.binomial(n, min(1.0, mean + 0.01 * (k - 2 - best) ** 2)) / n
                rows.append(
                    {
                        "problem": f"data-{d}", "digest": f"{d:064x}", "n": n,
                        "task": "multiclass", "n_features": 5, "n_actions": 3,
                        "shuffle": 1, "encoding": "-1/0", "baseline": False, "seed": 1,
                        "algorithm": label, "explorer": name, "pv_loss": loss,
                        "learning_rate": RATES[0 if kind == "fixed" else k],
                        "run": f"{d} {label} {k}",
                    }
                )  # fmt: skip
    return losses_of(rows_of(rows))


def print_elected(times: int) -> None:
    """Verdicts on learners that are the same, but may have elected other settings."""
    rng, sizes, rows = np.random.default_rng(5), (10, 30, 100), []
    for name, kind in (("5 settings", "fixed"), ("5 rates", "unpeeked")):
        cells = []
        for n in sizes:
            found = []
            for _ in range(times):
                losses = twins_of(rng, n, kind)
                of_kind = {"fixed": fixed, "unpeeked": unpeeked}[kind]
                found.append(called(contest_of(losses, of_kind(losses, "-1/0"))))
            cells.append(shares_of(found))
        rows.append([f"{name}, elected on the other datasets", *map(percent, cells)])
    print_table("One learner twice, its settings elected: clear / at least likely:",
                ["case", *(f"{n} datasets" for n in sizes)], rows)  # fmt: skip


def print_selection(times: int) -> None:
    """What a learner of pure noise gains from having many settings or rates."""
    rng, rows = np.random.default_rng(3), []
    cases: Iterator[tuple[str, dict[str, Any]]] = iter(
        [
            ("20 settings, elected on the other datasets", {}),
            ("20 settings, half of the datasets for tuning", {"tuning": True}),
            ("9 rates, the best on each dataset (the paper's view)",
             {"n_settings": 1, "n_rates": 9}),
            ("9 rates, elected on the other datasets",
             {"n_settings": 1, "n_rates": 9, "view": "unpeeked"}),
            ("20 settings and 9 rates, both elected elsewhere",
             {"n_rates": 9, "view": "unpeeked"}),
        ]
    )  # fmt: skip
    for name, options in cases:
        scores = scores_of_noise(rng, times, **options)
        error = scores.std(ddof=1) / np.sqrt(times)
        within = "yes" if abs(scores.mean()) <= 2 * error else "**no**"
        rows.append([name, f"{scores.mean():+.2f} +- {error:.2f}", within])
    print_table("Pure noise against Greedy, 40 datasets; the truth is 0:",
                ["what it may choose", "wins minus losses", "within 2 SE of 0"], rows
                )  # fmt: skip


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    parser.add_argument("--verdicts", action="store_true", help="only the tables of verdicts")
    asked = parser.parse_args()
    share = 10 if asked.quick else 1
    if asked.verdicts:
        print_verdicts(2000 // share)
        print_elected(200 // share)
        print_relatives(300 // share)
        return
    every = {
        name: played(name, ["fixed"], max(2, n_blocks // share), 4).filter(
            pl.col("algorithm") != "OAA"
        )
        for name, n_blocks in PROBLEMS.items()
    }
    print_coverage(every)
    print_false_positives(every)
    print_verdicts(2000 // share)
    print_opinions(500 // share)
    print_selection(1000 // share)
    print_elected(200 // share)
    print_relatives(300 // share)


if __name__ == "__main__":
    main()
