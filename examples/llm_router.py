"""A router among language models: which one to ask, for a prompt with an embedding.

    pip download --no-deps paretobandit      # Apache-2.0; 3,609 prompts, rewards of 3 models
    python examples/llm_router.py paretobandit-0.1.1-py3-none-any.whl

Contexts are embeddings. Each model's price is known before it is asked, so the reward of a
decision is quality - price per answer x LAMBDA; it may be negative, which `reward_range` says. A
`Pacer` keeps the mean price within a budget. At the end the log is evaluated: what would other
routers have earned?
"""

import argparse
import json
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

import bakeoff
from bakeoff.live import Pacer

LAMBDA = 20.0  # what a dollar is worth, in units of quality
FILES = ("val", "test_holdout")  # of the wheel: where a router is tuned, and where it is tried


class Prompts(NamedTuple):
    """Prompts with the quality and the price of each model's answer."""

    texts: list[str]
    models: list[str]
    quality: Any  # (n, K)
    price: Any  # (n, K)


def read(wheel: Path, name: str) -> Prompts:
    """A file of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"pareto_bandit/data/examples/{name}.jsonl").decode()
    records = [json.loads(line) for line in text.split("\n") if line]
    models = sorted(records[0]["arms"])
    table = np.array(
        [[[r["arms"][m][key] for m in models] for key in ("reward", "cost")] for r in records]
    )
    return Prompts([r["prompt"] for r in records], models, table[:, 0], table[:, 1])


def embeddings(train: list[str], test: list[str], size: int = 64) -> tuple[Any, Any]:
    """Embeddings of prompts: words, weighted and projected.

    They stand for those of a language model, which need a download; the router is the same.
    """
    words = TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2))
    project = TruncatedSVD(size, random_state=1)
    fitted = project.fit_transform(words.fit_transform(train))
    return normalize(fitted), normalize(project.transform(words.transform(test)))


def route(prompts: Prompts, X: Any, router: Any, pacer: Pacer | None = None) -> tuple[float, float]:
    """Ask a model for each prompt; the mean reward and the mean price."""
    reward, price = 0.0, 0.0
    for x, quality, prices in zip(X, prompts.quality, prompts.price, strict=True):
        available = None if pacer is None else pacer.affordable()
        decision = router.choose(x, available=available)
        a = decision.action
        if pacer is not None:
            pacer.spend(a, float(prices[a]))
        earned = float(quality[a] - LAMBDA * prices[a])
        router.learn(decision, reward=max(router.reward_range[0], earned))
        reward, price = reward + earned, price + float(prices[a])
    return reward / len(X), price / len(X)


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")


def main() -> None:
    """Route the prompts, and evaluate the log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--budget", type=float, default=0.0005, help="dollars per prompt")
    options = parser.parse_args()
    tuning, trial = (read(options.wheel, name) for name in FILES)
    seen, X = embeddings(tuning.texts, trial.texts)
    value = trial.quality - LAMBDA * trial.price
    say(f"{len(X):,} prompts, {len(trial.models)} models: {', '.join(trial.models)}")
    say(f"mean reward of each model alone: {np.round(value.mean(axis=0), 4)}")
    say(f"uniform {value.mean():.4f}, best for each prompt {value.max(axis=1).mean():.4f}")

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "decisions.jsonl"
        router = bakeoff.Learner(
            "epsilon-greedy:epsilon=0.1", actions=trial.models, encoding="0/1",
            reward_range=(-1, 1), seed=1, log=log,
        )  # fmt: skip
        earned, paid = route(trial, X, router)
        say(f"a router that begins with nothing: {earned:.4f}, ${paid:.5f} a prompt")
        found = bakeoff.evaluate(bakeoff.read_log(log), f"constant:{trial.models[-1]}")
        truth = value[:, -1].mean()
        dr = found["dr"]
        say(f"from its log, {trial.models[-1]} alone: {dr.value:.4f} "
              f"[{dr.low:.4f}, {dr.high:.4f}]; the truth is {truth:.4f}")  # fmt: skip
        router.close()

    warm = bakeoff.Learner(
        "epsilon-greedy:epsilon=0.02", actions=trial.models, encoding="0/1",
        reward_range=(-1, 1), seed=1,
    )  # fmt: skip
    warm.learn_log(as_log(tuning, seen))
    earned, paid = route(trial, X, warm)
    say(f"with a warm start on {len(seen):,} other prompts: {earned:.4f}, ${paid:.5f} a prompt")

    paced = bakeoff.Learner(
        "epsilon-greedy:epsilon=0.02", actions=trial.models, encoding="0/1",
        reward_range=(-1, 1), seed=1,
    )  # fmt: skip
    paced.learn_log(as_log(tuning, seen))
    pacer = Pacer(tuning.price.mean(axis=0), options.budget)
    earned, paid = route(trial, X, paced, pacer)
    say(f"and ${options.budget:.5f} a prompt at most: {earned:.4f}, ${paid:.5f} a prompt")


def as_log(prompts: Prompts, X: Any) -> bakeoff.Log:
    """What a router that asks models at random would have logged."""
    rng = np.random.default_rng(1)
    n, K = prompts.quality.shape
    action, rows = rng.integers(0, K, n), np.arange(n)
    value = prompts.quality[rows, action] - LAMBDA * prompts.price[rows, action]
    return bakeoff.Log.from_arrays(
        X, action, np.full(n, 1 / K), np.clip(value, -1, 1), n_actions=K,
        action_names=prompts.models, reward_range=(-1, 1), name="tuning",
    )  # fmt: skip


if __name__ == "__main__":
    main()
