"""Hostile requests get a status from 400 to 499 and a sentence, and change nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from bakeoff.reading.logs import placed_records_of
from tests.serving.services import ARTICLES, Local


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Local:
    return Local(
        tmp_path_factory.mktemp("hostile") / "state", key="secret, other", most_body=20_000
    )


KEY = {"X-API-Key": "secret"}
DEEP = "[" * 5000 + "]" * 5000
BODIES: dict[str, Any] = {
    "nothing": b"",
    "no JSON": b"{",
    "bytes": b"\xff\xfe\x00",
    "a list": b"[]",
    "a number": b"1",
    "nan": b'{"context": {"a": NaN}}',
    "deep": f'{{"context": {DEEP}}}'.encode(),
    "deep features": ('{"context": {"a": ' * 500 + "1" + "}}" * 500).encode(),
    "unknown field": {"context": {}, "actions": ARTICLES, "surprise": 1},
    "no actions": {"context": {}},
    "no action": {"context": {}, "actions": []},
    "same ids": {"actions": [ARTICLES[0], ARTICLES[0]]},
    "empty id": {"actions": [{"id": ""}, {"id": "b"}]},
    "newline in an action": {"actions": [{"id": "a\nb"}, {"id": "b"}]},
    "newline in an id": {"actions": ARTICLES, "id": "a\r\nSet-Cookie: x"},
    "null character": {"actions": ARTICLES, "id": "a\0"},
    "half a character": b'{"actions": [{"id": "a"}, {"id": "b"}], "id": "\\ud800"}',
    "long id": {"actions": ARTICLES, "id": "x" * 257},
    "id is a number": {"actions": ARTICLES, "id": 3},
    "huge number": {"context": {"a": 1e300}, "actions": ARTICLES},
    "huge integer": b'{"context": {"a": 1' + b"0" * 400 + b'}, "actions": [{"id": "a"}]}',
    "all excluded": {"actions": ARTICLES, "exclude": ["tennis", "budget", "rain"]},
    "unknown excluded": {"actions": ARTICLES, "exclude": ["x"]},
    "mixed list": {"context": {"a": ["b", 1, {"c": [[[1]]]}, None]}, "actions": "x"},
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies(service: Local, name: str) -> None:
    body = BODIES[name]
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    before = service.state.decisions()

    response = service.client.post("/v1/decide", content=content, headers=KEY)

    assert response.status_code == 400, response.text
    message = response.json()["error"]["message"]
    assert 10 < len(message) < 400
    assert message.isprintable()
    assert service.state.decisions() == before


def test_large_bodies(service: Local) -> None:
    large = b'{"id": "' + b"x" * 30_000 + b'"}'

    def pieces() -> Any:
        yield large[:15_000]
        yield large[15_000:]

    for content in (large, pieces()):
        response = service.client.post("/v1/decide", content=content, headers=KEY)
        assert response.status_code == 413
        assert "20,000 bytes" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-API-Key": ""}, {"X-API-Key": "secre"}, {"Authorization": "Bearer x"},
     {"Authorization": "Basic secret"}, {"Ocp-Apim-Subscription-Key": "SECRET"}],
)  # fmt: skip
def test_keys_that_are_wrong(service: Local, headers: Any) -> None:
    for path in ("/v1/decide", "/personalizer/v1.0/rank", "/v1/reward"):
        assert service.post(path, {"actions": ARTICLES}, headers=headers)[0] == 401
    assert service.client.get("/metrics", headers=headers).status_code == 401
    assert service.client.get("/health", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"X-API-Key": "secret"}, {"X-API-Key": "other"}, {"Authorization": "Bearer secret"},
     {"Ocp-Apim-Subscription-Key": "secret"}],
)  # fmt: skip
def test_keys_that_are_right(service: Local, headers: Any) -> None:
    assert service.post("/v1/decide", {"actions": ARTICLES}, headers=headers)[0] == 200


@pytest.mark.parametrize("reward", ["1", None, True, [], {}, 1.5, -0.1, 1e400])
def test_rewards_that_are_wrong(service: Local, reward: Any) -> None:
    content = json.dumps({"id": "x", "reward": reward}).replace("Infinity", "1e999")

    response = service.client.post("/v1/reward", content=content, headers=KEY)

    assert response.status_code == 400
    assert response.json()["error"]["message"]


def test_paths_and_verbs_that_do_not_exist(service: Local) -> None:
    for verb, path, status in (
        ("GET", "/v1/decide", 405), ("POST", "/", 404), ("GET", "/../etc/passwd", 404),
        ("DELETE", "/health", 405), ("POST", "/personalizer/v1.0/events/x/steal", 404),
    ):  # fmt: skip
        response = service.client.request(verb, path, headers=KEY)
        assert response.status_code == status
        assert response.json()["error"]["message"]


def test_request_ids(service: Local) -> None:
    mine = service.client.get("/health", headers={"X-Request-ID": "abc-1"})
    bad = service.client.get("/health", headers={"X-Request-ID": "x" * 500})

    assert mine.headers["x-request-id"] == "abc-1"
    assert len(bad.headers["x-request-id"]) == 16


def test_rates(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", rate=5.0)

    statuses = [service.get("/openapi.json").status_code for _ in range(12)]

    assert statuses[:5] == [200] * 5
    assert statuses[-1] == 429
    assert service.get("/health").status_code == 200


@pytest.mark.parametrize("id", ["a%0d%0aX-Evil: 1", "a%00b", "%ed%a0%80", "x" * 300, "%e2%80%a8"])
@pytest.mark.parametrize("call", ["reward", "activate"])
def test_ids_in_paths(service: Local, id: str, call: str) -> None:
    path = f"/personalizer/v1.0/events/{id}/{call}"
    response = service.client.post(path, content=b'{"value": 1}', headers=KEY)

    assert response.status_code in (400, 404), response.text  # a bad id, or nothing there
    assert len(response.json()["error"]["message"]) > 10
    assert "x-evil" not in response.headers


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/x-www-form-urlencoded", b"context=1&actions=2"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n'),
        ("application/xml", b"<decide/>"),
        ("application/json; charset=utf-16", '{"actions": ["a", "b"]}'.encode("utf-16")),
        ("application/octet-stream", bytes(range(256))),
    ],
)
def test_bodies_of_other_kinds(service: Local, kind: str, content: bytes) -> None:
    headers = {**KEY, "Content-Type": kind}
    for path in ("/v1/decide", "/v1/reward/batch", "/personalizer/v1.0/rank"):
        response = service.client.post(path, content=content, headers=headers)
        assert response.status_code == 400
        assert response.json()["error"]["message"].startswith("the body is not JSON")


def test_names_and_values_do_not_break_lines(service: Local) -> None:
    evil = 'a"}\n{"kind":"outcome","id":"x","reward":1}\r\n\u2028'
    request = {"context": {evil: 1, "b": evil}, "actions": ARTICLES, "id": "evil"}
    assert service.post("/v1/decide", request, headers=KEY)[0] == 200
    assert service.post("/v1/reward", {"id": "evil", "reward": 1}, headers=KEY)[0] == 200
    service.learn()

    records = [record for _, record in placed_records_of(service.folder / "decisions.jsonl")]
    assert [r["id"] for r in records if r["kind"] == "outcome"] == ["evil"]
    assert records[-2]["context"]["shared"][evil] == 1


@pytest.mark.parametrize(
    "requests",
    [
        "x", [1], [None], [{}] * 1001, [{"id": "a", "reward": "1"}],
        [{"id": "a", "reward": 1}, {"id": "b", "reward": 7}],
    ],
)  # fmt: skip
def test_batches_that_are_wrong_count_as_a_whole(service: Local, requests: Any) -> None:
    status, answer = service.post("/v1/reward/batch", {"requests": requests}, headers=KEY)

    assert status == 400
    assert answer["error"]["message"]


def test_errors_say_where_to_look(service: Local) -> None:
    assert "/docs" in service.client.get("/", headers=KEY).json()["error"]["message"]
    response = service.client.get("/v1/decide", headers=KEY)
    assert "GET is not offered" in response.json()["error"]["message"]
    status, answer = service.post("/v1/reward", {"id": "nobody", "reward": 1}, headers=KEY)
    assert status == 404
    assert "no decision 'nobody' waits" in answer["error"]["message"]
