"""The pages on the service do what they say: their settings and calls, as they stand."""

import json
import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bakeoff.live.serving.config import read_config
from tests.serving.services import ROOT, Local, Remote


def blocks(page: str, kind: str) -> list[str]:
    """The code blocks of a page; those in lists are moved to the left."""
    found: list[str] = []
    inside: list[str] | None = None
    for line in (ROOT / "docs" / "guide" / page).read_text().splitlines(keepends=True):
        if not line.strip().startswith("```"):
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside, is_wanted = [], line.strip() == f"```{kind}"
        else:
            if is_wanted:
                found.append(textwrap.dedent("".join(inside)))
            inside = None
    return found


def test_the_page_on_serving(tmp_path: Path) -> None:
    first, rollout = blocks("serving.md", "toml")
    file = tmp_path / "service.toml"
    file.write_text(first)
    config = read_config(file, {})
    service = Local(tmp_path / "state", config.learner)
    calls = [line for block in blocks("serving.md", "") for line in block.splitlines()]
    answers = [json.loads(line) for line in calls if line.startswith("{")]
    bodies = [shlex.split(line)[-1] for line in calls if line.startswith("curl")]

    status, shown = service.post("/v1/decide", json.loads(bodies[0]))
    assert status == 200
    assert set(shown) == set(answers[0])
    reward = {**json.loads(bodies[1]), "id": shown["id"]}
    assert service.post("/v1/reward", reward) == (200, {**answers[1], "id": shown["id"]})
    file.write_text(first + rollout)
    assert read_config(file, {}).rollout is not None


@pytest.fixture
def migrated(tmp_path: Path) -> Iterator[Remote]:
    (settings,) = blocks("from-personalizer.md", "toml")
    service = Remote(tmp_path, settings)
    yield service
    assert service.stop() == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_migration_from_personalizer(migrated: Remote) -> None:
    pytest.importorskip("azure.ai.personalizer")
    program = blocks("from-personalizer.md", "python")[0].replace(":8000", f":{migrated.port}")
    names: dict[str, Any] = {}

    exec(program, names)

    assert names["event"]["rewardActionId"] == "tennis"  # apprentice: the first one
    status, _ = migrated.request("GET", "/metrics")
    assert status == 401
