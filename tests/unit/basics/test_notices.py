"""Notices point at the line of the user, not at ours."""

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bakeoff import Experiment, Problem, Run, simulate
from bakeoff.basics.errors import DataError, DataNotice, ResultsError, SpecError
from bakeoff.basics.notices import notify
from bakeoff.experiment.engines import engine_of
from bakeoff.experiment.engines.workbench import Done, Where, Workbench
from bakeoff.store.jobs import Job
from bakeoff.store.store import opened


def test_a_notice_points_at_the_caller_of_the_package() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        notify("something was decided")

    [one] = caught
    assert one.category is DataNotice
    assert one.filename == __file__


def test_a_notice_of_an_experiment_points_at_the_line_that_ran_it(tmp_path: Path) -> None:
    X = [[0.0, 1.0], [1.0, 0.0]]
    twins = [Problem.from_classes(X, [0, 1], name=name) for name in ("a", "b")]
    with pytest.warns(DataNotice, match="holds the same data") as caught:
        Experiment(twins, [Run("supervised")]).run(tmp_path / "results")

    assert {one.filename for one in caught} == {__file__}


def test_simulate_says_what_it_takes() -> None:
    with pytest.raises(DataError, match=r"got 'embedded:iris'; write load\('embedded:iris'"):
        simulate("embedded:iris", [Run("greedy")])  # type: ignore[arg-type]


def test_a_store_that_is_missing_is_called_missing(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="there is no such folder"):
        opened(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultsError, match="is a file"):
        opened(tmp_path / "file")


def test_engines_have_names() -> None:
    def engine(jobs: Sequence[Job], bench: Workbench) -> Iterator[Done]:
        yield from ()

    assert engine_of(engine) is engine
    with pytest.raises(SpecError, match="engine must be local or dask, got 'dusk'"):
        engine_of("dusk")
    with pytest.raises(SpecError, match="an address is for the dask engine"):
        engine_of(None, Where(address="tcp://there:1"))
