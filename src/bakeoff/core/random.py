"""Random draws as a function of (seed, round, stream): nothing to store or to resume.

A counter goes through the finaliser of SplitMix64. The same (seed, t) gives the same
draws to every run, which makes comparisons between algorithms less noisy. Problems and
orders of their rows have seeds of their own (`job_seed`), so that what happens on one
says nothing about another.
"""

import hashlib

import numpy as np

from bakeoff.core.jit import kernel

STREAMS = np.uint64(65536)  # streams per round: 0 draws the action, 1 + i is policy i's
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@kernel
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


def job_seed(seed: int, shuffle: int, digest: str) -> int:
    """The seed of the draws on one problem in one order of its rows.

    It is below 2^32, so that other generators take it, too.
    """
    text = f"{seed} {shuffle} {digest}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def key_of(seed: int) -> np.uint64:
    """The key of all streams of `seed`."""
    mix = getattr(_mix, "py_func", _mix)
    with np.errstate(over="ignore"):
        return mix(np.uint64(seed) + _GAMMA)


@kernel
def uniform(key: np.uint64, t: int, stream: int) -> float:
    """A number in [0, 1) for round `t` of the given stream."""
    counter = np.uint64(t) * STREAMS + np.uint64(stream)
    return np.float64(_mix(key + counter * _GAMMA) >> _11) * 2.0**-53


_EXP_MINUS_1 = 0.36787944117144233


@kernel
def poisson(u: float) -> int:
    """Poisson(1) by inversion of one uniform number."""
    tau = 0
    mass = _EXP_MINUS_1
    total = mass
    while u >= total and tau < 20:
        tau += 1
        mass = mass / tau
        total = total + mass
    return tau
