"""App: the paths of the service, each a few lines around a decider."""

import asyncio
import json
import logging
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import metadata
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from bakeoff.basics.errors import BakeoffError, ResultsError
from bakeoff.live import monitor_page
from bakeoff.live.serving import messages, personalizer
from bakeoff.live.serving.decider import ConflictError, Decider, NotFoundError
from bakeoff.live.serving.gate import Gate, TooLargeError
from bakeoff.live.serving.messages import decoded
from bakeoff.live.serving.metrics import metrics_text, request_counts
from bakeoff.live.serving.openapi import openapi, page
from bakeoff.live.serving.patience import Handles
from bakeoff.live.serving.state import UNKNOWN, State
from bakeoff.live.serving.trainer import MODEL

_RELOAD_EVERY = 0.2  # seconds
_STALE = 30.0  # seconds after which the process that learns counts as gone
_CODES = {400: "BadRequest", 404: "ResourceNotFound", 405: "MethodNotAllowed", 409: "Conflict",
          413: "PayloadTooLarge", 501: "NotSupported", 503: "ServiceUnavailable"}  # fmt: skip
_messages = logging.getLogger("bakeoff.live.serving")


class App:
    """The endpoints; `asgi` is what a server runs."""

    def __init__(self, decider: Decider) -> None:
        self.decider, self.config = decider, decider.config
        self._description = openapi(metadata.version("bakeoff"))
        self._stop = threading.Event()
        app = Starlette(
            routes=self._routes(),
            exception_handlers={
                BakeoffError: _failed,
                HTTPException: _failed,
                ClientDisconnect: _failed,
                Exception: _broke,
            },
            lifespan=self._lifespan,
        )
        self.asgi = Gate(app, self.config.service, error, self._note)

    def _routes(self) -> list[Route]:
        posts: dict[str, Callable[[bytes], Response]] = {
            "/v1/decide": self._decide,
            "/v1/decide/batch": self._decide_batch,
            "/v1/reward": self._reward,
            "/v1/reward/batch": self._reward_batch,
            "/v1/activate": self._activate,
        }
        gets: dict[str, Callable[[], Response]] = {
            "/health": self._health,
            "/ready": self._ready,
            "/metrics": self._metrics,
            "/monitor": self._monitor,
            "/openapi.json": lambda: answer(self._description),
            "/docs": lambda: HTMLResponse(page(self._description)),
        }
        routes = [Route(path, _post(act), methods=["POST"]) for path, act in posts.items()]
        routes += [Route(path, _get(act), methods=["GET"]) for path, act in gets.items()]
        for prefix in personalizer.PREFIXES:
            event = f"{prefix}/events/{{id:path}}"
            routes += [
                Route(f"{prefix}/rank", _post(self._rank), methods=["POST"]),
                Route(f"{event}/reward", self._event_reward, methods=["POST"]),
                Route(f"{event}/activate", self._event_activate, methods=["POST"]),
                Route(f"{prefix}/configurations/service", self._configuration, methods=["GET"]),
            ]
            for path, what in personalizer.NOT_OFFERED.items():
                methods = ["GET", "PUT", "POST", "DELETE"]
                routes.append(Route(f"{prefix}{path}", _refusing(what), methods=methods))
        return routes

    # Deciding and learning

    def _decide(self, body: bytes) -> Response:
        return answer(self.decider.decide(decoded(body, messages.DecideRequest)))

    def _decide_batch(self, body: bytes) -> Response:
        answers: list[Any] = []
        for request in self._batch(decoded(body, messages.DecideBatch).requests):
            try:
                answers.append(self.decider.decide(request))
            except BakeoffError as problem:
                code = _CODES[_status(problem)]
                answers.append(messages.ErrorAnswer(messages.Error(code, str(problem))))
        return answer(messages.DecideBatchAnswer(answers))

    def _reward(self, body: bytes) -> Response:
        request = decoded(body, messages.RewardRequest)
        with self.decider.state.transaction():
            receipt = self.decider.reward(request.id, request.reward)
        if receipt.result == UNKNOWN:
            raise NotFoundError(f"no decision {request.id!r} waits for a reward")
        return answer(receipt)

    def _reward_batch(self, body: bytes) -> Response:
        requests = self._batch(decoded(body, messages.RewardBatch).requests)
        with self.decider.state.transaction():
            receipts = [self.decider.reward(r.id, r.reward) for r in requests]
        return answer(messages.RewardBatchAnswer(receipts))

    def _activate(self, body: bytes) -> Response:
        request = decoded(body, messages.ActivateRequest)
        with self.decider.state.transaction():
            return answer(self.decider.activate(request.id))

    def _batch(self, requests: list[Any]) -> list[Any]:
        most = self.config.service.most_batch
        if len(requests) > most:
            raise HTTPException(400, f"a batch may have {most:,} requests, got {len(requests):,}")
        return requests

    # Personalizer

    def _rank(self, body: bytes) -> Response:
        request = decoded(body, messages.RankRequest)
        return answer(personalizer.rank(self.decider, request), 201)

    async def _event_reward(self, request: Request) -> Response:
        value = decoded(await request.body(), messages.PersonalizerReward).value
        with self.decider.state.transaction():
            personalizer.reward(self.decider, request.path_params["id"], value)
        return Response(status_code=204)

    async def _event_activate(self, request: Request) -> Response:
        with self.decider.state.transaction():
            self.decider.activate(request.path_params["id"])
        return Response(status_code=204)

    async def _configuration(self, request: Request) -> Response:
        return answer(personalizer.configuration(self.config, self.decider.state.counters()))

    # How it is

    def _health(self) -> Response:
        return answer({"alive": True, "version": self.decider.learner.version})

    def _ready(self) -> Response:
        """Whether this process can decide, and whether somebody learns."""
        beat = self.decider.state.fact("beat")
        age = time.time() - float(beat) if beat else None
        learning = age is not None and age < _STALE
        return answer({"ready": True, "learning": learning, "writer_age": age})

    def _metrics(self) -> Response:
        self._flush(self.decider.state)
        text = metrics_text(self.decider.state, self.decider.learner.version)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    def _monitor(self) -> Response:
        statistics = self.decider.state.fact("monitor")
        if statistics is None:
            raise HTTPException(503, "the process that learns has told nothing yet")
        return HTMLResponse(monitor_page(json.loads(statistics)))

    def _note(self, path: str, status: int, seconds: float) -> None:
        self.decider.count_all(request_counts(path, status, seconds))

    def _flush(self, state: State) -> None:
        counts = self.decider.taken_counts()
        if counts:
            state.add_counts(counts)

    # What goes on in the background

    @asynccontextmanager
    async def _lifespan(self, _: Any) -> AsyncIterator[None]:
        thread = threading.Thread(target=self._follow, daemon=True)
        thread.start()
        asyncio.get_running_loop().set_exception_handler(Handles())
        yield
        self._stop.set()
        thread.join(5)
        self._flush(self.decider.state)

    def _follow(self) -> None:
        """Decide by the newest model; let other processes see our counts."""
        state = State(self.decider.state.path)
        while not self._stop.wait(_RELOAD_EVERY):
            try:
                self.decider.learner.reload(self.config.folder / MODEL)
                if self.decider.share is not None:
                    self.decider.share.refresh(state)
                self._flush(state)
            except BakeoffError as problem:
                _messages.warning("%s", problem)
            except Exception:
                _messages.exception("the model could not be reloaded")
        state.close()


def answer(message: Any, status: int = 200) -> Response:
    """A message as JSON."""
    return Response(msgspec.json.encode(message), status, media_type="application/json")


def error(status: int, code: str, text: str) -> Response:
    """An error as JSON."""
    return answer(messages.ErrorAnswer(messages.Error(code, text)), status)


def _post(act: Callable[[bytes], Response]) -> Any:
    async def endpoint(request: Request) -> Response:
        return act(await request.body())

    return endpoint


def _get(act: Callable[[], Response]) -> Any:
    async def endpoint(_: Request) -> Response:
        return act()

    return endpoint


def _refusing(what: str) -> Any:
    async def endpoint(_: Request) -> Response:
        return error(501, _CODES[501], f"bakeoff does not offer {what}")

    return endpoint


def _status(problem: Exception) -> int:
    """The status that tells whose fault a problem is."""
    if isinstance(problem, HTTPException):
        return problem.status_code
    if isinstance(problem, NotFoundError | ConflictError):
        return 404 if isinstance(problem, NotFoundError) else 409
    if isinstance(problem, TooLargeError):
        return 413
    return 503 if isinstance(problem, ResultsError | MemoryError) else 400


async def _failed(request: Request, problem: Exception) -> Response:
    status = _status(problem)
    text = problem.detail if isinstance(problem, HTTPException) else str(problem)
    if text == "Not Found":
        text = "there is nothing at this path: /docs lists all there are"
    elif text == "Method Not Allowed":
        text = f"{request.method} is not offered at this path: /docs lists what is"
    return error(status, _CODES.get(status, "Error"), text)


async def _broke(_: Request, problem: Exception) -> Response:
    if isinstance(problem, sqlite3.Error):
        return error(503, _CODES[503], f"the state cannot be used: {problem}")
    _messages.error("a request failed", exc_info=problem)
    return error(500, "InternalServerError", "the service failed; its messages tell why")
