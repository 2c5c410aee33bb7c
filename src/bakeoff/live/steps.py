"""Steps: changes of a learner that happen completely or not at all, even across forks.

Ctrl-C, or an exception that one thread raises in another, may come after any call. So
everything that can fail is done first; then the change itself is a *step*, a function
that may be called again until it has run to its end. If a step is cut short, the next
call of the learner finishes it. A step writes its lines of the log first: if that
fails, nothing has changed.
"""

import os
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bakeoff.basics.errors import BakeoffError

Step = tuple[Callable[..., None], *tuple[Any, ...]]  # a function and its arguments


class Steps:
    """The step under way, if any, and the lock that guards all steps of a learner."""

    def __init__(self, *, is_outer: bool = False) -> None:
        self.is_outer = is_outer  # whether its steps hold locks of others
        self.lock = threading.RLock()
        self.under_way: Step | None = None
        self._after_fork: weakref.WeakMethod[Callable[[], None]] | None = None
        _steps.add(self)

    def call_after_fork(self, method: Callable[[], None]) -> None:
        """Call a method in each child process, as long as its object lives."""
        self._after_fork = weakref.WeakMethod(method)

    def do(self, act: Callable[..., None], *arguments: Any) -> None:
        """Carry out a step; the caller holds the lock."""
        self.under_way = (act, *arguments)
        try:
            act(*arguments)
        except BakeoffError:
            self.under_way = None  # nothing was written, so nothing has changed
            raise
        self.under_way = None

    def settle(self) -> None:
        """Finish a step that was cut short; the caller holds the lock."""
        if self.under_way is not None:
            act, *arguments = self.under_way
            with suppress(BakeoffError):  # nothing was written: the call did not happen
                act(*arguments)
            self.under_way = None

    def start_in_child(self) -> None:
        """Begin anew in a child process, whose parent holds the lock."""
        self.lock, self.under_way = threading.RLock(), None
        after_fork = None if self._after_fork is None else self._after_fork()
        if after_fork is not None:
            after_fork()


_steps: "weakref.WeakSet[Steps]" = weakref.WeakSet()
_held = threading.local()  # the locks that a thread holds while it forks


def _acquire_all() -> None:
    """Let no step be under way in another thread while the process is copied."""
    in_order = sorted(_steps, key=lambda steps: (not steps.is_outer, id(steps)))
    _held.locks = [steps.lock for steps in in_order]
    for lock in _held.locks:
        lock.acquire()


def _release_all() -> None:
    for lock in _held.locks:
        lock.release()


def _start_all_in_child() -> None:
    """Start each anew, also if another fails; Python reports an error of a hook."""
    errors = []
    for steps in list(_steps):
        try:
            steps.start_in_child()
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


os.register_at_fork(
    before=_acquire_all, after_in_parent=_release_all, after_in_child=_start_all_in_child
)
