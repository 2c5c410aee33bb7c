"""The service in processes of its own: workers, signals, and kills."""

import random
import signal
import socket
import subprocess
import threading
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from typer.testing import CliRunner

from bakeoff import Learner, SpecError, verify
from bakeoff.cli import app
from bakeoff.live.serving.state import State
from bakeoff.reading.logs import placed_records_of
from tests.serving.services import ARTICLES, Remote

pytestmark = pytest.mark.slow

SETTINGS = """
[learner]
explorer = "epsilon-greedy:epsilon=0.2"

[service]
workers = 2
save_seconds = 0.2
"""


def children_of(process: "subprocess.Popen[str]") -> dict[int, str]:
    """Processes that a service has started: writer or worker, by number."""
    children = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            command = (path / "cmdline").read_text().split("\0")
        except (OSError, ValueError, IndexError):
            continue
        if parent == process.pid and "bakeoff.live.serving.child" in command:
            children[int(path.name)] = "writer" if "writer" in command else "worker"
    return children


class Visitor(threading.Thread):
    """Asks and rewards, and remembers what was acknowledged."""

    def __init__(self, service: Remote) -> None:
        super().__init__()
        self.service = service
        self.stop = False
        self.decided: set[str] = set()
        self.rewarded: set[str] = set()

    def run(self) -> None:
        while not self.stop:
            try:
                request = {"context": {"n": len(self.decided) % 7}, "actions": ARTICLES}
                status, answer = self.service.request("POST", "/v1/decide", request)
                if status != 200:
                    continue
                self.decided.add(answer["id"])
                reward = {"id": answer["id"], "reward": float(answer["action"] == "rain")}
                status, answer = self.service.request("POST", "/v1/reward", reward)
                if status == 200:
                    self.rewarded.add(answer["id"])
            except (OSError, HTTPException):
                time.sleep(0.02)


def play(service: Remote, seconds: float, disturb: Any = None) -> list[Visitor]:
    visitors = [Visitor(service) for _ in range(2)]
    for visitor in visitors:
        visitor.start()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.3)
        if disturb is not None:
            disturb()
    for visitor in visitors:
        visitor.stop = True
    for visitor in visitors:
        visitor.join()
    return visitors


def wait_until_learned(service: Remote) -> None:
    """Wait for a writer that was killed just now."""
    until = time.monotonic() + 60
    while "\nbakeoff_queue 0\n" not in service.request("GET", "/metrics")[1]:
        assert time.monotonic() < until
        time.sleep(0.1)


def check_nothing_is_lost(service: Remote, visitors: list[Visitor]) -> None:
    """All that was acknowledged is learned or waits, once."""
    state = State(service.folder / "state.sqlite")
    records = [record for _, record in placed_records_of(service.folder / "decisions.jsonl")]
    outcomes = [record["id"] for record in records if record["kind"] == "outcome"]
    decisions = [record["id"] for record in records if record["kind"] == "decision"]
    rewarded = set().union(*(visitor.rewarded for visitor in visitors))
    decided = set().union(*(visitor.decided for visitor in visitors))
    assert len(rewarded) > 20
    assert rewarded - set(outcomes) == set()
    assert len(set(outcomes)) == len(outcomes)
    assert len(set(decisions)) == len(decisions)
    assert {id for id in decided - set(decisions) if state.known(id) is None} == set()
    learner = Learner.load(service.folder / "model")
    assert learner.version == len(outcomes)
    assert verify(service.folder / "decisions.jsonl").is_fine
    state.close()


def test_workers_decide_and_one_process_learns(tmp_path: Path) -> None:
    service = Remote(tmp_path, SETTINGS)
    visitors = play(service, 3.0)

    assert sorted(children_of(service.process).values()) == ["worker", "worker", "writer"]
    assert service.stop() == 0
    check_nothing_is_lost(service, visitors)
    records = [record for _, record in placed_records_of(service.folder / "decisions.jsonl")]
    decisions = [record for record in records if record["kind"] == "decision"]
    assert len({record["seed"] for record in decisions}) == 2
    assert len({record["version"] for record in decisions}) > 3  # workers follow the writer
    names = {path.name for path in (service.folder / "messages").iterdir()}
    assert names == {"writer.log", "worker-1.log", "worker-2.log"}


def test_kills_lose_nothing(tmp_path: Path) -> None:
    service = Remote(tmp_path, SETTINGS)
    rng = random.Random(1)
    killed = []

    def kill() -> None:
        children = children_of(service.process)
        if children:
            victim = rng.choice(sorted(children))
            killed.append(children[victim])
            subprocess.run(["kill", "-9", str(victim)], check=False)
            time.sleep(1.5 if children[victim] == "worker" else 3.0)

    visitors = play(service, 15.0, kill)
    wait_until_learned(service)
    assert service.stop() == 0
    assert len(killed) >= 5
    assert set(killed) == {"writer", "worker"}
    check_nothing_is_lost(service, visitors)


def test_a_kill_of_the_supervisor_stops_all_and_the_next_goes_on(tmp_path: Path) -> None:
    service = Remote(tmp_path, SETTINGS)
    first = play(service, 1.5)
    children = children_of(service.process)
    service.process.send_signal(signal.SIGKILL)
    service.process.wait()
    assert service.process.stderr is not None
    service.process.stderr.close()
    until = time.monotonic() + 30
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < until
        time.sleep(0.05)

    service.start()
    second = play(service, 1.5)

    assert service.stop() == 0
    check_nothing_is_lost(service, first + second)


def test_a_wrong_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("[service]\nprot = 1\n")
    result = CliRunner().invoke(app, ["serve", str(tmp_path / "wrong.toml")])

    assert isinstance(result.exception, SpecError)
    assert "did you mean 'port'" in str(result.exception)


def test_the_same_id_from_many_clients_at_once_is_one_decision(tmp_path: Path) -> None:
    service = Remote(tmp_path, SETTINGS)
    answers: list[Any] = []

    def ask() -> None:
        request = {"context": {"a": 1}, "actions": ARTICLES, "id": "same"}
        answers.append(service.request("POST", "/v1/decide", request))

    def reward() -> None:
        answers.append(service.request("POST", "/v1/reward", {"id": "same", "reward": 1}))

    for act in (ask, reward):
        threads = [threading.Thread(target=act) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    both = b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    smuggled = raw(service.port, b"POST /v1/decide HTTP/1.1\r\nHost: x\r\n" + both)
    broken = raw(service.port, b"POST /v1/decide HTTP/1.1\r\nX: a\nb\r\n\x00\r\n\r\n")
    assert service.stop() == 0

    decided, rewarded = answers[:12], answers[12:]
    assert {status for status, _ in answers} == {200}
    assert all(answer == decided[0][1] for _, answer in decided)
    results = [answer["result"] for _, answer in rewarded]
    assert sorted(results) == ["accepted"] + ["repeated"] * 11
    for answer in (smuggled, broken):
        assert answer.startswith(b"HTTP/1.1 4")
        assert answer.count(b"HTTP/1.1") == 1
    records = [record for _, record in placed_records_of(service.folder / "decisions.jsonl")]
    assert [r["kind"] for r in records if r.get("id") == "same"] == ["decision", "outcome"]


def raw(port: int, request: bytes) -> bytes:
    """What a server answers to bytes until it closes or is silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
        connection.sendall(request)
        answer = b""
        try:
            while part := connection.recv(4096):
                answer += part
        except (TimeoutError, ConnectionError):
            pass
        return answer
