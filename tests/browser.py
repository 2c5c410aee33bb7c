"""A real browser for tests: Debian's Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium (apt-get install chromium)"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, path: Path, address: str = "", **options: Any) -> Iterator[Page]:
    """A page of its own; it must ask for nothing and complain of nothing."""
    context = browser.new_context(**options)
    complaints: list[str] = []

    def refuse(route: Route) -> None:
        url = route.request.url
        if url.startswith(path.as_uri()):
            route.continue_()
        else:
            complaints.append(f"asked for {url}")
            route.abort()

    context.route(lambda url: not url.startswith(("data:", "blob:")), refuse)
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(f"failed: {error}"))
    page.on("console", lambda said: _note(said.type, said.text, complaints))
    page.on("dialog", lambda dialog: _dismiss(dialog, complaints))
    page.goto(path.as_uri() + address)
    yield page
    context.close()
    assert not complaints, "; ".join(complaints)


def _dismiss(dialog: Dialog, complaints: list[str]) -> None:
    complaints.append(f"a dialog: {dialog.message}")
    dialog.dismiss()


def _note(kind: str, text: str, complaints: list[str]) -> None:
    if kind == "error" or (kind == "warning" and "GL Driver" not in text):
        complaints.append(f"{kind}: {text}")
