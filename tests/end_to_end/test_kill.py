"""SIGKILL at any moment loses at most the jobs in flight."""

from pathlib import Path

import pytest

from benchmarks.kills import Moment, complaints, finish, kill, kill_until_done, moments

WORDS = ("embedded:iris", "embedded:breast_cancer", "-a", "greedy",
         "-a", "epsilon-greedy reduction=dr", "-a", "supervised",
         "--shuffles", "25", "--jobs", "2")  # fmt: skip


STREAMS = ("embedded:iris | delay(20) | noise(0.1)",
           "embedded:breast_cancer | drift(after=0.5) | lost(0.2)", *WORDS[2:])  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", [WORDS, STREAMS], ids=["problems", "streams"])
def test_a_run_that_is_killed_and_resumed_is_as_if_nothing_had_happened(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    finish(tmp_path / "compiled", [*words, "--shuffles", "1"])  # takes no time, then
    seconds = finish(tmp_path / "whole", words)
    when = moments(seed=4, longest=seconds / 3)

    kills = kill_until_done(tmp_path / "killed", words, when, times=4)

    assert len(kills) >= 2  # else the machine was too quick for any kill
    assert [one.n_jobs for one in kills] == sorted(one.n_jobs for one in kills)
    assert complaints(tmp_path / "killed", tmp_path / "whole") == []


@pytest.mark.slow
def test_a_run_goes_on_without_a_worker_that_is_killed(tmp_path: Path) -> None:
    words = [*WORDS, "--engine", "dask"]
    finish(tmp_path / "whole", WORDS)
    when = iter([Moment(True, seconds, "worker") for seconds in (0.0, 0.1)])

    kills, is_done = kill(tmp_path / "killed", words, when, times=2)

    assert is_done
    assert [one.moment.victim for one in kills] == ["worker"] * 2
    assert complaints(tmp_path / "killed", tmp_path / "whole") == []
