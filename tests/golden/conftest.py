"""The command line, in an empty folder."""

from pathlib import Path

import pytest

from tests.terminal import Terminal


@pytest.fixture
def bakeoff(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Terminal:
    """Commands as a user types them."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("BAKEOFF_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    return Terminal(capsys, monkeypatch)
