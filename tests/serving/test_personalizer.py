"""Azure Personalizer's own clients, the older and the newer, against a service."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
old = pytest.importorskip("azure.cognitiveservices.personalizer")
new = pytest.importorskip("azure.ai.personalizer")

from azure.cognitiveservices.personalizer import models
from azure.core.credentials import AzureKeyCredential
from azure.core.exceptions import HttpResponseError
from msrest.authentication import CognitiveServicesCredentials
from msrest.exceptions import HttpOperationError

from bakeoff.reading.logs import placed_records_of
from tests.serving.services import Local, Remote

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

SETTINGS = """
[learner]
explorer = "epsilon-greedy:epsilon=0.2"

[rewards]
low = -1
high = 1
wait = 600

[service]
key = "a-key"
save-seconds = 0.1
""".replace("save-seconds", "save_seconds")

CONTEXT = [{"user": {"age": 31, "likes": ["tennis", "tea"]}}, {"time": "morning"}]
ACTIONS = {
    "tennis": [{"topic": "sport"}, {"length": 3}],
    "budget": [{"topic": "politics", "nested": {"paid": True}}],
    "rain": [{"topic": "weather"}],
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    service = Remote(tmp_path_factory.mktemp("personalizer"), SETTINGS)
    yield service
    assert service.stop() == 0


class Old:
    """azure-cognitiveservices-personalizer 0.1.1."""

    Error = HttpOperationError

    def __init__(self, url: str, key: str = "a-key") -> None:
        self.client = old.PersonalizerClient(url, CognitiveServicesCredentials(key))

    def rank(self, **more: Any) -> tuple[str, str, dict[str, float]]:
        ids = more.pop("actions", list(ACTIONS))
        actions = [models.RankableAction(id=id, features=ACTIONS.get(id, [{}])) for id in ids]
        answer = self.client.rank(
            models.RankRequest(actions=actions, context_features=CONTEXT, **more)
        )
        return (
            answer.event_id,
            answer.reward_action_id,
            {one.id: one.probability for one in answer.ranking},
        )

    def reward(self, id: str, value: float) -> None:
        self.client.events.reward(event_id=id, value=value)

    def activate(self, id: str) -> None:
        self.client.events.activate(event_id=id)


class New:
    """azure-ai-personalizer 1.0.0b1."""

    Error = HttpResponseError

    def __init__(self, url: str, key: str = "a-key") -> None:
        self.client = new.PersonalizerClient(url, AzureKeyCredential(key))

    def rank(self, **more: Any) -> tuple[str, str, dict[str, float]]:
        ids = more.pop("actions", list(ACTIONS))
        names = {"event_id": "eventId", "excluded_actions": "excludedActions",
                 "defer_activation": "deferActivation"}  # fmt: skip
        request = {
            "actions": [{"id": id, "features": ACTIONS.get(id, [{}])} for id in ids],
            "contextFeatures": CONTEXT,
            **{names[name]: value for name, value in more.items()},
        }
        answer = self.client.rank(request)
        ranking = {one["id"]: one["probability"] for one in answer["ranking"]}
        return answer["eventId"], answer["rewardActionId"], ranking

    def reward(self, id: str, value: float) -> None:
        self.client.reward(id, {"value": value})

    def activate(self, id: str) -> None:
        self.client.activate(id)


@pytest.fixture(params=[Old, New])
def client(service: Remote, request: Any) -> Any:
    return request.param(service.url)


def outcome_of(service: Remote, id: str) -> float | None:
    """The reward in the decision log, once the writer has learned it."""
    for _ in range(200):
        for _, record in placed_records_of(service.folder / "decisions.jsonl"):
            if record["kind"] == "outcome" and record["id"] == id:
                return float(record["reward"])
        time.sleep(0.02)
    return None


def test_rank_and_reward(service: Remote, client: Any) -> None:
    id, action, ranking = client.rank()
    client.reward(id, -0.5)

    assert set(ranking) == set(ACTIONS)
    assert next(iter(ranking)) == action
    assert sum(ranking.values()) == pytest.approx(1)
    assert outcome_of(service, id) == -0.5


def test_ids_of_clients_and_repeats(client: Any) -> None:
    id = f"event {type(client).__name__}/1"
    first = client.rank(event_id=id)

    assert first[0] == id
    assert client.rank(event_id=id) == first
    client.reward(id, 1.0)
    client.reward(id, 1.0)  # the first counts; a second is no error


def test_excluded_actions(client: Any) -> None:
    _, action, ranking = client.rank(excluded_actions=["tennis", "rain"])

    assert action == "budget"
    assert ranking == {"budget": 1.0, "tennis": 0.0, "rain": 0.0}


def test_deferred_activation(service: Remote, client: Any) -> None:
    waiting, _, _ = client.rank(defer_activation=True)
    shown, _, _ = client.rank(defer_activation=True)
    for id in (waiting, shown):
        client.reward(id, 1.0)
    client.activate(shown)

    assert outcome_of(service, shown) == 1.0
    records = [record for _, record in placed_records_of(service.folder / "decisions.jsonl")]
    assert waiting not in {record["id"] for record in records if "id" in record}


def test_it_learns_what_is_clicked(service: Remote, client: Any) -> None:
    for _ in range(60):
        id, action, _ = client.rank()
        client.reward(id, 1.0 if action == "rain" else -1.0)
    last = outcome_of(service, id)

    assert last is not None
    time.sleep(0.6)  # until the worker has the model
    assert client.rank()[2]["rain"] > 0.5


def test_errors_reach_the_client(service: Remote, client: Any) -> None:
    with pytest.raises(client.Error):
        client.reward("nobody's", 1.0)
    with pytest.raises(client.Error):
        client.activate("nobody's")
    with pytest.raises(client.Error):
        client.reward(client.rank()[0], 3.0)
    with pytest.raises(client.Error, match="different"):
        client.rank(actions=["tennis", "tennis"])
    with pytest.raises(client.Error):
        type(client)(service.url, "wrong").rank()


def test_what_is_not_offered_says_so(service: Remote) -> None:
    client = new.PersonalizerClient(service.url, AzureKeyCredential("a-key"))
    admin = new.PersonalizerAdministrationClient(service.url, AzureKeyCredential("a-key"))

    slots = {"actions": [], "slots": [{"id": "s", "baselineAction": "a"}]}
    calls: list[Any] = [
        lambda: client.rank_multi_slot(slots),
        lambda: admin.get_feature_importance("x"),
        lambda: list(admin.list_evaluations()),
        lambda: admin.get_policy(),
        lambda: admin.update_service_configuration({"defaultReward": 1}),
    ]
    for call in calls:
        with pytest.raises(HttpResponseError, match="does not offer") as error:
            call()
        assert error.value.status_code == 501
    settings = admin.get_service_configuration()
    assert settings["learningMode"] == "Online"
    assert settings["rewardWaitTime"].replace("0:10:00", "PT600S") == "PT600S"
    assert settings["explorationPercentage"] == 0.2


def test_personalizer_with_a_list_of_the_service(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", {"actions": ["a", "b", "c"]})
    request = {"actions": [{"id": "b", "features": []}, {"id": "a"}], "contextFeatures": CONTEXT}

    status, answer = service.post("/personalizer/v1.0/rank", request)

    assert status == 201
    assert {one["id"] for one in answer["ranking"]} == {"a", "b"}
    request["actions"] = [{"id": "x"}]
    status, answer = service.post("/personalizer/v1.0/rank", request)
    assert (status, answer["error"]["code"]) == (400, "BadRequest")
