"""Clients that connect and say nothing do not keep others out."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn")

import uvicorn

from bakeoff.live.serving.patience import Handles, patient
from tests.serving.services import Local

HEAD = b"POST /v1/decide HTTP/1.1\r\nHost: x\r\n"
SECONDS = 0.3


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    service = Local(tmp_path_factory.mktemp("patience") / "state", {"actions": ["a", "b"]})
    config = uvicorn.Config(
        service.app.asgi, log_config=None, http=patient(SECONDS),
        lifespan="off",
    )  # fmt: skip
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize(
    "begun",
    [b"", b"P", HEAD, HEAD + b"Content-Le", HEAD + b"Content-Length: 9\r\n\r\n{",
     b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /he"],
)  # fmt: skip
def test_a_client_that_says_no_more_is_left(port: int, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(20)
        client.sendall(begun)

        while client.recv(4096):  # until the service closes the connection
            pass


def test_a_client_that_goes_on_is_not_left(port: int) -> None:
    request = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(20)
        for _ in range(12):  # for longer than anybody may say nothing
            client.sendall(request)
            answer = b""
            while not answer.endswith(b"}"):
                answer += client.recv(4096)
            assert b"200 OK" in answer
            time.sleep(SECONDS / 3)


def test_too_many_connections_are_told_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("bakeoff.live.serving"), "propagate", True)
    loop, handles = asyncio.new_event_loop(), Handles()
    try:
        for _ in range(100):
            handles(loop, {"message": "accept", "socket": 1, "exception": OSError(24, "too many")})
        handles(loop, {"message": "something else"})
    finally:
        loop.close()

    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "no more connections can be taken", "something else"
    ]  # fmt: skip
