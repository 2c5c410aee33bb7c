"""The news application of the guide: its answers, its restart, and many clients."""

import io
import json
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from wsgiref.simple_server import make_server

import pytest

from bakeoff import DataError, Learner
from bakeoff.live import snapshot
from bakeoff.live.feedback import Feedback
from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from examples.news import ARTICLES, News, Quiet, ThreadingServer


def ask(app: News, path: str, request: Any = None) -> tuple[str, Any]:
    """What the application answers, as a test client."""
    body = b"" if request is None else json.dumps(request).encode()
    answers: list[Any] = []
    environ = {"PATH_INFO": path, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body)}
    parts = app(environ, lambda status, headers: answers.extend([status, headers]))
    text = b"".join(parts).decode()
    is_json = dict(answers[1])["Content-Type"] == "application/json"
    return answers[0], json.loads(text) if is_json else text


def test_it_shows_articles_and_learns(tmp_path: Path) -> None:
    app = News(tmp_path)

    status, shown = ask(app, "/choose", {"user": {"age": 31, "likes": ["sport"]}})
    _, learned = ask(app, "/reward", {"id": shown["id"], "reward": 1})
    _, again = ask(app, "/reward", {"id": shown["id"], "reward": 1})
    _, page = ask(app, "/monitor")

    assert status == "200 OK"
    assert shown["article"] in ARTICLES
    assert (learned, again) == ({"learned": True}, {"learned": False})
    assert shown["article"] in page


@pytest.mark.parametrize(
    ("path", "request_", "message"),
    [
        ("/choose", {}, "'user'"),
        ("/choose", {"user": {"born": {"year": 1990}}}, "feature 'born' must be"),
        ("/reward", {"id": "x", "reward": 1}, "no decision 'x' waits"),
        ("/elsewhere", {}, "there is no /elsewhere"),
        ("/choose", None, "Expecting value"),
    ],
)
def test_bad_requests_get_a_sentence(
    tmp_path: Path, path: str, request_: Any, message: str
) -> None:
    status, answer = ask(News(tmp_path), path, request_)

    assert status == "400 Bad Request"
    assert message in answer["error"]


def test_it_goes_on_after_a_restart(tmp_path: Path) -> None:
    app = News(tmp_path)
    ids = [ask(app, "/choose", {"user": {"n": i}})[1]["id"] for i in range(20)]
    for id in ids[:10]:
        ask(app, "/reward", {"id": id, "reward": 1})
    app.learner.close()  # as a killed process lets go of its log

    again = News(tmp_path)

    assert (again.learner.t, again.learner.version) == (20, 10)
    assert ask(again, "/reward", {"id": ids[15], "reward": 0})[1] == {"learned": True}
    assert ask(again, "/reward", {"id": ids[0], "reward": 1})[1] == {"learned": False}


def hammer(port: int, rounds: int, seed: int, problems: list[Any]) -> None:
    """A client that chooses and rewards."""
    try:
        for i in range(rounds):
            user = {"user": {"age": (seed + i) % 90, "likes": [f"t{i % 7}"]}}
            shown = post(port, "/choose", user)
            answer = post(port, "/reward", {"id": shown["id"], "reward": i % 2})
            assert answer == {"learned": True}
    except BaseException as error:
        problems.append(error)


def post(port: int, path: str, request: Any) -> Any:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", path, json.dumps(request))
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert response.status == 200, answer
    return answer


def test_many_clients_leave_a_log_that_agrees(tmp_path: Path) -> None:
    app = News(tmp_path)
    server = make_server("127.0.0.1", 0, app, ThreadingServer, Quiet)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    problems: list[Any] = []
    clients = [
        threading.Thread(target=hammer, args=(server.server_port, 50, k, problems))
        for k in range(4)
    ]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    server.shutdown()
    server.server_close()

    assert problems == []
    log = tmp_path / "decisions.jsonl"
    kinds = [record["kind"] for record in records_of(log)]
    assert (kinds.count("decision"), kinds.count("outcome")) == (200, 200)
    assert (app.learner.t, app.learner.version) == (200, 200)
    assert verify(log).is_fine


def test_a_reading_process_decides_by_the_newest_model(tmp_path: Path) -> None:
    model = tmp_path / "model"
    writer = Learner("epsilon-greedy:epsilon=0.1", actions=["a", "b"], seed=1)
    writer.save(model)
    reader = Learner.load(model, seed=2)

    assert reader.reload(model)
    assert not reader.reload(model)
    for i in range(100):
        decision = reader.choose({"n": i % 5})
        sent = type(decision).from_json(decision.to_json())  # over the wire
        writer.admit(sent)
        writer.learn(sent.id, reward=float(decision.name == "b"))
        if i % 10 == 0:
            writer.save(model)
            assert reader.reload(model)
            assert reader.version == writer.version

    waiting = reader.choose({"n": 1})
    writer.add_action("c")
    writer.save(model)
    assert reader.reload(model)
    assert not reader.learn(waiting, reward=1.0)  # it was among other actions
    assert writer.version == 100
    assert reader.probabilities({"n": 3}, available=["a", "b"])[1] > 0.9


def test_a_process_that_decides_only_teaches_nothing(tmp_path: Path) -> None:
    model = tmp_path / "model"
    feedback = Feedback(wait=3600, default_reward=0.0)
    writer = Learner("greedy", actions=["a", "b"], feedback=feedback)
    waiting = writer.choose({"n": 1})
    writer.save(model)
    reader = Learner.load(model, seed=2, learns=False)
    reader.ledger.clock = lambda: time.time() + 7200  # any default would be due

    decision = reader.choose({"n": 1})
    reader.choose({"n": 1})

    assert (reader.t, reader.version, reader.pending) == (3, 0, [])
    for refused in (
        lambda: reader.learn(decision, reward=1.0),
        lambda: reader.learn(waiting.id, reward=1.0),
        lambda: reader.admit(waiting),
        lambda: reader.watch({"n": 1}, "a", 0.5, reward=1.0),
        lambda: reader.learn_batch(reader.choose_batch([{"n": 1}]), reward=[1.0]),
        lambda: reader.save(model),
    ):
        with pytest.raises(DataError, match="decide only"):
            refused()


def test_one_thread_reloads_while_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    Learner("greedy", actions=["a", "b"]).save(model)
    reader = Learner.load(model, learns=False)
    load, found = snapshot.load, []

    def slow(*args: Any) -> Any:
        other = threading.Thread(target=lambda: found.append(reader.reload(model)))
        other.start()
        other.join()
        return load(*args)

    monkeypatch.setattr(snapshot, "load", slow)

    assert reader.reload(model)
    assert found == [False]
