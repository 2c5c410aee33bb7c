"""Scripts for contributors: the tests of a room, and the line `Results:` of commits."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.room_tests import MORE, main, paths_of
from tests.rooms import rooms

ROOT = Path(__file__).parents[2]


def test_every_room_has_tests() -> None:
    assert set(MORE) == set(rooms())
    assert [room for room in MORE if len(paths_of(room)) < 2] == []


@pytest.mark.parametrize("room", MORE)
def test_every_pattern_finds_tests(room: str) -> None:
    assert [one for one in MORE[room] if not list((ROOT / "tests").glob(one))] == []


@pytest.mark.parametrize("words", [[], ["kitchen"]])
def test_an_unknown_room_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "simulation" in capsys.readouterr().err


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the script, and one commit."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "check_results_lines", tmp_path / "scripts")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path, "core/bandit.py", "the first, which says nothing")
    git(tmp_path, "tag", "v1")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


def commit(folder: Path, file: str, message: str) -> None:
    path = folder / "src" / "bakeoff" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(message)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def checked(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [folder / "scripts" / "check_results_lines", *words],
        check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.parametrize("file", ["core/oracles/csc.py", "simulation/lanes.py", "runs/run.py"])
def test_a_commit_that_could_change_results_must_say_so(repository: Path, file: str) -> None:
    commit(repository, file, "runs: faster")
    commit(repository, "report/page.py", "report: wider")

    done = checked(repository)

    assert done.returncode == 1
    assert [line.partition(" ")[2][:12] for line in done.stderr.splitlines()] == ["runs: faster"]


@pytest.mark.parametrize("line", ["Results: unchanged", "Results: changed (greedy 0.1 -> 0.2)"])
def test_a_commit_that_says_so_passes(repository: Path, line: str) -> None:
    commit(repository, "core/bandit.py", f"core: simpler\n\n{line}")

    assert checked(repository).returncode == 0


@pytest.mark.parametrize("line", ["Results: changed", "results: unchanged", "Results: see above"])
def test_other_words_do_not_count(repository: Path, line: str) -> None:
    commit(repository, "core/bandit.py", f"core: simpler\n\n{line}")

    assert checked(repository).returncode == 1


def test_only_commits_after_the_base_count(repository: Path) -> None:
    commit(repository, "core/bandit.py", "core: says nothing")
    base = git(repository, "rev-parse", "HEAD").strip()
    commit(repository, "report/page.py", "report: wider")

    assert checked(repository, base).returncode == 0
    assert checked(repository, "v1").returncode == 1
    assert checked(repository, "v7").returncode == 2


def test_without_a_repository_there_is_nothing_to_check(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "check_results_lines", tmp_path / "scripts")

    assert checked(tmp_path).returncode == 0
