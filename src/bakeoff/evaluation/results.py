"""Results: what `evaluate` returns."""

import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.core.types import Doubles
from bakeoff.evaluation.can_answer import Support, Verdict
from bakeoff.evaluation.checks import Check
from bakeoff.evaluation.difference import Difference
from bakeoff.evaluation.estimate import Estimate
from bakeoff.evaluation.estimators import ESTIMATORS, UNBIASED


class Sensitivity(NamedTuple):
    """The range of SNIPS if estimated probabilities are wrong by up to a factor."""

    factor: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Evaluation(Mapping[str, Estimate]):
    """Estimates by name, and whether the log can answer at all.

    Attributes
    ----------
    policy, log
        The names of the policy and the log.
    n, n_actions
        How many events and actions.
    adaptive
        Whether the logger was learning.
    alpha
        One minus the confidence of the intervals.
    logged
        The mean reward of the logged decisions.
    estimates
        The estimates by name.
    support, verdict, checks
        Whether the log can answer, and why.
    notes
        What was left out, and why.
    sensitivity
        How far errors of estimated probabilities could move the answer.
    truth
        The true value, if the log is simulated.
    terms, weight, favourites, shares
        What each event contributes, and how often each action is played, for pages and tests.
    difference
        From the mean reward of the logged decisions, paired.
    sentence
        What the policy would have earned, whether that is better, and what more events would tell.

    Examples
    --------
    >>> log = bakeoff.Log.from_arrays(None, [0, 1] * 50, [0.5] * 100, [1, 0] * 50)
    >>> bakeoff.evaluate(log, "uniform").can_answer
    True
    """

    policy: str
    log: str
    n: int
    n_actions: int
    adaptive: bool  # whether the logger was learning
    alpha: float
    logged: Estimate  # the mean reward of the logged decisions
    estimates: dict[str, Estimate]
    support: Support
    verdict: Verdict
    checks: list[Check]
    notes: tuple[str, ...] = ()
    sensitivity: Sensitivity | None = None
    truth: float | None = None  # the true value, if the log is simulated
    terms: dict[str, Doubles] = field(default_factory=dict, repr=False)
    weight: Doubles | None = field(default=None, repr=False)
    favourites: Any = field(default=None, repr=False)  # (n,) likeliest actions; -1 if several are
    difference: Difference | None = None  # from what was logged, if an estimator is unbiased
    shares: Doubles | None = field(default=None, repr=False)  # (K,) how often it plays each action
    sentence: str = ""  # what the policy would have earned, if that is better, and what would tell

    def __getitem__(self, name: str) -> Estimate:
        try:
            return self.estimates[name]
        except KeyError:
            hint = did_you_mean(name, self.estimates)
            raise KeyError(f"no estimate {name!r}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    @property
    def effective_sample_size(self) -> float:
        """How many events the log is worth for this policy: (sum w)^2 / sum w^2."""
        return self.support.effective_sample_size

    @property
    def largest_weight(self) -> float:
        """The largest pi(a|x) / p."""
        return self.support.largest_weight

    @property
    def mean_weight(self) -> float:
        """The mean of pi(a|x) / p; 1 is expected."""
        return self.support.mean_weight

    @property
    def can_answer(self) -> bool:
        """Whether the estimates are worth reading."""
        return self.verdict.can_answer

    @property
    def advice(self) -> str:
        """What to keep in mind, or which further data would help."""
        return self.verdict.advice

    @property
    def best(self) -> Estimate:
        """The unbiased estimate with the shortest interval; one with a model, if they tie."""
        return best_of(self.estimates)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON.

        Returns
        -------
        dict[str, Any]
            A dictionary of numbers, texts, lists and dictionaries.
        """
        return {
            "policy": self.policy,
            "log": self.log,
            "n": self.n,
            "alpha": self.alpha,
            "can_answer": self.can_answer,
            "sentence": self.sentence,
            "advice": self.advice,
            **self.support._asdict(),
            "logged": self.logged._asdict(),
            "difference": self.difference and self.difference._asdict(),
            "estimates": {name: estimate._asdict() for name, estimate in self.items()},
            "checks": [check._asdict() for check in self.checks],
            "sensitivity": self.sensitivity and self.sensitivity._asdict(),
            "truth": self.truth,
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        """The sentence, the estimates and the checks, for notebooks."""
        return str(importlib.import_module("bakeoff.evaluation.parts").part(self))

    def __repr__(self) -> str:
        answer = "" if self.can_answer else "cannot answer; "
        shown = ", ".join(map(str, self.values()))
        return f"Evaluation({self.policy!r}: {answer}{shown})"


def best_of(estimates: Mapping[str, Estimate]) -> Estimate:
    """The unbiased estimate with the shortest interval; one with a model, if they tie."""
    names = sorted(UNBIASED, key=lambda name: ESTIMATORS[name].model == "none")
    unbiased = [estimates[name] for name in names if name in estimates]
    return min(unbiased or estimates.values(), key=lambda estimate: estimate.width)


def check_names(names: Any, known: Iterable[str], what: str) -> list[str]:
    """Check a name, or several, against the known ones; without repetitions."""
    known = list(known)
    listed = [names] if isinstance(names, str) else list(names)
    for name in listed:
        plain = str(name).partition(":")[0]
        if plain not in known:
            raise SpecError(f"unknown {what} {plain!r}{did_you_mean(plain, known)}")
    if not listed:
        raise SpecError(f"give at least one {what}")
    return list(dict.fromkeys(listed))
