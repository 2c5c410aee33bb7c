"""The study: datasets of a folder or suite, and the experiments of its stages."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.experiment import Experiment
from bakeoff.reading.catalog import UnreachableError, find_all, read
from bakeoff.reading.options import Options
from bakeoff.reproduction.stages import Dataset, Stage


class Part(NamedTuple):
    """A stage and its experiment."""

    stage: Stage
    experiment: Experiment


def datasets_of(source: str) -> list[Dataset]:
    """The datasets of a folder or suite; what cannot be read is left out and named."""
    result: list[Dataset] = []
    unreached: list[UnreachableError] = []
    for one in find_all([source]):
        try:
            problem = read(one, Options())
        except UnreachableError as error:
            unreached.append(error)
        except BakeoffError as error:
            notify(f"{one.name} is left out: {error}")
        else:
            result.append(Dataset(one, problem.task, problem.n))
    if unreached:
        datasets = counted(len(unreached), "dataset")
        notify(f"left out for want of a network: {datasets}; {unreached[0]}")
    if not result:
        raise DataError(f"{source} has no dataset that can be read")
    return result


def parts_of(stages: Sequence[Stage], datasets: Sequence[Dataset]) -> Iterator[Part]:
    """The stages that have datasets to be played on."""
    for stage in stages:
        sources = [dataset.source for dataset in datasets if stage.takes(dataset)]
        if sources:
            yield Part(stage, Experiment(sources, stage.runs, shuffles=stage.shuffles))
