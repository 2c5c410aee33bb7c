"""A load test of the example application, on this machine alone.

`python -m benchmarks.live_app --seconds 60 --clients 4`: the news site in a process of
its own, client threads that choose and reward as fast as they can; throughput, latency,
errors, and whether log and learner agree to the last event afterwards.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from wsgiref.simple_server import make_server

import numpy as np

from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from examples.news import News, Quiet, ThreadingServer


def serve(folder: Path) -> None:
    """Serve until the parent closes our input, then say what the learner has."""
    app = News(folder)
    server = make_server("127.0.0.1", 0, app, ThreadingServer, Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    server.shutdown()
    learner = app.learner
    print(json.dumps([learner.t, learner.version, len(learner.pending)]), flush=True)


class Client(threading.Thread):
    """Chooses and rewards, and notes how long it took."""

    def __init__(self, port: int, until: float) -> None:
        super().__init__()
        self.port, self.until = port, until
        self.seconds: list[float] = []
        self.errors = 0

    def run(self) -> None:
        """Go on until the time is up."""
        i = 0
        while time.perf_counter() < self.until:
            i += 1
            user = {"age": i % 90, "likes": [f"t{i % 7}"], "hour": i % 24}
            shown = self.post("/choose", {"user": user})
            self.post("/reward", {"id": shown.get("id"), "reward": i % 2})

    def post(self, path: str, request: Any) -> Any:
        """One request."""
        began = time.perf_counter()
        try:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
            connection.request("POST", path, json.dumps(request))
            response = connection.getresponse()
            answer = json.loads(response.read())
            connection.close()
            self.errors += response.status != 200
        except OSError:
            self.errors += 1
            answer = {}
        self.seconds.append(time.perf_counter() - began)
        return answer


def main() -> None:
    """Run the test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(Path(options.serve))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "benchmarks.live_app", "--serve", name]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            until = time.perf_counter() + options.seconds
            clients = [Client(port, until) for _ in range(options.clients)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            said, _ = server.communicate()
        report(options, clients, json.loads(said), folder)


def report(options: Any, clients: list[Client], said: Any, folder: Path) -> None:
    """Print what happened, and whether it fits together."""
    times = np.concatenate([client.seconds for client in clients])
    p50, p99, most = 1e3 * np.quantile(times, [0.5, 0.99, 1.0])
    log = folder / "decisions.jsonl"
    kinds = [record["kind"] for record in records_of(log)]
    logged = [kinds.count("decision"), kinds.count("outcome")]
    verdict = verify(log)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"{options.clients} clients, {options.seconds:g} s: {len(times):,} requests, "
        f"{len(times) / options.seconds:,.0f} a second, p50 {p50:.1f} ms, "
        f"p99 {p99:.1f} ms, longest {most:.0f} ms, "
        f"{sum(client.errors for client in clients)} errors"
    )
    print(f"log: {logged}, learner: {said[:2]}, agree: {logged == said[:2]}")
    assert verdict.replay is not None
    print(
        f"made again: {verdict.replay.decisions:,} decisions, {verdict.replay.different} different"
    )


if __name__ == "__main__":
    main()
