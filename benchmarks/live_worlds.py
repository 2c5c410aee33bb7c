"""What a learner should do if nobody tells it, where rewards are noisy or high.

`python -m benchmarks.live_worlds`: simulated worlds, several seeds each, the same events
for every setting. *Routing*: four language models of different quality and price, rewards
near 1, contexts with a common offset. *Satisfied*: six layouts, of which users like 85 to
97 % and say so by yes or no. *Clicks*: three segments, four actions, click rates of
.17 to .67. *Rare clicks*: the same with a tenth of these rates. *Prices*: ten prices, reward
price if sold. *News*: the site of news_site.py. The cells say how much of the way from
uniform choices to the best possible ones a setting goes in the second half of the events,
and the least of all seeds: one that is stuck stays far below the others.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bakeoff import Learner
from benchmarks.news_site import Site


class Round(NamedTuple):
    """A context, what each action would pay, and its mean."""

    x: Any
    rewards: Any
    means: Any
    actions: Any = None


World = Callable[[int, int], Iterator[Round]]  # events, seed


def routing(n: int, seed: int) -> Iterator[Round]:
    """Quality minus price of four models: mostly near 1, and every context has an offset."""
    rng = np.random.default_rng([seed, 1])
    d, K = 24, 4
    skill, base = rng.normal(0, 0.9, (K, d)) / np.sqrt(d), np.array([1.2, 1.6, 2.0, 2.6])
    price = np.array([0.0, 0.01, 0.03, 0.12])
    offset = rng.normal(0.3, 0.2, d)
    for _ in range(n):
        z = rng.normal(size=d)
        quality = 1.0 / (1.0 + np.exp(-(base + skill @ z * 2.0)))
        means = np.clip(quality - price, 0.0, 1.0)
        rewards = np.clip(means + rng.normal(0, 0.08, K), 0.0, 1.0)
        yield Round(z + offset, rewards, means)


def satisfied(n: int, seed: int) -> Iterator[Round]:
    """Most users like most layouts: rewards are 0 or 1, and nearly always 1."""
    rng = np.random.default_rng([seed, 4])
    taste = rng.normal(0, 0.5, (6, 8))
    for _ in range(n):
        x = rng.normal(size=8)
        means = 0.85 + 0.12 / (1.0 + np.exp(-2.0 * (taste @ x)))
        yield Round(x, (rng.random(6) < means).astype(float), means)


RATES = np.array([[0.67, 0.42, 0.25, 0.17], [0.25, 0.50, 0.33, 0.42], [0.33, 0.25, 0.65, 0.50]])


def clicks(n: int, seed: int, scale: float = 1.0) -> Iterator[Round]:
    """Segments by name, and click rates by segment and action."""
    rng = np.random.default_rng([seed, 2])
    for _ in range(n):
        segment = int(rng.integers(3))
        means = scale * RATES[segment]
        yield Round({"segment": f"s{segment}"}, (rng.random(4) < means).astype(float), means)


def rare_clicks(n: int, seed: int) -> Iterator[Round]:
    """Clicks are ten times as rare."""
    return clicks(n, seed, 0.1)


def prices(n: int, seed: int) -> Iterator[Round]:
    """Ten prices; the chance of a sale falls with the price, and less for some users."""
    rng = np.random.default_rng([seed, 3])
    price = np.linspace(0.1, 1.0, 10)
    for _ in range(n):
        x = rng.random(4)
        chance = 1.0 / (1.0 + np.exp(8.0 * (price - 0.3 - 0.5 * x[0])))
        yield Round(x, price * (rng.random(10) < chance), price * chance)


def news(n: int, seed: int) -> Iterator[Round]:
    """Articles that come and go."""
    for event in Site(seed).events(n):
        offer = [article.features for article in event.articles]
        yield Round(event.user, event.clicks.astype(float), event.chances, offer)


class Setting(NamedTuple):
    """A learner."""

    spec: str | None
    more: dict[str, Any]


EG = "epsilon-greedy:epsilon=0.05"
REGCB = "regcb:c0=1e-3,optimistic"
SETTINGS: dict[str, Setting] = {
    "default": Setting(None, {}),
    "default, 0/1": Setting(None, {"encoding": "0/1"}),
    "default, baseline": Setting(None, {"baseline": True}),
    "RegCB-opt, raw, rate 0.5": Setting(REGCB, {"inputs": "raw"}),
    "RegCB-opt, c0 0.1": Setting("regcb:c0=0.1,optimistic learning_rate=1,inputs=centred", {}),
    "epsilon-greedy": Setting(EG, {}),
    "epsilon-greedy, centred": Setting(EG, {"inputs": "centred"}),
    "epsilon-greedy, centred, 0/1": Setting(EG, {"inputs": "centred", "encoding": "0/1"}),
    "epsilon-greedy, centred, dr": Setting(EG, {"inputs": "centred", "reduction": "dr"}),
    "cover-nu, centred": Setting("cover:n_policies=4,psi=0.1,nu", {"inputs": "centred"}),
    "squarecb, centred": Setting("squarecb", {"inputs": "centred"}),
    "squarecb, centred, 0/1": Setting("squarecb", {"inputs": "centred", "encoding": "0/1"}),
    "randomised RegCB, centred": Setting("randregcb:c0=1e-3 learning_rate=1,inputs=centred", {}),
    "randomised RegCB, centred, 0/1": Setting(
        "randregcb:c0=1e-3 learning_rate=1,inputs=centred", {"encoding": "0/1"}
    ),
    "fastcb, centred": Setting("fastcb:gamma=10 inputs=centred", {}),
    "fastcb, centred, rate 1": Setting("fastcb:gamma=10 learning_rate=1,inputs=centred", {}),
    "greedy, log loss, centred": Setting("greedy:logistic inputs=centred", {}),
}
RANGES = {"routing": (0.4, 1.0)}  # what a user may declare
WORLDS: dict[str, tuple[World, int]] = {
    "routing": (routing, 4000),
    "satisfied": (satisfied, 6000),
    "clicks": (clicks, 6000),
    "rare clicks": (rare_clicks, 12000),
    "prices": (prices, 6000),
    "news": (news, 4000),
}


def learner_of(setting: Setting, K: int | None, seed: int, **more: Any) -> Learner:
    """A learner; products of features cannot be centred."""
    values = {**setting.more, **more}
    if K is None:
        values.pop("inputs", None)
    spec = setting.spec
    if K is None and spec is not None:
        spec = spec.replace(",inputs=centred", "")
    return Learner(spec, K, seed=seed, **values)


def shares(world: World, n: int, seed: int, declared: tuple[float, float] | None) -> Any:
    """How far each setting gets, from uniform (0) to best (1), in the second half."""
    learners: dict[str, Learner] = {}
    sums: dict[str, float] = {}
    uniform = best = 0.0
    for t, event in enumerate(world(n, seed)):
        K = None if event.actions is not None else len(event.means)
        if not learners:
            learners = {name: learner_of(s, K, seed) for name, s in SETTINGS.items()}
            if declared is not None:
                learners["default, narrow range"] = learner_of(
                    SETTINGS["default"], K, seed, reward_range=declared
                )
            sums = dict.fromkeys(learners, 0.0)
        for name, learner in learners.items():
            decision = learner.choose(event.x, actions=event.actions)
            reward = float(event.rewards[decision.action])
            if "narrow" in name and declared is not None:
                reward = min(max(reward, declared[0]), declared[1])
            learner.learn(decision, reward=reward)
            if 2 * t >= n:
                sums[name] += float(event.means[decision.action])
        if 2 * t >= n:
            uniform += float(event.means.mean())
            best += float(event.means.max())
    return {name: (total - uniform) / (best - uniform) for name, total in sums.items()}


def main() -> None:
    """Print a table: settings by worlds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--worlds", nargs="+", choices=list(WORLDS), default=list(WORLDS))
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of events")
    options = parser.parse_args()
    table: dict[str, list[str]] = {}
    for w, name in enumerate(options.worlds):
        world, n = WORLDS[name]
        seeds = range(options.seeds)
        found = [shares(world, int(n * options.scale), s, RANGES.get(name)) for s in seeds]
        for setting in found[0]:
            values = np.array([share[setting] for share in found])
            cells = table.setdefault(setting, [""] * w)
            cells += [""] * (w - len(cells))
            cells.append(f"{values.mean():.2f} ({values.min():.2f})")
        print(f"{name} done", flush=True)
    print(f"| | {' | '.join(options.worlds)} |")
    print("|---" * (1 + len(options.worlds)) + "|")
    for setting, cells in table.items():
        padded = cells + [""] * (len(options.worlds) - len(cells))
        print(f"| {setting} | {' | '.join(padded)} |")


if __name__ == "__main__":
    main()
