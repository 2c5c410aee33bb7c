"""Clicks on a simulated news site, next to `vowpalwabbit` called from Python.

`python -m benchmarks.news_site`: articles come and go, each event offers some of those
that are live, and whether a user clicks depends on pairs of features of user and
article. Both sides see the same users, offers and clicks, and the same features and
pairs; each draws its own actions. The numbers are mean click rates over seeds, and the
mean difference to VW with its standard error.
"""

import argparse
import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import vowpalwabbit as vw

from bakeoff import Learner

TOPICS, AUTHORS, TAGS, SEGMENTS, REGIONS = 12, 25, 40, 8, 10
LIVE, OFFERED = 150, 50  # articles that are live, and offered to a user
CHANGED, EVERY = 10, 250  # so many articles are replaced every so many events
EPSILON = 0.05

Features = dict[str, Any]


class Event(NamedTuple):
    """A user, the articles on offer, and what the user would do with each."""

    user: Features
    articles: list[Features]
    chances: Any  # of a click on each article
    clicks: Any  # whether the user would click


class Article(NamedTuple):
    """An article, and how much each segment of users likes it."""

    features: Features
    topic: int
    appeal: Any


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
        return Article(features, topic, appeal + own)

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
            yield Event(user, [article.features for article in offer], chances, clicks)


Player = Callable[[Event], float]  # plays an event; the chance of a click on its choice


def ours(spec: str | None, seed: int, **settings: Any) -> Player:
    """A learner of this package."""
    learner = Learner(spec, seed=seed, **settings)

    def play(event: Event) -> float:
        decision = learner.choose(event.user, actions=event.articles)
        learner.learn(decision, reward=float(event.clicks[decision.action]))
        return float(event.chances[decision.action])

    return play


def words(features: Features) -> str:
    """Features as VW's text."""
    parts = []
    for name, value in features.items():
        values = value if isinstance(value, list) else [value]
        parts += [f"{name}={v}" if isinstance(v, str) else f"{name}:{v:.6g}" for v in values]
    return " ".join(parts)


def theirs(flags: str, seed: int, low: float = -1.0) -> Player:
    """Vowpal Wabbit with actions of the event; the costs are `low` and `low` + 1."""
    workspace = vw.Workspace(f"--cb_explore_adf -q ua --quiet -b 18 --random_seed {seed} {flags}")
    draws = random.Random(seed)

    def play(event: Event) -> float:
        shared = f"shared |u {words(event.user)}"
        lines = [f"|a {words(article)}" for article in event.articles]
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


Maker = Callable[[int], Player]

PLAYERS: dict[str, Maker] = {
    "uniform": lambda _: uniform,
    "best": lambda _: best,
    "VW epsilon-greedy": lambda s: theirs(f"--epsilon {EPSILON} --cb_type mtr", s),
    "VW epsilon-greedy 0/1": lambda s: theirs(f"--epsilon {EPSILON} --cb_type mtr", s, 0.0),
    "VW RegCB-opt": lambda s: theirs(
        "--regcbopt --mellowness 0.001 --cb_type mtr --cb_min_cost -1 --cb_max_cost 0", s
    ),
    "VW SquareCB": lambda s: theirs("--squarecb --cb_type mtr", s),
    "epsilon-greedy": lambda s: ours(f"epsilon-greedy:epsilon={EPSILON}", s),
    "default": lambda s: ours(None, s),
    "greedy": lambda s: ours("greedy", s),
}
# What is compared with what
PAIRS = {"epsilon-greedy": "VW epsilon-greedy", "default": "VW RegCB-opt"}


def rate(maker: Maker, n: int, seed: int) -> float:
    """The click rate over n events."""
    play = maker(seed)
    return math.fsum(play(event) for event in Site(seed).events(n)) / n


def main() -> None:
    """Print the click rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[2000, 8000, 20000])
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--only", nargs="+", choices=list(PLAYERS), default=list(PLAYERS))
    options = parser.parse_args()
    for n in options.events:
        print(f"{n:,} events, {OFFERED} of {LIVE} articles, {options.seeds} seeds")
        print("| | click rate | standard error | to VW's |")
        print("|---|---|---|---|")
        rates: dict[str, Any] = {}
        for name in options.only:
            seeds = range(options.seeds)
            rates[name] = np.array([rate(PLAYERS[name], n, seed) for seed in seeds])
            print(f"| {name} {cells(rates, name)}", flush=True)
        print()


def cells(rates: dict[str, Any], name: str) -> str:
    """The mean over seeds, and the paired difference to VW."""
    mine, other = rates[name], rates.get(PAIRS.get(name, ""))
    text = f"| {mine.mean():.4f} | {error(mine):.4f} | "
    if other is not None:
        text += f"{(mine - other).mean():+.4f} +- {error(mine - other):.4f} "
    return text + "|"


def error(values: Any) -> float:
    """The standard error of the mean."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


if __name__ == "__main__":
    main()
