"""Parts of the Dask engine that need no cluster."""

import importlib
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bakeoff import Problem, Run, simulate
from bakeoff.basics.errors import SpecError
from bakeoff.data.facts import Facts
from bakeoff.experiment.engines.dask import driver as dask
from bakeoff.experiment.engines.dask.clusters import check_versions
from bakeoff.experiment.engines.dask.remote import aligned
from bakeoff.experiment.engines.job_memory import Memory
from bakeoff.experiment.engines.workbench import Where
from bakeoff.store.jobs import groups_of, planned


def problem(name: str = "a") -> Problem:
    rng = np.random.default_rng(list(name.encode()))
    return Problem.from_classes(rng.random((20, 3)), rng.integers(0, 3, 20), name=name)


def at_an_odd_address(problem: Problem) -> Problem:
    """The problem with an array as it may come out of a network's buffer."""
    start = problem.contexts.start
    buffer = bytearray(1) + bytearray(start.tobytes())
    odd = np.frombuffer(buffer, start.dtype, offset=1)
    return replace(problem, contexts=problem.contexts._replace(start=odd))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "bakeoff.experiment.engines.dask.driver")

    with pytest.raises(SpecError, match=r"needs an extra: pip install 'bakeoff\[dask\]"):
        importlib.import_module("bakeoff.experiment.engines.dask.driver")


def test_an_address_and_a_number_of_workers_contradict_each_other() -> None:
    with pytest.raises(SpecError, match="give an address or a number"):
        dask.engine(Where(2, "tcp://x:1"))


@pytest.mark.parametrize(
    ("theirs", "said"),
    [(None, "worker tcp://x:1 has no bakeoff"), ("0.0.1", "has bakeoff 0.0.1, but")],
)
def test_a_member_of_a_cluster_with_another_version_is_named(theirs: str | None, said: str) -> None:
    class Client:
        def get_versions(self, packages: list[str]) -> dict[str, Any]:
            ours = {"packages": {"bakeoff": "1.0"}}
            other = {"packages": {"bakeoff": theirs}}
            return {"client": ours, "scheduler": ours, "workers": {"tcp://x:1": other}}

    with pytest.raises(SpecError, match=said):
        check_versions(Client())


def test_arrays_from_a_wire_become_those_of_the_kernels() -> None:
    given = at_an_odd_address(problem())

    found = aligned(given)

    assert not given.contexts.start.flags.aligned
    assert all(array.flags.behaved for array in (*found.contexts, *found.true_costs))
    assert found.digest == problem().digest
    assert aligned(found) is found
    run = Run("greedy")
    assert simulate(found, [run])[0].pv_loss == simulate(problem(), [run])[0].pv_loss


def test_jobs_of_a_problem_stay_together_in_the_order_of_their_first() -> None:
    facts = [(Facts.of(problem(name)), [1, 2, 3, 4]) for name in ("a", "b")]
    jobs = planned(facts, groups_of([Run("greedy"), Run("supervised")]))
    mixed = jobs[::2] + jobs[1::2]

    ordered = dask._by_problem(mixed)

    names = [job.facts.name for job in ordered]
    assert names == [mixed[0].facts.name] * 4 + [names[-1]] * 4
    assert set(ordered) == set(jobs)


def test_a_job_gets_its_share_but_at_least_room_for_one_run() -> None:
    [job] = planned([(Facts.of(problem()), [1])], groups_of([Run("greedy")]))
    each = job.group.bytes_per_lane(job.facts)

    assert Memory(most=9 * each, share=3 * each).of_job(job) == each  # has but one run
    assert Memory(most=9 * each, share=each // 2).of_job(job) == each
    assert Memory(most=each // 2, share=each // 2).of_job(job) == each // 2  # an error
