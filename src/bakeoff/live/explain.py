"""Explain: what each feature contributed to the score of an action.

Scores are linear, so they are sums of value times weight. Products are in single
precision, as in the kernels, and added in their order they give the score to the last
bit. A score is an expected loss: what is negative speaks for the action.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.live import Given
from bakeoff.core.types import Floats
from bakeoff.live.contexts import is_named, plain
from bakeoff.live.decision import Decision
from bakeoff.live.model import Model
from bakeoff.live.paired import Paired
from bakeoff.live.why import Why

CONSTANT, BASELINE = "(constant)", "(baseline)"


def explain(model: Model, decision: Decision) -> Why:
    """Why a decision is as it is; the model has not learned since."""
    _check_linear(model)
    event, numbers = model.event(decision.context, decision.available, decision.actions)
    K = event.first.item(1) if len(event.first) else model.actions.count
    if isinstance(event, Paired):
        event = event.crossed()
    elif model.engine.room.apart:
        event = model.engine.as_laid_out(event, np.zeros(K))
    of = range(K) if numbers is None else numbers.tolist()
    labels = _labels(model, decision, list(of))
    parts = [_parts(model, event, position, labels[position]) for position in range(K)]
    scores = [_score(part) for part in parts]
    position = list(of).index(decision.action)
    others = [k for k in range(K) if k != position]
    second = min(others, key=lambda k: scores[k]) if others else None
    mine = _means(parts[position])
    against = dict(mine)
    if second is not None:
        for label, value in _means(parts[second]).items():
            against[label] = against.get(label, 0.0) - value
    runner_up = None if second is None else list(of)[second]
    return Why(
        decision.action,
        decision.name,
        decision.probability,
        scores[position],
        mine,
        runner_up,
        None if runner_up is None else _name(model, runner_up),
        None if second is None else scores[second],
        dict(sorted(against.items(), key=lambda item: -abs(item[1]))),
        scores[position] > min(scores),
    )


def _check_linear(model: Model) -> None:
    """Refuse algorithms whose scores are not those of the policies' regressors."""
    name = str(model.run.explorer).partition(":")[0]
    if name in ("linucb", "lints", "linmed"):
        raise DataError(f"why() cannot explain decisions of {name!r}, which is ridge regression")


def _name(model: Model, number: int) -> str | None:
    return model.actions.name(number) if model.actions.count else None


Parts = list[tuple[str, Floats]]  # a feature, and its part of the score by each policy


def _parts(model: Model, event: Given, position: int, labels: list[str]) -> Parts:
    """What the features of an action contribute by each policy, in the kernels' order."""
    engine = model.engine
    f, room = engine.bandit.policies, engine.room
    columns, lanes = len(f.eta), len(engine.runs)
    cost, weight = engine.progress
    lane = int(np.argmin((cost + 0.5) / (weight + 1.0)))
    policies = np.arange(lane, columns, lanes)
    row = position if room.shared else 0
    begin, end = event.start[row], event.start[row + 1]
    value = event.value[begin:end].astype(np.float32)
    place = event.place[begin:end] if len(event.place) else np.arange(end - begin)
    base = room.n_features * int(event.actions[position]) if room.apart else 0
    cells = policies + (0 if room.apart or room.shared else position * columns)
    parts: Parts = []
    if len(f.w0):
        parts.append((BASELINE, np.clip(f.w0, f.lo, f.hi)[policies]))
    inside = base + place + 1 < len(f.w)
    for label, x, j, known in zip(labels, value, base + place + 1, inside, strict=True):
        if x != 0:
            w = f.w[j, cells] if known else np.zeros(len(cells), np.float32)
            parts.append((label, x * w))
    parts.append((CONSTANT, f.w[base, cells]))
    return parts


def _score(parts: Parts) -> float:
    """The score: sums in single precision, and their mean over the policies."""
    total = np.zeros_like(parts[0][1])
    for _, part in parts:
        total = total + part
    return float(total[0]) if len(total) == 1 else float(total.astype(np.float64).mean())


def _means(parts: Parts) -> dict[str, float]:
    """Contributions by feature; one that occurs several times counts as one."""
    means: dict[str, float] = {}
    for label, part in parts:
        means[label] = means.get(label, 0.0) + float(part.astype(np.float64).mean())
    return means


# ---- names of features


def _labels(model: Model, decision: Decision, numbers: list[int]) -> list[list[str]]:
    """The names of the features of each action's row, in the order of the encoder."""
    own = model.actions.count == 0
    if not own and model.actions.features is None:
        return [_names_in(model, decision.context)] * len(numbers)
    features: Any = decision.actions
    context = decision.context
    if not own:
        assert model.actions.features is not None
        features = [model.actions.features[a] for a in numbers]
    elif features is None:  # rows of features alone
        features, context = list(plain(context)), None
    of_context = [] if context is None else _names_in(model, context)
    rows = []
    for row in features:
        mine = _names_in(model, row)
        pairs = model.encoder.space.interactions and context is not None
        crossed = [f"{a} x {b}" for a in of_context for b in mine] if pairs else []
        rows.append(mine + crossed)
    return rows


def _names_in(model: Model, x: Any) -> list[str]:
    """The names of the features of one context or action."""
    x = plain(x)
    if model.encoder.columns is not None:
        places, _ = model.encoder.columns.encode(x)
        known = model.encoder.columns.names
        return [str(known[j]) if known else str(j) for j in places.tolist()]
    if not is_named(x):
        index, value = model.encoder.row(x)
        return [str(j) for j in (index.tolist() if len(index) else range(len(value)))]
    names = []
    for name, content in dict(x).items():
        names += _names_of(name, content)
    return names


def _names_of(name: str, content: Any) -> list[str]:
    """The features that one entry of a dictionary makes."""
    if content is None:
        return []
    if isinstance(content, str):
        return [f"{name}={content}"]
    if isinstance(content, list | tuple | set | frozenset):
        texts = sorted(content) if isinstance(content, set | frozenset) else content
        return [f"{name}={text}" for text in texts]
    if isinstance(content, Mapping):
        raise DataError(f"feature {name!r} must not be a dictionary")
    return [name]
