"""A time limit on each test: what hangs is a failure, not a wait."""

import faulthandler
import signal
from collections.abc import Iterator
from types import FrameType

import pytest

SECONDS = 60  # on a busy machine; each takes a second or two on an idle one


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """Fail when a test takes too long, however it hangs."""

    def give_up(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"this test took more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    faulthandler.dump_traceback_later(SECONDS + 30, exit=True)
    try:
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)
