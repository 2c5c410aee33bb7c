"""Gate: what every request passes: its id, its size, the client's key and rate."""

import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from bakeoff.basics.errors import BakeoffError
from bakeoff.live.serving.config import Service

OPEN = ("/health", "/ready")  # without a key, for those who watch the process
_MOST_CLIENTS = 10_000
_messages = logging.getLogger("bakeoff.live.serving.requests")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class TooLargeError(BakeoffError):
    """A body has more bytes than allowed."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the body has more than {most:,} bytes")


class Gate:
    """An ASGI application around another one."""

    def __init__(
        self,
        app: Any,
        service: Service,
        refuse: Callable[[int, str, str], Any],
        note: Callable[[str, int, float], None],
    ) -> None:
        self._app, self._service = app, service
        self._refuse, self._note = refuse, note
        self._keys = [key.encode(errors="surrogateescape") for key in service.keys]
        self._rates: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, headers = time.perf_counter(), dict(scope["headers"])
        id = _request_id(headers.get(b"x-request-id", b""))
        status = 500

        async def tell(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", id)]
            await send(message)

        refusal = self._refusal(scope, headers)
        app = self._app if refusal is None else self._refuse(*refusal)
        try:
            await app(scope, self._counted(receive), tell)
        finally:
            seconds = time.perf_counter() - began
            route = scope.get("route")
            path = getattr(route, "path", "other")
            self._note(path, status, seconds)
            _messages.info(
                "%s %s %s %d %.1f ms", id.decode(), scope["method"], path, status, 1e3 * seconds
            )

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        """Why a request is not let through, if it is not."""
        service = self._service
        if scope["path"] not in OPEN:
            if self._keys and not self._has_key(headers):
                return 401, "Unauthorized", "the request has no valid key (X-API-Key)"
            if service.rate and not self._in_rate(str((scope.get("client") or ("",))[0])):
                text = f"more than {service.rate:g} requests a second from this client"
                return 429, "TooManyRequests", text
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > service.most_body:
            return 413, "PayloadTooLarge", str(TooLargeError(service.most_body))
        return None

    def _has_key(self, headers: dict[bytes, bytes]) -> bool:
        key = headers.get(b"x-api-key") or headers.get(b"ocp-apim-subscription-key")
        if key is None:
            kind, _, key = headers.get(b"authorization", b"").partition(b" ")
            key = key.strip() if kind.lower() == b"bearer" else b""
        return any(hmac.compare_digest(key, known) for known in self._keys)

    def _in_rate(self, client: str) -> bool:
        """Take a token of a client's bucket, which holds those of a second."""
        now, rate = time.monotonic(), self._service.rate
        most = max(1.0, rate)
        tokens, before = self._rates.pop(client, (most, now))
        tokens = min(most, tokens + rate * (now - before))
        allowed = tokens >= 1.0
        self._rates[client] = (tokens - allowed, now)
        if len(self._rates) > _MOST_CLIENTS:
            self._rates.popitem(last=False)
        return allowed

    def _counted(self, receive: Receive) -> Receive:
        """Stop reading a body that is too large, whatever its header says."""
        total = 0

        async def counting() -> Any:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self._service.most_body:
                raise TooLargeError(self._service.most_body)
            return message

        return counting


def _request_id(wanted: bytes) -> bytes:
    """The client's id of a request if it can be printed, or a new one."""
    if 0 < len(wanted) <= 128 and all(33 <= byte <= 126 for byte in wanted):
        return wanted
    return secrets.token_hex(8).encode()
