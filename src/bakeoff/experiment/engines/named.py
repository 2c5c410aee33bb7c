"""Engines by name: what `engine="dask"` stands for."""

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, get_args

from bakeoff.errors import SpecError
from bakeoff.experiment.engines.work import Done

Engine = Callable[..., Iterator[Done]]
EngineName = Literal["local", "dask"]


def engine_of(
    given: Engine | str | None, address: str | None = None, workers: int | None = None
) -> Engine | None:
    """An engine that is given, or the one of this name; None is the local one.

    Dask is imported only where it is asked for.
    """
    if address is not None and given != "dask":
        raise SpecError("an address is for the dask engine: add engine dask")
    if given is None or given == "local":
        return None
    if callable(given):
        return given
    if given != "dask":
        known = " or ".join(get_args(EngineName))
        raise SpecError(f"engine must be {known}, got {given!r}")
    dask = importlib.import_module("bakeoff.experiment.engines.dask")
    return partial(dask.run, address=address, workers=workers)
