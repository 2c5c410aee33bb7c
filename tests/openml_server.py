"""A server on this machine that answers as OpenML's does, and misbehaves if told to.

It also serves any other file, so that it can stand for the LibSVM site.
"""

import hashlib
import json
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import pytest

from bakeoff.reading.catalog.download import Patience

FOREVER = 1000


@dataclass(frozen=True)
class Fault:
    """What a request is answered with instead of what it asked for."""

    status: int = 200
    body: bytes | None = None  # None: what was asked for
    headers: dict[str, str] = field(default_factory=dict)
    sent: float = 1.0  # the part of the body that is sent before the line breaks
    hangs: bool = False


def rate_limit(retry_after: str = "7") -> Fault:
    return Fault(429, b"slow down", {"Retry-After": retry_after})


def openml_error(code: str, message: str) -> Fault:
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    return Fault(412, body, {"Content-Type": "application/json"})


UNKNOWN = openml_error("111", "Unknown dataset")
RESTRICTED = openml_error("112", "No access granted")
NOT_FOUND = Fault(404, b"<html>no</html>")
BROKEN = Fault(500, b"oops")
HALF = Fault(sent=0.5)
WRONG = Fault(body=b"@relation other\n")
HANGS = Fault(hangs=True)
GARBAGE = Fault(body=b"<html>Welcome to the hotel</html>")
CUT_JSON = Fault(body=b'{"data_set_description": {"id": ')


class Server:
    """Files by path, the faults to come, and what was asked for so far."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.files: dict[str, bytes] = {}
        self.faults: defaultdict[str, list[Fault]] = defaultdict(list)
        self.asked: list[str] = []
        self.closing = threading.Event()

    def add(self, openml_id: int, arff: str, target: str | None = None, **said: Any) -> None:
        """Make up a dataset; `said` goes into its description."""
        data = arff.encode()
        description = {
            "id": str(openml_id),
            "name": f"made-up-{openml_id}",
            "version": "1",
            "format": "ARFF",
            "url": f"{self.base}{data_path(openml_id)}",
            "md5_checksum": hashlib.md5(data).hexdigest(),
            "default_target_attribute": target,
        }
        self.files[data_path(openml_id)] = data
        self.files[description_path(openml_id)] = json.dumps(
            {"data_set_description": {**description, **said}}
        ).encode()
        self.files[features_path(openml_id)] = json.dumps(
            {"data_features": {"feature": _features(arff, target)}}
        ).encode()

    def misbehave(self, path: str, *faults: Fault, times: int = 1) -> None:
        """Answer the next requests for a path with faults, one after the other."""
        self.faults[path] += [*faults] * times


def description_path(openml_id: int) -> str:
    return f"/api/v1/json/data/{openml_id}"


def features_path(openml_id: int) -> str:
    return f"/api/v1/json/data/features/{openml_id}"


def data_path(openml_id: int) -> str:
    return f"/data/v1/download/{openml_id}/made-up.arff"


def all_paths(openml_id: int) -> list[str]:
    """What a fetch of a dataset asks for, in this order."""
    return [description_path(openml_id), features_path(openml_id), data_path(openml_id)]


def _features(arff: str, target: str | None) -> list[dict[str, str]]:
    words = [line.split() for line in arff.splitlines()]
    names = [w[1].strip("'") for w in words if w and w[0].lower() == "@attribute"]
    return [
        {"index": str(i), "name": name, "is_target": str(name == target).lower()}
        for i, name in enumerate(names)
    ]


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = cast(_QuietServer, self.server).state
        server.asked.append(self.path)
        pending = server.faults[self.path]
        fault = pending.pop(0) if pending else Fault()
        if fault.hangs:
            server.closing.wait()
            return
        body = fault.body
        if body is None:
            body = server.files.get(self.path)
        if body is None:
            fault, body = UNKNOWN, UNKNOWN.body or b""
        self.send_response(fault.status)
        if "Transfer-Encoding" not in fault.headers:
            self.send_header("Content-Length", str(len(body)))
        for name, value in fault.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: int(len(body) * fault.sent)])

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    state: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is none of our business."""


@contextmanager
def running() -> Iterator[Server]:
    """A server that runs until the end of the block."""
    with _QuietServer(("127.0.0.1", 0), _Handler) as http:
        http.state = server = Server(f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            http.shutdown()
            thread.join()


def without_waiting(monkeypatch: pytest.MonkeyPatch, silence: float = 30.0) -> list[float]:
    """Make downloads note how long they would wait instead of waiting."""
    waits: list[float] = []
    quick = Patience(silence=silence, sleep=waits.append)
    monkeypatch.setattr("bakeoff.reading.catalog.download.patience", quick)
    monkeypatch.setattr("bakeoff.reading.catalog.download._unanswered", {})
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return waits
