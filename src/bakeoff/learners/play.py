"""Play users' learners: Algorithm 1 with Python objects.

`simulate` plays them here, in its own process; `serve` plays them for a `LearnerProcess`.
"""

import contextlib
import faulthandler
import gc
import json
import math
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from scipy.sparse import csr_array

from bakeoff.basics.errors import DeclinedError, LearnerError, SpecError
from bakeoff.basics.text import joined
from bakeoff.core.rounds import Sums, cost_of
from bakeoff.core.types import Floats, Ints, Sizes
from bakeoff.data import Facts, Problem, at_once
from bakeoff.learners.by_value import unpack
from bakeoff.learners.contract import (
    ProblemFacts,
    call_learner,
    checked_decision,
    describe_error,
    new_learner,
    refusal,
)
from bakeoff.learners.source import import_learner, inspect_learner, tasks_of
from bakeoff.learners.spec import OwnRun, OwnSpec, parse_own
from bakeoff.simulation import Report, Result, new_sums, result_of

_REPORT_SECONDS = 0.05  # between two reports of progress
_PIPE_LOST = 71  # exit code of a process that cannot answer any more


class OwnPlayer:
    """Plays learners one by one, since each may fail (see simulation/player.py)."""

    apart = True

    def group(self, run: OwnRun) -> Hashable:
        """Every run is a group."""
        return run

    def cost(self, run: OwnRun, facts: Facts) -> float:
        """A guess: VW and scikit-learn take 0.1 to 0.3 ms for an event of digits."""
        return 1e5 * facts.n

    def bytes_per_run(self, run: OwnRun, sizes: Sizes) -> int:
        """A guess: four doubles for each feature and action."""
        return 4 * 8 * sizes.n_features * sizes.n_actions

    def width(self, run: OwnRun, sizes: Sizes, memory: int) -> int:
        """One: only the learner itself knows how much memory it takes."""
        return 1

    def kernels(self, run: OwnRun, stream: bool = False) -> None:
        """Nothing is compiled."""
        return

    def play(
        self, problem: Problem, runs: Sequence[OwnRun], record: bool, report: Report
    ) -> list[Result]:
        """Play one learner on `problem`, from its first event to its last."""
        [run] = runs
        result = play(problem, run, report)
        if not record:
            result = replace(result, actions=None, probabilities=None, costs=None)
        return [result]


PLAYER = OwnPlayer()


def play(problem: Problem, run: OwnRun, report: Report = lambda _: None) -> Result:
    """Play a learner on `problem`, and record every round.

    Whatever the learner does wrong is a `LearnerError`. `report` is called now and then with
    the number of events done.
    """
    began = time.perf_counter()
    factory = import_learner(parse_own(run.explorer))
    tasks = tasks_of(factory)
    if problem.task not in tasks:
        raise SpecError(
            f"{run.label} plays {joined(tasks) if tasks else 'no'} problems (its `tasks`), "
            f"but {problem.name!r} is {problem.task}"
        )
    why = refusal(factory, facts_of(problem))
    if why:
        raise DeclinedError(why)
    learner = new_learner(factory, problem, run.learning_rate, run.offset, run.seed)
    sums = play_rounds(learner, problem, run.offset, report)
    return result_of(problem, run, sums, 0, time.perf_counter() - began)


def facts_of(problem: Problem | Facts) -> ProblemFacts:
    """What a learner may know of a problem before it is made."""
    return ProblemFacts(
        problem.name, problem.task, problem.n, problem.n_features, problem.n_actions
    )


def play_rounds(
    learner: Any, problem: Problem, offset: float, report: Report = lambda _: None
) -> Sums:
    """Play all events with a learner, and add up what happens."""
    due = time.perf_counter()
    sums = new_sums(problem.n, 1, record=True, stream=bool(problem.conditions))
    n_actions = _actions_per_event(problem)
    schedule = problem.schedule or at_once(problem.n)
    waiting: dict[int, Any] = {}  # contexts of events whose feedback will come
    for e in range(problem.n):
        try:
            x = _decide(learner, problem, e, int(n_actions[e]), sums)
            if schedule.slot[e] >= 0:
                waiting[e] = x
            for past in schedule.order[schedule.begin[e] : schedule.begin[e + 1]].tolist():
                _teach(learner, problem, past, waiting.pop(past), offset, sums)
        except LearnerError as error:
            raise LearnerError(f"round {e + 1}: {error}") from error.__cause__
        if time.perf_counter() >= due:
            report(e + 1)
            due = time.perf_counter() + _REPORT_SECONDS
    report(problem.n)
    _sum_up(sums, n_actions)
    return sums


def _decide(learner: Any, problem: Problem, e: int, K: int, sums: Sums) -> Any:
    """The learner sees the context of an event, and decides; returns the context."""
    sparse = getattr(learner, "takes_sparse", False)
    x = sparse_context(problem, e) if sparse else dense_context(problem, e)
    a, p = checked_decision(call_learner(learner.choose, x), K)
    cost = float(cost_of(problem.true_costs, e, a))
    sums.actions[e], sums.probabilities[e], sums.costs[e] = a, p, cost
    return x


def _teach(learner: Any, problem: Problem, e: int, x: Any, offset: float, sums: Sums) -> None:
    """The learner sees the loss of its decision."""
    told = problem.true_costs if problem.told_costs is None else problem.told_costs
    a, p = int(sums.actions[e, 0]), float(sums.probabilities[e, 0])
    loss = float(cost_of(told, e, a)) + offset
    if not math.isnan(loss):  # its feedback never comes
        call_learner(learner.learn, x, a, loss, p)


def dense_context(problem: Problem, e: int) -> Floats:
    """The features of an event without the bias; when ranking, a row per action."""
    x = problem.contexts
    first, end = x.first_row[e], x.first_row[e + 1]
    rows = np.zeros((end - first, problem.n_features), np.float32)
    for i in range(first, end):
        entries = slice(x.start[i], x.start[i + 1] - 1)  # the bias comes last
        rows[i - first, x.feature[entries] - 1] = x.value[entries]
    return rows if problem.shares_weights else rows[0]


def sparse_context(problem: Problem, e: int) -> csr_array:
    """The features of an event without the bias: one row, or a row per action."""
    x = problem.contexts
    start = x.start[x.first_row[e] : x.first_row[e + 1] + 1]
    feature, value = (array[start[0] : start[-1]] for array in (x.feature, x.value))
    is_feature = feature > 0  # index 0 is the bias
    before = start - start[0] - np.arange(len(start))  # one bias in each row before
    shape = (len(start) - 1, problem.n_features)
    return csr_array((value[is_feature], feature[is_feature] - 1, before), shape=shape)


def _actions_per_event(problem: Problem) -> Ints:
    if problem.shares_weights:
        return np.diff(problem.contexts.first_row)
    return np.full(problem.n, problem.n_actions)


def _sum_up(sums: Sums, n_actions: Ints) -> None:
    """Fill in the sums over all rounds, added in the same order as in the kernels."""
    cost = sums.costs[:, 0]
    weight = n_actions * sums.probabilities[:, 0]
    so_far = np.cumsum(cost)
    sums.cost[0] = so_far[-1]
    sums.curve[:, 0] = so_far[sums.rounds - 1]
    sums.ips_loss[0] = np.cumsum(cost / weight)[-1]
    sums.ips_reward[0] = np.cumsum((1.0 - cost) / weight)[-1]


# ---- the process that a LearnerProcess starts


def serve(questions: int, messages: int, alive: int, trace: int) -> None:
    """Answer questions until no more come; all arguments are file descriptors."""
    _prepare(alive, trace)
    out = _Messages(messages)
    problem: Any = None
    with open(questions, "rb") as pipe:
        while line := pipe.readline():
            question = json.loads(line)
            if question["bytes"]:
                problem = None
                problem = pickle.load(pipe)
            out.send({"done": 0})
            out.send(_reply(question, problem, out))
            gc.collect()  # a learner may be large


def _prepare(alive: int, trace: int) -> None:
    faulthandler.enable(trace, all_threads=False)
    faulthandler.register(signal.SIGUSR1, trace, all_threads=False)
    threading.Thread(target=_exit_with_parent, args=(alive,), daemon=True).start()
    with contextlib.suppress(OSError):  # if memory runs out, kill this process, not its parent
        Path("/proc/self/oom_score_adj").write_text("1000")


def _exit_with_parent(alive: int) -> NoReturn:
    with contextlib.suppress(OSError):
        while os.read(alive, 1):
            pass
    os._exit(_PIPE_LOST)


class _Messages:
    """The pipe to the parent; a fork of this process must not write into it."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._pid = os.getpid()

    def send(self, message: dict[str, Any]) -> None:
        if os.getpid() != self._pid:
            os._exit(0)
        data = json.dumps(message).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._pipe, data) :]
        except OSError:
            os._exit(_PIPE_LOST)


def _reply(question: dict[str, Any], problem: Problem, out: _Messages) -> dict[str, Any]:
    try:
        spec = parse_own(question["explorer"])
        unpack(spec.path, question["value"])
        if question["do"] == "inspect":
            return {"answer": inspect_learner(spec.text)}
        if question["do"] == "accept":
            return {"answer": _refusals(spec, question["facts"])}
        return {"answer": _play_for(question, problem, out)}
    except DeclinedError as error:
        return {"error": str(error), "kind": "declined"}
    except SpecError as error:
        return {"error": str(error), "kind": "spec"}
    except LearnerError as error:
        return {"error": str(error)}
    except BaseException as error:  # whatever a learner may raise
        return {"error": describe_error(error)}
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()


def _refusals(spec: OwnSpec, facts: list[list[Any]]) -> list[str]:
    factory = import_learner(spec)
    return [refusal(factory, ProblemFacts(*values)) for values in facts]


def _play_for(question: dict[str, Any], problem: Problem, out: _Messages) -> dict[str, Any]:
    """Play a learner; the result as JSON has it."""
    began = time.perf_counter()
    run = OwnRun(
        question["explorer"],
        learning_rate=question["learning_rate"],
        offset=question["offset"],
        seed=question["seed"],
    )
    result = play(problem, run, lambda done: out.send({"done": done}))
    return {
        "pv_loss": result.pv_loss,
        "ips_reward": result.ips_reward,
        "ips_loss": result.ips_loss,
        "rounds": result.curve.rounds.tolist(),
        "curve": result.curve.pv_loss.tolist(),
        "seconds": time.perf_counter() - began,
    }
