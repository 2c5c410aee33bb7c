"""Child: what the processes of a service run (`python -m bakeoff.live.serving.child`)."""

import logging
import logging.handlers
import os
import secrets
import signal
import socket
import sys
import threading
import time
from typing import Any

import uvicorn

from bakeoff.basics.errors import BakeoffError
from bakeoff.live import Learner
from bakeoff.live.serving.app import App
from bakeoff.live.serving.config import Config
from bakeoff.live.serving.decider import Decider
from bakeoff.live.serving.patience import patient
from bakeoff.live.serving.state import State
from bakeoff.live.serving.supervisor import WRITER, ready_file
from bakeoff.live.serving.trainer import MODEL, STATE, Trainer

_IDLE = 0.05  # seconds to wait if there was nothing to learn
_messages = logging.getLogger("bakeoff.live.serving")


def main() -> int:
    """Run a writer, or a worker that listens on an inherited socket."""
    kind, listening, number = sys.argv[1:4]
    config = Config.from_json(sys.stdin.readline())
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    try:
        write_messages(config, kind if kind == WRITER else f"{kind}-{number}")
        if kind == WRITER:
            learn(config)
        else:
            decide(config, int(listening))
    except BakeoffError as error:
        sys.stderr.write(f"bakeoff: error: {error}\n")
        return error.exit_code
    return 0


def _stop_with_parent() -> None:
    """End gracefully when the supervisor is gone."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def write_messages(config: Config, name: str) -> None:
    """Send messages to files that rotate, one series for each process."""
    folder, service = config.make_folder("messages"), config.service
    handler = logging.handlers.RotatingFileHandler(
        folder / f"{name}.log",
        maxBytes=service.messages_bytes,
        backupCount=service.messages_files - 1,
    )
    handler.mode = "w"  # where no older file is kept, a full one is begun anew
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log = logging.getLogger("bakeoff.live.serving")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


def learn(config: Config) -> None:
    """Learn until a signal comes."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    trainer = Trainer(config)
    trainer.beat()
    ready_file(config.folder).touch()
    _messages.info("learning, %s", trainer.learner)
    beat = 0.0
    while not stopping.is_set():
        try:
            busy = trainer.step()
            if time.monotonic() - beat > 1.0:
                beat = time.monotonic()
                trainer.beat()
        except BakeoffError as error:  # such as a full disk: what was not taken waits
            _messages.error("%s", error)
            busy = 0
            stopping.wait(1.0)
        if not busy:
            stopping.wait(_IDLE)
    trainer.close()


def decide(config: Config, listening: int) -> None:
    """Answer requests until a signal comes."""
    seed = secrets.randbits(53)  # each worker explores in its own way
    learner = Learner.load(config.folder / MODEL, seed=seed, learns=False)
    state = State(config.folder / STATE, sync=config.service.sync)
    app = App(Decider(config, learner, state))
    asgi: Any = app.asgi
    server = uvicorn.Server(
        uvicorn.Config(
            asgi, log_config=None, access_log=False, server_header=False, lifespan="on",
            timeout_graceful_shutdown=20, http=patient(),
        )
    )  # fmt: skip
    server.run(sockets=[socket.socket(fileno=listening)])
    state.close()


if __name__ == "__main__":
    sys.exit(main())
