"""Plan: how many events to collect until a difference shows.

A logger plays its favourite action and, with probability epsilon, any action. A policy
that plays another action than the favourite in a share of events (`disagree`) is worth
`effect` more. IPS of the difference has the variance

    s^2 = disagree * m2 * (1 / p_other + 1 / p_favourite),   m2 = rate

with p_other = epsilon / K and p_favourite = 1 - epsilon + epsilon / K: weighted rewards
where both disagree, nothing where they agree. Then

    n = (z_{1 - alpha/2} + z_power)^2 s^2 / effect^2
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from bakeoff.basics.errors import SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Log

RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class Question(NamedTuple):
    """The difference that a log should show, and the setting."""

    n_actions: int
    effect: float  # difference of mean rewards that should show
    rate: float = 0.3  # mean reward, or rather the mean of its square
    disagree: float = 0.5  # share of events where the policies differ
    alpha: float = 0.05
    power: float = 0.8


class Needed(NamedTuple):
    """Events needed at one rate of exploration."""

    epsilon: float
    events: int
    price: float  # reward lost per event to exploration, if others are `effect` worse


def checked(question: Question) -> Question:
    """Check that a question makes sense."""
    ranges = {
        "effect": (0.0, 1.0), "rate": (0.0, 1.0), "disagree": (0.0, 1.0),
        "alpha": (0.0, 1.0), "power": (0.0, 1.0),
    }  # fmt: skip
    for name, (low, high) in ranges.items():
        value = getattr(question, name)
        if not low < value <= high:
            raise SpecError(f"{name} must lie above {low:g} and be at most {high:g}")
    if question.alpha >= 1 or question.power >= 1:
        raise SpecError("alpha and power must lie below 1")
    if question.n_actions < 2:
        raise SpecError(f"actions must be at least 2, got {question.n_actions}")
    return question


def variance(question: Question, epsilon: float) -> float:
    """The variance of one event's term in the difference."""
    other = epsilon / question.n_actions
    favourite = 1.0 - epsilon + other
    square = question.rate * question.disagree * (1.0 / other + 1.0 / favourite)
    return max(square - question.effect**2, 1e-12)


def events_needed(question: Question, epsilon: float) -> Needed:
    """Events until the difference shows with the wanted power."""
    checked(question)
    if not 0 < epsilon <= 1:
        raise SpecError(f"epsilon must lie above 0 and be at most 1, got {epsilon:g}")
    z = stats.norm.ppf(1 - question.alpha / 2) + stats.norm.ppf(question.power)
    n = float(z) ** 2 * variance(question, epsilon) / question.effect**2
    explored = epsilon * (1 - 1 / question.n_actions)
    return Needed(epsilon, math.ceil(n), explored * question.effect)


def events_to_tell(
    n: int, difference: float, half_width: float, alpha: float, power: float = 0.8
) -> int:
    """Events until a difference shows, from an interval of it on n events.

    Intervals become narrower with the root of the number of events.
    """
    z = float(stats.norm.ppf(1 - alpha / 2))
    narrower = half_width / abs(difference) * (z + float(stats.norm.ppf(power))) / z
    return math.ceil(n * narrower**2)


def table(question: Question, rates: tuple[float, ...] = RATES) -> list[Needed]:
    """Events needed at several rates of exploration."""
    return [events_needed(question, rate) for rate in rates]


def from_log(log: Log, question: Question) -> Question:
    """The question with the number of actions and the rate of an existing log."""
    square = float((log.reward**2).mean())
    return question._replace(n_actions=log.n_actions, rate=max(square, 1e-6))


def simulated_power(
    question: Question, epsilon: float, n: int, times: int = 400, seed: int = 0
) -> float:
    """How often the difference shows in simulated logs of n events.

    Half-and-half rewards of mean `rate` for the favourite; where policies disagree, the
    other action has a mean that makes the whole difference `effect`.
    """
    rng = np.random.default_rng(seed)
    gain = question.effect / question.disagree
    means = question.rate - gain / 2, min(1.0, question.rate + gain / 2)
    return float(np.mean([_shows(question, epsilon, n, means, rng) for _ in range(times)]))


def _shows(
    question: Question, epsilon: float, n: int, means: tuple[float, float], rng: np.random.Generator
) -> bool:
    """Whether one simulated log shows the difference."""
    K = question.n_actions
    p = np.array([1.0 - epsilon + epsilon / K, epsilon / K])
    u = rng.random(n)
    drawn = np.where(u < p[0], 0, np.where(u < p[0] + p[1], 1, 2))
    differs = rng.random(n) < question.disagree
    reward = rng.random(n) < np.array([*means, question.rate])[drawn]
    terms: Doubles = np.zeros(n)
    for action, sign in ((1, 1.0), (0, -1.0)):
        own = differs & (drawn == action)
        terms[own] = sign * reward[own] / p[action]
    error = float(terms.std(ddof=1)) / math.sqrt(n)
    z = float(stats.norm.ppf(1 - question.alpha / 2))
    return bool(terms.mean() > z * error)
