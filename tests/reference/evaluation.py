"""Off-policy evaluation, slow and obvious: one event at a time, sums by hand.

An event is (reward r, weight w, guess q for the action taken, q_pi for the policy).
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Event(NamedTuple):
    r: float
    w: float
    q: float
    q_pi: float


Log = Sequence[Event]


def ips(log: Log) -> float:
    return sum(e.w * e.r for e in log) / len(log)


def snips(log: Log) -> float:
    return sum(e.w * e.r for e in log) / sum(e.w for e in log)


def clipped(log: Log, limit: float) -> float:
    return sum(min(e.w, limit) * e.r for e in log) / len(log)


def dm(log: Log) -> float:
    return sum(e.q_pi for e in log) / len(log)


def dr(log: Log) -> float:
    return sum(e.q_pi + e.w * (e.r - e.q) for e in log) / len(log)


def sndr(log: Log) -> float:
    residual = sum(e.w * (e.r - e.q) for e in log)
    return dm(log) + residual / sum(e.w for e in log)


def switch_dr(log: Log, limit: float) -> float:
    total = 0.0
    for e in log:
        total += e.q_pi
        if e.w <= limit:
            total += e.w * (e.r - e.q)
    return total / len(log)


def dros(log: Log, strength: float) -> float:
    total = 0.0
    for e in log:
        shrunk = strength * e.w / (e.w**2 + strength)
        total += e.q_pi + shrunk * (e.r - e.q)
    return total / len(log)


def likelihood(log: Log) -> float:
    """The beta whose shares 1 / (n + beta (w - 1)) have a mean weight of 1, halved."""
    n = len(log)
    low, high = 0.0, min([float(n), *((n - 1) / (1 - e.w) for e in log if e.w < 1)])
    for _ in range(200):
        beta = (low + high) / 2
        if sum((e.w - 1) / (n + beta * (e.w - 1)) for e in log) > 0:
            low = beta
        else:
            high = beta
    return _with_missing(log, [1 / (n + beta * (e.w - 1)) for e in log])


def cressie_read(log: Log) -> float:
    """Shares (g + b w) / (n + 1) of the events and a made-up one of weight 0."""
    n = len(log)
    total = sum(e.w for e in log)
    if total < n:
        return _with_missing(log, [1 / n] * n)
    a, b = total / (n + 1), sum(e.w**2 for e in log) / (n + 1)
    slope, at_zero = (1 - a) / (b - a * a), (b - a) / (b - a * a)
    return _with_missing(log, [(at_zero + slope * e.w) / (n + 1) for e in log])


def _with_missing(log: Log, shares: Sequence[float]) -> float:
    """What the shares leave of the weights gets the mean reward."""
    value = weight = 0.0
    for e, share in zip(log, shares, strict=True):
        value += share * e.w * e.r
        weight += share * e.w
    return value + max(0.0, 1 - weight) * sum(e.r for e in log) / len(log)


def effective_sample_size(log: Log) -> float:
    return sum(e.w for e in log) ** 2 / sum(e.w**2 for e in log)


def slope(tried: Sequence[tuple[float, float, float]]) -> float:
    """Of (parameter, value, half-width): the last that agrees with all wider ones."""
    order = sorted(tried, key=lambda one: one[2], reverse=True)
    best = 0
    for i in range(len(order)):
        agrees = True
        for j in range(i):
            gap = abs(order[j][1] - order[i][1])
            if gap > order[i][2] + (math.sqrt(6) - 1) * order[j][2]:
                agrees = False
        if not agrees:
            break
        best = i
    return order[best][0]


# ---- lower bounds at 1 - delta for the mean of x >= 0


def bernstein(x: Sequence[float], delta: float) -> float:
    n = len(x)
    cut = [min(value, math.sqrt(n)) for value in x]
    mean = sum(cut) / n
    variance = sum((value - mean) ** 2 for value in cut) / (n - 1)
    log_term = math.log(2 / delta)
    return (
        mean - math.sqrt(2 * variance * log_term / n) - 7 * math.sqrt(n) * log_term / (3 * (n - 1))
    )


def smoothing(x: Sequence[float], delta: float) -> float:
    n = len(x)
    scale = math.sqrt(n)
    mean = sum(scale * math.log(1 + value / scale) for value in x) / n
    return scale * (math.exp((mean - scale * math.log(1 / delta) / n) / scale) - 1)


def robust(x: Sequence[float], delta: float) -> float:
    """By bisection over means, the wealth of each bet played out round by round."""
    low, high = 0.0, 1.0
    if _wealth(x, 0.0) <= math.log(1 / delta):
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if _wealth(x, middle) > math.log(1 / delta):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _wealth(x: Sequence[float], mean: float) -> float:
    """The logarithm of the mixture over bets."""
    total = 0.0
    for j in range(24):
        bet = 0.5 * 1.6 ** -(j + 0.5)
        share = 0.6 * 1.6 ** -(j + 1)
        log_bet, so_far = 0.0, 0.0
        for t, value in enumerate(x, 1):
            forecast = min(1.0, (so_far + 0.5) / t)
            e = value - forecast
            log_bet += bet * (value - mean) - (bet * e - math.log(1 + bet * e))
            so_far += value
        total += share * math.exp(min(700.0, log_bet))
    return math.log(total)


def two_sided(
    log: Log, alpha: float, lower: Callable[[Sequence[float], float], float]
) -> tuple[float, float]:
    up = [e.w * e.r for e in log]
    down = [e.w * (1 - e.r) for e in log]
    return lower(up, alpha / 2), 1 - lower(down, alpha / 2)


def empirical_likelihood(w: Sequence[float], r: Sequence[float], value: float) -> float:
    """-2 log of the likelihood ratio of a value; the dual by grid and zoom."""
    best, centre, span = 0.0, (0.0, 0.0), 1.0
    limits = [
        max(abs(a - 1) for a in w),
        max(abs(a * b - value) for a, b in zip(w, r, strict=True)),
    ]
    span_s, span_t = 1 / max(limits[0], 1e-9), 1 / max(limits[1], 1e-9)
    for _ in range(60):
        found = centre
        for i in range(-6, 7):
            for j in range(-6, 7):
                s = centre[0] + span * span_s * i / 3
                t = centre[1] + span * span_t * j / 3
                terms = [1 + s * (a - 1) + t * (a * b - value) for a, b in zip(w, r, strict=True)]
                if min(terms) <= 0:
                    continue
                here = sum(math.log(term) for term in terms)
                if here > best:
                    best, found = here, (s, t)
        if found == centre:
            span /= 2
        centre = found
    return 2 * best
