"""The command line; the page of a made-up store, and a browser, for its tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import chromium, opened
from tests.report_page import Made, made_page, settled
from tests.terminal import Terminal


@pytest.fixture
def bakeoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Terminal:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("BAKEOFF_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    return Terminal(capsys, monkeypatch)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return made_page(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def tab(made: Made, browser: Browser) -> Iterator[Page]:
    with opened(browser, made.path) as page:
        yield settled(page)
