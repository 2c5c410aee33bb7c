"""Own learners in processes of their own, as experiments play them."""

from typing import Any

import numpy as np

from bakeoff.data import Problem
from bakeoff.learners.process import Apart, Report
from bakeoff.runs import Run
from bakeoff.simulation import Curve, Result


def play_apart(
    apart: Apart,
    problem: Problem,
    run: Run,
    limit: float | None = None,
    report: Report = lambda done: None,
) -> Result:
    """The result of a run that `apart` plays, within `limit` seconds.

    `report` is told now and then how many events are done.
    """
    question = {
        "do": "play",
        "explorer": run.explorer,
        "learning_rate": run.learning_rate,
        "offset": run.offset,
        "seed": run.seed,
    }
    answer = apart.ask(question, problem, limit=limit, report=report)
    return _result(problem, run, answer)


def _result(problem: Problem, run: Run, answer: dict[str, Any]) -> Result:
    curve = Curve(np.array(answer["rounds"], np.int64), np.array(answer["curve"]))
    return Result(
        run=run,
        n=problem.n,
        pv_loss=answer["pv_loss"],
        curve=curve,
        ips_reward=answer["ips_reward"],
        ips_loss=answer["ips_loss"],
        uniform_cost=problem.uniform_cost,
        seconds=answer["seconds"],
    )
