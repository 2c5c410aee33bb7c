"""The lines that we tell users to write pass a strict type checker."""

import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/guide/data.md", "docs/guide/tutorial.md"]


@pytest.mark.slow
def test_python_on_the_pages_is_typed(tmp_path: Path) -> None:
    files = []
    for page in PAGES:
        text = (ROOT / page).read_text()
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        files.append(tmp_path / f"{Path(page).stem.replace('-', '_')}.py")
        files[-1].write_text("".join(blocks))

    config = ["--config-file", str(ROOT / "pyproject.toml")]
    out, err, code = api.run([*config, *map(str, files)])

    assert (code, err) == (0, ""), out
