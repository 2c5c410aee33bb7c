"""What polars prints of a panic is kept back; the words of others are not."""

import os
import threading
from contextlib import suppress

import pytest

from bakeoff.basics import panics
from bakeoff.basics.panics import PanicError, hushed, reason_of, restore

PAGES = b"thread 'worker' panicked at somewhere.rs:1:2:\nstack backtrace:\n"


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line."""
    monkeypatch.setattr(panics._hush, "is_active", True)


@pytest.mark.usefixtures("wanted")
def test_what_a_panic_prints_is_kept_back(capfd: pytest.CaptureFixture[str]) -> None:
    with suppress(PanicError), hushed():
        os.write(2, PAGES)
        raise PanicError("index out of bounds")

    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"


@pytest.mark.usefixtures("wanted")
def test_other_words_are_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with hushed(), hushed():
        os.write(2, b"reading\n")

    assert capfd.readouterr().err == "reading\n"


@pytest.mark.usefixtures("wanted")
def test_threads_share_it(capfd: pytest.CaptureFixture[str]) -> None:
    def read() -> None:
        for _ in range(200):
            with hushed():
                os.write(2, b".")

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert capfd.readouterr().err == "." * 1600


@pytest.mark.usefixtures("wanted")
def test_last_words_are_heard_meanwhile(capfd: pytest.CaptureFixture[str]) -> None:
    with hushed():
        os.write(2, PAGES)
        restore()
        os.write(2, b"interrupted\n")

    assert capfd.readouterr().err == "interrupted\n"


def test_a_library_leaves_standard_error_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with hushed():
        os.write(2, PAGES)

    assert capfd.readouterr().err == PAGES.decode()


def test_a_reason_is_given_if_there_is_one() -> None:
    said = "called `Result::unwrap()` on an `Err` value: JoinError::Panic(...)"

    assert reason_of(PanicError("out of bounds")) == "polars gave up (out of bounds)"
    assert reason_of(PanicError(said)) == "polars gave up (it is damaged)"
