"""The source of a learner: what is known of it, and when it has changed."""

import ast
import hashlib
import sys
from pathlib import Path

import pytest

from bakeoff.basics.errors import LearnerError
from bakeoff.experiment.own_learners import notices_of, records_of
from bakeoff.learners.process import own_source
from bakeoff.learners.spec import OwnRun
from bakeoff.runs.grids import grid
from bakeoff.store import OwnRecord

MODULE = "bakeoff_test_source"
SPEC = f"python:{MODULE}.Mine"
LEARNER = """
class Mine:
    def __init__(self{settings}):
        pass

    def choose(self, x):
        return 0, 1.0

    def learn(self, x, action, loss, probability):
        pass
"""


def digest_of_version_0_2(code: str) -> str:
    """What a manifest of 0.2.0 holds of a file."""
    return hashlib.sha256(ast.dump(ast.parse(code)).encode()).hexdigest()[:16]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module of a learner in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / f"{MODULE}.py"
    path.write_text(LEARNER.format(settings=""))
    return path


def test_an_edited_signature_is_seen_in_the_same_process(file: Path) -> None:
    before = grid([SPEC], learning_rates=[1, 3], seeds=2)
    file.write_text(LEARNER.format(settings=", seed, learning_rate"))

    after = grid([SPEC], learning_rates=[1, 3], seeds=2)

    assert (len(before), len(after)) == (1, 4)


def test_edited_tasks_are_seen_in_the_same_process(file: Path) -> None:
    before = own_source(SPEC).tasks
    file.write_text(file.read_text() + 'Mine.tasks = ("ranking",)\n')

    assert "multiclass" in before
    assert own_source(SPEC).tasks == ("ranking",)


def test_a_learner_is_looked_at_once_and_not_in_this_process(file: Path) -> None:
    first = own_source(SPEC)

    assert own_source(SPEC) is first
    assert MODULE not in sys.modules


def test_an_import_that_ends_the_process_ends_another_one(file: Path) -> None:
    file.write_text("import os\nos._exit(9)\n")

    with pytest.raises(LearnerError, match="exit code 9"):
        records_of([OwnRun(SPEC)], {})


def test_the_layout_of_a_file_does_not_count(file: Path) -> None:
    before = own_source(SPEC).digest
    file.write_text(f'"""Words."""\n# more\n{file.read_text()}\n\n')

    assert own_source(SPEC).digest == before


def test_a_digest_of_version_0_2_is_recognised(file: Path) -> None:
    old = digest_of_version_0_2(file.read_text())

    found = records_of([OwnRun(SPEC)], {SPEC: OwnRecord((old,))})

    assert found[SPEC].digests == (own_source(SPEC).digest,)
    assert found[SPEC].digests != (old,)
    assert notices_of(found, []) == []


def test_a_change_since_version_0_2_is_noticed(file: Path) -> None:
    old = digest_of_version_0_2(file.read_text())
    file.write_text(file.read_text().replace("return 0", "return 1"))

    found = records_of([OwnRun(SPEC)], {SPEC: OwnRecord((old,))})

    assert found[SPEC].digests == (old, own_source(SPEC).digest)
    [notice] = notices_of(found, [])
    assert "Mine has changed" in notice
