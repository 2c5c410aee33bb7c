"""LinUCB, LinTS and LinMED: ridge regression and its widths, one number at a time."""

import itertools
import math
from collections import defaultdict

import numpy as np

from tests.reference.regression import Regressor, Row


class Ridge:
    """A^-1 = U D U' and theta of each block; `f` says which row and block an action has."""

    def __init__(self, f: Regressor, ridge: float) -> None:
        self.f = f
        self.ridge = ridge
        self.U: dict[int, dict[tuple[int, int], float]] = defaultdict(dict)
        self.D: dict[int, dict[int, float]] = defaultdict(dict)
        self.theta: dict[int, dict[int, float]] = defaultdict(dict)
        self.log_det = 0.0

    def above(self, block: int, i: int, j: int) -> float:
        """An entry of U, which begins as I."""
        return self.U[block].get((i, j), 1.0 if i == j else 0.0)

    def known(self, block: int, *rows: Row) -> list[int]:
        """The features of a block so far and of some rows in order, the bias first."""
        known = {*self.D[block], *(i for row in rows for i, _ in row)}
        return sorted(known, key=lambda i: (i < len(self.f.w[0]) - 1, i))

    def mean(self, rows: list[Row], k: int) -> float:
        """theta x of action k."""
        row, block = self.f.row_and_block(rows, k)
        total = 0.0
        for i, value in row:
            total = total + self.theta[block].get(i, 0.0) * float(value)
        return total

    def image(self, block: int, row: Row, less: Row | None = None) -> dict[int, float]:
        """U'x for a row x, or for the difference of two."""
        less = less or []
        signed = [(i, float(value)) for i, value in row] + [(i, -float(v)) for i, v in less]
        image = dict.fromkeys(self.known(block, row, less), 0.0)
        for j in image:
            for i, value in signed:
                image[j] = image[j] + self.above(block, i, j) * value
        return image

    def square(self, block: int, image: dict[int, float]) -> float:
        """x' A^-1 x, given U'x."""
        total = 0.0
        for j, f in image.items():
            total = total + self.D[block].get(j, 1.0 / self.ridge) * f * f
        return total

    def width(self, rows: list[Row], k: int) -> float:
        """x' A^-1 x of action k."""
        row, block = self.f.row_and_block(rows, k)
        return self.square(block, self.image(block, row))

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Bierman: how U and D change if x x' is added to A."""
        row, block = self.f.row_and_block(rows, a)
        error = float(loss) - self.mean(rows, a)
        image = self.image(block, row)
        growth, turn, gain = 1.0, {}, {}
        for j, f in image.items():
            D = self.D[block].get(j, 1.0 / self.ridge)
            gain[j], before = D * f, growth
            growth = growth + gain[j] * f
            turn[j] = -f / before
            self.D[block][j] = D * (before / growth)
        features = list(image)
        for place, i in enumerate(features):
            g = gain[i]
            for j in features[place + 1 :]:
                u = self.above(block, i, j)
                self.U[block][i, j] = u + turn[j] * g
                g = g + gain[j] * u
            self.theta[block][i] = self.theta[block].get(i, 0.0) + error / growth * g
        self.log_det = self.log_det + math.log(growth)


class LinUCB(Ridge):
    """All on the least theta x - alpha sqrt(x' A^-1 x)."""

    def __init__(self, f: Regressor, alpha: float, ridge: float) -> None:
        super().__init__(f, ridge)
        self.alpha = alpha

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Ties are shared."""
        K = self.f.n_actions(rows)
        bounds = [
            self.mean(rows, k) - self.alpha * math.sqrt(self.width(rows, k)) for k in range(K)
        ]
        tied = [k for k in range(K) if bounds[k] == min(bounds)]
        return [1.0 / len(tied) if k in tied else 0.0 for k in range(K)]


class LinTS(Ridge):
    """The least of independent normal numbers, N(theta x, scale^2 x' A^-1 x)."""

    def __init__(self, f: Regressor, scale: float, ridge: float) -> None:
        super().__init__(f, ridge)
        self.scale = scale

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """How likely each is the least."""
        K = self.f.n_actions(rows)
        means = [self.mean(rows, k) for k in range(K)]
        deviations = [self.scale * math.sqrt(max(1e-24, self.width(rows, k))) for k in range(K)]
        return least_of(means, deviations)


BENDS = (-8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(10)


def least_of(means: list[float], deviations: list[float]) -> list[float]:
    """How likely each of independent normal numbers is the least, by Gauss's rule.

    Beyond eight deviations nothing happens; of many points where something bends, about
    64 are enough. Numbers count from the least mean, so that no deviation is lost in them.
    """
    K = len(means)
    draws = [(mean - min(means), dev) for mean, dev in zip(means, deviations, strict=True)]
    end = min(mean + 8.0 * deviation for mean, deviation in draws)
    cuts = sorted(mean + deviation * bend for mean, deviation in draws for bend in BENDS)
    cuts = [cut for cut in cuts if cut <= end]
    step = max(1, math.ceil((len(cuts) - 1) / 64))
    ends = sorted({*range(0, len(cuts), step), len(cuts) - 1})
    p = [0.0] * K
    for first, last in itertools.pairwise(ends):
        half, middle = 0.5 * (cuts[last] - cuts[first]), 0.5 * (cuts[last] + cuts[first])
        if half <= 0:
            continue
        for node, weight in zip(NODES.tolist(), WEIGHTS.tolist(), strict=True):
            s = middle + half * node
            z = [(s - mean) / deviation for mean, deviation in draws]
            above = [0.5 * math.erfc(y * math.sqrt(0.5)) if y > -8.0 else 1.0 for y in z]
            before = [1.0]
            for share in above:
                before.append(before[-1] * share)
            after = 1.0
            for k in reversed(range(K)):
                if z[k] > -8.0:
                    scale = math.sqrt(2.0 * math.pi) * deviations[k]
                    density = math.exp(-0.5 * z[k] * z[k]) / scale
                    p[k] = p[k] + half * weight * density * (before[k] * after)
                after = after * above[k]
    total = 0.0
    for share in p:
        total = total + share
    return [share / total for share in p]


class LinMED(Ridge):
    """p(a) proportional to q(a) exp(-gap^2 / (beta |x_a - x_b|^2))."""

    def __init__(self, f: Regressor, share: float, delta: float, ridge: float) -> None:
        super().__init__(f, ridge)
        self.share, self.delta = share, delta

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """A closed form; noise 1/2, theta of size 1."""
        K = self.f.n_actions(rows)
        means = [self.mean(rows, k) for k in range(K)]
        b = means.index(min(means))
        root = math.sqrt(self.log_det + 2.0 * math.log(1.0 / self.delta))
        radius = 0.5 * root + math.sqrt(self.ridge) * 1.0
        least, its_block = self.f.row_and_block(rows, b)
        weights = []
        for k in range(K):
            row, block = self.f.row_and_block(rows, k)
            if block == its_block:
                between = self.square(block, self.image(block, row, less=least))
            else:
                between = self.width(rows, k) + self.width(rows, b)
            gap = means[k] - means[b]
            weight = (1.0 - self.share) / K
            if gap <= 0:
                weight = weight + self.share
            elif between > 0:
                weight = weight * math.exp(-gap * gap / (radius * radius * between))
            else:
                weight = 0.0
            weights.append(weight)
        total = 0.0
        for weight in weights:
            total = total + weight
        return [weight / total for weight in weights]
