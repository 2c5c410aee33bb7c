"""The study: datasets of a folder or suite, and the experiments of its stages."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.experiment import Experiment
from bakeoff.reading.catalog import Source, UnreachableError, find_all, read
from bakeoff.reading.options import Options
from bakeoff.reproduction.stages import Dataset, Stage


class Part(NamedTuple):
    """A stage and its experiment on datasets that are played in the same orders."""

    stage: Stage
    experiment: Experiment
    shuffles: int


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


def parts_of(
    stages: Sequence[Stage], datasets: Sequence[Dataset], shuffles: int | None = None
) -> Iterator[Part]:
    """The stages that have datasets to be played on; `shuffles` overrules how often."""
    for stage in stages:
        by_orders: dict[int, list[Source]] = {}
        for dataset in filter(stage.takes, datasets):
            by_orders.setdefault(stage.orders(dataset.n, shuffles), []).append(dataset.source)
        for orders, sources in sorted(by_orders.items(), reverse=True):
            yield Part(stage, Experiment(sources, stage.runs, shuffles=orders), orders)
