"""Downloads over http and https: patient with servers, exact about content.

Temporary failures (a busy server, a broken connection, half a body, a wrong checksum)
are tried again. Other failures, and the last try, end in a `DataError` that says how to
do without the download.
"""

import email.utils
import hashlib
import http.client
import io
import socket
import ssl
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    getproxies,
)

from bakeoff.basics.errors import DataError
from bakeoff.reading.catalog.cache import store, writable
from bakeoff.reading.catalog.source import Progress

T = TypeVar("T")

CHUNK = 2**18
LARGEST = 2**35  # bytes of one file; the largest of the paper's has less than 2**31
LARGEST_TEXT = 2**26  # bytes of an answer kept in memory
WINDOW = 60.0  # seconds in which a server must send
LEAST = 1000  # bytes


@dataclass(frozen=True)
class Patience:
    """How often and how long to wait for a server; waits double, up to the longest."""

    tries: int = 4
    silence: float = 60.0  # seconds without a byte
    first_wait: float = 1.0
    longest_wait: float = 60.0
    rest: float = 60.0  # seconds in which a server that did not answer is left alone
    sleep: Callable[[float], None] = time.sleep


patience = Patience()
_unanswered: dict[str, float] = {}  # when each server did not answer


class RefusedError(DataError):
    """The server answered, and asking again would not change its answer."""

    def __init__(self, message: str, status: int, body: bytes) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class UnreachableError(DataError):
    """No server answered: without a network, no other address will either."""


class _TryError(Exception):
    """One try that failed; not an `OSError`, which would be one of the disk."""

    passes = True  # whether another try may succeed
    reached = True  # whether there was a server
    wait: float | None = None  # the seconds that the server asks for
    answer: tuple[int, bytes] | None = None  # the status and body of a refusal


def download(
    url: str,
    path: Path,
    progress: Progress,
    advice: str,
    *,
    md5: str | None = None,
    check: Callable[[Path], object] | None = None,
) -> None:
    """Bring a file into the cache, or say why not; `advice` is how to do without.

    Where no checksum is published, `check` reads the file; if that fails, it is removed.
    """

    def attempt() -> None:
        with closing(_chunks(url, LARGEST, progress, md5)) as chunks:
            store(path, chunks)

    _patiently(url, advice, attempt)
    try:
        if check is not None:
            check(path)
    except DataError as error:
        with writable(path):
            path.unlink(missing_ok=True)
        raise DataError(f"{url}: the download cannot be read: {error}") from None


def contents(url: str, advice: str) -> bytes:
    """A short answer, in memory."""

    def attempt() -> bytes:
        with closing(_chunks(url, LARGEST_TEXT, unwatched, None)) as chunks:
            return b"".join(chunks)

    return _patiently(url, advice, attempt)


def unwatched(done: int, total: int | None) -> None:
    """A `Progress` that shows nothing."""


def _patiently(url: str, advice: str, attempt: Callable[[], T]) -> T:
    """The result of an attempt, made again while its failures may pass."""
    _check_rest(url, advice)
    for tried in range(1, patience.tries + 1):
        try:
            return attempt()
        except _TryError as failure:
            if not failure.passes or tried == patience.tries:
                if not failure.reached:
                    _unanswered[_server(url)] = time.monotonic()
                raise _final_error(url, tried, failure, advice) from None
            wait = failure.wait
            if wait is None:
                wait = patience.first_wait * 2 ** (tried - 1)
            patience.sleep(min(wait, patience.longest_wait))
    raise ValueError("patience must allow at least one try")


def _check_rest(url: str, advice: str) -> None:
    """Without a network, do not wait again for each of hundreds of files."""
    when = _unanswered.get(_server(url))
    if when is not None and time.monotonic() - when < patience.rest:
        raise UnreachableError(
            f"{url}: cannot be fetched: its server did not answer a moment ago "
            f"(is there a network?); {advice}"
        )


def _server(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def _final_error(url: str, tried: int, failure: _TryError, advice: str) -> DataError:
    times = f" in {tried} tries" if tried > 1 else ""
    message = f"{url}: cannot be fetched{times}: {failure}; {advice}"
    if failure.answer is not None:
        return RefusedError(message, *failure.answer)
    return DataError(message) if failure.reached else UnreachableError(message)


def _chunks(url: str, limit: int, progress: Progress, md5: str | None) -> Generator[bytes]:
    """The body piece by piece; its length and sum are checked before the end."""
    content, done = hashlib.md5(usedforsecurity=False), 0
    with _answer(url) as answer:
        declared = answer.headers.get("Content-Length", "")
        total = int(declared) if declared.isdecimal() else None
        _check_size(total or 0, limit)
        progress(0, total)
        while chunk := _piece(answer):
            done += len(chunk)
            _check_size(done, limit)
            content.update(chunk)
            progress(done, total)
            yield chunk
    if total is not None and done != total:
        raise _TryError(f"it broke off after {done} of {total} bytes")
    if md5 is not None and content.hexdigest() != md5.lower():
        raise _TryError(f"its checksum is {content.hexdigest()}, not {md5} as promised")


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise _final(f"it has more than {limit} bytes")


def _final(reason: str) -> _TryError:
    """A failure that another try would meet again."""
    failure = _TryError(reason)
    failure.passes = False
    return failure


# ---- what can go wrong on the way


@contextmanager
def _translated() -> Iterator[None]:
    """Turn what the network raises into a `_TryError`."""
    try:
        yield
    except HTTPError as error:
        raise _refusal(error) from None
    except URLError as error:
        raise _unreached(error) from None
    except _SlowError as error:
        raise _TryError(str(error)) from None
    except TimeoutError:
        silence = f"it was silent for {patience.silence:g} seconds"
        raise _TryError(silence) from None
    except http.client.InvalidURL as error:
        raise _final(f"the address is wrong ({error})") from None
    except (OSError, http.client.HTTPException) as error:
        raise _TryError(f"the connection broke ({_in_one_line(error)})") from None


@_translated()
def _answer(url: str) -> Any:
    """The open answer; only http and https, also when redirected."""
    _check_address(url)
    opener = OpenerDirector()
    for handler in (
        ProxyHandler, _PacedHTTPHandler, _PacedHTTPSHandler, HTTPRedirectHandler,
        HTTPDefaultErrorHandler, HTTPErrorProcessor, UnknownHandler,
    ):  # fmt: skip
        opener.add_handler(handler())
    safe = quote(url, safe="%/:=&?~#+!$,;'@()*[]")
    request = Request(safe, headers={"User-Agent": "bakeoff"})
    return opener.open(request, timeout=patience.silence)


@_translated()
def _piece(answer: Any) -> bytes:
    return bytes(answer.read(CHUNK))


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        url.encode()
        fine = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        fine = False
    if not fine:
        raise _final("it is not an http or https address")


def _refusal(error: HTTPError) -> _TryError:
    """The failure behind an answer other than 200."""
    body = b""
    with error, suppress(OSError, http.client.HTTPException):
        body = error.read(2**16)
    if error.code == 429 or error.code >= 500:
        failure = _TryError(f"the server answers {error.code} {_in_one_line(error)}")
        failure.wait = _seconds(error.headers.get("Retry-After", ""))
        return failure
    if 300 <= error.code < 400:
        return _final("it is redirected in a circle, or to nowhere")
    failure = _final(f"the server answers {error.code} {_in_one_line(error)}")
    failure.answer = (error.code, body)
    return failure


def _seconds(retry_after: str) -> float | None:
    """The seconds to wait, given as such or as a date."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        then = email.utils.parsedate_to_datetime(retry_after)
        return max(0.0, then.timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _unreached(error: URLError) -> _TryError:
    """The failure behind a connection that did not come about."""
    reason = error.reason
    if isinstance(reason, ssl.SSLCertVerificationError):
        return _final(
            f"its certificate cannot be verified ({reason.verify_message}; behind a "
            f"proxy with its own authority, SSL_CERT_FILE names the file to trust)"
        )
    if isinstance(reason, str):  # a scheme that only a redirection can bring
        return _final(f"it leads to an address that is not allowed ({reason})")
    if isinstance(reason, socket.gaierror):
        text = "its name is not known here (is there a network?)"
    elif isinstance(reason, TimeoutError):
        text = f"no answer in {patience.silence:g} seconds (is there a network?)"
    else:
        text = f"no connection ({_in_one_line(reason)})"
    if {"http", "https", "all"} & getproxies().keys():
        text += " (through the proxy that the environment names)"
    failure = _TryError(text)
    failure.reached = False
    return failure


def _in_one_line(error: BaseException) -> str:
    reason = error.reason if isinstance(error, HTTPError) else None
    reason = reason or getattr(error, "strerror", None) or str(error)
    return " ".join(str(reason).split())[:200] or type(error).__name__


# ---- servers that send next to nothing


class _SlowError(OSError):
    """The server sends so little that the download would never end."""


class _Paced(io.RawIOBase):
    """The bytes from a server; an error if they are too few.

    The time limit of a socket is one of silence: a byte now and then would keep it
    waiting for ever, in the header of an answer as in its body.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self._began: float | None = None  # with the first byte of a window
        self._arrived = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        n: int | None = self._raw.readinto(buffer)
        now = time.monotonic()
        if self._began is None:
            self._began = now
        self._arrived += n or 0
        if n and now - self._began > WINDOW:
            if self._arrived < LEAST:
                raise _SlowError(
                    f"it sent only {self._arrived} bytes in {now - self._began:.0f} seconds"
                )
            self._began, self._arrived = now, 0
        return n

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fp: Any = io.BufferedReader(_Paced(self.fp.detach()))


class _Connection(http.client.HTTPConnection):
    response_class = _Response


class _SafeConnection(http.client.HTTPSConnection):
    response_class = _Response


class _PacedHTTPHandler(HTTPHandler):
    """Addresses with http."""

    def http_open(self, req: Request) -> http.client.HTTPResponse:
        """Open an address."""
        return self.do_open(_Connection, req)


class _PacedHTTPSHandler(HTTPSHandler):
    """Addresses with https."""

    def https_open(self, req: Request) -> http.client.HTTPResponse:
        """Open an address."""
        return self.do_open(_SafeConnection, req)
