"""A small news site: which article to show to whom, learned from clicks.

    python examples/news.py news-data      # serves http://127.0.0.1:8000

    POST /choose  {"user": {"age": 31, "likes": ["sport"]}}  ->  {"id", "article"}
    POST /reward  {"id": "...", "reward": 1}                 ->  {"learned": true}
    GET  /monitor                                            ->  a page

It is plain WSGI, so any server runs it. Stop it, or kill it, and start it again: it
goes on where its log ends.
"""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from bakeoff import BakeoffError, Learner
from bakeoff.live import monitor_page
from bakeoff.live.feedback import Feedback
from bakeoff.live.replay import catch_up

ARTICLES = ["election", "football", "recipes", "science", "weather"]
SAVE_EVERY = 1000  # outcomes


class News:
    """The application."""

    def __init__(self, folder: Path, save_every: int = SAVE_EVERY) -> None:
        self.save_every = save_every
        folder.mkdir(parents=True, exist_ok=True)
        self.model, log = folder / "model", folder / "decisions.jsonl"
        if self.model.exists():
            self.learner = Learner.load(self.model, log=log)
            catch_up(self.learner, log)
        else:
            self.learner = Learner(
                actions=ARTICLES,
                floor=0.01,  # so that the log can be evaluated later
                log=log,
                feedback=Feedback(wait=600, default_reward=0.0),
            )
            self.learner.save(self.model)

    def choose(self, request: Any) -> Any:
        """An article for a user."""
        decision = self.learner.choose(request["user"])
        return {"id": decision.id, "article": decision.name}

    def reward(self, request: Any) -> Any:
        """A click, or another sign that the article was welcome."""
        learned = self.learner.learn(request["id"], reward=request["reward"])
        if learned and self.learner.version % self.save_every == 0:
            self.learner.save(self.model)
        return {"learned": learned}

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request (WSGI)."""
        kind, body = "application/json", b""
        try:
            status, answer = "200 OK", self._answer(environ)
        except (BakeoffError, KeyError, TypeError, ValueError) as error:
            status, answer = "400 Bad Request", {"error": str(error)}
        if isinstance(answer, str):
            kind, body = "text/html; charset=utf-8", answer.encode()
        else:
            body = json.dumps(answer).encode()
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    def _answer(self, environ: dict[str, Any]) -> Any:
        path = environ["PATH_INFO"]
        if path == "/monitor":
            return monitor_page(self.learner.monitor())
        length = int(environ.get("CONTENT_LENGTH") or 0)
        request = json.loads(environ["wsgi.input"].read(length))
        answers = {"/choose": self.choose, "/reward": self.reward}
        if path not in answers:
            raise ValueError(f"there is no {path}; try /choose, /reward or /monitor")
        return answers[path](request)


class ThreadingServer(ThreadingMixIn, WSGIServer):
    """A thread for every request: learners do not mind."""

    daemon_threads = True
    request_queue_size = 128


class Quiet(WSGIRequestHandler):
    """Says nothing."""

    def log_message(self, format: str, *_: Any) -> None:
        """No lines on the terminal."""


def main() -> None:
    """Serve on this machine."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "news-data")
    server = make_server("127.0.0.1", 8000, News(folder), ThreadingServer, Quiet)
    server.serve_forever()


if __name__ == "__main__":
    main()
