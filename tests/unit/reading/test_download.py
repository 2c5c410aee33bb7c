"""Downloads: what passes is tried again, what does not is said in one sentence."""

import email.utils
import hashlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import OpenerDirector

import pytest

from bakeoff.basics.errors import DataError
from bakeoff.reading.catalog import download as module
from bakeoff.reading.catalog.download import (
    RefusedError,
    UnreachableError,
    contents,
    download,
    unwatched,
)
from tests import openml_server as openml
from tests.openml_server import FOREVER, Fault, Server

BODY = bytes(range(256)) * 4096
MD5 = hashlib.md5(BODY).hexdigest()
ADVICE = "bring it yourself"


@pytest.fixture
def server() -> Iterator[Server]:
    with openml.running() as server:
        server.files["/file"] = BODY
        yield server


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    return openml.without_waiting(monkeypatch)


def fetch(server: Server, folder: Path, md5: str | None = MD5) -> Path:
    path = folder / "file"
    download(f"{server.base}/file", path, unwatched, ADVICE, md5=md5)
    return path


def refusal_of(server: Server, folder: Path) -> str:
    with pytest.raises(DataError) as refusal:
        fetch(server, folder)
    assert list(folder.iterdir()) == []
    return str(refusal.value)


# ---- what goes well


def test_a_file_arrives_as_it_is(server: Server, tmp_path: Path, waits: list[float]) -> None:
    path = fetch(server, tmp_path)

    assert path.read_bytes() == BODY
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert server.asked == ["/file"]
    assert waits == []


def test_progress_rises_from_nothing_to_the_declared_size(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    calls: list[tuple[int, int | None]] = []

    def progress(done: int, total: int | None) -> None:
        calls.append((done, total))

    download(f"{server.base}/file", tmp_path / "file", progress, ADVICE)

    done = [call[0] for call in calls]
    assert done[0] == 0
    assert done[-1] == len(BODY)
    assert len(done) > 3
    assert done == sorted(done)
    assert {call[1] for call in calls} == {len(BODY)}


def test_the_case_of_a_checksum_does_not_matter(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    fetch(server, tmp_path, MD5.upper())

    assert waits == []


def test_a_body_without_a_declared_size_arrives_too(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    chunked = Fault(
        body=b"4\r\nfour\r\n3\r\nsix\r\n0\r\n\r\n", headers={"Transfer-Encoding": "chunked"}
    )
    server.misbehave("/file", chunked)

    assert fetch(server, tmp_path, None).read_bytes() == b"foursix"


def test_a_redirection_is_followed(server: Server, tmp_path: Path, waits: list[float]) -> None:
    moved = Fault(301, b"", {"Location": f"{server.base}/elsewhere"})
    server.misbehave("/file", moved)
    server.files["/elsewhere"] = BODY

    assert fetch(server, tmp_path).read_bytes() == BODY


def test_an_address_may_hold_characters_that_must_be_quoted(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    server.files["/a%20b/%C3%A9.arff"] = b"here"

    assert contents(f"{server.base}/a b/é.arff", ADVICE) == b"here"


# ---- what passes


@pytest.mark.parametrize(
    "fault",
    [
        openml.BROKEN,
        Fault(502),
        Fault(503),
        openml.HALF,
        openml.WRONG,
        Fault(headers={"Transfer-Encoding": "chunked"}, body=b"999\r\nhalf"),
    ],
    ids=["500", "502", "503", "half a body", "wrong sum", "cut chunk"],
)
def test_what_may_pass_is_tried_again_with_growing_waits(
    server: Server, tmp_path: Path, waits: list[float], fault: Fault
) -> None:
    server.misbehave("/file", fault, times=3)

    path = fetch(server, tmp_path)

    assert path.read_bytes() == BODY
    assert server.asked == ["/file"] * 4
    assert waits == [1.0, 2.0, 4.0]


def test_a_server_that_hangs_is_left_and_asked_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = openml.without_waiting(monkeypatch, silence=0.3)
    server.misbehave("/file", openml.HANGS)

    path = fetch(server, tmp_path)

    assert path.read_bytes() == BODY
    assert waits == [1.0]


def test_a_server_that_always_hangs_is_given_up(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openml.without_waiting(monkeypatch, silence=0.1)
    server.misbehave("/file", openml.HANGS, times=FOREVER)

    message = refusal_of(server, tmp_path)

    assert "in 4 tries: it was silent for 0.1 seconds; " in message


def test_a_server_may_say_how_long_to_wait(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    server.misbehave("/file", openml.rate_limit("7"))
    server.misbehave("/file", Fault(503, headers={"Retry-After": "0"}))
    server.misbehave("/file", openml.rate_limit("soon"))

    fetch(server, tmp_path)

    assert waits == [7.0, 0.0, 4.0]


def test_a_wait_is_never_longer_than_a_minute(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    tomorrow = email.utils.formatdate(time.time() + 86400, usegmt=True)
    yesterday = email.utils.formatdate(time.time() - 86400, usegmt=True)
    for retry_after in ("3600", tomorrow, yesterday):
        server.misbehave("/file", openml.rate_limit(retry_after))

    fetch(server, tmp_path)

    assert waits == [60.0, 60.0, 0.0]


# ---- what does not


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (openml.rate_limit(), "the server answers 429 Too Many Requests"),
        (openml.BROKEN, "the server answers 500 Internal Server Error"),
        (openml.HALF, f"it broke off after {len(BODY) // 2} of {len(BODY)} bytes"),
        (
            openml.WRONG,
            f"its checksum is {hashlib.md5(openml.WRONG.body or b'').hexdigest()}, "
            f"not {MD5} as promised",
        ),
    ],
    ids=["rate limit", "500", "half a body", "wrong sum"],
)
def test_what_does_not_pass_is_given_up_after_some_tries(
    server: Server, tmp_path: Path, waits: list[float], fault: Fault, reason: str
) -> None:
    server.misbehave("/file", fault, times=FOREVER)

    message = refusal_of(server, tmp_path)

    url = f"{server.base}/file"
    assert message == f"{url}: cannot be fetched in 4 tries: {reason}; {ADVICE}"
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (openml.NOT_FOUND, "the server answers 404 Not Found"),
        (Fault(403), "the server answers 403 Forbidden"),
        (Fault(302, b"", {"Location": "/file"}), "it is redirected in a circle"),
        (Fault(302, b"", {"Location": "file:///passwd"}), "it is redirected in a circle"),
        (
            Fault(302, b"", {"Location": "ftp://127.0.0.1/f"}),
            "it leads to an address that is not allowed (unknown url type: ftp)",
        ),
    ],
    ids=["404", "403", "circle", "to a file", "to ftp"],
)
def test_what_another_try_cannot_change_is_said_at_once(
    server: Server, tmp_path: Path, waits: list[float], fault: Fault, reason: str
) -> None:
    server.misbehave("/file", fault, times=FOREVER)

    message = refusal_of(server, tmp_path)

    assert message.startswith(f"{server.base}/file: cannot be fetched: {reason}")
    assert message.endswith(f"; {ADVICE}")
    assert waits == []


def test_a_refusal_keeps_the_status_and_the_body(server: Server, waits: list[float]) -> None:
    server.misbehave("/file", openml.RESTRICTED)

    with pytest.raises(RefusedError) as refusal:
        contents(f"{server.base}/file", ADVICE)

    assert refusal.value.status == 412
    assert b"No access granted" in refusal.value.body


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://host/file", "/etc/passwd", "http://", "http://[::1"]
)
def test_only_http_and_https_are_opened(tmp_path: Path, waits: list[float], url: str) -> None:
    with pytest.raises(DataError, match="it is not an http or https address"):
        download(url, tmp_path / "file", unwatched, ADVICE)

    assert list(tmp_path.iterdir()) == []


def test_an_address_with_a_wrong_port_is_refused(waits: list[float]) -> None:
    with pytest.raises(DataError, match=r"the address is wrong \(nonnumeric port"):
        contents("http://127.0.0.1:http/", ADVICE)


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_larger_than_the_limit_is_refused(
    server: Server, waits: list[float], monkeypatch: pytest.MonkeyPatch, declared: bool
) -> None:
    monkeypatch.setattr(module, "LARGEST_TEXT", 5)
    chunked = Fault(body=b"6\r\nlarger\r\n0\r\n\r\n", headers={"Transfer-Encoding": "chunked"})
    nothing_sent = Fault(body=b"larger", sent=0.0)
    server.misbehave("/file", nothing_sent if declared else chunked)

    with pytest.raises(DataError, match="it has more than 5 bytes"):
        contents(f"{server.base}/file", ADVICE)

    assert waits == []


def test_ctrl_c_leaves_nothing_behind(server: Server, tmp_path: Path, waits: list[float]) -> None:
    def interrupt(done: int, total: int | None) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(f"{server.base}/file", tmp_path / "file", interrupt, ADVICE, md5=MD5)

    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_written_is_no_reason_to_try_again(
    server: Server, tmp_path: Path, waits: list[float]
) -> None:
    (tmp_path / "taken").write_bytes(b"")

    with pytest.raises(DataError, match=r"cannot be written .* set BAKEOFF_CACHE"):
        fetch(server, tmp_path / "taken")

    assert waits == []


# ---- without a network


def test_a_port_where_nobody_listens(waits: list[float]) -> None:
    with openml.running() as gone:
        url = f"{gone.base}/file"

    with pytest.raises(UnreachableError) as refusal:
        contents(url, ADVICE)

    assert str(refusal.value) == (
        f"{url}: cannot be fetched in 4 tries: no connection (Connection refused); {ADVICE}"
    )


def test_a_server_that_did_not_answer_is_left_alone_for_a_while(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml.running() as gone:
        url = f"{gone.base}/file"
    for _ in range(3):
        with pytest.raises(UnreachableError) as refusal:
            contents(url, ADVICE)

    assert len(waits) == 3  # those of the first call
    assert "its server did not answer a moment ago" in str(refusal.value)

    monkeypatch.setattr(module, "patience", replace(module.patience, rest=0.0))
    with pytest.raises(UnreachableError, match="in 4 tries"):
        contents(url, ADVICE)


UNTRUSTED = ssl.SSLCertVerificationError(1, "certificate verify failed")
UNTRUSTED.verify_message = "self-signed certificate in certificate chain"


@pytest.mark.parametrize(
    ("error", "kind", "reason"),
    [
        (
            URLError(socket.gaierror(-3, "Temporary failure in name resolution")),
            UnreachableError,
            "in 4 tries: its name is not known here (is there a network?)",
        ),
        (
            URLError(TimeoutError("timed out")),
            UnreachableError,
            "in 4 tries: no answer in 30 seconds (is there a network?)",
        ),
        (
            URLError(OSError("Tunnel connection failed: 407 Proxy\r\nAuthentication")),
            UnreachableError,
            "in 4 tries: no connection (Tunnel connection failed: 407 Proxy Authentication)",
        ),
        (
            URLError(UNTRUSTED),
            DataError,
            "cannot be fetched: its certificate cannot be verified "
            "(self-signed certificate in certificate chain; behind a proxy with its "
            "own authority, SSL_CERT_FILE names the file to trust)",
        ),
        (
            http.client.RemoteDisconnected("Remote end closed connection"),
            DataError,
            "in 4 tries: the connection broke (Remote end closed connection)",
        ),
    ],
    ids=["no name", "no answer", "proxy", "certificate", "hung up"],
)
def test_what_the_network_says_is_told_in_one_line(
    waits: list[float],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    kind: type[DataError],
    reason: str,
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(OpenerDirector, "open", fail)
    monkeypatch.setattr(module, "getproxies", dict)

    with pytest.raises(DataError) as refusal:
        contents("https://www.openml.org/", ADVICE)

    assert type(refusal.value) is kind
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_proxy_is_mentioned_but_not_its_password(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml.running() as gone:
        proxy = gone.base.replace("http://", "http://user:secret@")
    monkeypatch.setenv("http_proxy", proxy)

    with pytest.raises(UnreachableError) as refusal:
        contents("http://www.openml.org/", ADVICE)

    assert "(through the proxy that the environment names)" in str(refusal.value)
    assert "secret" not in str(refusal.value)


@contextmanager
def dripping(answer: bytes, at_once: int) -> Iterator[str]:
    """A server that sends the rest of its answer byte by byte."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    with listening.accept()[0] as line, suppress(OSError):
                        line.recv(2**16)
                        line.sendall(answer[:at_once])
                        for byte in answer[at_once:]:
                            time.sleep(0.02)
                            line.sendall(bytes([byte]))

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/file"
        listening.shutdown(socket.SHUT_RDWR)


HEADER = b"HTTP/1.1 200 OK\r\nContent-Length: 300\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("at_once", [0, len(HEADER)])
def test_a_server_that_sends_next_to_nothing_is_given_up(
    waits: list[float], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(module, "WINDOW", 0.3)
    with (
        dripping(HEADER + bytes(300), at_once) as url,
        pytest.raises(
            DataError, match=r"in 4 tries: it sent only [0-9]+ bytes in 0 seconds; bring"
        ),
    ):
        contents(url, ADVICE)


def test_a_slow_server_is_waited_for(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOW", 0.3)
    monkeypatch.setattr(module, "LEAST", 4)
    with dripping(HEADER + bytes(300), len(HEADER) + 250) as url:
        assert contents(url, ADVICE) == bytes(300)
    assert waits == []


def test_an_address_that_cannot_be_encoded_is_one_sentence(waits: list[float]) -> None:
    with pytest.raises(DataError, match="it is not an http or https address; bring"):
        contents("http://127.0.0.1/\udc80", ADVICE)
