"""Display: the time that is left goes by work; notebooks show it, too."""

import io
import sys
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console

from bakeoff import Experiment, grid
from bakeoff.experiment.display import Bars, Tally, duration, size
from bakeoff.experiment.engines.workbench import failure
from bakeoff.experiment.older_code import Codes
from bakeoff.experiment.plan import Plan
from bakeoff.store.jobs import Group, Job, groups_of, planned
from tests.stores import FACTS, runs_at

SMALL = replace(FACTS, name="small", digest="cd" * 32)
WIDE = replace(FACTS, name="wide", n=10**6, nonzeros=10**5 * FACTS.nonzeros, n_actions=30)


def plan_of(*jobs: Job) -> Plan:
    groups: list[Group] = []
    return Plan([], groups, list(jobs), list(jobs), [], {}, {}, {}, {}, Codes((), {}, {}))


def test_a_wide_dataset_that_comes_first_does_not_stretch_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [group] = groups_of(runs_at(0.1, 1.0))
    several = [replace(SMALL, digest=f"{i:064x}") for i in range(99)]
    jobs = planned([(WIDE, (1,)), *((facts, (1,)) for facts in several)], [group])
    clock = iter([0.0, 0.0, 60.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    watcher = Tally()
    watcher.planned(plan_of(*jobs))

    assert jobs[0].facts is WIDE  # the longest comes first
    watcher.worked(jobs[0], 2 * WIDE.n)

    # By runs one per cent is done, which would leave 99 minutes.
    left = watcher.seconds_left
    work = sum(job.work for job in jobs)
    assert left == pytest.approx(60 * (work / jobs[0].work - 1))
    assert left is not None
    assert left < 10


def test_at_the_start_no_time_is_told_and_a_slow_rate_is_not_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    [group] = groups_of(runs_at(0.1))
    jobs = planned([(SMALL, tuple(range(1, 301)))], [group])
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    watcher = Tally()
    watcher.planned(plan_of(*jobs))

    now[0] = 30.0
    for job in jobs[:2]:
        watcher.worked(job, job.facts.n)
    watcher.n_done = 2
    early = watcher.seconds_left
    watcher.worked(jobs[2], jobs[2].facts.n)
    watcher.worked(jobs[3], jobs[3].facts.n)

    assert early is None
    assert watcher.seconds_left == pytest.approx(30 * (300 / 4 - 1))
    assert watcher.rate == "0.1"
    watcher.n_done = 30_000
    assert watcher.rate == "1,000"


def test_nothing_is_left_when_all_is_done() -> None:
    [group] = groups_of(runs_at(0.1))
    jobs = planned([(SMALL, (1, 2, 3))], [group])
    watcher = Tally()
    watcher.planned(plan_of(*jobs))

    for job in jobs:
        watcher.worked(job, 100)
        watcher.worked(job, job.facts.n - 100)

    assert watcher.seconds_left == pytest.approx(0, abs=1e-9)


def test_a_time_is_told_in_the_unit_that_suits_it() -> None:
    times = [0.01, 20, 89, 120, 7200]

    assert [*map(duration, times)] == ["1 s", "20 s", "89 s", "2 min", "2.0 h"]


def test_a_size_is_told_in_the_unit_that_suits_it() -> None:
    sizes = [10.0, 4.6e6, 9.99e8, 1e9, 2.34e10]

    assert [*map(size, sizes)] == ["1 MB", "5 MB", "999 MB", "1.0 GB", "23.4 GB"]


# ---- in a notebook


class Output:
    """A widget that is redrawn in place, as far as rich needs one."""

    cleared = 0

    def __enter__(self) -> "Output":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def clear_output(self, *, wait: bool) -> None:
        Output.cleared += wait

    def close(self) -> None:
        pass


def module_named(name: str, **contents: object) -> ModuleType:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    vars(module).update(contents)
    return module


@pytest.mark.parametrize("has_widgets", [True, False])
def test_a_notebook_shows_how_far_an_experiment_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, has_widgets: bool
) -> None:
    shown: list[Any] = []
    display = module_named("IPython.display", display=shown.append)
    modules = {"IPython": module_named("IPython"), "IPython.display": display}
    if has_widgets:
        modules["ipywidgets"] = module_named("ipywidgets", Output=Output)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr(Output, "cleared", 0)

    runs = grid(["greedy", "supervised"], learning_rates=[1])
    Experiment("embedded:iris", runs).run(tmp_path)

    texts = [one.text for one in shown if not isinstance(one, Output)]
    if has_widgets:
        assert isinstance(shown[0], Output)  # one place, drawn again and again
        assert Output.cleared == len([text for text in texts if text.strip()]) > 1
        assert "reading" in texts[0]
        assert any("running" in text and "/2 runs" in text for text in texts)
    else:
        assert texts == ["2 of 2 runs to do on 1 problem\n"]


# ---- on a terminal


def screen_of(width: int, *steps: Any) -> str:
    """What a bar looks like on a terminal after some steps."""
    console = Console(width=width, force_terminal=True, file=io.StringIO(), color_system=None)
    bars = Bars(console)
    for step in steps:
        step(bars)
    console.print(bars._bar.get_renderable())
    return console.file.getvalue()  # type: ignore[attr-defined]


def many_jobs() -> list[Job]:
    several = [replace(SMALL, digest=f"{i:064x}", name=f"a-long-name-{i}") for i in range(9)]
    [group] = groups_of(runs_at(0.1, 1.0))
    return planned([(facts, (1,)) for facts in several], [group])


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_the_bar_fits_the_terminal_and_ends_at_100_percent(width: int) -> None:
    jobs = many_jobs()

    def fail(bars: Bars) -> None:
        bars.planned(plan_of(*jobs))
        bars.n_runs, bars.n_done = 37_200, 37_182
        for job in jobs:
            bars.worked(job, 3)
            bars.finished(failure(job, "no"))

    lines = screen_of(width, fail).splitlines()

    assert len(lines) == 1
    assert len(lines[0]) <= width
    assert "100%" in lines[0]
    assert "37,200/37,200 runs" in lines[0]
    assert "18 failed" in lines[0]


def test_compiling_is_a_phase_of_its_own() -> None:
    jobs = many_jobs()
    steps = [lambda bars: bars.planned(plan_of(*jobs)), lambda bars: bars.compiling(2, 6)]

    during = screen_of(80, *steps)
    after = screen_of(80, *steps, lambda bars: bars.compiling(6, 6))

    assert "compiling 3 of 6" in during
    assert "33%" in during
    assert "0 s, then 18 runs" in during
    assert "/s" not in during
    assert "running" in after
    assert "0%" in after
    assert "0/18 runs" in after
    assert "/s" not in after  # nothing is done yet
