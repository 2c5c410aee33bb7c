"""Rollouts in a service: one exact probability, moves by evidence, and nothing lost."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bakeoff import Learner, SpecError, evaluate, read_log
from bakeoff.live.serving.config import read_config
from bakeoff.live.serving.rollouts import CANDIDATE
from bakeoff.live.serving.trainer import MODEL
from tests.serving.services import Local

ACTIONS = ["a", "b"]
TRIAL = {"learner": {"explorer": "epsilon-greedy:epsilon=0.5"}, "least": 20}


def service(folder: Path, **changes: Any) -> Local:
    learner = {"explorer": "greedy", "actions": ACTIONS}
    return Local(folder, learner, rollout={**TRIAL, **changes.pop("rollout", {})}, **changes)


def visit(one: Local, n: int, pay: dict[str, float], seed: int = 1) -> list[Any]:
    """Decide and reward n times, and learn."""
    rng, answers = np.random.default_rng(seed), []
    for _ in range(n):
        status, answer = one.post("/v1/decide", {"context": {"x": 1}})
        assert status == 200
        reward = float(rng.random() < pay[answer["action"]])
        assert one.post("/v1/reward", {"id": answer["id"], "reward": reward})[0] == 200
        answers.append(answer)
    one.learn()
    return answers


def test_the_candidate_gets_its_share_and_probabilities_are_those_of_the_mixture(
    tmp_path: Path,
) -> None:
    one = service(tmp_path)
    visit(one, 20, {"a": 1.0, "b": 0.0})
    share = one.app.decider.share
    assert share is not None
    assert share.share == 0.05

    answer = visit(one, 1, {"a": 1.0, "b": 0.0})[0]

    mine = Learner.load(tmp_path / MODEL, learns=False).probabilities({"x": 1})
    theirs = Learner.load(tmp_path / CANDIDATE, learns=False).probabilities({"x": 1})
    # both learned one outcome more since
    assert theirs.min() == 0.25
    assert list(answer["probabilities"].values()) == pytest.approx(0.95 * mine + 0.05 * theirs)
    log = read_log(tmp_path / "decisions.jsonl")
    assert log.n == 21
    assert evaluate(log, "uniform").n == 21


def test_both_learn_from_all_outcomes(tmp_path: Path) -> None:
    one = service(tmp_path)
    visit(one, 50, {"a": 0.2, "b": 0.8})

    for file in (MODEL, CANDIDATE):
        assert Learner.load(tmp_path / file).version == 50


def test_a_better_candidate_is_promoted_and_a_restart_goes_on(tmp_path: Path) -> None:
    learner = {"explorer": "epsilon-greedy:epsilon=1", "actions": ACTIONS}  # plays at random
    trial = {"learner": {"explorer": "greedy"}, "least": 10, "alpha": 0.4}
    one = Local(tmp_path, learner, rollout=trial)
    for seed in range(20):
        visit(one, 40, {"a": 0.0, "b": 1.0}, seed)
    assert one.trainer.trial is not None
    before = one.trainer.trial.stages.report()
    one.die()
    one.start()

    assert [share for _, share in before["history"]][:2] == [0.05, 0.2]
    assert before["difference"] > 0.2
    assert one.trainer.trial.stages.report() == before
    assert one.app.decider.share is not None
    assert one.app.decider.share.share == before["share"]


def test_a_kill_between_saves_counts_each_outcome_once(tmp_path: Path) -> None:
    one = service(tmp_path)
    visit(one, 30, {"a": 0.5, "b": 0.5})
    for i in range(25):
        _, answer = one.post("/v1/decide", {"context": {"x": i}})
        one.post("/v1/reward", {"id": answer["id"], "reward": 1})
    one.trainer.step()  # learned, and not saved
    assert one.trainer.trial is not None
    stages, version = one.trainer.trial.stages.state(), one.trainer.learner.version
    weights = one.trainer.trial.candidate.model.engine.bandit.policies.w.copy()
    one.die()

    one.start()

    assert one.trainer.trial is not None
    assert one.trainer.trial.stages.state() == stages
    assert one.trainer.learner.version == one.trainer.trial.candidate.version == version
    again = one.trainer.trial.candidate.model.engine.bandit.policies.w
    assert np.array_equal(again, weights)


def test_a_kill_between_model_candidate_and_stages_counts_each_once(tmp_path: Path) -> None:
    one = service(tmp_path)
    visit(one, 30, {"a": 0.5, "b": 0.5})
    for i in range(12):
        one.post("/v1/decide", {"context": {"x": i}, "id": f"d{i}"})
        one.post("/v1/reward", {"id": f"d{i}", "reward": i % 2})
    one.trainer.step()
    one.trainer.learner.save(tmp_path / MODEL)
    assert one.trainer.trial is not None
    one.trainer.trial.candidate.save(tmp_path / CANDIDATE)  # the stages were not saved
    stages = one.trainer.trial.stages.state()
    one.die()
    one.start()

    assert one.trainer.trial is not None
    assert one.trainer.trial.stages.state() == stages
    assert one.trainer.trial.candidate.version == one.trainer.learner.version == 42


def test_metrics_and_monitor_tell_where_it_is(tmp_path: Path) -> None:
    one = service(tmp_path)
    visit(one, 25, {"a": 0.5, "b": 0.5})

    metrics, page = one.get("/metrics").text, one.get("/monitor").text

    assert "bakeoff_rollout_share 0.05\n" in metrics
    assert "bakeoff_rollout_stopped 0\n" in metrics
    assert "bakeoff_rollout_outcomes 25\n" in metrics
    assert "<td>share of the candidate</td><td>5 %</td>" in page


def test_another_candidate_begins_anew_and_none_forgets(tmp_path: Path) -> None:
    one = service(tmp_path)
    visit(one, 25, {"a": 0.5, "b": 0.5})
    one.die()
    two = service(tmp_path, rollout={"holdback": 0.3})
    assert two.trainer.trial is not None
    assert two.trainer.trial.stages.outcomes == 0
    assert two.trainer.trial.candidate.version == 25  # counts as the service does
    two.die()

    three = Local(tmp_path, {"explorer": "greedy", "actions": ACTIONS})

    assert three.trainer.trial is None
    assert "rollout" not in three.get("/metrics").text
    visit(three, 5, {"a": 0.5, "b": 0.5})
    three.die()


def test_candidates_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    Learner("greedy", 3, seed=1).save(tmp_path / "three")
    with pytest.raises(SpecError, match="candidate's actions are 3, but the service has"):
        service(tmp_path / "s", rollout={"learner": {}, "candidate": str(tmp_path / "three")})
    with pytest.raises(SpecError, match='needs mode = "online"'):
        service(tmp_path / "t", mode="apprentice")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[rollout]\n", "needs a candidate"),
        ("[rollout]\nholdback = 2\ncandidate = 'x'", "holdback must lie between 0 and 1"),
        ("[rollout]\nshare = 2", "unknown setting 'share'"),
        ("[rollout]\nlearner = 2", "rollout.learner"),
        ("[rollout.learner]\nexplorr = 'greedy'", "did you mean 'explorer'"),
        ("rollout = 1", "write \\[rollout\\]"),
    ],
)
def test_settings_are_checked(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "service.toml"
    file.write_text(text)
    with pytest.raises(SpecError, match=sentence):
        read_config(file, {})


def test_the_environment_sets_a_rollout(tmp_path: Path) -> None:
    file = tmp_path / "service.toml"
    file.write_text("[rollout]\ncandidate = 'new'\n")
    config = read_config(file, {"BAKEOFF_ROLLOUT_HOLDBACK": "0.2"})

    assert config.rollout is not None
    assert config.rollout.holdback == 0.2
    assert config.rollout.candidate == str(tmp_path / "new")
    assert type(config).from_json(config.to_json()) == config
