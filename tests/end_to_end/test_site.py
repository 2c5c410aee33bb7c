"""`make docs`: the site builds without a warning, and every public name has a page."""

import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    folders = [tmp_path / "doctrees", ROOT / "docs", tmp_path / "html"]
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-d"]
    (ROOT / "docs" / "_build" / "extra").mkdir(parents=True, exist_ok=True)

    built = subprocess.run(
        [*command, *map(str, folders)], capture_output=True, text=True, check=False
    )

    assert (built.returncode, built.stderr) == (0, "")
    pages = {path.stem for path in (tmp_path / "html" / "reference" / "api").glob("*.html")}
    assert {f"bakeoff.{name}" for name in bakeoff.__all__} <= pages
    assert "# bakeoff" in (tmp_path / "html" / "llms.txt").read_text()
