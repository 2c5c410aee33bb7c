"""The news site in several processes, behind uvicorn as its page tells."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from bakeoff import Learner
from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from examples.news import ARTICLES

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

ROOT = Path(__file__).parents[2]


def post(port: int, path: str, request: Any) -> tuple[int, Any]:
    """Status and answer of one request."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(request), headers)
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    return response.status, answer


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def serve(app: str, folder: Path, writer: int, port: int, *more: str) -> Any:
    """Uvicorn in a process of its own, once it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "--factory", f"examples.news_workers:{app}",
         "--port", str(port), "--log-level", "warning", *more],
        cwd=ROOT,
        env={**os.environ, "NEWS_FOLDER": str(folder),
             "NEWS_WRITER": f"127.0.0.1:{writer}"},
    )  # fmt: skip
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            post(port, "/reward", {"id": "nobody's", "reward": 1})
            return process
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError(f"{app} does not answer")


class Servers:
    """One process that learns, and a site of two workers."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.writer_port = folder, free_port(), free_port()
        self.writer = self.start_writer()
        self.site = serve("site", folder, self.writer_port, self.port, "--workers", "2")

    def start_writer(self) -> Any:
        """The process that learns."""
        return serve("writer", self.folder, self.writer_port, self.writer_port)

    def stop(self) -> None:
        """Let both go."""
        for process in (self.site, self.writer):
            process.send_signal(signal.SIGINT)
            process.wait(30)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    found = Servers(tmp_path)
    yield found
    found.stop()


def visit(servers: Servers, times: int, problems: list[Any]) -> None:
    """Users who like science."""
    for i in range(times):
        status, shown = post(servers.port, "/choose", {"user": {"n": i % 3}})
        if status == 200:
            reward = float(shown["article"] == "science")
            request = {"id": shown["id"], "reward": reward}
            status, shown = post(servers.port, "/reward", request)
        if status != 200 or shown != {"learned": True}:
            problems.append((status, shown))


def test_workers_decide_and_one_process_learns(servers: Servers) -> None:
    problems: list[Any] = []
    clients = [threading.Thread(target=visit, args=(servers, 100, problems)) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()

    assert problems == []
    log = servers.folder / "decisions.jsonl"
    records = list(records_of(log))
    decisions = [record for record in records if record["kind"] == "decision"]
    outcomes = [record for record in records if record["kind"] == "outcome"]
    assert (len(decisions), len(outcomes)) == (400, 400)
    assert len({record["seed"] for record in decisions}) == 2  # one of each worker
    assert all(record["admitted"] for record in decisions)
    versions = {record["version"] for record in decisions}
    assert versions >= {0, 100, 200}  # workers reload what the writer saves
    late = [record["name"] for record in decisions[-100:]]
    assert late.count("science") > 2 * len(late) / len(ARTICLES)
    assert Learner.load(servers.folder / "model").version == 400
    assert verify(log).is_fine


def test_a_writer_that_was_killed_goes_on(servers: Servers) -> None:
    _, shown = post(servers.port, "/choose", {"user": {"n": 1}})
    servers.writer.kill()
    servers.writer.wait()
    status, answer = post(servers.port, "/choose", {"user": {"n": 1}})

    servers.writer = servers.start_writer()
    learned = post(servers.port, "/reward", {"id": shown["id"], "reward": 1})

    assert (status, answer["detail"][:27]) == (503, "the writer does not answer:")
    assert learned == (200, {"learned": True})


def test_bad_requests_get_a_sentence(servers: Servers) -> None:
    assert post(servers.port, "/choose", {"user": {"born": {"year": 1990}}})[0] == 400
    assert post(servers.port, "/choose", {})[0] == 400
    status, answer = post(servers.port, "/reward", {"id": "x", "reward": 1})
    assert status == 400
    assert "no decision 'x' waits" in answer["detail"]
