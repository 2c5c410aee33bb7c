"""Interrupts: Ctrl-C ends the command line within two seconds, whatever it is doing.

Python delivers a signal only when the main thread returns from library code, and
libraries may swallow the KeyboardInterrupt. So a second thread is notified of Ctrl-C,
too. It gives the program a moment to end by itself, and then ends the process.
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
GRACE = 1.2  # seconds for the program to end by itself

_received = threading.Event()
_announced = threading.Event()
_messages: list[Callable[[], str]] = [lambda: "interrupted"]
_wakeup: list[socket.socket] = []  # kept open while the process lives; empty: not installed


def install() -> None:
    """Make Ctrl-C always work, unless it is ignored, as in background jobs."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    _wakeup.append(writer)
    sys.unraisablehook = _without_interrupts
    threading.Thread(target=_wait, args=(reader,), daemon=True).start()


def _wait(reader: socket.socket) -> NoReturn:
    while True:
        if signal.SIGINT in reader.recv(64):
            _received.set()
            time.sleep(GRACE)
            _exit_now()


def _without_interrupts(lost: "sys.UnraisableHookArgs") -> None:
    """Show errors that libraries could not raise, except for Ctrl-C."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def was_interrupted() -> bool:
    """Whether Ctrl-C was pressed; libraries may have turned it into another error."""
    return bool(_wakeup) and _received.wait(0.1)


@contextlib.contextmanager
def interrupt_message(text: Callable[[], str]) -> Iterator[None]:
    """Print this text if Ctrl-C is pressed inside the block."""
    _messages.append(text)
    try:
        yield
    except KeyboardInterrupt:
        announce()
        raise
    finally:
        _messages.remove(text)


def ignore() -> None:
    """Ignore SIGINT during interpreter shutdown."""
    if _wakeup and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def announce() -> None:
    """Print once that the user interrupted; from then on Ctrl-C is ignored."""
    if _announced.is_set():
        return
    if _wakeup:  # not where another program, such as a test, calls a command
        _announced.set()
    text = _messages[-1]()
    ignore()
    if (panics := sys.modules.get("bakeoff.basics.panics")) is not None:
        panics.restore()  # standard error may be redirected
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr.isatty():
            text = f"\r\x1b[?25h\x1b[K{text}"  # a progress bar may have hidden the cursor
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def exit_interrupted() -> NoReturn:
    """Announce it, let libraries clean up, and end while threads may still be running.

    A regular exit would free the memory that those threads use, and crash.
    """
    announce()
    atexit._run_exitfuncs()
    _end()


def _exit_now() -> NoReturn:
    """End at once, without cleaning up; files are renamed when complete, so none is partial."""
    announce()
    tracker = getattr(
        sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None
    )
    with contextlib.suppress(OSError, ValueError, TypeError):
        if (pid := getattr(tracker, "_pid", None)) is not None:
            os.kill(pid, signal.SIGKILL)  # it would complain about leaked resources
    _end()


def _end() -> NoReturn:
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(INTERRUPTED)
