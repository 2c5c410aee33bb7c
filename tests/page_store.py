"""A store of made-up results that feeds every part of the page."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from bakeoff.reading.catalog.paper import tuning_ids
from bakeoff.store.rows import rows_of
from bakeoff.store.store import Store
from tests.results import result, skyline
from tests.stores import FACTS, job_of, runs_at

HOSTILE = "<script>alert(1)</script>"
OWN = "own\"><img src=x onerror='alert(2)'>"
RATES = (0.01, 0.1, 1.0)
NOTHING: Mapping[str, str] = MappingProxyType({})
ORDERS = 4  # of the problems whose number divides by three


class Kind(NamedTuple):
    """An algorithm as rows of results name it, and how much worse it is."""

    algorithm: str
    explorer: str
    reduction: str | None
    encoding: str
    worse: float


KINDS = (
    Kind("G", "greedy", "iwr", "-1/0", 0.05),
    Kind("RO", "regcb:c0=0.001,optimistic", None, "-1/0", 0.02),
    Kind("RO", "regcb:c0=0.1,optimistic", None, "-1/0", 0.03),
    Kind("eG", "epsilon-greedy:epsilon=0.02", "iwr", "-1/0", 0.09),
    Kind("B", "bag:n_policies=4", "iwr", "-1/0", 0.06),
    Kind("B", "bag:n_policies=4", "dr", "-1/0", 0.08),
    Kind("B", "bag:n_policies=4", "ips", "-1/0", 0.10),
    Kind("B", "bag:n_policies=8", "iwr", "-1/0", 0.06),
    Kind("B", "bag:n_policies=8", "dr", "-1/0", 0.07),
    Kind("B", "bag:n_policies=8", "ips", "-1/0", 0.11),
    Kind(OWN, "python:mine.Own,a=1", None, "-1/0", 0.04),
    Kind(OWN, "python:mine.Own,a=2", None, "-1/0", 0.04),
    Kind("G", "greedy", "iwr", "0/1", 0.09),
    Kind("RO", "regcb:c0=0.001,optimistic", None, "0/1", 0.03),
    Kind("RO", "regcb:c0=0.1,optimistic", None, "0/1", 0.03),
    Kind("eG", "epsilon-greedy:epsilon=0.02", "iwr", "0/1", 0.05),
)


def facts_of(number: int) -> dict[str, Any]:
    """A problem: every fifth has real-valued costs, every other was for tuning."""
    tasks = ("multiclass", "multilabel", "multiclass", "multiclass", "cost-sensitive")
    actions = (2, 3, 10, 4)[number % 4]
    return {
        "problem": HOSTILE if number == 0 else f"data-{number}",
        "digest": f"{number:04x}" * 16,
        "task": tasks[number % 5],
        "n": 150 * (1 + number) ** 2,
        "n_features": 7 * (1 + number % 9) ** 2,
        "n_actions": actions,
        "openml_id": tuning_ids()[number] if number % 2 == 0 else None,
        "constant_action_cost": 0.6,
        "uniform_cost": 1 - 1 / actions,
    }


def rows_on(
    number: int, rng: np.random.Generator, called: Mapping[str, str]
) -> list[dict[str, Any]]:
    """All results on a problem; number 4 has no skyline, that of number 5 is 0."""
    facts = facts_of(number)
    n, easy = facts["n"], rng.uniform(0.05, 0.4)
    rounds = np.unique(np.geomspace(1, n, 20).astype(int))
    rows = []
    for shuffle in range(1, 1 + (ORDERS if number % 3 == 0 else 1)):
        if number != 4:
            loss = 0.0 if number == 5 else easy
            rows.append(skyline(loss, shuffle=shuffle, run="oaa", **facts))
        for kind in KINDS:
            for rate in RATES:
                off = 0.02 * abs(np.log10(rate) - rng.uniform(-2, 0))
                mean = easy + kind.worse * rng.uniform(0, 2) + off
                loss = rng.binomial(n, min(mean, 1)) / n
                settings = kind._asdict()
                del settings["worse"]
                settings["algorithm"] = called.get(kind.algorithm, kind.algorithm)
                rows.append(result(
                    loss, **facts, **settings, shuffle=shuffle, learning_rate=rate,
                    run=" ".join(map(str, (*kind[:4], rate))),
                    ips_reward=facts["uniform_cost"] + rng.normal(0, 0.1),
                    ips_loss=facts["uniform_cost"] + rng.normal(0, 0.2),
                    run_seconds=n * (1 + 10 * kind.worse) * 1e-6,
                    curve_rounds=rounds.tolist(),
                    curve_loss=np.minimum(loss * (1 + 2 / np.sqrt(rounds)), 1).tolist(),
                ))  # fmt: skip
    if number == 1:
        rows.append(result(None, **facts, run="bad", learning_rate=5.0))
    return rows


def made_up_store(folder: Path, n_problems: int = 24, called: Mapping[str, str] = NOTHING) -> Store:
    """Results of six algorithms, one of them somebody's own; some may be renamed."""
    rng = np.random.default_rng(0)
    store = Store(folder)
    with store.writing():
        for number in range(n_problems):
            rows = rows_of(rows_on(number, rng, called))
            facts = replace(FACTS, digest=facts_of(number)["digest"])
            store.write(job_of(runs_at(0.1), facts=facts), rows)
    return store
