"""Stages: the parts of the paper's study, each an experiment of its own.

All go into one store, and each computes only what is not there yet.

Every dataset is played in ten orders of its rows, as far as time allows: a stage gives a
dataset so many that they fit into a budget of run-examples, and at least three.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.judging import BINARY
from bakeoff.reading.catalog import Source
from bakeoff.runs import RAW, Baseline, Run, grid

ORDERS = 10  # of the rows of a dataset
FEWEST = 3  # orders of a large dataset: a paired test needs as many
BUDGET = 100_000_000  # run-examples of a stage on one dataset; a core plays a million in 1-3 s
SMALL = 2000  # examples: such datasets take minutes in all
REAL = ("cost-sensitive", "ranking")
WITH_BASELINE = (  # below Table `baseline_opt`
    "greedy", "regcb:c0=1e-3", "regcb:c0=1e-3,optimistic",
    "cover:n_policies=16,psi=0.1,nu reduction=dr", "cover:n_policies=4,psi=0.1,nu",
    "bag:n_policies=4", "bag:n_policies=4,greedy", "epsilon-greedy:epsilon=0.02",
    "cover:n_policies=4,psi=0.1 reduction=ips", "active:epsilon=0.02,c0=1e-6",
)  # fmt: skip
NINE_TEN = ("greedy", "cover:n_policies=4,psi=0.1,nu", "bag:n_policies=4,greedy")


class Dataset(NamedTuple):
    """A source, and what decides which stages it takes part in."""

    source: Source
    task: str
    n: int


@dataclass(frozen=True)
class Stage:
    """Runs, and the datasets they are played on."""

    name: str
    what: str
    algorithms: tuple[str, ...]
    encodings: tuple[str, ...] = ("-1/0", "0/1")
    baseline: Baseline = "off"
    tasks: tuple[str, ...] = BINARY
    largest: int | None = None  # examples of a dataset
    all_orders: bool = False  # whatever it takes
    inputs: tuple[str, ...] = (RAW,)
    most: int = ORDERS  # orders of a dataset ...
    fewest: int = FEWEST  # ... and of a large one
    budget: int = BUDGET

    @cached_property
    def runs(self) -> list[Run]:
        """The runs of this stage."""
        return grid(
            self.algorithms, encodings=self.encodings, baseline=self.baseline, inputs=self.inputs
        )

    def orders(self, n: int, most: int | None = None) -> int:
        """In how many orders a dataset of n examples is played; `most` overrules."""
        if most is not None or self.all_orders:
            return most or ORDERS
        affordable = self.budget // max(1, n * len(self.runs))
        return min(self.most, max(self.fewest, affordable))

    def takes(self, dataset: Dataset) -> bool:
        """Whether this stage uses a dataset."""
        is_small = self.largest is None or dataset.n <= self.largest
        return dataset.task in self.tasks and is_small


STAGES = (
    Stage(
        "small", f"fixed hyperparameters, datasets of at most {SMALL:,} examples",
        ("fixed",), largest=SMALL,
    ),
    Stage("fixed", "fixed hyperparameters, with the counterfactual evaluation",
          ("fixed",)),
    Stage("costs", "cost-sensitive and ranking datasets", ("fixed",), tasks=REAL,
          all_orders=True),
    Stage("baseline", "with and without a baseline", WITH_BASELINE, ("-1/0",), "both"),
    Stage("nine-ten", "encoding 9/10, with and without a baseline", NINE_TEN,
          ("9/10",), "both"),
    Stage("grid", "the whole grid of hyperparameters", ("paper",)),
)  # fmt: skip
DEFAULT = ("small",)


def stages_named(names: Sequence[str], others: Sequence[Stage] = ()) -> list[Stage]:
    """The stages of these names, in the order of the study; "all" is every one of the paper's.

    `others` are stages that "all" does not include.
    """
    known = {stage.name: stage for stage in (*STAGES, *others)}
    for name in names:
        if name not in (*known, "all"):
            hint = did_you_mean(name, [*known, "all"])
            raise SpecError(
                f"there is no stage {name!r}{hint}; stages are {', '.join(known)}, or all"
            )
    chosen = [s for s in STAGES if "all" in names or s.name in names]
    return [*chosen, *(s for s in others if s.name in names)]
