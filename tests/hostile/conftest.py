"""A time limit on each test: what hangs is a failure, not a wait."""

import faulthandler
import signal
from collections.abc import Iterator
from types import FrameType

import pytest

SECONDS = 60  # on a busy machine; each takes a second or two on an idle one


class TooLongError(BaseException):
    """Not an `Exception`, which code under test may suppress; nor an `OSError`."""


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """Fail when a test takes too long, however it hangs."""

    fired = []

    def give_up(_: int, __: FrameType | None) -> None:
        fired.append(True)
        raise TooLongError(f"this test took more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    faulthandler.dump_traceback_later(SECONDS + 30, exit=True)
    try:
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)
    assert not fired, "a wait was ended by the time limit, and somebody suppressed it"
