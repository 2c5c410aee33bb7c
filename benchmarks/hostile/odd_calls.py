"""Odd arguments to live calls."""

import json
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff import BakeoffError, Decision, Learner
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.store import VALUES
from benchmarks.hostile.warm import MADE
from benchmarks.hostile.witness import check_saving, check_uses
from tests.golden.models import event_of

CALLS = 12
NAN = float("nan")
CYCLE: list[Any] = []
CYCLE.append(CYCLE)
ODD: tuple[Callable[[], Any], ...] = (
    lambda: 10**400, lambda: -(10**400), lambda: NAN, lambda: float("inf"),
    lambda: 1e-320, lambda: Decimal("0.5"), lambda: Decimal("sNaN"),
    lambda: Fraction(1, 3), lambda: Fraction(10**400, 3), lambda: 1j,
    lambda: np.float32(0.5), lambda: np.float16(6e4), lambda: np.int8(1),
    lambda: np.uint64(2**64 - 1), lambda: np.bool_(True),
    lambda: np.longdouble("1e4000"),
    lambda: np.datetime64("NaT"), lambda: np.ma.masked,
    lambda: np.ma.array([0.5, 1.0, 2.0], mask=[False, True, False]),
    lambda: np.array(0.5), lambda: np.array([]), lambda: np.zeros((2, 0)),
    lambda: np.array([0.5, NAN, 1.0]), lambda: np.array(["a", "b"]),
    lambda: np.array([1, None], object), lambda: np.array([1 + 1j, 0, 0]),
    lambda: np.zeros((3, 3, 3)), lambda: np.ones(3)[::-1], lambda: np.ones(3, ">f8"),
    lambda: np.ones(3, "f2"), lambda: np.zeros(3, [("a", "f8")]),
    lambda: np.ones(10**5),
    lambda: np.matrix([1.0, 2.0, 3.0]), lambda: sparse.csr_matrix([[1.0, 0.0, 2.0]]),
    lambda: sparse.coo_array([[1.0, 0.0, NAN]]), lambda: "\ud800",
    lambda: "a\udfff",
    lambda: b"bytes", lambda: bytearray(b"x"), lambda: {"\ud800": 1.0},
    lambda: {"a": "\udc00"}, lambda: {"a": NAN}, lambda: {1: 2.0}, lambda: {"": 1.0},
    lambda: {None: 1.0}, lambda: {"a": {"b": 1.0}}, lambda: {"a": [[1.0]]},
    lambda: {"a": 10**400}, lambda: {"a": b"x"}, lambda: {"a": set()},
    lambda: {"a=b": 1.0, "a": "b"}, lambda: {"a": ["b", "b"]}, lambda: {"a": True},
    lambda: {"x" * 10**6: 1.0}, lambda: CYCLE, lambda: {"a": CYCLE},
    lambda: [[1.0], [2]],
    lambda: [True, False, True], lambda: [0, 0, 1], lambda: [0.0, 1.0], lambda: [-1],
    lambda: ["a", 0], lambda: [10**30], lambda: range(3), lambda: iter([0, 1]),
    lambda: {0, 1}, lambda: object(), lambda: object, lambda: len, lambda: ...,
    lambda: memoryview(b"abc"), lambda: slice(0, 2), lambda: (x for x in [1.0]),
)  # fmt: skip


class Text(str):
    """A string that is not quite one."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


def try_odd_call(rng: random.Random, folder: Path) -> str:
    """A call works, or is refused with a sentence; the learner stays well."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    name = rng.choice(sorted(MADE))
    MADE[name].save(folder / "begin.bakeoff")
    log = folder / "log.jsonl" if rng.random() < 0.5 else None
    learner = Learner.load(folder / "begin.bakeoff", log=log)
    learner.choose(event_of(name, 0)["context"])  # the log has a header by now
    story = []
    refused = 0
    for _ in range(CALLS):
        call, given = rng.choice(OPERATIONS), _given(rng)
        story.append(f"{call.__name__[1:]}({_shown(given)})")
        try:
            call(rng, learner, name, given)
        except BakeoffError as error:
            refused += 1
            if "\n" in str(error):
                raise BadError("traceback", f"{error} ({name}: {story[-1]})") from None
        except Exception as error:
            error.add_note(f"{name}: {story[-1]}")
            raise
    try:
        check_saving(learner, folder / "end.bakeoff")
        event = event_of(name, 1)
        learner.learn(learner.choose(event["context"]), reward=1.0)
        learner.close()
        if log is not None:
            check_uses(log, folder / "begin.bakeoff")
    except Exception as error:
        error.add_note(f"{name}: {'; '.join(story)}")
        raise
    except BadError as bad:
        about = f"{name}: {'; '.join(story)}"
        raise BadError(bad.args[0], f"{bad.args[1]} ({about})") from None
    return f"{'some' if refused else 'none'} refused"


def _given(rng: random.Random) -> Any:
    return rng.choice(ODD)() if rng.random() < 0.75 else rng.choice((*VALUES, Text("a")))


def _shown(given: Any) -> str:
    return f"{type(given).__name__}: {given!a:.60}"


def _context(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    learner.choose(given)


def _value(rng: random.Random, learner: Learner, name: str, given: Any) -> None:
    """One feature is odd."""
    x = event_of(name, 1)["context"]
    if isinstance(x, dict):
        x[rng.choice([*x, "new"])] = given
    else:
        x[rng.randrange(len(x))] = given
    learner.choose(x)


def _available(_: random.Random, learner: Learner, name: str, given: Any) -> None:
    learner.choose(event_of(name, 1)["context"], available=given)


def _own(_: random.Random, learner: Learner, name: str, given: Any) -> None:
    learner.choose(event_of(name, 1)["context"], actions=given)


def _id(_: random.Random, learner: Learner, name: str, given: Any) -> None:
    learner.choose(event_of(name, 1)["context"], id=given)


def _learned_id(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    learner.learn(given, reward=1.0)


def _outcome(rng: random.Random, learner: Learner, name: str, given: Any) -> None:
    decision = learner.choose(event_of(name, 1)["context"])
    learner.learn(decision, **{rng.choice(["reward", "cost", "loss"]): given})


def _probabilities(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    learner.probabilities(given)


def _batch(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    learner.choose_batch(given)


def _batch_outcome(rng: random.Random, learner: Learner, name: str, given: Any) -> None:
    batch = learner.choose_batch([event_of(name, i)["context"] for i in range(3)])
    learner.learn_batch(batch, **{rng.choice(["reward", "cost", "loss"]): given})


def _watch(rng: random.Random, learner: Learner, name: str, given: Any) -> None:
    words: dict[str, Any] = {"action": 0, "probability": 0.5, "reward": 1.0}
    words[rng.choice(sorted(words))] = given
    if learner.ledger.log is None:  # what is watched is not logged
        learner.watch(event_of(name, 1)["context"], **words)


def _add(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    learner.add_action(given)


def _retire(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    learner.retire_action(given)


def _save(_: random.Random, learner: Learner, __: str, given: Any) -> None:
    if isinstance(given, str):
        learner.save(given)


def _from_json(rng: random.Random, learner: Learner, name: str, given: Any) -> None:
    """A decision of another process whose text is odd."""
    other = MADE[name].choose(event_of(name, 2)["context"])
    record = json.loads(other.to_json())
    record[rng.choice(sorted(record))] = given
    try:
        text = json.dumps(record)
    except (TypeError, ValueError):
        text = str(given)
    learner.admit(Decision.from_json(text))


OPERATIONS = (
    _context, _value, _value, _available, _available, _own, _id, _learned_id, _outcome,
    _outcome, _probabilities, _batch, _batch_outcome, _watch, _add, _retire, _save,
    _from_json, _from_json,
)  # fmt: skip
