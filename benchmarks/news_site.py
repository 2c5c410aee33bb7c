"""Clicks on a simulated news site, next to `vowpalwabbit` called from Python.

`python -m benchmarks.news_site`: articles come and go, each event offers some of those
that are live, and whether a user clicks depends on pairs of features of user and
article. Both sides see the same users, offers and clicks, and the same features and
pairs; each draws its own actions. The numbers are mean click rates over seeds, and the
mean difference to VW with its 95 % interval, paired by seed.

`--tune` plays the same grid of settings for both sides on seeds of their own, and names
the best of each; TUNED holds what it named. news_steps.py undoes the differences
between both sides one by one.
"""

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import vowpalwabbit as vw
from scipy import stats

from bakeoff import Learner

TOPICS, AUTHORS, TAGS, SEGMENTS, REGIONS = 12, 25, 40, 8, 10
LIVE, OFFERED = 150, 50  # articles that are live, and offered to a user
CHANGED, EVERY = 10, 250  # so many articles are replaced every so many events
EPSILON = 0.05

Features = dict[str, Any]


class Article(NamedTuple):
    """An article, and how much each segment of users likes it."""

    features: Features
    text: str  # its features as VW's text
    topic: int
    appeal: Any


class Event(NamedTuple):
    """A user, the articles on offer, and what the user would do with each."""

    user: Features
    text: str  # the user's features as VW's text
    articles: list[Article]
    chances: Any  # of a click on each article
    clicks: Any  # whether the user would click


def words(features: Features) -> str:
    """Features as VW's text."""
    parts = []
    for name, value in features.items():
        values = value if isinstance(value, list) else [value]
        parts += [f"{name}={v}" if isinstance(v, str) else f"{name}:{v:.6g}" for v in values]
    return " ".join(parts)


class Site:
    """Users, articles and tastes, drawn with one seed."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = np.random.default_rng([seed, 33])
        self.by_topic = rng.normal(0, 0.8, (SEGMENTS, TOPICS))
        self.by_tag = rng.normal(0, 0.5, (SEGMENTS, TAGS))
        self.by_author = rng.normal(0, 0.4, AUTHORS)
        self.by_age = rng.normal(0, 0.4, TOPICS)
        self.by_region = rng.normal(0, 0.5, REGIONS)

    def _article(self) -> Article:
        rng = self.rng
        topic, author = int(rng.integers(TOPICS)), int(rng.integers(AUTHORS))
        tags = rng.choice(TAGS, 3, replace=False)
        length = float(rng.random())
        features = {
            "topic": f"t{topic}",
            "author": f"a{author}",
            "tags": [f"g{tag}" for tag in tags.tolist()],
            "length": round(length, 2),
        }
        appeal = self.by_topic[:, topic] + self.by_tag[:, tags].sum(axis=1)
        own = self.by_author[author] + rng.normal(0, 0.3) - 0.5 * length
        return Article(features, words(features), topic, appeal + own)

    def _user(self) -> tuple[Features, int, float, list[int], float]:
        """Features, segment, age, interests, and how likely the user clicks on anything."""
        rng = self.rng
        segment, region, hour = (int(rng.integers(n)) for n in (SEGMENTS, REGIONS, 24))
        age, interests = float(rng.random()), rng.choice(TOPICS, 2, replace=False).tolist()
        taste = rng.random(TOPICS) * 0.3 + 0.7 * np.isin(np.arange(TOPICS), interests)
        features = {
            "segment": f"s{segment}",
            "region": f"r{region}",
            "hour": f"h{hour}",
            "device": ("phone", "desk")[int(rng.integers(2))],
            "age": round(age, 2),
            "interests": [f"i{i}" for i in interests],
            **{f"read{i}": round(float(v), 2) for i, v in enumerate(taste)},
        }
        return features, segment, age, interests, self.by_region[region] + rng.normal(0, 0.5)

    def events(self, n: int) -> Iterator[Event]:
        """Visits of users, one after the other."""
        rng = self.rng
        live = [self._article() for _ in range(LIVE)]
        for t in range(n):
            if t % EVERY == 0 and t:
                for i in rng.choice(LIVE, CHANGED, replace=False).tolist():
                    live[i] = self._article()
            user, segment, age, interests, mood = self._user()
            offer = [live[i] for i in rng.choice(LIVE, OFFERED, replace=False).tolist()]
            logits = np.array(
                [
                    article.appeal[segment]
                    + 2.0 * (age - 0.5) * self.by_age[article.topic]
                    + 0.8 * (article.topic in interests)
                    for article in offer
                ]
            )
            chances = 1.0 / (1.0 + np.exp(-(logits + mood - 2.5)))
            clicks = rng.random(OFFERED) < chances
            yield Event(user, words(user), offer, chances, clicks)


Player = Callable[[Event], float]  # plays an event; the chance of a click on its choice
Maker = Callable[[int], Player]  # a player with a seed


def ours(spec: str | None, seed: int, **settings: Any) -> Player:
    """A learner of this package."""
    learner = Learner(spec, seed=seed, **settings)

    def play(event: Event) -> float:
        offer = [article.features for article in event.articles]
        decision = learner.choose(event.user, actions=offer)
        learner.learn(decision, reward=float(event.clicks[decision.action]))
        return float(event.chances[decision.action])

    return play


def theirs(flags: str, seed: int, low: float = -1.0) -> Player:
    """Vowpal Wabbit with actions of the event; the costs are `low` and `low` + 1."""
    workspace = vw.Workspace(f"--cb_explore_adf -q ua --quiet --random_seed {seed} {flags}")
    draws = random.Random(seed)

    def play(event: Event) -> float:
        shared = f"shared |u {event.text}"
        lines = [f"|a {article.text}" for article in event.articles]
        p = workspace.predict([shared, *lines])
        [a] = draws.choices(range(len(p)), p)
        lines[a] = f"0:{low + 1.0 - event.clicks[a]}:{p[a]} {lines[a]}"
        workspace.learn([shared, *lines])
        return float(event.chances[a])

    return play


def uniform(event: Event) -> float:
    """Any article."""
    return float(event.chances.mean())


def best(event: Event) -> float:
    """The article that the user most likely clicks on."""
    return float(event.chances.max())


def explores(rate: float = 0.5, epsilon: float = EPSILON) -> Maker:
    """Our epsilon-greedy."""
    return lambda s: ours(f"epsilon-greedy:epsilon={epsilon:g}", s, learning_rate=rate)


def vw_explores(rate: float = 0.5, epsilon: float = EPSILON, more: str = "-b 18") -> Maker:
    """VW's epsilon-greedy."""
    return lambda s: theirs(f"--epsilon {epsilon:g} --cb_type mtr -l {rate:g} {more}", s)


def bounds(rate: float = 1.0, c0: float = 1e-3) -> Maker:
    """Our RegCB-opt."""
    return lambda s: ours(f"regcb:c0={c0:g},optimistic", s, learning_rate=rate)


def vw_bounds(rate: float = 0.5, c0: float = 1e-3) -> Maker:
    """VW's RegCB-opt."""
    costs = "--cb_min_cost -1 --cb_max_cost 0"
    return lambda s: theirs(
        f"--regcbopt --mellowness {c0:g} --cb_type mtr {costs} -l {rate:g} -b 18", s
    )


KINDS: dict[str, Callable[..., Maker]] = {
    "epsilon-greedy": explores,
    "VW epsilon-greedy": vw_explores,
    "RegCB-opt": bounds,
    "VW RegCB-opt": vw_bounds,
}
RATES = (0.25, 0.5, 1.0, 2.0)
SECOND = {"epsilon-greedy": (0.02, 0.05), "RegCB-opt": (1e-4, 1e-3)}
# What --tune chose: learning rate, then epsilon or c0
TUNED = {
    "epsilon-greedy": (0.25, 0.02), "VW epsilon-greedy": (1.0, 0.02),
    "RegCB-opt": (0.25, 1e-3), "VW RegCB-opt": (1.0, 1e-3),
}  # fmt: skip

PLAYERS: dict[str, Maker] = {
    "uniform": lambda _: uniform,
    "best": lambda _: best,
    "VW epsilon-greedy": vw_explores(),
    "VW RegCB-opt": vw_bounds(),
    "VW SquareCB": lambda s: theirs("--squarecb --cb_type mtr -b 18", s),
    "epsilon-greedy": explores(),
    "default": lambda s: ours(None, s),
    "greedy": lambda s: ours("greedy", s),
    **{f"{kind}, tuned": KINDS[kind](*values) for kind, values in TUNED.items()},
}
# What is compared with what
PAIRS = {
    "epsilon-greedy": "VW epsilon-greedy",
    "default": "VW RegCB-opt",
    "epsilon-greedy, tuned": "VW epsilon-greedy, tuned",
    "RegCB-opt, tuned": "VW RegCB-opt, tuned",
}


def click_rates(makers: dict[str, Maker], sizes: list[int], seeds: range) -> dict[str, Any]:
    """The click rates of players over the first so many events: (sizes, seeds).

    All meet the same events.
    """
    rates = {name: np.zeros((len(sizes), len(seeds))) for name in makers}
    for i, seed in enumerate(seeds):
        players = {name: maker(seed) for name, maker in makers.items()}
        clicks = dict.fromkeys(makers, 0.0)
        for t, event in enumerate(Site(seed).events(max(sizes)), 1):
            for name, play in players.items():
                clicks[name] += play(event)
            if t in sizes:
                for name, total in clicks.items():
                    rates[name][sizes.index(t), i] = total / t
        print(f"{i + 1} of {len(seeds)} seeds", file=sys.stderr, flush=True)
    return rates


def show(rates: dict[str, Any], sizes: list[int], pairs: dict[str, str]) -> None:
    """A table for each number of events."""
    for i, n in enumerate(sizes):
        count = len(next(iter(rates.values()))[i])
        print(f"{n:,} events, {OFFERED} of {LIVE} articles, {count} seeds")
        print("| | click rate | compared with | difference |")
        print("|---|---|---|---|")
        for name, mine in rates.items():
            other = pairs.get(name, "")
            cells = f"| {name} | {mean_and_half(mine[i])} |"
            if other in rates:
                cells += f" {other} | {mean_and_half(mine[i] - rates[other][i], '+')} |"
            else:
                cells += " | |"
            print(cells, flush=True)
        print()


def mean_and_half(values: Any, sign: str = "") -> str:
    """The mean, and half its 95 % interval (Student)."""
    n = len(values)
    half = math.nan
    if n > 1:
        half = float(stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n))
    return f"{values.mean():{sign}.4f} +- {half:.4f}"


def tune(n: int, seeds: range) -> None:
    """The best settings of each kind on seeds that nothing else uses."""
    for kind, maker in KINDS.items():
        grid = [(rate, x) for rate in RATES for x in SECOND[kind.removeprefix("VW ")]]
        makers = {f"{rate:g}, {x:g}": maker(rate, x) for rate, x in grid}
        means = {k: float(v.mean()) for k, v in click_rates(makers, [n], seeds).items()}
        for name, mean in sorted(means.items(), key=lambda item: -item[1]):
            print(f"| {kind} | {name} | {mean:.4f} |", flush=True)


def main() -> None:
    """Print the click rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[2000, 4000, 8000])
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--only", nargs="+", choices=list(PLAYERS), default=list(PLAYERS))
    parser.add_argument("--tune", action="store_true", help="choose settings on 2,000 events")
    options = parser.parse_args()
    if options.tune:
        tune(2000, range(1000, 1003))
        return
    makers = {name: PLAYERS[name] for name in options.only}
    sizes = sorted(options.events)
    show(click_rates(makers, sizes, range(options.seeds)), sizes, PAIRS)


if __name__ == "__main__":
    main()
