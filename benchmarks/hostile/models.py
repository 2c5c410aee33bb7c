"""Forged models: altered values under a right checksum."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import BakeoffError, Decision, Learner
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.store import VALUES, places_in
from benchmarks.hostile.warm import MADE
from tests.golden.models import NEXT, event_of

MAGIC = b"bakeoff-model\n"
DIGEST = 32
KINDS = ("float32", "float64", "int64")
NUMBERS = (-1, 0, 1, 7, 2**31 - 1, 2**31, 2**62, -(2**63), 0.5, -3.5, 1e30, 1e308,
           float("nan"), float("inf"), -float("inf"))  # fmt: skip
SIZES = (-1, 0, 1, 2, 10**3, 2**31, 2**63, 10**30, 1.0, None, "3", True)
MODEL = "model.bakeoff"


def try_model(rng: random.Random, folder: Path) -> str:
    """A forged model is refused with a sentence, or decides and learns."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    name = rng.choice(sorted(MADE))
    path = folder / MODEL
    MADE[name].save(path)
    forged = _Forged(path.read_bytes())
    edits = [rng.choice(EDITS) for _ in range(rng.choice([1, 1, 1, 2, 4]))]
    story = [name, *(edit(rng, forged) for edit in edits)]
    path.write_bytes(forged.data())
    try:
        return _use(name, path)
    except BadError as bad:
        raise BadError(bad.args[0], f"{bad.args[1]} ({'; '.join(story)})") from None
    except BakeoffError as error:
        if "\n" in str(error):
            raise BadError("traceback", f"{error} ({'; '.join(story)})") from None
        return "refused"
    except Exception as error:
        error.add_note("; ".join(story))
        raise


def _use(name: str, path: Path) -> str:
    """Load, choose, learn, save and load."""
    learner = Learner.load(path)
    for id in learner.pending[:3]:
        learner.learn(id, reward=1.0)
    for i in range(NEXT):
        event = event_of(name, i)
        decision = learner.choose(event["context"])
        _check(decision)
        learner.learn(decision, reward=event["reward"])
    learner.save(path)
    Learner.load(path)
    return "used"


def _check(decision: Decision) -> None:
    p = decision.probabilities
    if not (p >= 0).all() or not np.isclose(p.sum(), 1.0, atol=1e-6):
        raise BadError("silent", f"probabilities {p.tolist()}")
    if not p[decision.action] == decision.probability > 0:
        raise BadError("silent", f"an action of probability {decision.probability}")


class _Forged:
    """The parts of a model file, to be altered."""

    def __init__(self, data: bytes) -> None:
        begin = len(MAGIC) + 8
        length = int.from_bytes(data[len(MAGIC) : begin], "little")
        self.header: dict[str, Any] = json.loads(data[begin : begin + length])
        self.arrays: list[list[Any]] = []  # name, type, shape, bytes
        top = begin + length
        for name, kind, shape in self.header.pop("arrays"):
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            self.arrays.append([name, kind, shape, data[top : top + size]])
            top += size

    def data(self) -> bytes:
        """A file with a right checksum."""
        layout = [array[:3] for array in self.arrays]
        text = json.dumps({**self.header, "arrays": layout}).encode()
        body = b"".join(array[3] for array in self.arrays)
        whole = MAGIC + len(text).to_bytes(8, "little") + text + body
        return whole + hashlib.sha256(whole).digest()


def _header(rng: random.Random, forged: _Forged) -> str:
    """Another value somewhere, or none."""
    *above, last = rng.choice(list(places_in(forged.header))[1:])
    place: Any = forged.header
    for key in above:
        place = place[key]
    if rng.random() < 0.2:
        del place[last]
        return f"without {[*above, last]}"
    old = place[last]
    numeric = isinstance(old, (int, float)) and rng.random() < 0.6
    place[last] = rng.choice(NUMBERS) if numeric else rng.choice(VALUES)
    return f"{[*above, last]} = {place[last]!r:.40}"


def _values(rng: random.Random, forged: _Forged) -> str:
    """Other numbers in an array."""
    array = rng.choice([one for one in forged.arrays if one[3]])
    values = np.frombuffer(array[3], array[1]).copy()
    number = rng.choice(NUMBERS)
    places = rng.sample(range(len(values)), min(len(values), rng.choice([1, 3, 10**6])))
    with np.errstate(all="ignore"):
        is_whole = values.dtype.kind == "i"
        values[places] = (
            int(np.clip(np.nan_to_num(number), -(2**62), 2**62)) if (is_whole) else number
        )
    array[3] = values.tobytes()
    return f"{array[0]}: {len(places)} x {number}"


def _shape(rng: random.Random, forged: _Forged) -> str:
    """Another shape, with or without the bytes for it."""
    array = rng.choice(forged.arrays)
    size = rng.choice(SIZES)
    if array[2] and rng.random() < 0.7:
        array[2] = [*array[2]]
        array[2][rng.randrange(len(array[2]))] = size
    else:
        array[2] = rng.choice([[], [size], [*array[2], 1], [0, 2**62], "x", None])
    if isinstance(size, int) and 0 <= size <= 10**3 and rng.random() < 0.7:
        array[2] = [size]
        array[3] = bytes(size * np.dtype(array[1]).itemsize)
    return f"{array[0]} has shape {array[2]}"


def _kind(rng: random.Random, forged: _Forged) -> str:
    """Another type of the same bytes, or of the same numbers."""
    array = rng.choice(forged.arrays)
    old, array[1] = array[1], rng.choice([*KINDS, "object", "|O", "<U9", None, 3])
    if array[1] in KINDS and rng.random() < 0.7:
        with np.errstate(all="ignore"):
            array[3] = np.frombuffer(array[3], old).astype(array[1]).tobytes()
    return f"{array[0]} is {array[1]}"


def _names(rng: random.Random, forged: _Forged) -> str:
    """An array that is gone, there twice, or has another name."""
    place = rng.randrange(len(forged.arrays))
    name, way = forged.arrays[place][0], rng.randrange(3)
    if way == 0:
        del forged.arrays[place]
    elif way == 1:
        forged.arrays.insert(place, list(rng.choice(forged.arrays)))
    else:
        forged.arrays[place][0] = rng.choice(["x", "", None, 3, ["w"]])
    return f"{name}: {('gone', 'twice', 'renamed')[way]}"


EDITS = (_header, _header, _header, _values, _values, _shape, _kind, _names)
