"""A pacer keeps what it promises; the router's example runs on prompts of its own."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff import DataError, Learner, SpecError
from bakeoff.live import Pacer


@pytest.mark.parametrize("seed", range(5))
def test_the_budget_holds_after_every_decision(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices = rng.uniform(0, 10, 4)
    budget = float(prices.min() + rng.uniform(0, 3))
    pacer = Pacer(prices, budget, reserve=5)
    for n in range(1, 300):
        pacer.spend(max(pacer.affordable(), key=lambda a: prices[a]))  # as dear as it may be
        assert pacer.spent <= budget * (n + 5) + 1e-9
    assert pacer.spent > 0.5 * min(budget, prices.max()) * 299  # and it is used


def test_a_learner_within_a_budget_logs_exact_probabilities() -> None:
    pacer = Pacer([1.0, 3.0], 2.0, reserve=0)
    learner = Learner("epsilon-greedy:epsilon=0.2", 2, seed=1)
    for _ in range(200):
        decision = learner.choose([1.0], available=pacer.affordable())
        pacer.spend(decision.action)
        assert decision.probabilities.sum() == pytest.approx(1.0)
        assert decision.available == [0] or decision.available == [0, 1]
        learner.learn(decision, reward=float(decision.action))  # the dear one is better
    assert pacer.spent <= 400
    assert pacer.spent > 380


def test_true_prices_count() -> None:
    pacer = Pacer([1.0, 2.0], 2.0, reserve=0)
    pacer.spend(1, 50.0)

    assert pacer.affordable() == [0]
    assert pacer.spent == 50.0


@pytest.mark.parametrize(
    ("prices", "budget"),
    [([], 1), ([-1.0], 1), ([float("nan")], 1), ([2.0, 3.0], 1), ([1.0], 0), ([[1.0]], 1)],
)
def test_budgets_that_cannot_be_kept_are_refused(prices: Any, budget: float) -> None:
    with pytest.raises(SpecError):
        Pacer(prices, budget)


def test_bad_spending_is_refused() -> None:
    pacer = Pacer([1.0], 1.0)
    for action, price in ((1, None), (-1, None), (0, -1.0), (0, float("nan"))):
        with pytest.raises(DataError):
            pacer.spend(action, price)
    assert pacer.decisions == 0


def test_the_router_among_models_runs(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    words = np.array(["sum", "list", "poem", "rhyme", "proof", "law"])
    lines = []
    for _ in range(80):
        prompt = " ".join(rng.choice(words, 8))
        arms = {m: {"reward": float(rng.random()), "cost": c} for m, c in
                (("large", 1e-3), ("small", 1e-5))}  # fmt: skip
        lines.append(json.dumps({"prompt": prompt, "arms": arms}))
    with zipfile.ZipFile(tmp_path / "some.whl", "w") as archive:
        for name in ("val", "test_holdout"):
            archive.writestr(f"pareto_bandit/data/examples/{name}.jsonl", "\n".join(lines))
    program = "import examples.llm_router as r; r.embeddings.__defaults__ = (4,); r.main()"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "some.whl")],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert "with a warm start on 80 other prompts" in done.stdout
    assert "the truth is" in done.stdout
