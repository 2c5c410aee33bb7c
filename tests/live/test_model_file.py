"""A saved learner goes on as if it had never stopped; a bad file is refused."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from bakeoff import BakeoffError, DataError, Decision, Learner
from bakeoff.live import model_file
from bakeoff.live.feedback import Feedback
from tests.comparisons import follow
from tests.configurations import BANDITS, Configuration
from tests.problems import Sample, sample

ROUNDS = 150
every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)


def with_restarts(learner: Learner, played: Sample, path: Path) -> list[Decision]:
    """Follow a problem, saved and loaded at ten random moments, with late feedback."""
    rng = np.random.default_rng(5)
    moments = set(rng.choice(len(played.contexts), 10, replace=False).tolist())
    decisions = []
    for t, (x, costs) in enumerate(zip(played.contexts, played.costs, strict=True)):
        decision = learner.choose(x)
        if t in moments:
            learner.save(path)
            learner = Learner.load(path)
        learner.learn(decision.id, cost=costs[decision.action])
        decisions.append(decision)
    return decisions


@every_bandit
@pytest.mark.parametrize("task", ["cost-sensitive", "ranking"])
def test_a_learner_that_is_saved_and_loaded_takes_the_same_actions(
    configuration: Configuration, task: Any, tmp_path: Path
) -> None:
    played = sample(task, ROUNDS)
    n_actions = None if task == "ranking" else 3

    plain = follow(configuration.learner(n_actions), played)
    stopped = with_restarts(configuration.learner(n_actions), played, tmp_path / "m")

    for one, other in zip(stopped, plain, strict=True):
        assert (one.t, one.action) == (other.t, other.action)
        assert_array_equal(one.probabilities, other.probabilities)


def test_names_subsets_and_retired_actions_survive(tmp_path: Path) -> None:
    learner = Learner("bag", actions=["a", "b", "c"], seed=1, bits=None, floor=0.05)
    for i in range(30):
        x = {"city": f"c{i % 3}", "age": i}
        learner.learn(learner.choose(x, available=["a", "c"]), reward=float(i % 3 == 0))
    learner.add_action("d")
    learner.retire_action("b")
    learner.save(tmp_path / "m")
    loaded = Learner.load(tmp_path / "m")

    for i in range(30):
        x = {"city": f"c{i % 4}", "new": 1.0}
        one, other = learner.choose(x), loaded.choose(x)
        assert (one.name, one.version) == (other.name, other.version)
        assert_array_equal(one.probabilities, other.probabilities)
        learner.learn(one, reward=0.5)
        loaded.learn(other, reward=0.5)

    assert loaded.actions == ["a", "b", "c", "d"]


def test_features_of_actions_survive(tmp_path: Path) -> None:
    learner = Learner("regcb", actions={"a": {"x": 1.0}, "b": {"x": 0.5}}, seed=1)
    learner.learn(learner.choose({"u": "v"}), reward=1.0)
    learner.save(tmp_path / "m")

    loaded = Learner.load(tmp_path / "m")

    x = {"u": "w"}
    assert_array_equal(loaded.probabilities(x), learner.probabilities(x))


def test_what_an_explorer_remembers_survives(tmp_path: Path) -> None:
    learner = Learner("cover:nu", 3, seed=1)
    learner.choose([1.0])
    learner.model.engine.state.votes[:] = [[7.0], [8.0], [9.0]]
    learner.add_action()
    learner.save(tmp_path / "m")

    for one in (learner, Learner.load(tmp_path / "m")):
        assert one.model.engine.state.votes[:3, 0].tolist() == [7.0, 8.0, 9.0]


def test_a_copy_may_explore_differently(tmp_path: Path) -> None:
    learner = Learner("epsilon-greedy:epsilon=1", 10, seed=1)
    learner.save(tmp_path / "m")

    copies = [Learner.load(tmp_path / "m", seed=seed) for seed in (1, 2, 3)]

    actions = [[c.choose([1.0]).action for _ in range(20)] for c in copies]
    assert actions[0] == [learner.choose([1.0]).action for _ in range(20)]
    assert actions[0] != actions[1] != actions[2]


def test_feedback_is_known_to_be_late_after_a_restart(tmp_path: Path) -> None:
    learner = Learner("greedy", 2, feedback=Feedback(twice="refuse"))
    decision = learner.choose([1.0])
    learner.learn(decision, cost=0.0)
    learner.save(tmp_path / "m")

    with pytest.raises(DataError, match="was learned before"):
        Learner.load(tmp_path / "m").learn(decision, cost=0.0)


# Bad files


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A good file with a waiting decision."""
    path = tmp_path_factory.mktemp("models") / "m"
    learner = Learner("cover:nu", 3, seed=1)
    for x in np.eye(4):
        learner.learn(learner.choose(x), cost=0.5)
    learner.choose(np.ones(4))
    learner.save(path)
    return path.read_bytes()


def refuses(path: Path, data: bytes) -> bool:
    """Whether a file with these bytes is refused with one sentence."""
    path.write_bytes(data)
    with pytest.raises(BakeoffError) as caught:
        Learner.load(path, warm_up=False)
    return "\n" not in str(caught.value)


@settings(deadline=None)
@given(at=st.integers(0, 10**9), bit=st.integers(0, 7))
def test_a_flipped_bit_is_noticed(
    saved: bytes, tmp_path_factory: pytest.TempPathFactory, at: int, bit: int
) -> None:
    data = bytearray(saved)
    data[at % len(data)] ^= 1 << bit

    assert refuses(tmp_path_factory.getbasetemp() / "flipped", bytes(data))


@settings(deadline=None)
@given(length=st.integers(0, 10**9))
def test_a_file_that_ends_early_is_refused(
    saved: bytes, tmp_path_factory: pytest.TempPathFactory, length: int
) -> None:
    cut = saved[: length % len(saved)]

    assert refuses(tmp_path_factory.getbasetemp() / "cut", cut)


def test_other_files_are_refused(tmp_path: Path) -> None:
    assert refuses(tmp_path / "text", b"hello")
    assert refuses(tmp_path / "empty", b"")
    assert refuses(tmp_path / "pickle", pickle.dumps({"a": 1}))
    with pytest.raises(DataError, match="cannot be read: No such file"):
        Learner.load(tmp_path / "missing")
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        Learner.load(tmp_path)


def resealed(saved: bytes, path: Path, **changes: Any) -> None:
    """Write a file with another header, and the checksum that fits it."""
    path.write_bytes(saved)
    header, arrays = model_file.read_model(path)
    for keys, value in changes.items():
        inner = header
        *outer, last = keys.split("__")
        for key in outer:
            inner = inner[key]
        inner[last] = value
    header.pop("format"), header.pop("arrays")
    model_file.write_model(path, header, arrays)


def test_a_newer_format_is_refused(
    saved: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_file, "FORMAT", 2)
    resealed_with = saved.replace(b'"format": 1', b'"format": 2')
    (tmp_path / "m").write_bytes(resealed_with)
    monkeypatch.undo()

    with pytest.raises(DataError, match="format 2"):
        Learner.load(tmp_path / "m")


@pytest.mark.parametrize(
    "changes",
    [
        {"engine__room__n_features": 2**40},
        {"engine__room__n_actions": 10**9},
        {"engine__room__longest_row": 10**12},
        {"engine__room__n_features": 2},
        {"engine__room__n_features": -1},
        {"engine__lanes": []},
        {"engine__floor": 7},
        {"actions__count": 10**12},
        {"actions__count": 1},
        {"encoder__space__bits": 60},
        {"encoder__n_features": -5},
        {"pending__ids": ["a", "b", "c"]},
        {"pending__ended": 3},
        {"run": "greedy"},
        {"run": "os.system"},
        {"t": None},
        {"t": float("inf")},
        {"t": -1},
        {"version": 10**30},
        {"pending__ended": {"a": "eaten"}},
        {"pending__counts": [1.5, 0, 0]},
        {"pending__feedback__limit": 0.5},
        {"monitor__by_action": [[1, 2]]},
        {"monitor__blocks": [[0.0, float("nan"), 1.0]]},
        {"engine__room__apart": "yes"},
    ],
    ids=str,
)
def test_a_file_that_was_made_to_harm_is_refused(
    saved: bytes, tmp_path: Path, changes: dict[str, Any]
) -> None:
    resealed(saved, tmp_path / "m", **changes)

    with pytest.raises(BakeoffError):
        Learner.load(tmp_path / "m", warm_up=False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pending.action", 100_000),
        ("pending.action", -1),
        ("pending.start", -(10**6)),
        ("pending.place.sizes", 5),
        ("pending.p", 0.0),
        ("policies.rows", 10**9),
        ("policies.rows", -1),
        ("pending.number", 2**31),
        ("pending.t", 0),
        ("pending.time", float("nan")),
        ("pending.value", float("inf")),
        ("pending.p", 7.0),
    ],
)
def test_arrays_that_lead_astray_are_refused(
    saved: bytes, tmp_path: Path, name: str, value: float
) -> None:
    path = tmp_path / "m"
    path.write_bytes(saved)
    header, arrays = model_file.read_model(path)
    arrays[name][...] = value
    model_file.write_model(path, header, arrays)

    with pytest.raises(BakeoffError):
        Learner.load(path, warm_up=False)


def test_arrays_of_another_type_are_refused(saved: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(saved)
    header, arrays = model_file.read_model(path)
    arrays["pending.p"] = arrays["pending.p"].astype(np.float32)
    model_file.write_model(path, header, arrays)

    with pytest.raises(BakeoffError):
        Learner.load(path, warm_up=False)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m"
    learner = Learner("greedy", 2, seed=1)
    learner.save(path)
    before = path.read_bytes()
    learner.choose([1.0])

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BakeoffError, match="cannot be written: No space left"):
        learner.save(path)

    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BakeoffError, match="cannot be written: No such file"):
        Learner("greedy", 2).save(tmp_path / "none" / "m")


def test_a_file_holds_no_code(saved: bytes) -> None:
    begin = len(b"bakeoff-model\n") + 8
    length = int.from_bytes(saved[begin - 8 : begin], "little")

    header = json.loads(saved[begin : begin + length])

    assert header["run"].startswith("cover:")


def test_decisions_from_before_actions_were_separated_are_saved(tmp_path: Path) -> None:
    learner = Learner("epsilon-greedy", actions=["a", "b", "c"], seed=1)
    early = learner.choose([1.0, 2.0])
    late = learner.choose([2.0, 1.0], available=["a", "c"])

    learner.save(tmp_path / "m")
    loaded = Learner.load(tmp_path / "m", warm_up=False)
    for one in (learner, loaded):
        assert one.learn(early.id, cost=1.0)
        assert one.learn(late.id, cost=0.5)

    w, again = (one.model.engine.bandit.policies.w for one in (learner, loaded))
    assert w.any()
    assert np.array_equal(w, again)
