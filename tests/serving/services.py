"""Services for tests: in this process, or in processes of their own."""

import json
import os
import re
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from bakeoff import Learner
from bakeoff.live.serving.app import App
from bakeoff.live.serving.config import Config, Rewards, Rollout, Service
from bakeoff.live.serving.decider import Decider
from bakeoff.live.serving.state import State
from bakeoff.live.serving.trainer import MODEL, STATE, Trainer
from tests.serving.client import Client

ROOT = Path(__file__).parents[2]


class Local:
    """A service in this process, which learns when it is told to."""

    def __init__(
        self,
        folder: Path,
        learner: Any = None,
        rewards: Any = None,
        rollout: Any = None,
        **service: Any,
    ):
        self.config = Config(
            learner={"explorer": "epsilon-greedy:epsilon=0.2", "seed": 1, **(learner or {})},
            rewards=Rewards(**(rewards or {})),
            service=Service(state=str(folder), **service),
            rollout=None if rollout is None else Rollout(**rollout),
        )
        self.folder = folder
        self.start()

    def start(self) -> None:
        self.trainer = Trainer(self.config)
        learner = Learner.load(self.folder / MODEL, seed=7, learns=False)
        self.state = State(self.folder / STATE)
        self.app = App(Decider(self.config, learner, self.state))
        self.client = Client(self.app.asgi)

    def die(self) -> None:
        """End without saving anything."""
        self.trainer.learner.close()
        self.trainer.state.close()
        self.state.close()

    def learn(self, now: float | None = None) -> int:
        """Learn, and let the decider have the new model."""
        n = self.trainer.step(now)
        self.trainer.save()
        self.app.decider.learner.reload(self.folder / MODEL)
        if self.app.decider.share is not None:
            self.app.decider.share.refresh(self.state)
        return n

    def post(self, path: str, message: Any, **more: Any) -> tuple[int, Any]:
        response = self.client.post(path, json=message, **more)
        return response.status_code, response.json() if response.content else None

    def get(self, path: str) -> Any:
        return self.client.get(path)


ARTICLES = [
    {"id": "tennis", "features": {"topic": "sport", "length": 3}},
    {"id": "budget", "features": {"topic": "politics", "length": 9}},
    {"id": "rain", "features": {"topic": "weather", "length": 1}},
]


class Remote:
    """A service in processes of its own, as `bakeoff serve` starts it."""

    def __init__(self, folder: Path, toml: str, *options: str) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.file = folder / "state", folder / "service.toml"
        self.file.write_text(toml)
        self.options = options
        self.start()

    def start(self) -> None:
        program = "from bakeoff.__main__ import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "serve", str(self.file), "--port", "0",
             "--state", str(self.folder), *self.options],
            cwd=ROOT, env=dict(os.environ), stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stderr is not None
        said = []
        for line in self.process.stderr:
            said.append(line)
            found = re.search(r"serving on http://[\d.]+:(\d+)", line)
            if found:
                self.port = int(found[1])
                break
        else:
            raise AssertionError(f"the service did not start: {said}")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                if self.request("GET", "/ready")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the service is not ready")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(self, verb: str, path: str, message: Any = None) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            body = None if message is None else json.dumps(message)
            connection.request(verb, path, body)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        is_json = (response.getheader("content-type") or "").startswith("application/json")
        return response.status, json.loads(content) if is_json else content.decode()

    def stop(self) -> int:
        self.process.terminate()
        code = self.process.wait(60)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code
