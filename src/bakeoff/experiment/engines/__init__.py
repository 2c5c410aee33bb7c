"""Engines: where jobs are carried out; all give the same rows. workbench.py says how."""

import importlib
from typing import Literal

from bakeoff.basics.errors import SpecError
from bakeoff.experiment.engines.workbench import Engine, Where

EngineName = Literal["local", "dask"]
ENGINES: dict[EngineName, str] = {  # the modules whose `engine(where)` makes them
    "local": "bakeoff.experiment.engines.local",
    "dask": "bakeoff.experiment.engines.dask.driver",
}


def engine_of(engine: Engine | str | None, where: Where | None = None) -> Engine:
    """The engine itself, the one with this name, or by default the local one.

    Its module is imported only now, because importing Dask is slow.
    """
    where = where or Where()
    check_engine(engine, where)
    if callable(engine):
        return engine
    modules = {str(name): module for name, module in ENGINES.items()}
    result: Engine = importlib.import_module(modules[engine or "local"]).engine(where)
    return result


def check_engine(engine: Engine | str | None, where: Where) -> None:
    """Refuse an unknown engine, and options that it does not take."""
    if not (engine is None or callable(engine) or engine in ENGINES):
        raise SpecError(f"engine must be {' or '.join(ENGINES)}, got {engine!r}")
    if where.workers is not None and where.workers < 1:
        raise SpecError(f"jobs must be at least 1, got {where.workers}")
    if where.address is not None and engine != "dask":
        raise SpecError(
            "an address is for the dask engine: add --engine dask (in Python, engine='dask')"
        )
