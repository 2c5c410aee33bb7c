"""The service in one process: decide, reward, activate, and what goes with them."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from bakeoff import verify
from bakeoff.reading.logs import placed_records_of
from tests.serving.services import ARTICLES, Local

USER = {"age": 31, "device": {"os": "ios"}, "likes": ["tennis"]}


@pytest.fixture
def service(tmp_path: Path) -> Local:
    return Local(tmp_path / "state")


def decide(service: Local, **more: Any) -> Any:
    status, answer = service.post("/v1/decide", {"context": USER, "actions": ARTICLES, **more})
    assert status == 200, answer
    return answer


def test_a_decision_and_its_reward(service: Local) -> None:
    decision = decide(service)
    receipt = service.post("/v1/reward", {"id": decision["id"], "reward": 1})

    assert receipt == (200, {"id": decision["id"], "result": "accepted"})
    assert sum(decision["probabilities"].values()) == pytest.approx(1)
    assert decision["probability"] == decision["probabilities"][decision["action"]]
    assert service.learn() == 1
    assert service.trainer.learner.version == 1
    assert decide(service)["version"] == 1


def test_rewards_are_learned(service: Local) -> None:
    for _ in range(150):
        decision = decide(service)
        reward = float(decision["action"] == "rain")
        service.post("/v1/reward", {"id": decision["id"], "reward": reward})
        service.learn()

    assert decide(service)["probabilities"]["rain"] > 0.8
    log = service.folder / "decisions.jsonl"
    records = [record for _, record in placed_records_of(log)]
    assert [r["kind"] for r in records].count("decision") == 150
    assert [r["kind"] for r in records].count("outcome") == 150
    assert verify(log).is_fine


def test_actions_of_the_service(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", {"actions": ["a", "b", "c"]})
    all_of_them = service.post("/v1/decide", {"context": USER})[1]
    two = service.post("/v1/decide", {"context": USER, "actions": ["c", "a"]})[1]
    one = service.post("/v1/decide", {"context": USER, "exclude": ["c", "a"]})[1]

    assert set(all_of_them["probabilities"]) == {"a", "b", "c"}
    assert set(two["probabilities"]) == {"a", "c"}
    assert one["action"] == "b"
    assert one["probabilities"] == {"a": 0.0, "b": 1.0, "c": 0.0}
    for decision in (all_of_them, two, one):
        service.post("/v1/reward", {"id": decision["id"], "reward": 1})
    assert service.learn() == 3
    assert service.trainer.learner.version == 3
    assert "bakeoff_refused_total" not in service.state.counters()


def test_excluded_actions_are_not_shown(service: Local) -> None:
    for _ in range(20):
        decision = decide(service, exclude=["tennis", "rain"])
        assert decision["action"] == "budget"
        assert decision["probabilities"] == {"tennis": 0.0, "budget": 1.0, "rain": 0.0}


def test_the_same_id_gets_the_same_answer(service: Local) -> None:
    first = decide(service, id="visit-1")
    again = decide(service, id="visit-1")
    service.post("/v1/reward", {"id": "visit-1", "reward": 1})
    service.learn()
    status, answer = service.post(
        "/v1/decide", {"context": USER, "actions": ARTICLES, "id": "visit-1"}
    )

    assert again == first
    assert status == 409
    assert "visit-1" in answer["error"]["message"]
    assert service.state.decisions() == 1


def test_the_first_reward_counts(service: Local) -> None:
    id = decide(service)["id"]
    results = [service.post("/v1/reward", {"id": id, "reward": r})[1]["result"] for r in (0, 1)]
    service.learn()
    late = service.post("/v1/reward", {"id": id, "reward": 1})

    assert results == ["accepted", "repeated"]
    assert late == (200, {"id": id, "result": "repeated"})
    assert service.post("/v1/reward", {"id": "nobody's", "reward": 1})[0] == 404
    assert service.trainer.monitor()["outcomes"] == 1


def test_a_reward_waits_for_the_activation(service: Local) -> None:
    id = decide(service, active=False)["id"]
    service.post("/v1/reward", {"id": id, "reward": 1})

    assert service.learn() == 0
    assert service.post("/v1/activate", {"id": id}) == (200, {"id": id, "result": "accepted"})
    assert service.learn() == 1
    assert service.post("/v1/activate", {"id": "nobody's"})[0] == 404


def test_what_waits_too_long_teaches_the_default(tmp_path: Path) -> None:
    rewards = {"wait": 60.0, "default": 0.0}
    service = Local(tmp_path / "state", rewards=rewards)
    shown, hidden = decide(service), decide(service, active=False)
    now = 1e10

    assert service.learn() == 0
    assert service.learn(now) == 2
    assert service.trainer.learner.version == 1
    counters = service.state.counters()
    assert counters['bakeoff_outcomes_total{kind="default"}'] == 1
    assert counters['bakeoff_outcomes_total{kind="given up"}'] == 1
    for decision in (shown, hidden):
        answer = service.post("/v1/reward", {"id": decision["id"], "reward": 1})
        assert answer[1]["result"] == "repeated"


def test_too_many_that_wait_are_given_up(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", rewards={"limit": 3})
    ids = [decide(service)["id"] for _ in range(5)]

    assert service.learn() == 2
    assert service.post("/v1/reward", {"id": ids[1], "reward": 1})[1]["result"] == "repeated"
    assert service.post("/v1/reward", {"id": ids[2], "reward": 1})[1]["result"] == "accepted"


def test_rewards_in_another_range(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", rewards={"low": -1.0, "high": 1.0})
    id = decide(service)["id"]

    assert service.post("/v1/reward", {"id": id, "reward": -2})[0] == 400
    assert service.post("/v1/reward", {"id": id, "reward": -0.5})[0] == 200
    service.learn()
    log = [record for _, record in placed_records_of(service.folder / "decisions.jsonl")]
    assert log[-1]["reward"] == -0.5


def test_batches(service: Local) -> None:
    request = {"context": USER, "actions": ARTICLES}
    bad = {"context": USER, "actions": []}
    status, answer = service.post("/v1/decide/batch", {"requests": [request, bad, request]})
    first, error, last = answer["answers"]
    rewards = [{"id": first["id"], "reward": 1}, {"id": "nobody's", "reward": 1}]

    assert status == 200
    assert first["action"]
    assert last["action"]
    assert error["error"]["code"] == "BadRequest"
    status, answer = service.post("/v1/reward/batch", {"requests": rewards})
    assert [receipt["result"] for receipt in answer["answers"]] == ["accepted", "unknown"]


def test_a_batch_of_rewards_counts_as_a_whole(service: Local) -> None:
    id = decide(service)["id"]
    rewards = [{"id": id, "reward": 1}, {"id": id, "reward": 7}]

    assert service.post("/v1/reward/batch", {"requests": rewards})[0] == 400
    assert service.post("/v1/reward", {"id": id, "reward": 1})[1]["result"] == "accepted"


def test_reasons(service: Local) -> None:
    for _ in range(20):
        id = decide(service)["id"]
        service.post("/v1/reward", {"id": id, "reward": 1})
    service.learn()
    decision = decide(service, explain=True)
    why = decision["why"]

    assert why["action"] == decision["action"]
    assert why["runner_up"] in {"tennis", "budget", "rain"} - {decision["action"]}
    assert "device.os=ios x topic=sport" in {*why["contributions"], *why["against"]}


def test_apprentice_mode_shows_the_first_action_and_learns(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", mode="apprentice")
    for _ in range(10):
        decision = decide(service, exclude=["tennis"])
        assert (decision["action"], decision["probability"]) == ("budget", 1.0)
        service.post("/v1/reward", {"id": decision["id"], "reward": 1})
        service.learn()

    service.get("/metrics")
    counters = service.state.counters()
    assert counters["bakeoff_apprentice_total"] == 10
    assert 5 <= counters["bakeoff_apprentice_agreed_total"] <= 10
    assert service.trainer.learner.version == 10


@pytest.mark.parametrize("learner", [{}, {"actions": ["tennis", "budget", "rain"]}])
def test_what_was_accepted_survives(tmp_path: Path, learner: Any) -> None:
    service = Local(tmp_path / "state", learner)
    actions = {"actions": ["tennis", "budget"]} if learner else {}
    ids = [decide(service, **actions)["id"] for _ in range(12)]
    hidden = decide(service, active=False, **actions)["id"]
    for id in ids[:4]:
        service.post("/v1/reward", {"id": id, "reward": 1})
    service.learn()
    for id in ids[4:8]:
        service.post("/v1/reward", {"id": id, "reward": 0.5})
    service.trainer.step()  # learned, but not saved
    expected = service.trainer.learner
    service.post("/v1/reward", {"id": ids[8], "reward": 1})  # not even learned
    service.die()

    service.start()

    again = service.trainer.learner
    assert again.version == expected.version == 8
    x: Any = ({"age": 3},)
    rows = {} if learner else {"actions": [{"topic": "sport"}, {"topic": "weather"}]}
    assert again.probabilities(*x, **rows).tolist() == expected.probabilities(*x, **rows).tolist()
    assert service.learn() == 1
    service.post("/v1/reward", {"id": hidden, "reward": 1})
    assert service.learn() == 0  # it is not active, as before
    log = service.folder / "decisions.jsonl"
    outcomes = [r["id"] for _, r in placed_records_of(log) if r["kind"] == "outcome"]
    assert outcomes == ids[:9]
    assert verify(log).is_fine


def test_pages_and_metrics(service: Local) -> None:
    id = decide(service)["id"]
    service.post("/v1/reward", {"id": id, "reward": 1})
    service.post("/v1/nothing", {})
    service.learn()
    service.trainer.beat()

    metrics = service.get("/metrics").text
    assert 'bakeoff_requests_total{path="/v1/decide",status="200"} 1\n' in metrics
    assert 'bakeoff_requests_total{path="other",status="404"} 1\n' in metrics
    assert 'bakeoff_request_seconds_bucket{path="/v1/decide",le="+Inf"} 1\n' in metrics
    assert "# TYPE bakeoff_request_seconds histogram\n" in metrics
    assert "\nbakeoff_pending 0\n" in metrics
    assert "\nbakeoff_model_version 1\n" in metrics
    assert service.get("/health").json() == {"alive": True, "version": 1}
    assert service.get("/ready").json()["learning"] is True
    assert "<h1>A learner</h1>" in service.get("/monitor").text
    description = service.get("/openapi.json").json()
    assert "/v1/decide" in description["paths"]
    assert "http" not in service.get("/docs").text.replace("/openapi.json", "")
    for schema in json.dumps(description).split('"$ref": "#/components/schemas/')[1:]:
        assert schema.partition('"')[0] in description["components"]["schemas"]


def test_counts_of_threads_add_up(service: Local) -> None:
    decider, total = service.app.decider, 0.0
    decider.taken_counts()

    def count() -> None:
        for i in range(5000):
            decider.count(f"c{i % 50}")

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        total += sum(decider.taken_counts().values())
    total += sum(decider.taken_counts().values())

    assert total == 15_000
