"""Loops are compiled ahead in processes of their own, which must not end a run."""

import sys
from pathlib import Path

import pytest

from bakeoff import Run
from bakeoff.core import jit
from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.jit import compiled
from bakeoff.core.kernel_folder import KernelFolder
from bakeoff.core.rounds import rounds_name
from bakeoff.simulation.compile_ahead import compile_ahead

module = sys.modules["bakeoff.simulation.compile_ahead"]  # the function has its name
pytestmark = pytest.mark.skipif(not compiled, reason="nothing is compiled")
LOOPS = [Run("greedy"), Run("epsilon-greedy"), Run("bag")]  # two loops in all


def nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a new machine; the processes will find the cache as it is."""
    monkeypatch.setattr(module, "is_compiled", lambda _: False)


def test_each_missing_loop_is_compiled_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    nothing_is_cached(monkeypatch)

    compile_ahead(LOOPS, 2)

    said = capfd.readouterr().err.splitlines()
    assert said[0].startswith("bakeoff: compiling 2 loops, once, 2 at a time (kept in ")
    assert sorted(line.split()[2] for line in said[1:]) == ["rounds_bag,", "rounds_epsilon_greedy,"]
    assert "2 of 2" in said[2]


def test_a_temporary_folder_is_shared_with_the_processes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    usual = jit.kernel_folder().path
    assert usual is not None
    (tmp_path / "file").write_text("not a folder")
    kernels = KernelFolder(tmp_path / "file", usual.name.partition("-")[2])
    monkeypatch.setattr(module, "kernel_folder", lambda: kernels)
    nothing_is_cached(monkeypatch)

    compile_ahead(LOOPS, 2)

    said = capfd.readouterr().err.splitlines()
    assert said[0].startswith(f"bakeoff: compiled loops cannot be kept in {tmp_path}")
    assert len(said) == 4
    assert kernels.has(rounds_name(EXPLORERS["bag"]))
    assert kernels.has(rounds_name(EXPLORERS["epsilon-greedy"]))


@pytest.mark.parametrize(("runs", "processes"), [(LOOPS[:2], 2), (LOOPS, 1)])
def test_nothing_is_started_where_nothing_is_gained(
    runs: list[Run],
    processes: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    nothing_is_cached(monkeypatch)

    compile_ahead(runs, processes)

    assert capfd.readouterr().err == ""


def test_what_is_cached_is_left_alone(capfd: pytest.CaptureFixture[str]) -> None:
    compile_ahead([], 2)

    assert capfd.readouterr().err == ""


def test_processes_that_die_leave_the_work_to_others(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    nothing_is_cached(monkeypatch)
    monkeypatch.setattr(sys, "executable", "/bin/false")

    compile_ahead(LOOPS, 2)

    assert len(capfd.readouterr().err.splitlines()) == 1  # only that it began
