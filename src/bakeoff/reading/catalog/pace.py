"""Pace: connections that give up on a server which sends next to nothing.

The time limit of a socket is one of silence: a byte now and then would keep it waiting
for ever, in the header of an answer as in its body.
"""

import http.client
import io
import time
from typing import Any
from urllib.request import HTTPHandler, HTTPSHandler, Request

WINDOW = 60.0  # seconds
LEAST = 1000  # bytes in a window


class SlowError(OSError):
    """The server sends too little to ever come to an end."""


class _Paced(io.RawIOBase):
    """What arrives from a server, unless it is too little."""

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
                raise SlowError(
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


class PacedHTTPHandler(HTTPHandler):
    """Addresses with http."""

    def http_open(self, req: Request) -> http.client.HTTPResponse:
        """Open one."""
        return self.do_open(_Connection, req)


class PacedHTTPSHandler(HTTPSHandler):
    """Addresses with https."""

    def https_open(self, req: Request) -> http.client.HTTPResponse:
        """Open one."""
        return self.do_open(_SafeConnection, req)
