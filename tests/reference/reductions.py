"""Loss estimates and off-policy learning (Section 2.3, Algorithms 8 and 9)."""

from dataclasses import dataclass

import numpy as np

from tests.reference.regression import ONE, ZERO, Regressor, Row, clip, csc_update


@dataclass
class Reduction:
    """One of "ips", "dr" and "iwr"; `estimator` is the loss estimator of DR."""

    name: str
    estimator: Regressor | None = None
    estimate_first: bool = False
    room: float = 0.0

    def estimates(
        self, rows: list[Row], K: int, a: int, loss: np.float32, p: float
    ) -> list[np.float32] | None:
        """Estimated losses of all actions, None for IWR. Call once per round (D15)."""
        if self.name == "ips":
            return ips_estimates(K, a, loss, p)
        if self.name == "dr":
            assert self.estimator is not None
            return dr_estimates(
                self.estimator, rows, a, loss, p, self.estimate_first, self.room
            )
        return None


def ips_estimates(K: int, a: int, loss: np.float32, p: float) -> list[np.float32]:
    """Estimate loss / p at the action taken, 0 elsewhere (Eq. 3)."""
    estimates = [ZERO] * K
    estimates[a] = np.float32(float(loss) / p)
    return estimates


def clip_with_room(estimator: Regressor, f: np.float32, room: float) -> np.float32:
    """Clip to the label range, widened on either side by `room` times its length."""
    more = np.float32(room) * (estimator.hi - estimator.lo)
    return clip(f, estimator.lo - more, estimator.hi + more)


def dr_estimates(
    estimator: Regressor,
    rows: list[Row],
    a: int,
    loss: np.float32,
    p: float,
    estimate_first: bool = False,
    room: float = 0.0,
) -> list[np.float32]:
    """e(x, k) + (loss - e(x, a)) / p * [k = a], e clipped to its labels (Eq. 4).

    All e come from the estimator after it has learned this loss, as in Algorithm 8;
    with `estimate_first` from before (D5).
    """
    raw = estimator.scores(rows)
    estimates = [clip_with_room(estimator, f, room) for f in raw]
    row, block = estimator.row_and_block(rows, a)
    estimator.learn(row, block, raw[a], loss, ONE)
    if not estimate_first:
        after = estimator.scores(rows)
        estimates = [clip_with_room(estimator, f, room) for f in after]

    e = float(estimates[a])
    estimates[a] = np.float32(e + (float(loss) - e) / p)
    return estimates


def opl_update(
    policy: Regressor,
    rows: list[Row],
    a: int,
    loss: np.float32,
    p: float,
    estimates: list[np.float32] | None,
) -> None:
    """Off-policy learning update (Algorithm 9).

    `estimates` are those of this round's `Reduction.estimates`: IPS and DR update all
    actions on them, IWR (None) regresses on the loss with importance 1 / p (Eq. 6).
    """
    if estimates is not None:
        csc_update(policy, rows, estimates)
    else:
        row, block = policy.row_and_block(rows, a)
        policy.learn(row, block, policy.score(row, block), loss, np.float32(1.0 / p))
