"""What sets our epsilon-greedy apart from VW's on the news site, undone one by one.

`python -m benchmarks.news_steps`: each row changes one thing on one side and is compared
with that side as it is, paired by seed (the same users, offers and clicks). Our
variants call the engine directly, so that importance can be changed, too.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff import Run
from bakeoff.live import Engine, Room
from bakeoff.live.encoder import Encoder, Space
from benchmarks.news_site import (
    EPSILON,
    Event,
    Features,
    Maker,
    Player,
    click_rates,
    explores,
    ours,
    show,
    vw_explores,
)

SPEC = f"epsilon-greedy:epsilon={EPSILON}"
Change = Callable[[Features], Features]


def engine(
    seed: int,
    bits: int = 18,
    over: bool = False,
    user: Change = dict,
    article: Change = dict,
    **settings: Any,
) -> Player:
    """Our epsilon-greedy; `over`: with importance 1 / (p K), as VW's."""
    run = Run(SPEC, seed=seed, **settings)
    bandit = Engine([run], Room((1 << bits) + 1, 64, 1024, False, True))
    encoder = Encoder(Space(bits=bits))
    known: dict[int, Features] = {}  # articles by object: changed once
    t = 0

    def changed(a: Any) -> Features:
        if id(a) not in known:
            known[id(a)] = article(a.features)
            kept.append(a)
        return known[id(a)]

    kept: list[Any] = []

    def play(event: Event) -> float:
        nonlocal t
        t += 1
        paired = encoder.paired(user(event.user), [changed(a) for a in event.articles])
        p = np.zeros(len(event.articles))
        a = bandit.choose(paired, t, p)
        if over:
            p = p * len(p)
        bandit.learn(paired, t, a, p, run.offset + 1.0 - float(event.clicks[a]))
        return float(event.chances[a])

    return play


def backwards(features: Features) -> Features:
    """The same features in another order."""
    return dict(reversed(features.items()))


def with_one(features: Features) -> Features:
    """A feature that is always 1: its pairs are the features of the user alone."""
    return {"one": 1.0, **features}


def reversed_words(maker: Maker) -> Maker:
    """A player of VW that meets features in another order."""

    def make(seed: int) -> Player:
        play = maker(seed)

        def turned(event: Event) -> float:
            text = " ".join(reversed(event.text.split()))
            articles = [a._replace(text=" ".join(reversed(a.text.split()))) for a in event.articles]
            return play(event._replace(text=text, articles=articles))

        return turned

    return make


OURS, THEIRS = "ours", "VW"
STEPS: dict[str, Maker] = {
    THEIRS: vw_explores(),
    OURS: engine,
    "ours, by Learner": explores(),
    "ours, other draws": lambda s: engine(s + 10_000),
    "ours, order of features turned": lambda s: engine(s, user=backwards, article=backwards),
    "ours, 2^22 places": lambda s: engine(s, bits=22),
    "ours, importance 1/(pK)": lambda s: engine(s, over=True),
    "ours, features of the user alone": lambda s: engine(s, article=with_one),
    "ours, 0/1": lambda s: engine(s, offset=0.0),
    "ours, baseline": lambda s: engine(s, baseline=True),
    "ours, means taken out of unpaired features": lambda s: ours(
        SPEC, s, inputs="centred", interactions=False
    ),
    "ours, no pairs": lambda s: ours(SPEC, s, interactions=False),
    "ours, all of VW's: 1/(pK), user alone": lambda s: engine(s, over=True, article=with_one),
    "VW, other draws": lambda s: vw_explores()(s + 10_000),
    "VW, order of features turned": reversed_words(vw_explores()),
    "VW, 2^22 places": vw_explores(more="-b 22"),
    "VW, no features of the user alone": vw_explores(more="-b 18 --ignore_linear u"),
}  # fmt: skip
PAIRS = {
    name: THEIRS if name == OURS or name.startswith(f"{THEIRS},") else OURS
    for name in STEPS
    if name != THEIRS
}
PAIRS["ours, means taken out of unpaired features"] = "ours, no pairs"


def main() -> None:
    """Print the click rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=8000)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--only", choices=[OURS, THEIRS], help="the variants of one side")
    options = parser.parse_args()
    steps = {name: make for name, make in STEPS.items() if name.startswith(options.only or "")}
    show(click_rates(steps, [options.events], range(options.seeds)), [options.events], PAIRS)


if __name__ == "__main__":
    main()
