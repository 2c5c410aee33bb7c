"""Every configuration a run can have, derived from the explorers that are found.

A new explorer file is in CONFIGURATIONS, and so in every generic test, as it is.
"""

import itertools
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from bakeoff import Learner
from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.explorers.base import Explorer
from bakeoff.runs.run import Run
from bakeoff.runs.specs import explorer_of, parse, to_text

# Values that make something happen within a few hundred rounds; defaults elsewhere.
LIVELY = {
    "n_policies": 3, "epsilon": 0.2, "psi": 0.5, "c0": 0.02, "decay": 0.25, "gamma": 5.0,
    "sharpness": 3.0, "tau": 40, "ridge": 2.0,
}  # fmt: skip


class Configuration(NamedTuple):
    """What a run is, but for its learning rate, offset and seed."""

    spec: str
    reduction: str | None
    baseline: bool

    @property
    def explorer(self) -> Explorer:
        """The record of the explorer."""
        return explorer_of(parse(self.spec))

    @property
    def has_log_loss(self) -> bool:
        """Whether it regresses on the log loss."""
        return self.explorer.has_log_loss(parse(self.spec))

    def run(self, *, learning_rate: float = 0.5, offset: float = 0, seed: int = 0) -> Run:
        """A run; offset and seed are left out where they have no effect."""
        if self.explorer.sees_all_costs:
            offset = seed = 0
        return Run(self.spec, self.reduction, learning_rate, offset, self.baseline, seed)

    def learner(
        self,
        n_actions: int | None,
        *,
        learning_rate: float = 0.5,
        offset: float = 0,
        seed: int = 0,
        **settings: Any,
    ) -> Learner:
        """A learner; there is none of a skyline."""
        return Learner(
            self.spec,
            n_actions,
            reduction=self.reduction,
            learning_rate=learning_rate,
            offset=offset,
            baseline=self.baseline,
            seed=seed,
            **settings,
        )

    def __str__(self) -> str:
        parts = [self.spec, self.reduction, "baseline" if self.baseline else None]
        return " ".join(part for part in parts if part)


def settings_of(explorer: Explorer) -> Iterator[Any]:
    """Settings with lively values, and every flag both ways."""
    kinds = fields(explorer.settings)
    flags = [field.name for field in kinds if field.type in (bool, "bool")]
    values = {f.name: LIVELY[f.name] for f in kinds if f.name in LIVELY}
    for switches in itertools.product((False, True), repeat=len(flags)):
        chosen = dict(zip(flags, switches, strict=True))
        if not (chosen.get("elim") and chosen.get("logistic")):  # bounds of the squared loss
            yield explorer.settings(**values, **chosen)


def configurations_of(explorer: Explorer) -> Iterator[Configuration]:
    """Every configuration of an explorer; IPS and the skyline have no baseline."""
    for settings in settings_of(explorer):
        log_loss = explorer.has_log_loss(settings)
        for reduction in explorer.reductions or (None,):
            if explorer.objection(settings, reduction) or (
                log_loss and reduction not in (None, "iwr")
            ):
                continue
            refused = reduction == "ips" or explorer.sees_all_costs or explorer.own_oracle
            for baseline in (False,) if refused or log_loss else (False, True):
                yield Configuration(to_text(settings), reduction, baseline)


CONFIGURATIONS = [c for e in EXPLORERS.values() for c in configurations_of(e)]
"""All of them."""

BANDITS = [c for c in CONFIGURATIONS if not c.explorer.sees_all_costs]
"""Those that learn from the cost of the action taken alone."""

SKYLINES = [c for c in CONFIGURATIONS if c.explorer.sees_all_costs]
"""Those that see every cost."""

EXPLOSIVE = [c for c in CONFIGURATIONS if not c.explorer.own_oracle]
"""Those whose scores can stop being finite: ridge regression has double precision."""

ONE_PER_EXPLORER = [next(configurations_of(e)) for e in EXPLORERS.values()]
"""The first of each explorer."""
