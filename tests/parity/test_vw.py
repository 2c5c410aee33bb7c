"""Against Vowpal Wabbit 9.11.9: the skyline, the regression update, sensitivities."""

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets
from vowpalwabbit import Workspace

from bakeoff import Problem, Run, simulate
from bakeoff.core.oracles.regression import new_regressors
from bakeoff.core.types import Doubles
from bakeoff.simulation.result import Result
from tests.reference.regression import ONE, Regressor
from tests.regressors import Stream, regress, scores_of, sensitivities_of

pytestmark = pytest.mark.vw

RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
DATA = {
    "digits": datasets.load_digits,
    "breast cancer": datasets.load_breast_cancer,
    "wine": datasets.load_wine,
}


def features_text(problem: Problem, row: int) -> str:
    """Features in VW's format: nine digits tell any two single-precision numbers apart.

    VW adds its own bias, last, and takes names that are integers for hashes.
    """
    x = problem.contexts
    entries = range(x.start[row], x.start[row + 1] - 1)
    return " ".join(f"f{x.feature[i]}:{x.value[i]:.9g}" for i in entries)


def run_vw(folder: Path, options: str, lines: Sequence[str]) -> list[str]:
    """What VW predicts for each line before it learns from it."""
    data, predictions = folder / "data", folder / "predictions"
    data.write_text("\n".join(lines) + "\n")
    Workspace(f"{options} -b 22 --quiet -d {data} -p {predictions}").finish()
    return predictions.read_text().splitlines()


# ---- the skyline


@functools.cache
def problem_of(name: str, kind: str) -> tuple[Problem, Doubles]:
    """A shuffled problem, and its costs in the same order."""
    X, y = DATA[name](return_X_y=True)
    rng = np.random.default_rng(8)
    K = y.max() + 1
    costs = np.ones((len(y), K))
    costs[np.arange(len(y)), y] = 0
    if kind == "classes":
        problem = Problem.from_classes(X, y)
    elif kind == "labels":
        costs[np.arange(len(y)), rng.integers(0, K, len(y))] = 0  # a second right one
        problem = Problem.from_labels(X, 1 - costs)
    else:
        costs *= rng.integers(1, 65, costs.shape) / 64
        problem = Problem.from_costs(X, costs)
    order = np.random.default_rng(20181).permutation(len(y))
    return problem.shuffled(20181), costs[order]


@functools.cache
def examples_of(name: str, kind: str) -> list[str]:
    """The same problem in VW's format."""
    problem, costs = problem_of(name, kind)
    if kind == "classes":
        labels = [f"{right + 1}" for right in costs.argmin(axis=1)]
    else:
        numbered = [enumerate(row, start=1) for row in costs]
        labels = [" ".join(f"{k}:{cost}" for k, cost in row) for row in numbered]
    return [f"{y} | {features_text(problem, i)}" for i, y in enumerate(labels)]


@functools.cache
def skyline(name: str, kind: str) -> list[Result]:
    problem, _ = problem_of(name, kind)
    return simulate(problem, [Run("supervised", learning_rate=lr) for lr in RATES], record=True)


@pytest.mark.parametrize("rate", range(len(RATES)), ids=map(str, RATES))
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("digits", "classes"),
        ("breast cancer", "classes"),
        ("wine", "classes"),
        ("digits", "labels"),
        ("wine", "labels"),
        ("digits", "costs"),
        ("breast cancer", "costs"),
        ("wine", "costs"),
    ],
)
def test_the_skyline_predicts_what_vw_predicts(
    name: str, kind: str, rate: int, tmp_path: Path
) -> None:
    _, costs = problem_of(name, kind)
    n, K = costs.shape
    reduction = "--oaa" if kind == "classes" else "--csoaa"

    theirs = run_vw(tmp_path, f"{reduction} {K} -l {RATES[rate]}", examples_of(name, kind))

    ours = skyline(name, kind)[rate]
    chosen = np.array(theirs, int) - 1
    pv_loss = costs[np.arange(n), chosen].mean()
    assert np.mean(chosen == ours.actions) >= 0.995  # scores may tie within rounding
    assert abs(pv_loss - ours.pv_loss) <= 2.5 / n  # two rounds that tie


# ---- the regression update


def stream_of(seed: int, n: int = 400, d: int = 8) -> Stream:
    """Sparse rows on growing scales, noisy labels, importance from 0.01 to 100."""
    rng = np.random.default_rng(seed)
    growth = np.linspace(0, 3, n)[:, None] * rng.random(d)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    labels = np.clip(X @ rng.normal(size=d) + rng.normal(size=n), -3, 2)
    omega = 10 ** rng.uniform(-2, 2, n)
    return Stream(X * 10**growth, labels, omega, np.zeros(n, np.int64))


def lines_of(stream: Stream) -> list[str]:
    lines = []
    for i in range(stream.n):
        named = " ".join(f"f{j}:{x:.9g}" for j, x in stream.row(i)[:-1])
        lines.append(f"{stream.y[i]:.9g} {stream.omega[i]:.9g} | {named}")
    return lines


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("rate", RATES)
def test_the_regression_kernel_predicts_what_vw_predicts(
    rate: float, seed: int, tmp_path: Path
) -> None:
    stream = stream_of(seed)
    f = new_regressors(stream.n_features + 1, 1, np.array([rate], np.float32), 9)

    ours = regress(f, stream)[:, 0]

    theirs = np.array(run_vw(tmp_path, f"-l {rate}", lines_of(stream)), float)
    width = stream.y.max() - stream.y.min()
    assert np.ptp(theirs) > width / 100  # VW learns something at every rate
    assert np.abs(ours - theirs).max() <= 1e-4 * width  # rounding adds up over rounds


@pytest.mark.parametrize("rate", RATES)
def test_the_reference_regression_predicts_what_vw_predicts(rate: float, tmp_path: Path) -> None:
    stream = stream_of(seed=1)
    f = Regressor(stream.n_features + 1, 1, rate)
    ours = []

    for i in range(stream.n):
        r = f.score(stream.row(i), 0)
        f.learn(stream.row(i), 0, r, stream.y[i], stream.omega[i])
        ours.append(float(f.clip(r)))

    theirs = np.array(run_vw(tmp_path, f"-l {rate}", lines_of(stream)), float)
    width = stream.y.max() - stream.y.min()
    assert np.abs(ours - theirs).max() <= 1e-4 * width  # rounding adds up over rounds


# ---- the sensitivity


def test_vw_has_our_sensitivity_without_the_factor_2_error(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(500, 6)) * (rng.random((500, 6)) < 0.7)
    y = np.clip(X @ rng.normal(size=6) / 3 + rng.normal(size=500) / 2, -1, 1)
    learned = Stream(X, y, np.ones(500), np.zeros(500, np.int64))
    f = new_regressors(7, 1, np.array([0.5], np.float32), 7)
    reference = Regressor(7, 1, 0.5)
    regress(f, learned)
    for i in range(500):
        row = learned.row(i)
        reference.learn(row, 0, reference.score(row, 0), learned.y[i], ONE)
    trained = lines_of(learned)
    asked = [f"| {line.partition('| ')[2]}" for line in trained]

    answers = run_vw(tmp_path, "-l 0.5 --confidence", trained + asked)[500:]

    compared = 0
    for i, answer in enumerate(answers):
        r = scores_of(f, learned.contexts, i)[0, 0]
        label = np.float32(-1 if r > 0 else 1)  # what VW asks about: the opposite
        ours = sensitivities_of(f, learned.contexts, i, np.array([label]))[0, 0]
        slow = reference.sensitivity(learned.row(i), 0, r, label)
        prediction, confidence = map(float, answer.split())
        if 0.2 < abs(r) < 1:  # VW clips r, and its answer has six decimals
            theirs = abs(prediction) / confidence  # confidence = |f| / sensitivity
            error = abs(float(r - label))
            assert ours == pytest.approx(2 * error * theirs, rel=2e-5)  # six decimals
            assert slow == pytest.approx(2 * error * theirs, rel=2e-5)  # six decimals
            compared += 1
    assert compared > 200
