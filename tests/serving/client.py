"""A client that calls an ASGI application in this process."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote


class Response:
    """What an application answered."""

    def __init__(self, messages: list[Any]) -> None:
        start, *rest = messages
        self.status_code: int = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        self.content = b"".join(part.get("body", b"") for part in rest)

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> Any:
        return json.loads(self.content)


class Client:
    """Sends one request after the other."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def get(self, path: str, **more: Any) -> Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> Response:
        return self.request("POST", path, **more)

    def request(
        self,
        verb: str,
        path: str,
        *,
        content: bytes | str | Iterable[bytes] = b"",
        json: Any = None,
        headers: dict[str, str] | None = None,
    ) -> Response:
        if json is not None:
            content = dumped(json)
        pieces = [content.encode()] if isinstance(content, str) else content
        pieces = [pieces] if isinstance(pieces, bytes) else list(pieces)
        sent = {name.lower(): value for name, value in (headers or {}).items()}
        if len(pieces) == 1:
            sent["content-length"] = str(len(pieces[0]))
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": verb,
            "scheme": "http", "path": unquote(path), "raw_path": path.encode(),
            "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80), "state": {},
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        }  # fmt: skip
        return Response(asyncio.run(self._talk(scope, pieces)))

    async def _talk(self, scope: Any, pieces: list[bytes]) -> list[Any]:
        answers: list[Any] = []
        left = list(pieces)

        async def receive() -> Any:
            body = left.pop(0) if left else b""
            return {"type": "http.request", "body": body, "more_body": bool(left)}

        async def send(message: Any) -> None:
            answers.append(message)

        await self._app(scope, receive, send)
        return answers


def dumped(message: Any) -> bytes:
    return json.dumps(message).encode()
