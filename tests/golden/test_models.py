"""A learner that a version before saved goes on as it did, to the last bit."""

from pathlib import Path

import pytest
from numpy.testing import assert_array_equal

from bakeoff import Learner
from bakeoff.runs import spelled_today
from tests.golden.files import VERSIONS, read_json
from tests.golden.models import FOLDER, decided

MODELS = sorted(path for v in VERSIONS for path in (v / FOLDER).glob("*.bakeoff"))
every_model = pytest.mark.parametrize(
    "path", MODELS, ids=lambda path: f"{path.parts[-3]}-{path.stem}"
)


def test_there_are_models() -> None:
    assert len(MODELS) == 4 * len(VERSIONS)


@every_model
def test_the_next_decisions_are_the_same(path: Path) -> None:
    golden = read_json(path.with_suffix(".json"))

    learner = Learner.load(path)

    assert str(learner.run) == spelled_today(golden["run"], golden.get("arithmetic"))
    assert learner.pending == golden["pending"]
    today = [decided(learner, event) for event in golden["events"]]
    assert today == golden["decisions"]


@every_model
def test_waiting_decisions_are_learned_once(path: Path) -> None:
    learner = Learner.load(path)
    version = learner.version

    waiting = learner.pending

    assert len(waiting) == 9
    assert [learner.learn(id, reward=1.0) for id in waiting] == [True] * 9
    assert [learner.learn(id, reward=1.0) for id in waiting] == [False] * 9
    assert (learner.version, learner.pending) == (version + 9, [])


@every_model
def test_it_is_saved_and_loaded_again(path: Path, tmp_path: Path) -> None:
    learner = Learner.load(path)
    learner.learn(learner.pending[0], reward=1.0)
    learner.save(tmp_path / "again.bakeoff")
    again = Learner.load(tmp_path / "again.bakeoff")

    assert again.pending == learner.pending
    for event in read_json(path.with_suffix(".json"))["events"]:
        one, other = decided(learner, event), decided(again, event)
        assert one == other
        x, available = event["context"], event["available"]
        assert_array_equal(
            learner.probabilities(x, available=available),
            again.probabilities(x, available=available),
        )
