"""Random draws as a function of (seed, round, stream): nothing to store or to resume.

A counter goes through the finaliser of SplitMix64. The same (seed, t) gives the same
draws to every run, which makes comparisons between algorithms less noisy. Problems and
orders of their rows have seeds of their own (`job_seed`), so that what happens on one
says nothing about another.

    u = uniform(bandit.key[lane], event.t, POLICY + i)
    tau, z = poisson(u), normal(u)
"""

import hashlib
import math

import numpy as np

from bakeoff.core.jit import kernel

STREAMS = np.uint64(65536)  # per round; whose they are:
ACTION = 0  # the draw of a_t, by `draw_actions` and nobody else
POLICY = 1  # POLICY + i belongs to policy i, of at most 1,000
EXPLORER = 4096  # EXPLORER + i, i below 61,440: any other draws of an explorer

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


@kernel
def normal(u: float) -> float:
    """A standard normal number by inversion of one uniform number.

    Algorithm AS 241 (Wichura 1988): good to about 16 digits. Zero stands for 2^-54.
    """
    u = max(u, 2.0**-54)
    d = u - 0.5
    if abs(d) <= 0.425:
        return _middle(d)
    r = math.sqrt(-math.log(min(u, 1.0 - u)))
    z = _tail(r) if r <= 5.0 else _far_tail(r)
    return z if d > 0.0 else -z


@kernel
def _middle(d: float) -> float:
    """The quantile at 1/2 + d."""
    r = 0.180625 - d * d
    top = 2.5090809287301226727e3
    top = top * r + 3.3430575583588128105e4
    top = top * r + 6.7265770927008700853e4
    top = top * r + 4.5921953931549871457e4
    top = top * r + 1.3731693765509461125e4
    top = top * r + 1.9715909503065514427e3
    top = top * r + 1.3314166789178437745e2
    top = top * r + 3.3871328727963666080
    low = 5.2264952788528545610e3
    low = low * r + 2.8729085735721942674e4
    low = low * r + 3.9307895800092710610e4
    low = low * r + 2.1213794301586595867e4
    low = low * r + 5.3941960214247511077e3
    low = low * r + 6.8718700749205790830e2
    low = low * r + 4.2313330701600911252e1
    return top * d / (low * r + 1.0)


@kernel
def _tail(r: float) -> float:
    """The quantile at exp(-r^2) below one, for r up to 5."""
    r = r - 1.6
    top = 7.74545014278341407640e-4
    top = top * r + 2.27238449892691845833e-2
    top = top * r + 2.41780725177450611770e-1
    top = top * r + 1.27045825245236838258
    top = top * r + 3.64784832476320460504
    top = top * r + 5.76949722146069140550
    top = top * r + 4.63033784615654529590
    top = top * r + 1.42343711074968357734
    low = 1.05075007164441684324e-9
    low = low * r + 5.47593808499534494600e-4
    low = low * r + 1.51986665636164571966e-2
    low = low * r + 1.48103976427480074590e-1
    low = low * r + 6.89767334985100004550e-1
    low = low * r + 1.67638483018380384940
    low = low * r + 2.05319162663775882187
    return top / (low * r + 1.0)


@kernel
def _far_tail(r: float) -> float:
    """The quantile at exp(-r^2) below one, for r above 5."""
    r = r - 5.0
    top = 2.01033439929228813265e-7
    top = top * r + 2.71155556874348757815e-5
    top = top * r + 1.24266094738807843860e-3
    top = top * r + 2.65321895265761230930e-2
    top = top * r + 2.96560571828504891230e-1
    top = top * r + 1.78482653991729133580
    top = top * r + 5.46378491116411436990
    top = top * r + 6.65790464350110377720
    low = 2.04426310338993978564e-15
    low = low * r + 1.42151175831644588870e-7
    low = low * r + 1.84631831751005468180e-5
    low = low * r + 7.86869131145613259100e-4
    low = low * r + 1.48753612908506148525e-2
    low = low * r + 1.36929880922735805310e-1
    low = low * r + 5.99832206555887937690e-1
    return top / (low * r + 1.0)
