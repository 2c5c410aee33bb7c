"""Interrupts: Ctrl-C ends the command line within two seconds, whatever it is doing.

Python lets a signal wait until the main thread is back from whatever library it is in,
and libraries may swallow what it raises. So a thread of its own is told of Ctrl-C as
well. It leaves the rest of the program a moment to end in good order, and then ends it.
"""

import atexit
import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

INTERRUPTED = 130  # exit code
PATIENCE = 1.2  # seconds for what is under way to end by itself

_came = threading.Event()
_told = threading.Event()


def watch() -> None:
    """From now on Ctrl-C always works, but where it is ignored, as in background."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    _keep.append(writer)
    sys.unraisablehook = _without_interrupts
    threading.Thread(target=_wait, args=(reader,), daemon=True).start()


_keep: list[socket.socket] = []  # for as long as the process lives


def _wait(reader: socket.socket) -> NoReturn:
    while True:
        if signal.SIGINT in reader.recv(64):
            _came.set()
            time.sleep(PATIENCE)
            _leave()


def _without_interrupts(lost: "sys.UnraisableHookArgs") -> None:
    """Tell of errors that libraries could not pass on, but not of Ctrl-C."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def came() -> bool:
    """Whether Ctrl-C has come: libraries make errors of their own of what it raises."""
    return bool(_keep) and _came.wait(0.1)


_last_words: list[Callable[[], str]] = [lambda: "interrupted"]


@contextlib.contextmanager
def last_words(text: Callable[[], str]) -> Iterator[None]:
    """What is said if Ctrl-C comes meanwhile."""
    _last_words.append(text)
    try:
        yield
    except KeyboardInterrupt:
        tell()
        raise
    finally:
        _last_words.remove(text)


def ignore() -> None:
    """All is said and done: Python would die of a signal while it cleans up."""
    if _keep and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def tell() -> None:
    """Say once that the user has ended it; from then on Ctrl-C changes nothing."""
    if _told.is_set():
        return
    if _keep:  # else this process is somebody else's, such as that of a test
        _told.set()
    text = _last_words[-1]()
    ignore()
    if (panics := sys.modules.get("bakeoff.basics.panics")) is not None:
        panics.restore()  # standard error may be put aside
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr.isatty():
            text = f"\r\x1b[?25h\x1b[K{text}"  # a bar may have hidden the cursor
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def leave() -> NoReturn:
    """Say so, let libraries clean up, and end; threads may still be at work.

    Python would take their memory away before it ends them, and crash.
    """
    tell()
    atexit._run_exitfuncs()
    _end()


def _leave() -> NoReturn:
    """End the process at once: threads and libraries get no say in it.

    Files are written under other names and renamed, so nothing is half there.
    """
    tell()
    tracker = getattr(
        sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None
    )
    with contextlib.suppress(OSError, ValueError, TypeError):
        if (pid := getattr(tracker, "_pid", None)) is not None:
            os.kill(pid, signal.SIGKILL)  # it would complain of what is left
    _end()


def _end() -> NoReturn:
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(INTERRUPTED)
