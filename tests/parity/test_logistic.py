"""Against Vowpal Wabbit 9.11.9: regression on the log loss.

VW solves the equation of a step to about 1e-4, we to the last digits. With VW's solution in
place of ours the reference predicts what VW predicts, so that this is the only difference.
"""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bakeoff.core.types import Doubles
from tests.parity.test_vw import RATES, lines_of, run_vw, stream_of
from tests.reference.regression import Regressor, clip
from tests.regressors import Stream

pytestmark = pytest.mark.vw


class VowpalRegressor(Regressor):
    """Steps as VW computes them."""

    def log_step(self, r: float, cost: float, s: float, kappa: float) -> float:
        """The mean of the steps towards labels 1 and -1."""
        if s * kappa < 1e-6:
            return super().log_step(r, cost, s, kappa)
        r = clip(r, -50.0, 50.0)
        return sum(
            -share * (label * lambert(s * kappa + label * r + math.exp(label * r)) + r) / kappa
            for label, share in ((1.0, cost), (-1.0, 1.0 - cost))
            if share
        )


def lambert(x: float) -> float:
    """VW's approximation of W(e^x) - x, with W the function of Lambert."""
    w = 0.86 * x + 0.01 if x >= 1 else math.exp(0.8 * x - 0.65)
    r = x - math.log(w) - w if x >= 1 else 0.2 * x + 0.65 - w
    t = 1 + w
    u = 2 * t * (t + 2 * r / 3)
    return w * (1 + r / t * (u - r) / (u - 2 * r)) - x


def binary_stream(seed: int) -> Stream:
    """Sparse rows on growing scales, costs of 0 and 1, importance from 0.01 to 100."""
    stream = stream_of(seed)
    return Stream(stream.X, (stream.y > 0).astype(float), stream.omega.astype(float), stream.blocks)


def chances(f: Regressor, stream: Stream) -> Doubles:
    """What a regressor predicts before it learns each row."""
    found = []
    with np.errstate(all="ignore"):
        for i in range(stream.n):
            row = stream.row(i)
            r = f.score(row, 0)
            found.append(f.expected(r))
            f.learn(row, 0, r, stream.y[i], stream.omega[i])
    return np.array(found)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("rate", RATES)
def test_the_log_loss_is_regressed_as_in_vw(rate: float, seed: int, tmp_path: Path) -> None:
    stream = binary_stream(seed)
    labelled = [
        line.replace("0 ", "-1 ", 1) if line.startswith("0 ") else line for line in lines_of(stream)
    ]
    options = f"-l {rate} --loss_function logistic --link logistic"
    theirs = np.array(run_vw(tmp_path, options, labelled), float)

    as_vw = chances(VowpalRegressor(stream.n_features + 1, 1, rate, least=0.0), stream)
    ours = chances(Regressor(stream.n_features + 1, 1, rate, least=0.0), stream)

    assert_allclose(as_vw, theirs, atol=2e-4)  # VW's equation is in single precision
    assert_allclose(ours, theirs, atol=5e-3)
    assert np.std(ours) > 1e-3
