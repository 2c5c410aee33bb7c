"""Suites: named lists of problems."""

import importlib
from collections.abc import Mapping
from typing import Any, Literal

from bakeoff.reading.catalog.source import Source

SuiteName = Literal[
    "embedded",
    "paper",
    "paper-multiclass",
    "paper-tuning",
    "paper-held-out",
    "paper-multilabel",
    "paper-cost-sensitive",
    "uci",
]
SUITES: dict[str, tuple[str, str]] = {  # name -> (module, what it holds)
    "embedded": ("embedded", "small problems that come with bakeoff; no download"),
    "paper": ("paper", "all 524 datasets of the paper"),
    "paper-multiclass": ("paper", "the paper's 516 multiclass datasets of OpenML"),
    "paper-tuning": ("paper", "the 199 of them on which it chose hyperparameters"),
    "paper-held-out": ("paper", "the other 317, on which it compared algorithms"),
    "paper-multilabel": ("paper", "its 5 multilabel datasets"),
    "paper-cost-sensitive": ("paper", "RCV1 with tree costs, MSLR-30K, Yahoo"),
    "uci": ("paper", "8 of them, known from the UCI repository"),
}


def sources_of(suite: str, local: Mapping[int | str, Source]) -> list[Source]:
    """The problems of a suite; those in `local` (by OpenML id or name) from there."""
    module: Any = importlib.import_module(f"{__package__}.{SUITES[suite][0]}")
    sources: list[Source] = module.sources(suite, local)
    return sources
