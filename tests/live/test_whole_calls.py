"""Steps of a learner happen as a whole: interrupts, forks, full disks, moved logs."""

import errno
import itertools
import json
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from bakeoff import BakeoffError, DataError, DataNotice, Decision, Learner, Run
from bakeoff.basics.errors import ResultsError
from bakeoff.core.jit import compiled
from bakeoff.live.feedback import Feedback
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.replay import catch_up
from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from bakeoff.reading.logs.parts import parts_of

X = np.random.default_rng(5).normal(size=(400, 4))


class InterruptError(BaseException):
    """What Ctrl-C raises, at a moment of our choice."""


def interrupted(
    moment: int, call: Callable[..., Any], *arguments: Any, **named: Any
) -> tuple[bool, Any]:
    """Whether a call returned, and what, though it is interrupted at some moment.

    Python answers signals when a function begins and when one in C has returned.
    """
    left = moment

    def interrupt(frame: FrameType, event: str, _: Any) -> None:
        nonlocal left
        file = frame.f_code.co_filename
        ours = "bakeoff/live" in file or "bakeoff/reading" in file
        if ours and event in ("call", "c_return"):
            left -= 1
            if left == 0:
                sys.setprofile(None)
                raise InterruptError

    sys.setprofile(interrupt)
    try:
        return True, call(*arguments, **named)
    except InterruptError:
        return False, None
    finally:
        sys.setprofile(None)


def ids(path: Path, kind: str) -> list[str]:
    return [r["id"] for r in records_of(path) if r["kind"] == kind]


def check_log(path: Path, learner: Learner, decided: set[str], learned: set[str]) -> None:
    """What must hold of a log whatever happened to its learner."""
    decisions, outcomes = ids(path, "decision"), ids(path, "outcome")
    assert len(set(decisions)) == len(decisions)
    assert len(set(outcomes)) == len(outcomes)
    assert decided <= set(decisions)
    assert learned <= set(outcomes)
    found = learner.monitor()
    assert found["outcomes"] == len(outcomes)
    assert found["decisions"] == len(decisions)
    assert sum(one["decisions"] for one in found["actions"]) == len(decisions)
    assert sum(one["outcomes"] for one in found["actions"]) == len(outcomes)
    assert found["pending"] == len(decisions) - len(outcomes) - found["given_up"]
    verdict = verify(path)
    assert verdict.replay is not None
    assert verdict.replay.different == 0
    assert verdict.replay.outcomes == len(outcomes)


@pytest.mark.skipif(not compiled, reason="a kernel in Python is no single call")
@pytest.mark.parametrize("most_bytes", [None, 2000])
@pytest.mark.parametrize("settings", [{}, {"bits": None}], ids=["hashed", "growing"])
def test_an_interrupted_call_happens_as_a_whole_or_not_at_all(
    tmp_path: Path, most_bytes: int | None, settings: dict[str, Any]
) -> None:
    path = tmp_path / "log.jsonl"
    writer = LogWriter(path, most_bytes=most_bytes)
    learner = Learner("bag:n_policies=2", 3, seed=1, log=writer, **settings)
    decided: set[str] = set()
    learned: set[str] = set()
    n_interrupted = 0
    for moment in itertools.count(1):
        x = {"a": float(moment), f"new{moment}": 1.0, "color": f"c{moment % 50}"}
        chosen, decision = interrupted(moment, learner.choose, x)
        if not learner.pending:
            decision = learner.choose(x)
        if decision is not None:
            decided.add(decision.id)
        waiting = learner.pending[-1]
        done, _ = interrupted(moment, learner.learn, waiting, cost=0.5)
        learner.learn(waiting, cost=0.5)
        learned.add(waiting)
        n_interrupted += (not chosen) + (not done)
        if chosen and done:
            break

    assert n_interrupted > 50
    assert learner.version == len(ids(path, "outcome"))
    check_log(path, learner, decided, learned)
    learner.save(tmp_path / "m")
    assert Learner.load(tmp_path / "m", warm_up=False).t == learner.t


@pytest.mark.skipif(not compiled, reason="a kernel in Python is no single call")
def test_an_interrupted_batch_happens_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag:n_policies=2", 3, seed=1, log=path)
    decided: set[str] = set()
    learned: set[str] = set()
    for moment in itertools.count(1):
        chosen, batch = interrupted(moment, learner.choose_batch, X[:5])
        if not chosen:
            batch = learner.choose_batch(X[:5])
        decided.update(batch.ids)
        costs = np.linspace(0, 1, 5)
        done, _ = interrupted(moment, learner.learn_batch, batch, cost=costs)
        learner.learn_batch(batch, cost=costs)
        learned.update(batch.ids)
        if chosen and done:
            break

    decisions, outcomes = ids(path, "decision"), ids(path, "outcome")
    assert moment > 50
    assert len(set(decisions)) == len(decisions)
    assert sorted(outcomes) == sorted(learned)
    assert decided <= set(decisions)
    assert learner.version == len(outcomes)
    actions = learner.monitor()["actions"]
    assert sum(one["decisions"] for one in actions) == len(decisions)
    assert sum(one["outcomes"] for one in actions) == len(outcomes)
    verdict = verify(path)
    assert verdict.replay is not None
    assert verdict.replay.different == 0


@pytest.mark.skipif(not compiled, reason="a kernel in Python is no single call")
def test_interrupted_changes_of_actions_leave_a_learner_that_works() -> None:
    learner = Learner("greedy", actions=["a", "b"], seed=1)
    waiting = [learner.choose(x).id for x in X[:3]]
    n_done = 0
    for moment in itertools.count(1):
        done, _ = interrupted(moment, learner.add_action, f"n{moment}")
        gone, _ = interrupted(moment, learner.retire_action, "a")
        learner.choose(X[moment], available=["b"])
        if 0 in learner.model.actions.retired:
            learner.add_action("a")
        n_done = n_done + 1 if done and gone else 0
        if n_done == 3:
            break

    assert moment > 20
    assert all(learner.learn(id, cost=1.0) for id in waiting)


def test_an_interrupted_first_event_leaves_a_learner_that_works(tmp_path: Path) -> None:
    path = tmp_path / "model.bakeoff"
    for moment in itertools.count(1):
        learner = Learner("greedy", 2, seed=1, warm_up=moment == 1)
        chosen, _ = interrupted(moment, learner.choose, X[0])
        decision = learner.choose(X[1])
        learner.save(path)
        assert Learner.load(path).pending == learner.pending
        learner.learn(decision, cost=0.0)
        learned = learner.choose(X[1]).why().contributions
        assert all(learned[name] != 0.0 for name in "0123"), "features were not seen"
        if chosen:
            break

    assert moment > 10


@pytest.mark.skipif(not compiled, reason="a kernel in Python is no single call")
def test_a_call_that_was_cut_short_is_finished_before_a_log_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    first = Learner("greedy", 2, seed=1, log=path)
    first.save(tmp_path / "m")
    for x in X[:3]:
        first.choose(x)
    first.close()
    for moment in itertools.count(1):
        learner = Learner.load(tmp_path / "m", log=path, warm_up=False)
        interrupted(moment, learner.choose, X[0])
        if learner.steps.under_way is not None:
            break
        learner.close()

    catch_up(learner, path)

    assert set(learner.pending) <= set(ids(path, "decision"))


def test_an_exception_in_another_thread_leaves_the_lock_free() -> None:
    learner = Learner("greedy", 2, seed=1)
    thread = threading.Thread(target=interrupted, args=(5, learner.choose, X[0]))
    thread.start()
    thread.join()

    assert learner.choose(X[1]).t >= 1


# Forks


def in_a_child(work: Callable[[], Any]) -> Any:
    """What comes of some work in a fork of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_decides_with_ids_and_draws_of_its_own() -> None:
    learner = Learner("epsilon-greedy:epsilon=1", 8, seed=1)
    learner.choose(X[0])

    def decide() -> list[list[Any]]:
        made = [learner.choose(x) for x in X[:50]]
        return [[one.id for one in made], [one.action for one in made]]

    children = [in_a_child(decide) for _ in range(2)]
    both = [*children, decide()]

    assert len({id for ids, _ in both for id in ids}) == 150
    assert len({tuple(actions) for _, actions in both}) == 3
    assert learner.seed == 1


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_one_learner_that_fails_in_a_fork_leaves_no_other_at_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learners = [Learner("greedy", 2, seed=i, log=tmp_path / f"{i}.jsonl") for i in range(9)]
    for learner in learners:
        learner.choose(X[0])
    for broken in learners[::2]:
        monkeypatch.setattr(broken.model, "reseed", lambda: 1 / 0)

    def decide() -> list[str]:
        messages = []
        for learner in learners[1::2]:
            with pytest.raises(BakeoffError) as refused:
                learner.choose(X[1])
            messages.append(str(refused.value))
        return messages

    messages = in_a_child(decide)

    assert len(messages) == 4
    assert all("parent process" in message for message in messages)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_does_not_write_the_log_of_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("greedy", 2, seed=1, log=path)
    learner.choose(X[0])

    def decide() -> str:
        try:
            learner.choose(X[1])
        except BakeoffError as error:
            return str(error)
        return ""

    message = in_a_child(decide)
    learner.choose(X[2])

    assert "parent process" in message
    assert len(ids(path, "decision")) == 2
    with pytest.raises(BakeoffError, match="another process"):
        LogWriter(path)
    assert verify(path).is_fine


# Disks that are full


class Disk:
    """A disk with so many bytes left; what does not fit is written in part."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.write = os.write

    def __call__(self, file: int, data: bytes) -> int:
        if self.left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        n = self.write(file, data[: self.left])
        self.left -= n
        return n


@pytest.mark.skipif(not compiled, reason="a kernel in Python is no single call")
@pytest.mark.parametrize("moment", range(1, 60, 7))
def test_a_full_disk_after_interrupts_cuts_no_line_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag:n_policies=2", 3, seed=1, log=path)
    decided: set[str] = set()
    learned: set[str] = set()

    def use(x: Any) -> None:
        _, decision = interrupted(moment, learner.choose, x)
        if decision is not None:
            decided.add(decision.id)
            done, _ = interrupted(moment, learner.learn, decision, cost=0.2)
            if done:
                learned.add(decision.id)

    for i in range(0, 90, 3):
        use(X[i])
        monkeypatch.setattr(os, "write", Disk(left=i * 7 % 300))
        for x in X[i + 1 : i + 3]:
            with suppress(ResultsError):
                use(x)
        monkeypatch.undo()
    learner.choose(X[99])

    check_log(path, learner, decided, learned)


def test_lines_that_cannot_be_cut_off_go_when_they_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag:n_policies=2", 3, seed=1, log=path)
    learner.choose(X[0])
    line = len(path.read_bytes().splitlines()[1])

    def fail(*_: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "write", Disk(left=line * 5 // 2))
    monkeypatch.setattr(os, "ftruncate", fail)
    with pytest.raises(ResultsError, match="No space left"):
        learner.choose_batch(X[:5])
    monkeypatch.undo()
    with pytest.warns(DataNotice, match="torn"):
        batch = learner.choose_batch(X[:5])

    logged = ids(path, "decision")
    assert logged[1:] == list(batch.ids)


# Logs that are moved


def test_parts_of_any_name_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "log[1] *$.jsonl"
    learner = Learner("bag", 3, log=LogWriter(path, most_bytes=3000), seed=1)

    for x in X[:100]:
        learner.choose(x)

    assert len(parts_of(path)) > 5
    assert len(ids(path, "decision")) == 100


@pytest.mark.parametrize("most_bytes", [None, 3000])
@pytest.mark.parametrize("way", ["moved", "removed", "replaced", "folder"])
def test_a_log_that_is_taken_away_is_begun_anew(
    tmp_path: Path, way: str, most_bytes: int | None
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "log.jsonl"
    learner = Learner("bag", 3, log=LogWriter(path, most_bytes=most_bytes), seed=1)
    before = {learner.choose(x).id for x in X[:5]}
    if way == "moved":
        path.rename(tmp_path / "elsewhere.jsonl")
    elif way == "removed":
        path.unlink()
    elif way == "replaced":
        (tmp_path / "other").write_bytes(path.read_bytes())
        (tmp_path / "other").rename(path)
    else:
        folder.rename(tmp_path / "away")
        time.sleep(0.11)  # the system tells nothing of that: it is looked up
        with (
            pytest.warns(DataNotice, match="moved or removed"),
            pytest.raises(BakeoffError, match="cannot be written: No such file"),
        ):
            learner.choose(X[5])
        folder.mkdir()

    if way == "folder":
        after = {learner.choose(x).id for x in X[5:30]}
    else:
        with pytest.warns(DataNotice, match=r"log\.jsonl was moved or removed"):
            after = {learner.choose(x).id for x in X[5:30]}

    logged = ids(path, "decision")
    assert set(logged) == after | (before if way == "replaced" else set())
    assert len(learner.pending) == 30
    if way == "moved":
        assert set(ids(tmp_path / "elsewhere.jsonl", "decision")) == before


def test_a_log_must_be_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/full", "/dev/null"):
        with pytest.raises(BakeoffError, match="regular file"):
            Learner("greedy", 2, log=path)


def test_the_first_line_of_a_log_is_a_header(tmp_path: Path) -> None:
    Learner("greedy", 2, seed=1).save(tmp_path / "m")
    learner = Learner.load(tmp_path / "m")
    id = learner.choose(X[0]).id
    learner.save(tmp_path / "m")
    loaded = Learner.load(tmp_path / "m", log=tmp_path / "log.jsonl")

    loaded.learn(id, cost=1.0)

    assert [r["kind"] for r in records_of(tmp_path / "log.jsonl")] == ["bakeoff-log", "outcome"]


# Models


def test_many_threads_may_save_at_once(tmp_path: Path) -> None:
    learner = Learner("greedy", 2, seed=1)
    learner.choose(X[0])
    errors: list[BaseException] = []

    def save() -> None:
        try:
            for _ in range(20):
                learner.save(tmp_path / "m[1]")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=save) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert [path.name for path in tmp_path.iterdir()] == ["m[1]"]


OVERWRITTEN = """
import sys
from pathlib import Path
from bakeoff import Learner, BakeoffError
path = Path(sys.argv[1])
learner = Learner("greedy", 2)
learner.choose([1.0] * 5000)
learner.save(path)
from bakeoff.live import model_file
whole = hashlib = model_file.hashlib.sha256
def cut(data):
    path.open("r+b").truncate(10)
    return whole(data)
model_file.hashlib.sha256 = cut
loaded = Learner.load(path, warm_up=False)
print(loaded.t)
"""


def test_a_model_may_be_overwritten_while_it_is_read(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OVERWRITTEN, str(tmp_path / "m")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout.strip()) == (0, "1"), done.stderr


def reloaded(tmp_path: Path, one: Learner, newer: Learner) -> Learner:
    newer.save(tmp_path / "newer")
    assert one.reload(tmp_path / "newer")
    return one


def test_a_reloaded_model_is_a_whole_one(tmp_path: Path) -> None:
    one = Learner(Run("greedy", offset=-1, seed=1), 2)
    other = Learner(Run("epsilon-greedy:epsilon=0.5", offset=9, seed=2), 2, floor=0.1)
    twin = Learner(Run("epsilon-greedy:epsilon=0.5", offset=9, seed=1), 2, floor=0.1)

    one = reloaded(tmp_path, one, other)

    for x in X[:50]:
        mine, theirs = one.choose(x), twin.choose(x)
        assert mine.probabilities.tolist() == theirs.probabilities.tolist()
        one.learn(mine, loss=9.5)
        twin.learn(theirs, loss=9.5)
    assert one.run == twin.run


def test_a_waiting_decision_never_teaches_another_action(tmp_path: Path) -> None:
    one = Learner("greedy", actions=["x", "y"], seed=1)
    decision = one.choose(X[0])

    reloaded(tmp_path, one, Learner("greedy", actions=["y", "x"], seed=1))

    assert not one.learn(decision.id, cost=0.0)
    assert one.monitor()["given_up"] == 1


def test_a_waiting_decision_never_teaches_other_features(tmp_path: Path) -> None:
    one = Learner("greedy", 2, bits=None, seed=1)
    decision = one.choose({"a": 1.0, "b": 2.0})
    newer = Learner("greedy", 2, bits=None, seed=1)
    newer.choose({"b": 1.0, "a": 2.0})

    reloaded(tmp_path, one, newer)

    assert not one.learn(decision.id, cost=0.0)


def test_a_waiting_decision_goes_on_in_a_newer_model_of_the_same_kind(tmp_path: Path) -> None:
    one = Learner("greedy", actions=["x", "y"], seed=1, feedback=Feedback(limit=5))
    one.save(tmp_path / "m")
    newer = Learner.load(tmp_path / "m")
    decision = one.choose(X[0])
    for x in X[:9]:
        newer.learn(newer.choose(x), cost=0.5)

    reloaded(tmp_path, one, newer)

    assert one.learn(decision.id, cost=0.0)
    assert one.version == newer.version + 1


# Odd calls


@pytest.mark.parametrize(
    "change",
    [{"t": "abc"}, {"t": 10**30}, {"t": None}, {"t": 0}, {"version": "1"},
     {"seed": 1.5}, {"available": [5]}, {"available": ["a"]}, {"available": 3},
     {"available": {"a": 1}}, {"probabilities": [[1.0]]}, {"probabilities": "x"},
     {"probabilities": [10**400, 0]}, {"id": "\ud800"}, {"context": [10**400]}],
)  # fmt: skip
def test_an_odd_decision_is_refused_and_saving_goes_on(
    change: dict[str, Any], tmp_path: Path
) -> None:
    learner = Learner("greedy", 2, seed=1)
    record = json.loads(learner.choose([1.0]).to_json()) | {"id": "other"} | change

    with pytest.raises(DataError):
        learner.admit(type(learner.choose([1.0])).from_json(json.dumps(record)))

    learner.save(tmp_path / "m")
    Learner.load(tmp_path / "m", warm_up=False)


@pytest.mark.parametrize(
    "available",
    [[[0], [0, 1]], [None], 3, 1.5, {"a": 1}, [0, 0], [True], [[True, False]], b"a",
     np.ma.masked_array([True, False], [False, True]), np.array(True), [10**400]],
)  # fmt: skip
def test_odd_lists_of_actions_are_refused(available: Any) -> None:
    learner = Learner("greedy", 2, seed=1)

    with pytest.raises(DataError):
        learner.choose([1.0], available=available)


@pytest.mark.parametrize(
    "x",
    [{"\ud800": 1.0}, {"a": "\ud800"}, {"a": 10**400}, {"a": {1, "b"}}, {"a": [1]},
     {1: 1.0}, {"a": object()}, np.ma.masked_array([1.0], [True]), [10**400]],
)  # fmt: skip
@pytest.mark.parametrize("bits", [18, None])
def test_odd_contexts_are_refused(x: Any, bits: int | None, tmp_path: Path) -> None:
    learner = Learner("greedy", 2, seed=1, bits=bits, log=tmp_path / "log.jsonl")

    with pytest.raises(DataError):
        learner.choose(x)

    assert learner.t == 0
    learner.save(tmp_path / "m")


@pytest.mark.parametrize("reward", [10**400, -(10**400), float("nan"), "1", [1.0]])
def test_odd_rewards_are_refused(reward: Any) -> None:
    learner = Learner("greedy", 2, seed=1)
    decision = learner.choose([1.0])

    with pytest.raises(DataError, match="reward must"):
        learner.learn(decision, reward=reward)

    assert learner.learn(decision, reward=1.0)


def test_names_that_no_file_can_hold_are_refused() -> None:
    with pytest.raises(BakeoffError, match="UTF-8"):
        Learner("greedy", actions=["a", "\ud800"])
    learner = Learner("greedy", actions=["a", "b"])
    with pytest.raises(DataError, match="UTF-8"):
        learner.add_action("\ud800")
    with pytest.raises(DataError, match="UTF-8"):
        learner.choose([1.0], id="\ud800")


def test_a_masked_array_without_a_mask_is_an_array() -> None:
    learner = Learner("greedy", 2, seed=1)

    assert learner.choose(np.ma.masked_array([1.0, 2.0])).t == 1


@pytest.mark.parametrize(
    "costs", [1j, {"a": 1.0}, "x", [[0.5]], len, 10**400, np.ma.masked_array([0.5], [True])]
)
def test_odd_outcomes_of_batches_are_refused(costs: Any) -> None:
    learner = Learner("greedy", 2, seed=1)
    batch = learner.choose_batch(X[:1])

    with pytest.raises(DataError, match="cost"):
        learner.learn_batch(batch, cost=costs)

    assert learner.learn_batch(batch, cost=[0.5]) == 1


@pytest.mark.parametrize("x", [[0.0, 1.0], 3, X[0], [X[0], X[1][:2]], [{"a": 1}, 3]])
def test_odd_batches_are_refused(x: Any) -> None:
    with pytest.raises(DataError):
        Learner("greedy", 2, seed=1).choose_batch(x)


def test_an_action_whose_features_make_no_sense_is_refused() -> None:
    learner = Learner("greedy", actions={"a": {"x": 1.0}, "b": {"x": 2.0}}, seed=1)

    for features in (None, 3, {"x": object()}):
        with pytest.raises(DataError):
            learner.add_action("c", features)
    with pytest.raises(DataError, match="numbers, not names"):
        Learner("greedy", 2).add_action(0.5)  # type: ignore[arg-type]

    assert learner.actions == ["a", "b"]
    assert learner.choose({"u": 1.0}).t == 1


def test_a_name_that_no_file_can_have_is_refused() -> None:
    for name in ("a\0b", "a\udfff"):
        for use in (Learner("greedy", 2).save, Learner.load, LogWriter):
            with pytest.raises(BakeoffError, match="name of a file"):
                use(name)


@pytest.mark.parametrize("changes", [{}, {"available": None}])
def test_admitted_decisions_of_actions_with_features_are_verified(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    actions = {"a": {"x": 1.0}, "b": {"x": 2.0}, "c": {"x": 3.0}}
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy", actions=actions, seed=1, log=path)
    other = Learner("epsilon-greedy", actions=actions, seed=2)
    for i in range(20):
        decision = other.choose({"u": float(i)}, available=["b", "c"])
        sent = json.loads(decision.to_json())
        learner.admit(Decision.from_json(json.dumps(sent | changes)))
        learner.choose({"u": 1.0})
        learner.learn(decision.id, cost=0.5)

    verdict = verify(path)

    assert verdict.is_fine
    assert verdict.replay is not None
    assert (verdict.replay.admitted, verdict.replay.outcomes) == (20, 20)


def test_features_of_actions_may_be_all_that_there_is(tmp_path: Path) -> None:
    actions = {"a": {"x": 1.0}, "b": {"x": 2.0}}
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy", actions=actions, seed=1, log=path)
    for _ in range(20):
        learner.learn(learner.choose(None), cost=0.5)

    assert verify(path).is_fine


def test_a_log_whose_folder_is_moved_goes_on_when_it_is_full(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    writer = LogWriter(folder / "log.jsonl", most_bytes=1500)
    learner = Learner("greedy", 2, log=writer)
    learner.choose([1.0])
    folder.rename(tmp_path / "moved")
    folder.mkdir()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNotice)
        ids = [learner.choose([1.0]).id for _ in range(40)]

    logs = [*parts_of(tmp_path / "moved" / "log.jsonl")]
    logs += parts_of(folder / "log.jsonl")
    lines = "".join(path.read_text() for path in logs)
    assert [id for id in ids if f'"{id}"' not in lines] == []
