"""The theory of the paper's appendix, by experiment: how regret grows with T.

    python benchmarks/theory.py [docs/evidence/theory.svg] [--largest 3e7] [--repetitions 10]

Algorithm 11 (active epsilon-greedy with exact oracles, a biased sample and the
threshold of the proofs) on thresholds over [0, 1]: policy j chooses action 1 to the
right of its threshold. Contexts are uniform, the disagreement coefficient is 2, and in
every context the better action costs less by tau (the Massart condition). Plain
epsilon-greedy is the same without the disagreement test.

Epsilon is c T^(-1/3), the order of the theorems, or c T^(-1/2). For each algorithm and
order, c is the one of CONSTANTS with the least regret at the smallest horizon, so that
each is shown at its best. What epsilon-greedy's exploration alone costs is arithmetic:
TAU / 2 times epsilon T, whatever is learned.

With a handful of policies there is a gap between the best and the next, and with
epsilon constant regret should stop growing.
"""

import argparse
import math
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numba
import numpy as np
import numpy.typing as npt
from scipy import stats

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CELLS = 4095  # contexts; one policy more
TAU = 0.8
DELTA = 0.05
CHUNK = 1 << 20
SEEDS = 3  # that choose a constant; others play
FAR = np.int64(1) << 60


class Tree(NamedTuple):
    """Losses of all thresholds as prefix sums: sum and least prefix sum of each node.

    A loss that differs to the left and right of x changes one leaf, and the best policy
    on either side of x is found on the way down to a leaf.
    """

    total: Ints
    least: Ints


class Case(NamedTuple):
    """A line of the plot: what is played for each horizon T."""

    title: str
    cells: int
    is_active: bool
    power: float  # epsilon is constant * T^(-power)
    constant: float
    claim: str = ""  # of the paper, at this order of epsilon

    def epsilon(self, T: int) -> float:
        """What is explored for a horizon."""
        return float(min(1.0, self.constant * T**-self.power))


CONSTANTS = (0.3, 1.0, 3.0, 10.0, 30.0)
THEOREMS = (  # as in the paper's proofs, with one constant for both
    Case("epsilon-greedy, 10 T^(-1/3)", CELLS, False, 1 / 3, 10.0, "2/3"),
    Case("active, 10 T^(-1/3)", CELLS, True, 1 / 3, 10.0, "1/3, times logarithms"),
    Case("active, gap between policies", 4, True, 0.0, 0.2, "0"),
)
ORDERS = {"T^(-1/3)": 1 / 3, "T^(-1/2)": 1 / 2}


def at_its_best(name: str, is_active: bool, order: str, T: int, n_seeds: int) -> Case:
    """An algorithm with epsilon of some order, and the constant that is best at T."""
    cases = [Case(f"{name}, {c:g} {order}", CELLS, is_active, ORDERS[order], c) for c in CONSTANTS]
    return min(cases, key=lambda case: sum(regret(T, case, 100 + seed) for seed in range(n_seeds)))


def new_tree(cells: int) -> Tree:
    """No losses yet; there are cells + 1 policies."""
    size = 1 << cells.bit_length()
    total, least = np.zeros(2 * size, np.int64), np.zeros(2 * size, np.int64)
    least[size + cells + 1 :] = FAR  # no such policies
    for i in range(size - 1, 0, -1):
        least[i] = min(least[2 * i], least[2 * i + 1])
    return Tree(total, least)


@numba.njit(cache=False, nogil=True)
def add(tree: Tree, leaf: int, loss: int) -> None:
    """Add `loss` to all policies from `leaf` on."""
    i = tree.total.shape[0] // 2 + leaf
    tree.total[i] += loss
    tree.least[i] = tree.total[i]
    i //= 2
    while i > 0:
        left = 2 * i
        tree.total[i] = tree.total[left] + tree.total[left + 1]
        tree.least[i] = min(tree.least[left], tree.total[left] + tree.least[left + 1])
        i //= 2


@numba.njit(cache=False, nogil=True)
def least_losses(tree: Tree, x: int) -> tuple[np.int64, np.int64]:
    """The least losses of policies that choose action 0 in cell `x`, and action 1.

    Policy j chooses 1 where x >= j.
    """
    bit = tree.total.shape[0] // 4  # of x: whether it lies in a node's right half
    zero, one, before, i = FAR, FAR, np.int64(0), 1
    while bit > 0:
        left = 2 * i
        if (x & bit) == 0:
            zero = min(zero, before + tree.total[left] + tree.least[left + 1])
            i = left
        else:
            one = min(one, before + tree.least[left])
            before += tree.total[left]
            i = left + 1
        bit //= 2
    return zero, min(one, before + tree.least[i])


@numba.njit(cache=False, nogil=True)
def threshold(t: int, epsilon: float, n_policies: int) -> float:
    """Delta_t of the appendix, with K = 2."""
    if t == 1:
        return np.inf
    n = float(t - 1)
    e = math.log(2 * n_policies * (n * n + n) / DELTA) / n
    each = 2 / epsilon
    return (math.sqrt(2 * each) + 1) * math.sqrt(e) + (each + 3) * e


@numba.njit(cache=False, nogil=True)
def play(
    tree: Tree,
    first: int,
    cells: int,
    m: int,
    is_active: bool,
    x: Ints,
    draw_action: Doubles,
    draw_loss: Doubles,
    actions: Ints,
) -> float:
    """Play rounds with epsilon = 2 / m; the sum of their expected regrets.

    Losses are counted in units of 1 / (m - 1), in which all IPS estimates are integers.
    """
    epsilon, middle, regret = 2 / m, (cells + 1) // 2, 0.0
    for i in range(x.shape[0]):
        t = first + i
        zero, one = least_losses(tree, x[i])
        chosen = 1 if one < zero else 0
        distance = abs(one - zero) / (m - 1) / max(t - 1, 1)
        explores = not is_active or distance <= threshold(t, epsilon, cells + 1)
        p = 1 - 1 / m if explores else 1.0
        a = chosen if draw_action[i] < p else 1 - chosen
        best = 1 if x[i] >= middle else 0
        regret += TAU * (p if chosen != best else 1 - p)
        cost = 1 if draw_loss[i] < (1 - TAU if a == best else 1 + TAU) / 2 else 0
        taken = 0
        if cost == 1 and explores:
            taken = m if a == chosen else m * (m - 1)
        elif cost == 1:
            taken = m - 1
        other = 0 if explores else m - 1
        difference = taken - other if a == 0 else other - taken
        if difference != 0:
            add(tree, x[i] + 1, difference)
        actions[i] = a
    return regret


def steps(T: int, case: Case) -> int:
    """m, for epsilon = 2 / m."""
    return round(2 / case.epsilon(T))


def explored(T: int, case: Case) -> float:
    """The regret of exploring in all T rounds, whatever is learned."""
    return TAU / steps(T, case) * T


def regret(T: int, case: Case, seed: int) -> float:
    """The expected regret over T rounds, given what was drawn."""
    draw, tree, total = np.random.default_rng(seed), new_tree(case.cells), 0.0
    for first in range(1, T + 1, CHUNK):
        n = min(CHUNK, T + 1 - first)
        total += play(
            tree, first, case.cells, steps(T, case), case.is_active,
            draw.integers(case.cells, size=n), draw.random(n), draw.random(n),
            np.zeros(n, np.int64),
        )  # fmt: skip
    return total


def slope(horizons: Ints, regrets: Doubles) -> tuple[float, float]:
    """The mean log-log slope over repetitions, and half of its 95 % interval."""
    each = np.polyfit(np.log(horizons), np.log(regrets.T), 1)[0]
    error = each.std(ddof=1) / math.sqrt(len(each))
    return float(each.mean()), float(stats.t.ppf(0.975, len(each) - 1) * error)


def draw_plot(
    path: Path, horizons: Ints, found: dict[str, Doubles], slopes: dict[str, str]
) -> None:
    """Regret against T, both on logarithmic axes."""
    mpl.rcParams["svg.hashsalt"] = "bakeoff"
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for (title, regrets), mark in zip(found.items(), "os^vDPX", strict=False):
        mean = regrets.mean(axis=0)
        axes.plot(horizons, mean, f"{mark}-", label=f"{title}: slope {slopes[title]}")
    axes.set(xscale="log", yscale="log", xlabel="T", ylabel="regret")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> int:
    """Play all cases and print a table of regrets and slopes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plot", nargs="?", type=Path)
    parser.add_argument("--largest", type=float, default=3e7)
    parser.add_argument("--repetitions", type=int, default=10)
    options = parser.parse_args()
    grid = [k * 10**e for e in range(6, 10) for k in (1, 3)]
    horizons = np.array([T for T in grid if options.largest >= T])
    found, slopes = {}, {}
    print(f"| case | {' | '.join(f'T = {T:.0e}' for T in horizons)} | slope | explored | claim |")
    print("| --- " * (len(horizons) + 4) + "|")
    cases = list(THEOREMS)
    for name, is_active in (("epsilon-greedy", False), ("active", True)):
        for order in ORDERS:
            cases.append(at_its_best(name, is_active, order, int(horizons[0]), SEEDS))
    for case in cases:
        regrets = np.array(
            [
                [regret(int(T), case, seed) for T in horizons]
                for seed in range(1, options.repetitions + 1)
            ]
        )
        middle, half = slope(horizons, regrets)
        found[case.title], slopes[case.title] = regrets, f"{middle:.3f} ± {half:.3f}"
        means = " | ".join(f"{mean:,.0f}" for mean in regrets.mean(axis=0))
        share = explored(int(horizons[-1]), case) / regrets[:, -1].mean()
        part = "" if case.is_active else f"{share:.0%}"
        print(f"| {case.title} | {means} | {slopes[case.title]} | {part} | {case.claim} |")
    if options.plot:
        draw_plot(options.plot, horizons, found, slopes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
