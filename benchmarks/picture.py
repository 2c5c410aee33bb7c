"""The picture in README: learning curves on scikit-learn's digits.

    python benchmarks/picture.py docs/images/digits.svg

Ten shuffles of the data; each algorithm at the paper's fixed hyperparameters for -1/0
and at the learning rate with the least mean loss at the end.
"""

import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from bakeoff import Problem, Run, load, simulate
from bakeoff.core.explorers import NAMES
from bakeoff.runs.grids import FIXED, RATES, SUPERVISED

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "bakeoff"  # the same picture, the same bytes
SHUFFLES = range(1, 11)
COLOURS = (  # Okabe and Ito: safe for colour-blind readers
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
    "#999999", "#000000", "#000000",
)  # fmt: skip


def main() -> int:
    """Draw the curves into the file given."""
    digits = load("embedded:digits")
    assert isinstance(digits, Problem)
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    ends = []
    for spec, colour in zip((*FIXED[-1.0], SUPERVISED), COLOURS, strict=True):
        name, offset = NAMES[Run(spec).label].title, 0 if spec == SUPERVISED else -1
        runs = [Run(spec, learning_rate=rate, offset=offset) for rate in RATES]
        results = [
            simulate(
                digits.shuffled(shuffle), [run.for_job(digits.digest, shuffle) for run in runs]
            )
            for shuffle in SHUFFLES
        ]
        losses = np.array([[r.curve.pv_loss for r in row] for row in results])
        best = int(losses[:, :, -1].mean(axis=0).argmin())
        rounds = results[0][best].curve.rounds
        mean = losses[:, best].mean(axis=0)
        error = losses[:, best].std(axis=0, ddof=1) / len(SHUFFLES) ** 0.5
        style = "--" if spec == SUPERVISED else "-"
        axes.plot(rounds, mean, style, color=colour)
        axes.fill_between(rounds, mean - error, mean + error, color=colour, alpha=0.15)
        ends.append((mean[-1], f"{name} {mean[-1]:.3f} ± {error[-1]:.3f}", colour))
    height = 0.0
    for loss, text, colour in sorted(ends):  # labels from below, never overlapping
        height = max(loss, height + 0.047)
        axes.annotate(
            text, (rounds[-1], loss), (rounds[-1] * 1.15, height), color=colour,
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.5}, va="center",
        )  # fmt: skip
    axes.set(
        xscale="log", xlim=(10, rounds[-1] * 14), ylim=(0, 1),
        xlabel="rounds", ylabel="progressive validation loss",
    )  # fmt: skip
    axes.set_xticks([10, 100, 1000])
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(sys.argv[1], metadata={"Date": None})
    return 0


if __name__ == "__main__":
    sys.exit(main())
