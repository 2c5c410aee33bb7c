"""Speed of live learners, next to `vowpalwabbit` called from Python in the same run.

`python -m benchmarks.live`: one event at a time (choose, then learn) with arrays (d 64,
K 10, all nine algorithms) and with dictionaries (50 names hashed into 2^18, K 20);
centred inputs next to raw ones;
actions of the event with features of their own; latencies; batches next to `simulate`;
threads; the log; a large model; the start of a process; kill -9 at 50 moments. Both
sides get the same events and draw their own actions. VW's time includes making its text,
as its users have to.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import vowpalwabbit as vw

from bakeoff import Learner, Problem, Run, simulate
from bakeoff.basics.errors import DataNotice
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from bakeoff.runs import INPUTS
from tests.live.test_log import killed

D, K = 64, 10
NAMES, K_NAMED = 50, 20
TURN = 500  # events of one side before the other has its turn
HEAD = "| VW events/s | ours | ratio | p50 | p99 | busy p99 / p50 |"


class Algorithm(NamedTuple):
    """The same algorithm, here and in VW."""

    label: str
    spec: str
    reduction: str | None
    flags: str  # of VW


ALGORITHMS = [
    Algorithm("G", "greedy", None, "--cb_explore_adf --cb_type mtr --epsilon 0"),
    Algorithm("eG", "epsilon-greedy:epsilon=0.05", None,
              f"--cb_explore {K} --epsilon 0.05"),
    Algorithm("A", "active:epsilon=0.05", None, f"--cb_explore {K} --epsilon 0.05"),
    Algorithm("B", "bag:n_policies=4", None, "--cb_explore_adf --cb_type mtr --bag 4"),
    Algorithm("B-g", "bag:n_policies=4,greedy", None,
              "--cb_explore_adf --cb_type mtr --bag 4 --greedify"),
    Algorithm("R", "regcb:c0=1e-3", None,
              "--cb_explore_adf --cb_type mtr --regcb --mellowness 1e-3"),
    Algorithm("RO", "regcb:c0=1e-3,optimistic", None,
              "--cb_explore_adf --cb_type mtr --regcbopt --mellowness 1e-3"),
    Algorithm("C-nu", "cover:n_policies=4,psi=0.1,nu", None,
              "--cb_explore_adf --cb_type dr --cover 4 --psi 0.1 --nounif"),
    Algorithm("C-u", "cover:n_policies=4,psi=0.1", None,
              "--cb_explore_adf --cb_type ips --cover 4 --psi 0.1"),
]  # fmt: skip


Step = Callable[[int], None]  # one event


class Times(NamedTuple):
    """Seconds of each event, by the clock and busy."""

    seconds: Any
    busy: Any

    @property
    def per_second(self) -> float:
        """Events per second at the median: other processes matter less."""
        return 1.0 / float(np.median(self.seconds))

    def microseconds(self, quantile: float) -> float:
        """A quantile of the times."""
        return 1e6 * float(np.quantile(self.seconds, quantile))

    @property
    def spread(self) -> float:
        """How many medians the 99th percentile is: busy, in the median turn.

        By the clock it would tell how often other processes had their turn.
        """
        turns = self.busy[: len(self.busy) // TURN * TURN].reshape(-1, TURN)
        if not len(turns):
            turns = self.busy[None]
        p50, p99 = np.quantile(turns, [0.5, 0.99], axis=1)
        return float(np.median(p99 / p50))


def events(n: int, d: int, actions: int) -> tuple[Any, Any]:
    """Contexts in [0, 1], and the right action of each."""
    rng = np.random.default_rng(1)
    X = rng.random((n, d))
    return X, (X @ rng.normal(size=(d, actions))).argmin(axis=1)


def timed(n: int, *steps: Step) -> list[Times]:
    """The times of n events by each of `steps`, after some that do not count.

    They take turns, so that each meets the same other processes.
    """
    seconds, busy = np.zeros((2, len(steps), n))
    for top in range(0, n, TURN):
        for s, step in enumerate(steps):
            for i in range(top, min(n, top + TURN)):
                was_busy = time.thread_time()
                began = time.perf_counter()
                step(i)
                seconds[s, i] = time.perf_counter() - began
                busy[s, i] = time.thread_time() - was_busy
    return [Times(a, b) for a, b in zip(seconds[:, n // 10 :], busy[:, n // 10 :], strict=True)]


def ours(learner: Learner, contexts: Any, right: Any) -> Step:
    """Choose and learn, one event at a time."""

    def step(i: int) -> None:
        decision = learner.choose(contexts[i])
        learner.learn(decision, cost=float(decision.action != right[i]))

    return step


def theirs(flags: str, texts: Any, right: Any, actions: int) -> Step:
    """The same with VW: make the text, predict, draw, make it again, learn."""
    adf = "_adf" in flags
    pairs = "-q xa" if adf else ""
    workspace = vw.Workspace(f"{flags} {pairs} --quiet -b 18 --random_seed 1")
    lines = [f"|a a{k}" for k in range(actions)]

    def step(i: int) -> None:
        context = texts(i)
        shared = f"shared |x {context}"
        event: Any = [shared, *lines] if adf else f"|x {context}"
        p = workspace.predict(event)
        action = random.choices(range(actions), p)[0]
        cost = float(action != right[i])
        if adf:
            labelled = f"0:{cost}:{p[action]} {lines[action]}"
            event = [shared, *lines[:action], labelled, *lines[action + 1 :]]
        else:
            event = f"{action + 1}:{cost}:{p[action]} |x {context}"
        workspace.learn(event)

    return step


def compare_arrays(n: int) -> None:
    """All nine algorithms on arrays."""
    X, y = events(n, D, K)
    print(f"arrays, d {D}, K {K}: events per second (choose + learn), microseconds")
    print(f"| algorithm {HEAD}")
    print("|---|---|---|---|---|---|---|")

    def text(i: int) -> str:
        return " ".join(f"f{j}:{v:.6g}" for j, v in enumerate(X[i].tolist()))

    ratios = []
    for algorithm in ALGORITHMS:
        learner = Learner(algorithm.spec, K, seed=1)
        vw_step = theirs(algorithm.flags, text, y, K)
        mine, other = timed(n, ours(learner, X, y), vw_step)
        ratios.append(mine.per_second / other.per_second)
        print(f"| {algorithm.label} {row(mine, other)}", flush=True)
    mean = math.exp(float(np.mean(np.log(ratios))))
    print(f"geometric mean {mean:.1f}x, least {min(ratios):.1f}x\n")


def row(mine: Times, other: Times) -> str:
    """Cells of a table."""
    p50, p99 = mine.microseconds(0.5), mine.microseconds(0.99)
    return (
        f"| {other.per_second:,.0f} | {mine.per_second:,.0f} | "
        f"{mine.per_second / other.per_second:.1f}x | {p50:.1f} | {p99:.1f} | "
        f"{mine.spread:.1f} |"
    )


def compare_names(n: int) -> None:
    """Dictionaries of fifty names, half of them texts."""
    X, y = events(n, NAMES, K_NAMED)
    half = NAMES // 2
    contexts: list[dict[str, Any]] = [
        {f"f{j}": v if j < half else f"v{int(v * 9)}" for j, v in enumerate(x)} for x in X.tolist()
    ]

    def text(i: int) -> str:
        return " ".join(
            f"{name}={v}" if isinstance(v, str) else f"{name}:{v:.6g}"
            for name, v in contexts[i].items()
        )

    spec = "epsilon-greedy:epsilon=0.05"
    step = ours(Learner(spec, K_NAMED, seed=1), contexts, y)
    vw_step = theirs(f"--cb_explore {K_NAMED} --epsilon 0.05", text, y, K_NAMED)
    mine, other = timed(n, step, vw_step)
    print(f"dictionaries of {NAMES} names in 2^18 places, K {K_NAMED}, {spec}")
    print(f"| {HEAD}")
    print("|---|---|---|---|---|---|---|")
    print(f"| eG {row(mine, other)}\n", flush=True)


def compare_inputs(n: int) -> None:
    """Centred inputs next to raw ones: arrays, and dictionaries of fifty names.

    With even texts, no text is in half of the rows, so only numbers are centred. With
    skewed ones some are, and an event gets values for those that it lacks.
    """
    print("centred inputs next to raw ones: events per second (choose + learn)")
    print("| contexts, algorithm | raw | centred | centred / raw: choose + learn takes |")
    print("|---|---|---|---|")
    X, y = events(n, D, K)
    Z, right = events(n, NAMES, K_NAMED)
    half = NAMES // 2

    def dictionaries(power: int) -> list[dict[str, Any]]:
        return [
            {f"f{j}": v if j < half else f"v{int(v**power * 9)}" for j, v in enumerate(z)}
            for z in Z.tolist()
        ]

    numbers = [{f"f{j}": v for j, v in enumerate(z)} for z in Z.tolist()]
    contexts: dict[str, tuple[Any, Any, int]] = {
        "arrays": (X, y, K),
        "numbers": (numbers, right, K_NAMED),
        "numbers and even texts": (dictionaries(1), right, K_NAMED),
        "numbers and skewed texts": (dictionaries(3), right, K_NAMED),
    }
    for spec in ("epsilon-greedy:epsilon=0.05", "regcb:c0=1e-3,optimistic"):
        for kind, (some, best, actions) in contexts.items():
            learners = [Learner(spec, actions, seed=1, inputs=inputs) for inputs in INPUTS]
            raw, centred = timed(n, *(ours(learner, some, best) for learner in learners))
            ratio = raw.per_second / centred.per_second
            cells = f"{raw.per_second:,.0f} | {centred.per_second:,.0f} | {ratio:.2f}"
            print(f"| {kind}, {spec} | {cells} |", flush=True)
    print()


def named(rng: Any, prefix: str, n: int) -> dict[str, Any]:
    """Named features, half of them texts."""
    return {
        f"{prefix}{j}": f"v{int(rng.integers(9))}" if j < n // 2 else round(float(rng.random()), 4)
        for j in range(n)
    }


def words(features: dict[str, Any]) -> str:
    """Named features as VW's text."""
    return " ".join(
        f"{name}={v}" if isinstance(v, str) else f"{name}:{v:.6g}" for name, v in features.items()
    )


OFFERS = [(10, 20, 4), (50, 20, 4), (200, 20, 4), (50, 50, 20), (500, 50, 20)]
PAIRED = [
    Algorithm("eG", "epsilon-greedy:epsilon=0.05", None, "--epsilon 0.05"),
    Algorithm("RO", "regcb:c0=1e-3,optimistic", None, "--regcbopt --mellowness 1e-3"),
]


def compare_own_actions(n: int) -> None:
    """Actions of the event with features, paired with those of the user."""
    print("actions of the event, all pairs of features: events per second, microseconds")
    print(f"| algorithm, K, user x action features {HEAD}")
    print("|---|---|---|---|---|---|---|")
    for algorithm in PAIRED:
        for actions, width, width_of_action in OFFERS:
            rng = np.random.default_rng(1)
            users = [named(rng, "u", width) for _ in range(200)]
            live = [named(rng, "a", width_of_action) for _ in range(3 * actions)]
            offers = rng.integers(len(live), size=(n, actions)).tolist()
            clicks = (rng.random((n, actions)) < 0.3).astype(float)
            learner = Learner(algorithm.spec, seed=1)
            workspace = vw.Workspace(
                f"--cb_explore_adf --cb_type mtr -q ua -b 18 --quiet {algorithm.flags}"
            )

            def mine(i: int, all: Any = (learner, users, live, offers, clicks)) -> None:
                learner, users, live, offers, clicks = all
                offer = [live[a] for a in offers[i]]
                decision = learner.choose(users[i % 200], actions=offer)
                learner.learn(decision, cost=clicks.item(i, decision.action))

            def other(i: int, all: Any = (workspace, users, live, offers, clicks)) -> None:
                workspace, users, live, offers, clicks = all
                shared = f"shared |u {words(users[i % 200])}"
                lines = [f"|a {words(live[a])}" for a in offers[i]]
                p = workspace.predict([shared, *lines])
                action = random.choices(range(len(p)), p)[0]
                lines[action] = f"0:{clicks.item(i, action)}:{p[action]} {lines[action]}"
                workspace.learn([shared, *lines])

            label = f"{algorithm.label} {actions}, {width} x {width_of_action}"
            print(f"| {label} {row(*timed(n, mine, other))}", flush=True)
    print()


def compare_batches(n: int) -> None:
    """Batches of 1,000 next to `simulate`."""
    X, y = events(n, D, K)
    problem = Problem.from_classes(X, y, K)
    print("batches of 1,000: busy microseconds per event, next to simulate (one run)")
    print("| algorithm | simulate | choose_batch + learn_batch | ratio |")
    print("|---|---|---|---|")
    for algorithm in ALGORITHMS:
        run = Run(algorithm.spec, seed=1)
        simulate(problem, [run])
        pairs = [(busy_simulating(problem, run), busy_in_batches(X, y, run)) for _ in range(5)]
        simulated, live = 1e6 / n * np.median(pairs, axis=0)
        print(
            f"| {algorithm.label} | {simulated:.2f} | {live:.2f} | {live / simulated:.2f} |",
            flush=True,
        )
    print()


def busy_simulating(problem: Problem, run: Run) -> float:
    """Seconds of a simulation."""
    began = time.process_time()
    simulate(problem, [run])
    return time.process_time() - began


def busy_in_batches(X: Any, y: Any, run: Run) -> float:
    """Seconds of a learner with the same events."""
    learner = Learner(run, K)
    began = time.process_time()
    for top in range(0, len(X), 1000):
        batch = learner.choose_batch(X[top : top + 1000])
        learner.learn_batch(batch, cost=batch.actions != y[top : top + 1000])
    return time.process_time() - began


def count_threads(n: int) -> None:
    """Events per second of one learner in 1, 2 and 8 threads."""
    X, y = events(n, D, K)
    print("threads that share a learner (epsilon-greedy): events per second in all")
    for threads in (1, 2, 8):
        learner = Learner("epsilon-greedy:epsilon=0.05", K, seed=1)

        def work(part: Any, learner: Learner = learner) -> None:
            for i in part:
                decision = learner.choose(X[i])
                learner.learn(decision, cost=float(decision.action != y[i]))

        parts = np.array_split(np.arange(n), threads)
        workers = [threading.Thread(target=work, args=(part,)) for part in parts]
        began = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(f"  {threads}: {n / (time.perf_counter() - began):,.0f}", flush=True)
    print()


def measure_log(n: int) -> None:
    """What a log costs."""
    X, y = events(n, D, K)
    with tempfile.TemporaryDirectory() as folder:
        for log in (None, Path(folder) / "log.jsonl"):
            learner = Learner("epsilon-greedy:epsilon=0.05", K, seed=1, log=log)
            [mine] = timed(n, ours(learner, X, y))
            what = "without a log" if log is None else "with a log"
            print(f"{what}: {mine.microseconds(0.5):.1f} us (p50) per event")
    print()


def measure_large(bits: int, actions: int) -> None:
    """A large hashed space: memory, and time to save and load."""
    learner = Learner("epsilon-greedy:epsilon=0.1", actions, bits=bits, seed=1)
    rng = np.random.default_rng(2)
    n = 5000
    for _ in range(n):
        x = {f"w{j}": 1.0 for j in rng.integers(200_000, size=50).tolist()}
        learner.learn(learner.choose(x), reward=float(rng.random() < 0.5))
    status = Path("/proc/self/status").read_text()
    memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    print(f"2^{bits} features x {actions} actions, {n} events of 50 names: {memory}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        began = time.perf_counter()
        learner.save(path)
        saved = time.perf_counter()
        Learner.load(path)
        loaded = time.perf_counter()
        print(
            f"  saved in {saved - began:.2f} s ({path.stat().st_size / 1e6:,.0f} MB), "
            f"loaded in {loaded - saved:.2f} s\n"
        )


START = """
import time
began = time.perf_counter()
from bakeoff import Learner
learner = Learner("epsilon-greedy:epsilon=0.05", 10, seed=1)
learner.choose([0.5] * 64)
print(time.perf_counter() - began, time.process_time())
"""


def measure_start() -> None:
    """From `import` to the first decision, in a new process, kernels compiled."""
    times = []
    for _ in range(7):
        done = subprocess.run(
            [sys.executable, "-c", START], capture_output=True, text=True, check=True
        )
        times.append([float(text) for text in done.stdout.split()])
    for column, what in zip(np.transpose(times), ("by the clock", "busy"), strict=True):
        print(
            f"import to first decision, {what}: median {np.median(column):.2f} s, "
            f"least {column.min():.2f} s"
        )
    print()


def measure_kills(kills: int) -> None:
    """What kill -9 at random moments does to a learner that saves and logs."""
    rng = random.Random(5)
    acknowledged: set[str] = set()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNotice)  # of torn lines
        model, log = Path(folder) / "model", Path(folder) / "log.jsonl"
        Learner("bag", 3, seed=1).save(model)
        LogWriter(log).close()
        for _ in range(kills):
            acknowledged.update(killed(model, log, rng.uniform(0.05, 0.3)))
            Learner.load(model, warm_up=False)  # an error if it is not whole
        kinds = {"decision": "d", "outcome": "o"}
        logged = {
            f"{kinds.get(r['kind'])} {r['id']}" for r in records_of(log) if r["kind"] in kinds
        }
        replay = verify(log).replay
    assert replay is not None
    print(
        f"{kills} kills: the model was whole each time; {len(acknowledged):,} "
        f"decisions and outcomes acknowledged, {len(acknowledged - logged)} lost; "
        f"{replay.decisions:,} decisions made again, {replay.different} different\n"
    )


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=4000)
    parser.add_argument(
        "--only", help="arrays,names,inputs,own,batches,threads,log,large,start,kills"
    )
    options = parser.parse_args()
    n = options.events
    parts: dict[str, Callable[[], None]] = {
        "arrays": lambda: compare_arrays(n),
        "names": lambda: compare_names(n),
        "inputs": lambda: compare_inputs(n),
        "own": lambda: compare_own_actions(max(100, n // 20)),
        "batches": lambda: compare_batches(5 * n),
        "threads": lambda: count_threads(5 * n),
        "log": lambda: measure_log(n),
        "large": lambda: measure_large(20, 100),
        "start": measure_start,
        "kills": lambda: measure_kills(50),
    }
    print(json.dumps({"load": os.getloadavg(), "cores": os.cpu_count()}))
    for name, part in parts.items():
        if options.only is None or name in options.only.split(","):
            part()


if __name__ == "__main__":
    main()
