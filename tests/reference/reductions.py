"""Loss estimates and off-policy learning (Section 2.3, Algorithms 8 and 9)."""

from dataclasses import dataclass

import numpy as np

from tests.reference.regression import ONE, ZERO, Regressor, Row, clip, csc_update

DR = ("dr", "dr-unweighted")


@dataclass
class Reduction:
    """One of "ips", "dr", "dr-unweighted" and "iwr"; `estimator` is DR's loss estimator."""

    name: str
    estimator: Regressor | None = None

    def estimates(
        self, rows: list[Row], K: int, a: int, loss: np.float32, p: float
    ) -> list[np.float32] | None:
        """Estimated losses of all actions, None for IWR. Call once per round (D15)."""
        if self.name == "ips":
            return ips_estimates(K, a, loss, p)
        if self.name in DR:
            assert self.estimator is not None
            omega = np.float32(1.0 / p) if self.name == "dr" else ONE  # (D4)
            return dr_estimates(self.estimator, rows, a, loss, p, omega)
        return None


def ips_estimates(K: int, a: int, loss: np.float32, p: float) -> list[np.float32]:
    """Estimate loss / p at the action taken, 0 elsewhere (Eq. 3)."""
    estimates = [ZERO] * K
    estimates[a] = np.float32(float(loss) / p)
    return estimates


def dr_estimates(
    estimator: Regressor, rows: list[Row], a: int, loss: np.float32, p: float, omega: np.float32
) -> list[np.float32]:
    """e(x, k) + (loss - e(x, a)) / p * [k = a], e clipped to its labels (Eq. 4).

    All e come from the estimator after it has learned this loss with importance omega, as
    in Algorithm 8 (D5). Where all labels are 0 or less, the estimates of actions that were
    not taken may exceed 0: what is known to be bad must differ from what was never tried,
    whose estimate is the 0 that all weights start from (D15).
    """
    row, block = estimator.row_and_block(rows, a)
    estimator.learn(row, block, estimator.scores(rows)[a], loss, omega)

    estimates = []
    for k, f in enumerate(estimator.scores(rows)):
        lo, hi = estimator.lo, estimator.hi
        if k == a:
            e = float(clip(f, lo, hi))
            estimates.append(np.float32(e + (float(loss) - e) / p))
        elif hi == 0.0:
            estimates.append(max(f, lo))
        else:
            estimates.append(clip(f, lo, hi))
    return estimates


def opl_update(
    policy: Regressor,
    rows: list[Row],
    a: int,
    loss: np.float32,
    p: float,
    estimates: list[np.float32] | None,
    weight: np.float32 = ONE,
) -> None:
    """Off-policy learning update (Algorithm 9).

    `estimates` are those of this round's `Reduction.estimates`: IPS and DR update all
    actions on them, IWR (None) regresses on the loss with importance weight / p (Eq. 6).
    """
    if estimates is not None:
        csc_update(policy, rows, estimates)
    else:
        row, block = policy.row_and_block(rows, a)
        omega = np.float32(1.0 / p) * weight
        policy.learn(row, block, policy.score(row, block), loss, omega)
