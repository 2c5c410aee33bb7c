"""Supervisor: starts the process that learns and those that decide, and keeps them going.

Settings reach a child by its standard input, which stays open: when it closes, the
supervisor is gone, and the child stops.
"""

import importlib.util
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.live.serving.config import Config

WRITER, WORKER = "writer", "worker"
_START = 300.0  # seconds that the first start may take: kernels are compiled
_STOP = 30.0  # seconds to finish requests, and to save
_PAUSE = 1.0  # seconds before a process that died at once is started again


class _Child:
    """A process of the service."""

    def __init__(self, kind: str, config: Config, listening: int = -1, number: int = 0) -> None:
        self.kind, self.config, self.listening, self.number = kind, config, listening, number
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        command = [sys.executable, "-m", "bakeoff.live.serving.child", self.kind]
        handles = () if self.listening < 0 else (self.listening,)
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, str(self.listening), str(self.number)],
            stdin=subprocess.PIPE,
            pass_fds=handles,
            start_new_session=True,  # Ctrl-C is for the supervisor
        )
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(self.config.to_json().encode() + b"\n")
            self.process.stdin.flush()

    def stop(self, timeout: float) -> None:
        """Let it finish, and end it if it does not."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()


class Supervisor:
    """The processes of a service."""

    def __init__(self, config: Config) -> None:
        _check_installed()
        self.config = config
        self._is_stopping = False
        self._children: list[_Child] = []
        self._socket = _listening(config.service.host, config.service.port)
        self.port = int(self._socket.getsockname()[1])

    def run(self) -> int:
        """Serve until a signal comes; the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        sys.stderr.write(f"bakeoff: starting; its folder is {self.config.folder}\n")
        try:
            if not self._start():
                return 1
            host = self.config.service.host
            sys.stderr.write(f"bakeoff: serving on http://{host}:{self.port}\n")
            while not self._is_stopping:
                self._keep_going()
                time.sleep(0.05)
        finally:
            self._end()
        return 0

    def _start(self) -> bool:
        """Start everything; False if the writer could not start or a signal came."""
        ready = ready_file(self.config.make_folder())
        ready.unlink(missing_ok=True)
        writer = _Child(WRITER, self.config)
        self._children = [writer]
        until = time.monotonic() + _START
        while not ready.exists():
            if self._is_stopping or writer.process.poll() is not None or time.monotonic() > until:
                return False
            time.sleep(0.02)
        handle = self._socket.fileno()
        numbers = range(1, self.config.service.workers + 1)
        self._children += [_Child(WORKER, self.config, handle, number) for number in numbers]
        return True

    def _stop(self, *_: Any) -> None:
        self._is_stopping = True

    def _keep_going(self) -> None:
        """Start processes again that have died."""
        for child in self._children:
            code = child.process.poll()
            if code is not None and time.monotonic() - child.began > _PAUSE:
                sys.stderr.write(f"bakeoff: a {child.kind} ended ({code}); it is started again\n")
                child.stop(0)
                child.start()

    def _end(self) -> None:
        """Stop those who decide, then the one who learns what they took in."""
        workers = [child for child in self._children if child.kind == WORKER]
        for child in workers:
            child.process.terminate()
        for child in [*workers, *self._children[:1]]:
            child.stop(_STOP)
        self._socket.close()


def serve(config: Config) -> int:
    """Run a service until SIGTERM or Ctrl-C; returns its exit code."""
    return Supervisor(config).run()


def _check_installed() -> None:
    for name in ("starlette", "uvicorn"):
        if importlib.util.find_spec(name) is None:
            raise SpecError(f"the service needs {name}: pip install 'bakeoff[serve]'")


def _listening(host: str, port: int) -> socket.socket:
    """A socket that all workers accept connections from."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
        listening.set_inheritable(True)
    except (OSError, TypeError) as error:  # the latter for names that none can have
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise ResultsError(f"cannot listen on {host!r}:{port}: {reason}") from None
    return listening


def ready_file(folder: Path) -> Path:
    """The file that tells that the model is there."""
    return folder / "ready"
