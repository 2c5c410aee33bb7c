"""A load test of `bakeoff serve`, on this machine alone.

`python -m benchmarks.serve --seconds 10 --clients 4 --workers 1 2`: a service for each
number of workers on a free port of the loopback, and client processes that decide and
reward on connections that stay open.

`--kills 50` kills the writer or a worker that often while clients decide and reward, and
counts acknowledged events that are lost. `--soak 600` sends batches for so many seconds, and
prints the memory of all processes as time goes on.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import numpy as np

from tests.serving.services import Remote
from tests.serving.test_processes import (
    Visitor,
    check_nothing_is_lost,
    children_of,
    wait_until_learned,
)

SETTINGS = """
[learner]
explorer = "epsilon-greedy:epsilon=0.05"
{actions}
[service]
workers = {workers}
"""
FIXED = 'actions = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]'


def visit(port: int, until: float, own: int, results: Any) -> None:
    """Decide and reward until the time is up."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    times: dict[str, list[float]] = {"/v1/decide": [], "/v1/reward": []}
    errors = i = 0

    def post(path: str, message: Any) -> Any:
        nonlocal errors
        began = time.perf_counter()
        try:
            connection.request("POST", path, json.dumps(message))
            response = connection.getresponse()
            answer = json.loads(response.read())
            errors += response.status != 200
        except (OSError, HTTPException):
            errors += 1
            answer = {}
            connection.close()
        times[path].append(time.perf_counter() - began)
        return answer

    while time.time() < until:
        i += 1
        user = {"age": i % 90, "likes": [f"t{i % 7}"], "hour": i % 24}
        request: dict[str, Any] = {"context": user}
        if own:
            request["actions"] = [
                {"id": str(k), "features": {"topic": f"t{k % 9}", "n": k}} for k in range(own)
            ]
        shown = post("/v1/decide", request)
        post("/v1/reward", {"id": shown.get("id", "none"), "reward": i % 2})
    results.put((times, errors))


def wait_until_ready(port: int) -> None:
    """Wait until workers answer, and some seconds for the last of them."""
    while True:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/ready")
            if connection.getresponse().status == 200:
                break
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    time.sleep(3)


def measure(workers: int, options: Any) -> str:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "service.toml"
        file.write_text(SETTINGS.format(workers=workers, actions="" if options.own else FIXED))
        program = "from bakeoff.__main__ import main; main()"
        command = [sys.executable, "-c", program, "serve", str(file), "--port", "0"]
        command += ["--state", f"{name}/state"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
            assert service.stderr is not None
            found = None
            while found is None:
                line = service.stderr.readline()
                found = re.search(r"serving on http://[\d.]+:(\d+)", line)
            wait_until_ready(int(found[1]))
            results: Any = multiprocessing.Queue()
            until = time.time() + options.seconds
            arguments = (int(found[1]), until, options.own, results)
            clients = [
                multiprocessing.Process(target=visit, args=arguments)
                for _ in range(options.clients)
            ]
            for client in clients:
                client.start()
            answers = [results.get() for _ in clients]
            for client in clients:
                client.join()
            service.terminate()
        times = np.concatenate([times["/v1/decide"] for times, _ in answers])
        total = sum(len(part) for times, _ in answers for part in times.values())
        p50, p99 = 1e3 * np.quantile(times, [0.5, 0.99])
        errors = sum(errors for _, errors in answers)
        rate = total / options.seconds
        return f"| {workers} | {rate:,.0f} | {rate / 2:,.0f} | {p50:.1f} | {p99:.1f} | {errors} |"


SOAK = """
[learner]
explorer = "epsilon-greedy:epsilon=0.05"
actions = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]

[rewards]
wait = 20
default = 0

[service]
workers = 1
log_bytes = 20000000
"""


def memory_of(process: int) -> float:
    """Megabytes that a process has in memory."""
    text = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return 0.0 if found is None else int(found[1]) / 1000


def soak(seconds: float) -> None:
    """Send batches of decisions, and rewards for most of them; print memory by time."""
    with tempfile.TemporaryDirectory() as name:
        service = Remote(Path(name), SOAK)
        children = children_of(service.process)
        columns = list(children.values())
        print(f"| events | {' | '.join(f'{kind}, MB' for kind in columns)} | pending |")
        print("|---" * (len(columns) + 2) + "|")
        began, next_line, i = time.time(), 0.0, 0
        while time.time() - began < seconds:
            users = [{"user": f"u{(i + k) % 100_003}", "hour": k % 24} for k in range(500)]
            requests = [{"context": user} for user in users]
            _, answer = service.request("POST", "/v1/decide/batch", {"requests": requests})
            rewards = [
                {"id": one["id"], "reward": float(one["action"] == "c")}
                for one in answer["answers"][:450]  # the others never get one
            ]
            service.request("POST", "/v1/reward/batch", {"requests": rewards})
            i += 500
            if time.time() - began >= next_line:
                next_line += seconds / 12
                memory = " | ".join(f"{memory_of(child):.0f}" for child in children)
                metrics = service.request("GET", "/metrics")[1]
                pending = re.search(r"\nbakeoff_pending (\d+)", metrics)
                print(f"| {i:,} | {memory} | {pending and pending[1]} |", flush=True)
        assert service.stop() == 0
        log = sum(path.stat().st_size for path in Path(name).glob("state/decisions*"))
        print(f"{i:,} decisions in {seconds:.0f} s; log {log / 1e6:,.0f} MB")


def kill(times: int) -> None:
    """Kill writer and workers under load, and look for what is lost."""
    with tempfile.TemporaryDirectory() as name:
        service = Remote(Path(name), SETTINGS.format(workers=2, actions=""))
        rng = random.Random(1)
        killed: list[str] = []
        visitors = [Visitor(service) for _ in range(3)]
        for visitor in visitors:
            visitor.start()
        while len(killed) < times:
            time.sleep(rng.uniform(0.2, 2.0))
            children = children_of(service.process)
            if children:
                victim = rng.choice(sorted(children))
                killed.append(children[victim])
                os.kill(victim, signal.SIGKILL)
        for visitor in visitors:
            visitor.stop = True
        for visitor in visitors:
            visitor.join()
        service.wait_until_ready()
        wait_until_learned(service)
        assert service.stop() == 0
        check_nothing_is_lost(service, visitors)
        decided = sum(len(visitor.decided) for visitor in visitors)
        rewarded = sum(len(visitor.rewarded) for visitor in visitors)
        print(
            f"{killed.count('writer')} kills of the writer, {killed.count('worker')} of workers: "
            f"{decided:,} decisions and {rewarded:,} rewards acknowledged, none lost or doubled"
        )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--own", type=int, default=0, help="actions with features per request")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--soak", type=float, default=0.0, metavar="SECONDS")
    options = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if options.kills or options.soak:
        if options.kills:
            kill(options.kills)
        if options.soak:
            soak(options.soak)
        return
    print("| workers | requests/s | decisions/s | p50 ms | p99 ms | errors |")
    print("|---|---|---|---|---|---|")
    for workers in options.workers:
        print(measure(workers, options), flush=True)


if __name__ == "__main__":
    main()
