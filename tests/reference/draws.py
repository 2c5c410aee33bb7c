"""Random numbers: a function of the seed, the round and the stream, without state."""

import math
import statistics

MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15

ACTION_STREAM = 0
FIRST_POLICY_STREAM = 1


def mix(z: int) -> int:
    """Scramble 64 bits (the finaliser of SplitMix64)."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def key_of(seed: int) -> int:
    """The key of all the draws of a run."""
    return mix((seed + GOLDEN) & MASK)


def uniform(key: int, t: int, stream: int) -> float:
    """A number in [0, 1): 53 bits."""
    bits = mix((key + (65536 * t + stream) * GOLDEN) & MASK)
    return float(bits >> 11) * 2.0**-53


def poisson(u: float) -> int:
    """The quantile of Poisson(1) at `u`, by inversion."""
    tau = 0
    mass = total = math.exp(-1.0)
    while u >= total and tau < 20:
        tau = tau + 1
        mass = mass / tau
        total = total + mass
    return tau


def normal(u: float) -> float:
    """The quantile of the standard normal distribution at `u`; zero is 2^-54."""
    return statistics.NormalDist().inv_cdf(max(u, 2.0**-54))


def draw_action(p: list[float], u: float) -> int:
    """The first action at which the cumulated `p` passes `u`."""
    total = 0.0
    for k in range(len(p)):
        total = total + p[k]
        if u < total:
            return k
    return max(k for k in range(len(p)) if p[k] > 0.0)
