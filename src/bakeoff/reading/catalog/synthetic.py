"""Made-up problems with a known effect; docs/reference/embedded.md measures each one."""

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.data import Problem


def greedy_trap(name: str = "greedy-trap") -> Problem:
    """Greedy is caught at any learning rate; Cover with uniform exploration gets out.

    One feature is 1 or 10, in turn. Costs of the three actions:

        1:   0.8  0.5  0
        10:  0    0.5  0.8

    With the encoding -1/0 the first action tried looks better than those never tried.
    With 0/1 all are tried, but what action 0 loses at 1 is predicted to be several
    times as much at 10; so it is not tried there, and the prediction stays wrong.
    """
    kind = np.arange(2000) % 2
    sizes = np.array([[1.0], [10.0]])
    costs = np.array([[0.8, 0.5, 0.0], [0.0, 0.5, 0.8]])
    return Problem.from_costs(sizes[kind], costs[kind], name=name)


def shared_baseline(name: str = "shared-baseline") -> Problem:
    """All costs are near 0.5, so that a regressor must learn this of each action.

    Of 50 features about five are present; the right one of ten actions costs 0.4, the
    others 0.6. A baseline shared by all actions learns the common level once.
    """
    n, d, K = 2000, 50, 10
    X = (uniforms(1, n, d) < 5 / d).astype(np.float64)
    right = np.argmax(X @ (uniforms(2, d, K) - 0.5), axis=1)
    costs = np.where(np.arange(K) == right[:, None], 0.4, 0.6)
    return Problem.from_costs(X, costs, name=name)


def rich_contexts(name: str = "rich-contexts") -> Problem:
    """Contexts so diverse that there is no need to explore (Section 3.1).

    Ten features uniform on [-1, 1], three classes, each right on a cone around a random
    direction: whichever actions a policy prefers, some contexts lead to the others.
    """
    n, d, K = 2000, 10, 3
    X = 2 * uniforms(3, n, d) - 1
    right = np.argmax(X @ (uniforms(4, d, K) - 0.5), axis=1)
    return Problem.from_classes(X, right, K, name=name)


def uniforms(seed: int, rows: int, columns: int) -> Doubles:
    """Numbers in [0, 1), the same on every machine and with every version of NumPy.

    NumPy promises that of a bit generator's raw output, not of a `Generator`.
    """
    raw = np.random.PCG64(seed).random_raw(rows * columns)
    whole = (raw >> np.uint64(11)).astype(np.float64)  # 53 bits
    return whole.reshape(rows, columns) * 2.0**-53
