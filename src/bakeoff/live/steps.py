"""Steps: changes of a learner that happen as a whole, and what a fork means to it.

Ctrl-C, or an exception that one thread raises in another, may come after any call. So
all that can fail is done first; then the change itself is a *step*, a function that may
be called again until it has run to its end. One that was cut short is finished by the
next call of the learner. A step writes its lines of the log first: if that fails,
nothing has changed.
"""

import os
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bakeoff.basics.errors import BakeoffError

Step = tuple[Callable[..., None], *tuple[Any, ...]]  # what to call, and with what


class Steps:
    """The step of a learner that is under way, and the lock that guards all of them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.under_way: Step | None = None

    def do(self, act: Callable[..., None], *arguments: Any) -> None:
        """Carry out a step; the lock is held."""
        self.under_way = (act, *arguments)
        try:
            act(*arguments)
        except BakeoffError:
            self.under_way = None  # nothing was written, so nothing has changed
            raise
        self.under_way = None

    def settle(self) -> None:
        """Finish what an exception cut short; the lock is held."""
        if self.under_way is not None:
            act, *arguments = self.under_way
            with suppress(BakeoffError):  # then that call has not happened
                act(*arguments)
            self.under_way = None


_learners: "weakref.WeakSet[Any]" = weakref.WeakSet()
_held = threading.local()  # the locks of all learners while a thread forks


def watch_forks(learner: Any) -> None:
    """Tell a learner if its process forks: `_forked` is called in the child."""
    _learners.add(learner)


def _hold() -> None:
    """Let no step be under way in another thread while the process is copied."""
    _held.locks = [one._steps.lock for one in sorted(_learners, key=id)]
    for lock in _held.locks:
        lock.acquire()


def _release() -> None:
    for lock in _held.locks:
        lock.release()


def _tell() -> None:
    for learner in list(_learners):
        learner._forked()


os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_tell)
