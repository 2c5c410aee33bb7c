"""check_learner: try a learner of your own against what ours are tried against.

    print(bakeoff.check_learner(MyLearner))

The checks are those of learner_checks.py; docs/own-learner.md tells how to use them.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from bakeoff.basics.errors import BakeoffError, SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.learners.checks import CHECKS, NotApplicableError, Trial
from bakeoff.learners.play import LearnerError
from bakeoff.learners.spec import maker_from, maker_of, parse_own

Test = TypeVar("Test", bound=Callable[..., Any])
PASSED, FAILED, SKIPPED = "passed", "FAILED", "skipped"
EXPECTED, SURPRISE = "failed as expected", "passed, though expected to fail"


class Outcome(NamedTuple):
    """What came of one check."""

    check: str
    asks: str  # what a learner has to do
    status: str
    reason: str = ""  # why it did not pass

    def __str__(self) -> str:
        line = f"{self.status:8} {self.check}: {self.asks}"
        return f"{line}\n         {self.reason}" if self.reason else line


@dataclass(frozen=True, repr=False)
class Checkup:
    """The verdict on a learner; print it to read it."""

    learner: str
    outcomes: tuple[Outcome, ...]

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """Checks that failed, and were not expected to."""
        return tuple(one for one in self.outcomes if one.status == FAILED)

    @property
    def passed(self) -> bool:
        """Whether nothing failed that was not expected to."""
        return not self.failures

    def __str__(self) -> str:
        total = len(self.outcomes)
        verdict = f"{len(self.failures) or 'none'} of {total} checks failed"
        return "\n".join([f"{self.learner}: {verdict}", *map(str, self.outcomes)])

    __repr__ = __str__  # what a notebook shows


def check_learner(
    factory: Callable[..., Any] | str,
    *,
    expected_failures: Mapping[str, str] | None = None,
    raises: bool = True,
) -> Checkup:
    """Try a learner against what our own algorithms are tried against.

    `factory` is a class or a function that makes the learner, or its spec
    ("python:module.Name,key=value"). `expected_failures` names checks that it cannot
    pass, each with the reason. A failure that is not expected raises a `LearnerError`
    with the whole verdict, unless `raises` is False.
    """
    expected = _known(expected_failures or {})
    trial = trial_of(factory)
    outcomes = tuple(_outcome(name, trial, expected) for name in CHECKS)
    found = Checkup(trial.maker.text, outcomes)
    if raises and not found.passed:
        raise LearnerError(str(found))
    return found


def parametrize_with_checks(
    factories: Sequence[Callable[..., Any] | str],
    *,
    expected_failures: Mapping[str, str] | None = None,
) -> Callable[[Test], Test]:
    """A pytest mark: one test per learner and check.

        @bakeoff.parametrize_with_checks([MyLearner])
        def test_my_learner(check):
            check()

    Checks named in `expected_failures` are marked xfail, with the reason given there.
    """
    pytest = importlib.import_module("pytest")
    expected = _known(expected_failures or {})
    cases = []
    for factory in factories:
        trial = trial_of(factory)
        for name in CHECKS:
            xfail = pytest.mark.xfail(reason=expected.get(name, ""), strict=False)
            case = partial(_run, name, trial, pytest.skip)
            label = f"{trial.maker.text}-{name}"
            marks = [xfail] if name in expected else []
            cases.append(pytest.param(case, marks=marks, id=label))
    found: Callable[[Test], Test] = pytest.mark.parametrize("check", cases)
    return found


def _run(name: str, trial: Trial, skip: Callable[[str], object]) -> None:
    try:
        CHECKS[name](trial)
    except NotApplicableError as reason:
        skip(str(reason))


def _outcome(name: str, trial: Trial, expected: Mapping[str, str]) -> Outcome:
    asks = (CHECKS[name].__doc__ or "").splitlines()[0].rstrip(".").lower()
    try:
        CHECKS[name](trial)
    except NotApplicableError as reason:
        return Outcome(name, asks, SKIPPED, str(reason))
    except BakeoffError as error:
        if name in expected:
            return Outcome(name, asks, EXPECTED, expected[name])
        return Outcome(name, asks, FAILED, str(error))
    return Outcome(name, asks, SURPRISE if name in expected else PASSED)


def trial_of(factory: Callable[..., Any] | str) -> Trial:
    """A class, a function or a spec, put on trial."""
    if isinstance(factory, str):
        return Trial(maker_of(parse_own(factory)))
    if not callable(factory):
        raise SpecError(
            f"a learner is given as a class, as a function that makes it, or as "
            f"'python:module.Name', got {factory!r}"
        )
    name = getattr(factory, "__qualname__", repr(factory))
    return Trial(maker_from(factory, name, {}))


def _known(expected: Mapping[str, str]) -> Mapping[str, str]:
    for name in expected:
        if name not in CHECKS:
            raise SpecError(f"unknown check {name!r}{did_you_mean(name, CHECKS)}")
    return expected
