"""The contract of a learner: how it is made, called and checked.

A learner has `choose(x) -> (action, probability)` and `learn(x, action, loss, probability)`;
docs/guide/own-learner.md tells the whole contract. Whatever a learner does wrong is a
`LearnerError` with the file and line in the user's code.
"""

import operator
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bakeoff.basics.errors import BakeoffError, DeclinedError, LearnerError, SpecError
from bakeoff.basics.text import in_one_line, printable

RUN_SETTINGS = ("n_actions", "n_features", "task", "learning_rate", "offset", "seed")
"""What a learner gets if its constructor has parameters of these names."""

_PACKAGE = str(Path(__file__).parents[1])
_LIBRARIES = tuple({*map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))})
_ROUNDING = 1e-6  # probabilities in single precision may exceed one by that much


class Factory(NamedTuple):
    """A class or function that makes a learner."""

    text: str  # for messages
    make: Callable[..., Any]
    takes: frozenset[str]  # which of `RUN_SETTINGS`
    parameters: dict[str, Any]  # of the spec


class Info(Protocol):
    """What a learner may want to know of a problem; a `Problem` or a `LearnerInfo` tells it."""

    @property
    def n_actions(self) -> int:
        """How many actions there are."""

    @property
    def n_features(self) -> int:
        """How many features a context has."""

    @property
    def task(self) -> str:
        """What kind of problem it is."""


class LearnerInfo(NamedTuple):
    """The facts that a learner is made with, where there is no `Problem`."""

    n_actions: int
    n_features: int
    task: str


class ProblemFacts(NamedTuple):
    """What `accepts(facts)` of a learner gets to know of a problem."""

    name: str
    task: str
    n: int
    n_features: int
    n_actions: int


def refusal(factory: Factory, facts: ProblemFacts) -> str:
    """Why a learner does not play a problem; empty if it does.

    Its class may have `accepts(facts)`, which returns True, False, or the reason as a text.
    """
    accepts = getattr(factory.make, "accepts", None)
    if not callable(accepts):
        return ""
    try:
        answer = call_learner(accepts, facts)
    except LearnerError as error:
        if isinstance(error.__cause__, DeclinedError):
            return str(error.__cause__)
        raise
    if isinstance(answer, str):
        return answer
    return "" if answer else "its accepts(facts) says no"


def new_learner(
    factory: Factory, info: Info, learning_rate: float, offset: float, seed: int
) -> Any:
    """Make a learner, with those settings that it takes."""
    settings = {
        "n_actions": info.n_actions,
        "n_features": info.n_features,
        "task": info.task,
        "learning_rate": learning_rate,
        "offset": offset,
        "seed": seed,
    }
    taken = {name: settings[name] for name in factory.takes}
    try:
        learner = factory.make(**taken, **factory.parameters)
    except BakeoffError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(f"{factory.text!r} cannot be made: {describe_error(error)}") from error
    for name in ("choose", "learn"):
        if not callable(getattr(learner, name, None)):
            raise SpecError(f"{factory.text!r} makes a learner without {name}(...)")
    return learner


def call_learner(method: Callable[..., Any], *arguments: Any) -> Any:
    """Call a method of a learner; whatever it raises becomes a `LearnerError`."""
    try:
        return method(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        name = getattr(method, "__name__", "learner")
        raise LearnerError(f"{name} raised {describe_error(error)}") from error


def checked_decision(decision: Any, n_actions: int) -> tuple[int, float]:
    """Check what `choose` returned: an action and its probability."""
    try:
        action, probability = decision
        a, p = operator.index(action), float(probability)
    except KeyboardInterrupt:
        raise
    except BaseException:
        raise LearnerError(
            f"choose must return an integer and its probability, got {_safe_repr(decision)}"
        ) from None
    if not 0 <= a < n_actions:
        raise LearnerError(
            f"choose must return an action from 0 to {n_actions - 1}, got {_safe_repr(a)}"
        )
    if not 0.0 < p <= 1.0 + _ROUNDING:
        raise LearnerError(f"choose must return a probability in (0, 1], got {p}")
    return a, min(p, 1.0)


def describe_error(error: BaseException) -> str:
    """An exception in one line: its type, its text, and the last line of user code it left."""
    name = str(type(error).__name__)
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = ""
    described = printable(in_one_line(f"{name}: {text}".removesuffix(": ")))
    lines = [
        f" (at {printable(relative(frame.f_code.co_filename))}:{line})"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if is_user_code(frame.f_code.co_filename)
    ]
    return described + (lines[-1] if lines else "")


def is_user_code(file: str) -> bool:
    """Whether a file of a traceback is neither ours nor of a library."""
    return not file.startswith((_PACKAGE, *_LIBRARIES, "<"))


def relative(file: str) -> str:
    """A file relative to the current folder, if it is inside it."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file


def _safe_repr(value: object) -> str:
    """`repr` in one line; it may fail for objects of users."""
    try:
        text = repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = f"an object of {type(value).__name__} whose repr fails"
    return printable(in_one_line(text))
