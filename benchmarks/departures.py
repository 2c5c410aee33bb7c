"""Ablations: each decision that departs from the paper's program, undone by itself.

    python -m benchmarks.departures --data DIR

DIR (or $BAKEOFF_DATA) is a corpus as in against_reference.py. A copy of the package
gets the edits that make it do in one point what the program does, and plays the
algorithms that this concerns, with the paper's fixed hyperparameters and the best of
nine learning rates, in several orders of rows. Wins are those of the package *with* our
decision, against the copy and dataset by dataset (deviation 13). The tables are Markdown,
for docs/evidence/ablations.md.
"""

import argparse
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from benchmarks.against_reference import (
    Choices,
    best,
    measure,
    outcomes,
    read_manifest,
    read_reference,
    runs_of,
)
from tests.mutations import ROOMS
from tests.mutations.mutation import Mutation

HEAD = (
    "decision, encoding, algorithm, datasets, wins/losses by the means over orders, "
    "wins/losses of each order, mean difference (95 % interval)"
)
EASY = 0.05  # the most that the skyline of the paper's program loses on an easy dataset
ROOT = Path(__file__).resolve().parents[1]
KNOWN = {mutation.name: mutation for room in ROOMS for mutation in room.mutations}
ACTIVE, COVER, EPSILON_GREEDY, REGCB = (
    f"core/explorers/{name}.py" for name in ("active", "cover", "epsilon_greedy", "regcb")
)
NOT_CLIPPED = (
    KNOWN["D15 DR estimates of other actions are not clipped"],
    KNOWN["D15 DR estimate of the action taken is not clipped"],
)
ROUNDS, REGRESSION, CHOSEN = (
    f"core/{name}.py" for name in ("rounds", "oracles/regression", "oracles/chosen")
)
SHARED = (  # between policies and estimator of a run, after every round
    Mutation("D1 no sums of IPS: their room is for clocks", ROUNDS,
             "    sums.ips_loss[lane] += cost / (event.K * p)\n"
             "    sums.ips_reward[lane] += (1.0 - cost) / (event.K * p)\n", ""),
    Mutation("D1 clocks are shared after a round", ROUNDS,
             "            learn(state, bandit, x, event)\n            continue\n",
             "            learn(state, bandit, x, event)\n            share(bandit, sums)\n"
             "            continue\n"),
    Mutation("D1 how clocks and label ranges are shared", ROUNDS, "@kernel\ndef cost_of(",
             """@kernel
def share(bandit: Bandit, sums: Sums) -> None:
    f, g, L = bandit.policies, bandit.estimator, n_lanes(bandit)
    if f.T.shape[0] > 1:
        return
    for lane in range(L):
        T_before, S_before = sums.ips_loss[lane], sums.ips_reward[lane]
        T, S, lo, hi = T_before, S_before, np.float32(0), np.float32(0)
        for c in range(lane, f.T.shape[1], L):
            T, S = T + (f.T[0, c] - T_before), S + (f.S[0, c] - S_before)
            lo, hi = min(lo, f.lo[c]), max(hi, f.hi[c])
        if g.eta.shape[0] > 0:
            T, S = T + (g.T[0, lane] - T_before), S + (g.S[0, lane] - S_before)
            lo, hi = min(lo, g.lo[lane]), max(hi, g.hi[lane])
            g.T[0, lane], g.S[0, lane], g.lo[lane], g.hi[lane] = T, S, lo, hi
        for c in range(lane, f.T.shape[1], L):
            f.T[0, c], f.S[0, c], f.lo[c], f.hi[c] = T, S, lo, hi
        sums.ips_loss[lane], sums.ips_reward[lane] = T, S


@kernel
def cost_of("""),
)  # fmt: skip
TWICE = Mutation(
    "D8 every round counts twice", COVER, "1.0 / math.sqrt(K * t)",
    "1.0 / math.sqrt(K * max(2 * (t - 1), 1))",
)  # fmt: skip
OFFSET = (  # A0's second half is by how much the offset moves a score of just before
    Mutation("D12 room for the baseline's own offset", REGRESSION,
             "extra = columns if baseline else 0", "extra = 2 * columns if baseline else 0"),
    Mutation("D12 scores with the offset", REGRESSION,
             "out[k * columns + c] = clip(f.w0[c], f.lo[c], f.hi[c])",
             "out[k * columns + c] = clip(f.w0[c] + f.w0[columns + c], f.lo[c], f.hi[c])"),
    Mutation("D12 later scores with the offset", REGRESSION,
             "r = clip(f.w0[c], f.lo[c], f.hi[c])",
             "r = clip(f.w0[c] + f.w0[f.eta.shape[0] + c], f.lo[c], f.hi[c])"),
    Mutation("D12 the last prediction is the offset of the next", REGRESSION,
             "    error = y - clip(f.w0[c], f.lo[c], f.hi[c])\n",
             "    own = f.eta.shape[0] + c\n"
             "    f.w0[own] = clip(f.w0[own] + f.w0[c], f.lo[c], f.hi[c])\n"
             "    now = clip(f.w0[own] + f.w0[c], f.lo[c], f.hi[c])\n"
             "    f.A0[own] = now - f.w0[own]\n"
             "    error = y - now\n"),
    Mutation("D12 weights learn with the offset", REGRESSION,
             "        update_baseline(f, c, y, omega)\n    widen",
             "        update_baseline(f, c, y, omega)\n"
             "        r = r + f.A0[f.eta.shape[0] + c]\n    widen"),
    Mutation("D12 weights of the action taken learn with the offset", CHOSEN,
             "            update_baseline(f, c, y, omega)\n",
             "            update_baseline(f, c, y, omega)\n"
             "            scores[a, c] = scores[a, c] + f.A0[columns + c]\n"),
)  # fmt: skip
AS_THE_PROGRAM = (
    *SHARED, TWICE, KNOWN["D2 importance 1 / (p K)"], KNOWN["D5 DR estimates before the update"],
    KNOWN["D15 DR estimates of other actions are clipped at 0"],
)  # fmt: skip


class Departure(NamedTuple):
    """A decision, what undoes it, and whom it concerns."""

    title: str
    edits: tuple[Mutation, ...]
    algorithms: tuple[str, ...]


DEPARTURES = (
    Departure(
        "5 and 15 together",
        (KNOWN["D5 DR estimates before the update"], *NOT_CLIPPED),
        ("C-nu", "eG-dr"),
    ),
    Departure(
        "4: DR's estimator learns with importance 1/p, not 1 as in the text",
        (KNOWN["D4 DR estimator with importance 1"],), ("C-nu", "C-u", "B-dr", "eG-dr"),
    ),
    Departure(
        "5: DR estimates from after the estimator's update, not before",
        (KNOWN["D5 DR estimates before the update"],), ("C-nu", "eG-dr"),
    ),
    Departure(
        "15: DR's estimates are clipped", NOT_CLIPPED, ("C-nu", "eG-dr"),
    ),
    Departure(
        "9: ties are broken at random, not by the lowest index",
        (KNOWN["D9 the first of tied actions gets the whole vote"],
         Mutation("D9 the first of tied actions is taken", EPSILON_GREEDY,
                  "== best:\n                p = p + (1.0 - epsilon) / n_tied\n",
                  "== best and n_tied > 0:\n                p = p + (1.0 - epsilon)\n"
                  "                n_tied = 0\n")),
        ("G", "eG", "B", "C-nu"),
    ),
    Departure(
        "8: Cover counts every round once, not twice",
        (TWICE,), ("C-u", "C-nu"),
    ),
    Departure(
        "1: every regressor has clocks and a label range of its own, not one for all",
        SHARED, ("B", "B-g", "C-nu", "C-u", "eG-dr"),
    ),
    Departure(
        "1, 2, 5, 8 and 15 together",
        AS_THE_PROGRAM, ("B", "B-g", "C-nu", "C-u", "eG-dr"),
    ),
    Departure(
        "12: a baseline's last prediction is not its offset",
        OFFSET, ("C-nu+", "B-g+", "A+", "eG+"),
    ),
    Departure(
        "1, 2, 5, 8, 12 and 15 together",
        (*AS_THE_PROGRAM, *OFFSET), ("C-nu+", "B-g+", "A+", "eG+", "C-u"),
    ),
    Departure(
        "7: RegCB counts every round once, not twice",
        (Mutation("D7 every round counts twice", REGCB, "math.log(event.K * event.t)",
                  "math.log(event.K * (2 * event.t - 1))"),),
        ("R", "RO"),
    ),
    Departure(
        "11: active epsilon-greedy counts every round once, not twice",
        (Mutation("D11 every round counts twice", ACTIVE, "K, t = event.K, event.t\n",
                  "K, t = event.K, 2 * event.t - 1\n"),),
        ("A",),
    ),
    Departure(
        "2: IWR with importance 1/p, not 1/(pK)",
        (KNOWN["D2 importance 1 / (p K)"],), ("G", "eG", "B"),
    ),
    Departure(
        "6: sensitivity with the factor 2|f - y|",
        (KNOWN["D6 sensitivity without 2 |f - y|"],), ("R", "RO", "A"),
    ),
    Departure(
        "11: active epsilon-greedy by the distance to the best score, not to c_min",
        (KNOWN["D11 IWR: distance to c_min"],), ("A",),
    ),
    Departure(
        "3: RegCB with importance 1, not 1/K",
        (Mutation("D3 RegCB with importance 1 / K", "core/reductions/direct.py",
                  "bandit.importance[lane] = np.float32(1)",
                  "bandit.importance[lane] = np.float32(1.0 / event.K)"),),
        ("R", "RO"),
    ),
)  # fmt: skip

SPECS = {  # with -1/0, and with 0/1 if that is another
    "G": ("greedy",),
    "R": ("regcb:c0=1e-3",),
    "RO": ("regcb:c0=1e-3,optimistic",),
    "eG": ("epsilon-greedy:epsilon=0.02",),
    "A": ("active:epsilon=0.02,c0=1e-6",),
    "B": ("bag:n_policies=4", "bag:n_policies=16"),
    "B-g": ("bag:n_policies=4,greedy", "bag:n_policies=8,greedy"),
    "C-nu": ("cover:n_policies=4,psi=0.1,nu", "cover:n_policies=4,psi=0.01,nu"),
    "C-u": ("cover:n_policies=4,psi=0.1", "cover:n_policies=4,psi=0.1 reduction=dr"),
    "B-dr": ("bag:n_policies=4,label=B-dr reduction=dr",),
    "eG-dr": ("epsilon-greedy:epsilon=0.02,label=eG-dr reduction=dr",),
    "eG-ips": ("epsilon-greedy:epsilon=0.02,label=eG-ips reduction=ips",),
    "G-dr": ("epsilon-greedy:epsilon=1e-9,label=G-dr reduction=dr",),
    "G-ips": ("epsilon-greedy:epsilon=1e-9,label=G-ips reduction=ips",),
}


def choices_of(algorithms: tuple[str, ...]) -> Choices:
    """The runs of some algorithms, by encoding."""
    return {
        offset: tuple(text for name in algorithms for text in texts_of(name, i))
        for i, offset in enumerate((-1, 0))
    }


def texts_of(name: str, i: int) -> tuple[str, ...]:
    """The runs of an algorithm with -1/0 (i = 0) or 0/1 (1).

    A name with a plus, such as A+, has the baseline optimised, as in the paper's table: the
    better of with and without. That table is about -1/0.
    """
    specs = SPECS[name.removesuffix("+")]
    text = specs[min(i, len(specs) - 1)]
    if not name.endswith("+"):
        return (text,)
    return (f"{text},label={name}", f"{text},label={name} baseline") if i == 0 else ()


DUELS = (  # signs that are not the paper's, or that ablations.md asks about
    ("G", "G-ips", "all"),
    ("G", "G-dr", "all"),
    ("eG-dr", "eG-ips", "all"),
    ("C-nu", "B-g", "easy"),
    ("C-nu+", "B-g+", "all"),
    ("A+", "B-g+", "all"),
    ("eG+", "C-u", "all"),
)


def losses_in(
    folder: Path, algorithms: tuple[str, ...], options: argparse.Namespace
) -> pl.DataFrame:
    """The best losses of the package in a folder, measured by a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "losses.csv"
        command = [
            sys.executable, "-m", "benchmarks.departures", "--data", options.data,
            "--orders", str(options.orders), "--small", str(options.small),
            "--only-measure", out, *["--easy"] * options.easy, *algorithms,
        ]  # fmt: skip
        path = os.pathsep.join([str(folder / "src"), str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": path}
        subprocess.run(command, cwd=folder, env=environment, check=True)
        table = pl.read_csv(out, schema_overrides={"dataset": pl.String})
    return with_means(best(table))


def without(departure: Departure, options: argparse.Namespace) -> pl.DataFrame:
    """The losses of a copy of the package with a departure's edits."""
    scripts: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "mutations"))
    with tempfile.TemporaryDirectory(prefix="departure-") as name:
        folder = Path(name)
        scripts["write_mutant"](departure.edits[0], folder)
        for edit in departure.edits:
            scripts["check"](edit)
        for edit in departure.edits[1:]:
            path = folder / "src/bakeoff" / edit.file
            path.write_text(path.read_text().replace(edit.old, edit.new))
        return losses_in(folder, departure.algorithms, options)


def with_interval(difference: float, error: float | None) -> str:
    """A mean over datasets, and where it lies with 95 % confidence."""
    reach = 1.96 * (error or 0.0)
    return f"{difference:+.4f} ({difference - reach:+.4f} to {difference + reach:+.4f})"


def print_rows(title: str, table: pl.DataFrame) -> None:
    """A row per encoding and algorithm, with wins and losses order by order."""
    cells = table.sort("seed").partition_by("encoding", "algorithm")
    cells.sort(key=lambda cell: (cell["encoding"][0], cell["algorithm"][0]))
    for cell in cells:
        one = cell.row(0, named=True)
        by_means, *counts = [f"{w}/{x}" for w, x in cell.select("wins", "losses").rows()]
        row = [
            title, one["encoding"], one["algorithm"], str(one["datasets"]),
            by_means, ", ".join(counts), with_interval(one["difference"], one["error"]),
        ]  # fmt: skip
        print(f"| {' | '.join(row)} |", flush=True)


def with_means(table: pl.DataFrame) -> pl.DataFrame:
    """Losses of single orders, and as seed 0 their means over the orders."""
    keys = [name for name in table.columns if name not in ("seed", "pv_loss")]
    means = table.group_by(keys).agg(pl.col("pv_loss").mean(), pl.lit(0).alias("seed"))
    return pl.concat([means.select(table.columns).cast(table.schema), table])


def easy_datasets(folder: Path) -> list[str]:
    """The datasets on which the skyline of the paper's program loses little."""
    skyline = best(read_reference(folder)).filter(pl.col("algorithm") == "OAA")
    return skyline.filter(pl.col("pv_loss") <= EASY)["dataset"].to_list()


def against(table: pl.DataFrame, first: str, second: str) -> pl.DataFrame:
    """One algorithm of a table against another, where both were played."""
    pair = pl.lit(f"{first} vs {second}")
    left, right = (
        table.filter(pl.col("algorithm") == name).with_columns(algorithm=pair)
        for name in (first, second)
    )
    return outcomes(left, right)


def print_duels(title: str, table: pl.DataFrame, easy: list[str], of: Iterable[str]) -> None:
    """A row for each duel in which one of some algorithms takes part."""
    for first, second, where in DUELS:
        here = table.filter(pl.col("dataset").is_in(easy)) if where == "easy" else table
        if {first, second} <= set(here["algorithm"]) and {first, second} & set(of):
            name = title if where == "all" else f"{title}, {where} datasets"
            print_rows(name, against(here, first, second))


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("algorithms", nargs="*", help=argparse.SUPPRESS)
    add("--data", type=Path, default=data, required=not data, help="the corpus")
    add("--orders", type=int, default=3, metavar="N", help="orders of rows, with own draws (3)")
    add("--small", type=int, default=2000, metavar="N", help="rows at most (2,000)")
    add("--only", action="append", default=[], metavar="N", help="only decisions that begin so")
    add("--easy", action="store_true", help="only datasets on which the skyline loses little")
    add("--of", action="append", default=[], metavar="NAME", help="only algorithms named so")
    add("--only-measure", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.data = options.data.resolve()
    return options


def main() -> None:
    """Measure with and without each decision, and print who wins."""
    options = arguments()
    if options.only_measure:
        manifest = read_manifest(options.data, options.small)
        if options.easy:
            manifest = manifest.filter(pl.col("dataset").is_in(easy_datasets(options.data)))
        runs = runs_of(choices_of(tuple(options.algorithms)), options.orders)
        measure(options.data, manifest, runs, reorder=True).write_csv(options.only_measure)
        return
    wanted = tuple(options.only) or ("",)
    chosen = [
        one._replace(algorithms=tuple(n for n in one.algorithms if n in (options.of or [n])))
        for one in DEPARTURES
        if one.title.startswith(wanted)
    ]
    concerned = {name for one in chosen for name in one.algorithms}
    if not options.of:
        rivals = [{first, second} for first, second, _ in DUELS]
        concerned |= {name for pair in rivals if pair & concerned for name in pair}
    usual = losses_in(ROOT, tuple(sorted(concerned)), options)
    easy = easy_datasets(options.data)
    print(f"| {HEAD.replace(', ', ' | ')} |\n{'| --- ' * len(HEAD.split(', '))}|")
    print_duels("the package", usual, easy, concerned)
    for departure in (one for one in chosen if one.algorithms):
        copy = without(departure, options)
        print_rows(departure.title, outcomes(usual, copy))
        others = usual.filter(~pl.col("algorithm").is_in(departure.algorithms))
        both = pl.concat([copy, others])
        print_duels(f"without {departure.title}", both, easy, departure.algorithms)


if __name__ == "__main__":
    main()
