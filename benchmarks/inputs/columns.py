"""One-hot columns against codes, and columns whose location drifts."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bakeoff import Problem, Run, simulate
from bakeoff.runs import INPUTS, RATES
from benchmarks.inputs.arms import COLUMNS, Row, keep, known_in
from benchmarks.inputs.forms import ALGORITHMS, Matrix, forms_of, losses_of, rows_of

CODES, DRIFTS = "codes.csv", "drifts.csv"
FORMS_OF_DRIFT = ("raw", "all columns", "exponential mean of 100 rows")
JUMP = 2.0  # deviations


def play_codes(codes: Problem, one_hot: Problem, folder: Path) -> None:
    """Play a problem with nominal columns as codes and one-hot, raw and centred."""
    path = folder / CODES
    if one_hot.n_features <= codes.n_features or codes.name in known_in(path):
        return  # it has no nominal columns of three values or more
    rows: list[Row] = []
    for coding, problem in (("codes", codes), ("one-hot", one_hot)):
        for encoding, offset in (("-1/0", -1.0), ("0/1", 0.0)):
            runs = [
                Run(spec, learning_rate=rate, offset=offset, inputs=inputs)
                for spec in ALGORITHMS
                for inputs in INPUTS
                for rate in RATES
                if spec != "supervised"
            ]
            for result in simulate(problem, runs, shuffle=1):
                run = result.run
                label = run.label.removesuffix(f" {run.inputs}")
                form = f"{coding}, {run.inputs}"
                rows.append((codes.name, form, encoding, label, run.learning_rate, result.pv_loss))
    keep(path, COLUMNS, rows)


def drifting(X: Matrix) -> Iterator[tuple[str, Matrix]]:
    """A matrix whose columns change their location in several ways."""
    rng = np.random.default_rng(0)
    scale = X.std(axis=0)
    side = rng.choice([-1.0, 1.0], X.shape[1]) * scale
    time = np.linspace(0, 1, len(X))[:, None]
    steps = rng.normal(size=X.shape) * scale * JUMP / np.sqrt(len(X))
    yield "no drift", X
    yield "jumps in the middle", X + JUMP * side * (time >= 0.5)
    yield "moves steadily", X + 2 * JUMP * side * time
    yield "wanders", X + np.cumsum(steps, axis=0)
    yield "seasons", X + JUMP * side * np.sin(8 * np.pi * time)


def play_drifts(problem: Problem, folder: Path) -> None:
    """Play a problem under each drift of its columns, raw and centred by two means."""
    path = folder / DRIFTS
    if problem.name in known_in(path):
        return
    shuffled = problem.shuffled(1)
    rows: list[Row] = []
    for drift, X in drifting(rows_of(shuffled)):
        forms = ((form, some) for form, some in forms_of(X) if form in FORMS_OF_DRIFT)
        for row in losses_of(shuffled, forms):
            rows.append((*row[:2], drift, *row[3:]))  # in the place of the encoding
    keep(path, COLUMNS, rows)
