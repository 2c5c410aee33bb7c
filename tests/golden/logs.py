"""A decision log in parts, and what is read, verified and evaluated on it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from typer.testing import CliRunner

from bakeoff import Learner, read_log
from bakeoff.cli import app
from bakeoff.live.log_writer import LogWriter
from tests.golden.files import write_json

FOLDER, LOG = "log", "decisions.jsonl"
VERIFY = ("verify", LOG, "--json")
EVALUATE = (
    "evaluate", LOG, "--json", "--estimator", "all",
    "--policy", "uniform", "--policy", "logged", "--policy", "constant:news",
)  # fmt: skip


def make_log(folder: Path) -> None:
    """Let a learner write a log that is set aside twice or more."""
    target = folder / FOLDER
    target.mkdir(parents=True)
    writer = LogWriter(target / LOG, most_bytes=20_000)
    actions = ["news", "sport", "film"]
    learner = Learner("epsilon-greedy:epsilon=0.3", actions=actions, log=writer, seed=21)
    rng = np.random.default_rng(21)
    for i in range(150):
        x = {"hour": round(rng.random(), 3), "city": f"c{rng.integers(4)}"}
        decision = learner.choose(x, id=f"d{i}")
        is_liked = rng.random() < (0.2, 0.4, 0.6)[decision.action]
        if i % 10:
            learner.learn(decision, reward=0.9 if is_liked else 0.0)
    learner.close()
    log = read_log(target / LOG)
    write_json(target / "read.json", facts_of(log))
    for name, command in (("verify", VERIFY), ("evaluate", EVALUATE)):
        words = [str(target / LOG) if word == LOG else word for word in command]
        said = CliRunner().invoke(app, words)
        write_json(target / f"{name}.json", json.loads(said.stdout))


def facts_of(log: Any) -> dict[str, Any]:
    """What was read from a log."""
    return {
        "n": log.n,
        "n_actions": log.n_actions,
        "mean_reward": log.mean_reward,
        "action": log.action.tolist(),
        "probability": [p.hex() for p in log.probability.tolist()],
        "reward": [r.hex() for r in log.reward.tolist()],
        "sum_of_features": float(log.dense().sum()),
    }
