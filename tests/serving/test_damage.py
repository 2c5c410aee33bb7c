"""Full disks, damaged files, kills and clocks: nothing acknowledged is lost, and one sentence."""

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from bakeoff.basics.errors import ResultsError
from bakeoff.live.serving.child import write_messages
from bakeoff.live.serving.config import Config, Service
from bakeoff.live.serving.rollouts import FACT, Trial, report_of
from bakeoff.live.serving.state import State
from bakeoff.live.serving.supervisor import serve
from bakeoff.live.serving.trainer import Trainer
from bakeoff.reading.logs import placed_records_of
from tests.serving.services import ARTICLES, Local


def decide(service: Local, *ids: str, reward: float | None = None) -> None:
    for id in ids:
        asked = {"context": {"age": 3}, "actions": ARTICLES, "id": id}
        assert service.post("/v1/decide", asked)[0] == 200
        if reward is not None:
            assert service.post("/v1/reward", {"id": id, "reward": reward})[0] == 200


def logged(service: Local, kind: str) -> list[str]:
    records = placed_records_of(service.folder / "decisions.jsonl")
    return [record["id"] for _, record in records if record["kind"] == kind]


@contextmanager
def full_disk(service: Local, after: int) -> Iterator[None]:
    """After some lines, nothing can be added to the log."""
    write, left = os.write, after

    def fail(file: int, data: Any) -> int:
        nonlocal left
        if file == service.trainer.log._file:
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    os.write = fail
    try:
        yield
    finally:
        os.write = write


@pytest.mark.parametrize("lines", [0, 1, 2, 3])
@pytest.mark.parametrize("kill", [False, True])
def test_rewards_wait_while_the_disk_is_full(tmp_path: Path, lines: int, kill: bool) -> None:
    service = Local(tmp_path / "state")
    decide(service, "a", "b", "c", reward=1.0)

    with full_disk(service, lines):
        for _ in range(2):
            with pytest.raises(ResultsError, match="No space left"):
                service.trainer.step()
    decide(service, "d", reward=1.0)
    if kill:
        service.die()
        service.start()
    while service.learn():
        pass

    assert logged(service, "decision") == logged(service, "outcome") == ["a", "b", "c", "d"]
    assert service.trainer.learner.version == 4
    assert "bakeoff_refused_total" not in service.state.counters()


@pytest.mark.parametrize("lines", [0, 2])
def test_decisions_that_were_given_up_are_logged_after_a_kill(tmp_path: Path, lines: int) -> None:
    service = Local(tmp_path / "state")
    decide(service, "a", "b", "c")

    with full_disk(service, lines), pytest.raises(ResultsError):
        service.trainer.step(1e10)
    service.die()
    service.start()
    service.learn(1e10)

    assert logged(service, "decision") == ["a", "b", "c"]
    assert service.state.given_up() == []


def test_a_full_state_says_so_and_goes_on(tmp_path: Path) -> None:
    state = State(tmp_path / "state.sqlite")
    [(pages,)] = state._rows("PRAGMA page_count")
    state._rows(f"PRAGMA max_page_count = {pages + 2}")

    def fill() -> None:
        for i in range(50):
            with state.transaction():
                state.add(str(i), 0.0, True, bytes(2000))

    with pytest.raises(ResultsError, match="is full"):
        fill()
    state._rows("PRAGMA max_page_count = 100000")
    with state.transaction():
        assert state.add("later", 0.0, True, bytes(2000))


@pytest.mark.parametrize("told", ["", "{", "[]", '{"of": 1}', "null", '{"id": "x", "stages": {}}'])
def test_a_damaged_rollout_is_one_sentence(tmp_path: Path, told: str) -> None:
    rollout = {"learner": {"explorer": "greedy"}}
    service = Local(tmp_path / "state", rollout=rollout)
    service.trainer.state.set_fact(FACT, told)
    service.die()

    state = State(tmp_path / "state" / "state.sqlite")
    trial = partial(Trial, service.config, state, service.trainer.learner)
    for read in (trial, partial(report_of, state)):
        with pytest.raises(ResultsError, match=r"is damaged; start once without \[rollout\]"):
            read()
    Local(tmp_path / "state").die()  # ends it
    Local(tmp_path / "state", rollout=rollout).die()


def test_a_damaged_decision_teaches_nothing_and_the_others_are_learned(tmp_path: Path) -> None:
    service = Local(tmp_path / "state")
    decide(service, "a", "b", reward=1.0)
    decide(service, "c")
    for id in ("a", "c"):
        service.state._change("UPDATE pending SET body = ? WHERE id = ?", b"x", id)

    status, answer = service.post("/v1/decide", {"context": {}, "actions": ARTICLES, "id": "c"})
    service.learn()

    assert (status, "damaged" in answer["error"]["message"]) == (400, True)
    assert logged(service, "outcome") == ["b"]
    assert service.state.counters()["bakeoff_refused_total"] == 1


def test_a_damaged_state_is_one_sentence(tmp_path: Path) -> None:
    service = Local(tmp_path / "state")
    decide(service, *map(str, range(200)), reward=1.0)
    service.trainer.state._rows("PRAGMA wal_checkpoint(TRUNCATE)")
    service.die()
    path = tmp_path / "state" / "state.sqlite"
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    path.write_bytes(data)

    with pytest.raises(ResultsError, match=r"damaged|malformed"):
        Local(tmp_path / "state")


def test_letters_that_are_none_in_the_state_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    State(path).close()
    path.write_bytes(
        path.read_bytes().replace(b"CREATE TABLE facts", b"CREATE \xa0\xff\xfeLE facts")
    )

    with pytest.raises(ResultsError, match="cannot be used"):
        State(path)


def test_the_model_is_saved_when_the_clock_was_set_back(tmp_path: Path) -> None:
    service = Local(tmp_path / "state", rewards={"wait": None})
    decide(service, "a", reward=1.0)
    before = (tmp_path / "state" / "model").stat().st_mtime_ns

    service.trainer.step(now=1000.0)  # in 1970

    assert (tmp_path / "state" / "model").stat().st_mtime_ns > before


def test_messages_in_one_file_do_not_grow_without_end(tmp_path: Path) -> None:
    service = Service(state=str(tmp_path), messages_bytes=10_000, messages_files=1)
    write_messages(Config(service=service), "writer")
    log = logging.getLogger("bakeoff.live.serving")
    try:
        for i in range(1000):
            log.info("message %d " + "x" * 100, i)
    finally:
        for handler in log.handlers:
            handler.close()
        log.handlers.clear()
        log.propagate = True

    [file] = (tmp_path / "messages").iterdir()
    assert file.stat().st_size <= 10_000
    assert "message 999" in file.read_text()


@pytest.mark.parametrize("folder", ["file", "file/below", "x" * 300, "\0"])
def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    config = Config(service=Service(state=str(tmp_path / folder), port=0))

    for start in (Trainer, serve):
        with pytest.raises(ResultsError, match="cannot be the folder of a service"):
            start(config)


@pytest.mark.parametrize("host", ["\0", "\ud800", "999.1.1.1"])
def test_an_address_that_is_none_is_one_sentence(tmp_path: Path, host: str) -> None:
    with pytest.raises(ResultsError, match="cannot listen on"):
        serve(Config(service=Service(state=str(tmp_path), host=host)))


def test_a_key_of_any_bytes_opens_the_gate(tmp_path: Path) -> None:
    """The environment may hold bytes that are no UTF-8."""
    service = Local(tmp_path / "state", key="\udcff")

    assert service.get("/openapi.json").status_code == 401
