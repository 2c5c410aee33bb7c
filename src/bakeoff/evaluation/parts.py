"""Parts: pieces of HTML about an evaluation, for its page and for notebooks."""

import html
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bakeoff.basics.pages import Dot, band_chart, forest, fragment, lines, status
from bakeoff.basics.pages import table as plain_table
from bakeoff.data import Log
from bakeoff.evaluation.estimate import Estimate, decimals, fixed, with_interval
from bakeoff.evaluation.intervals.base import Streams, two_sided
from bakeoff.evaluation.intervals.sequences import robust_lower
from bakeoff.evaluation.results import Evaluation
from bakeoff.evaluation.wording import advice_of, check_lines, support_line
from bakeoff.reading.logs import feature_names

_POINTS = 30  # in time at which the sequence is drawn
_MOST = 25  # actions that are shown
SIGNS = {"fine": "\u2713", "fails": "!", "unknown": "?"}
_CLASSES = (0.5, 2.0, 10.0)  # where classes of weights end


def part(evaluation: Evaluation) -> str:
    """An evaluation in a notebook."""
    return fragment(f"{said(evaluation)}{estimates(evaluation)}{checks(evaluation)}")


def said(evaluation: Evaluation) -> str:
    """The sentence, and what to know to believe it."""
    kind = {"good": "healthy", "bad": "check"}.get(_kind(evaluation), "new")
    if not evaluation.can_answer:
        kind = "check"
    advice = advice_of(evaluation)
    below = f"<p class=faint>{html.escape(advice)}</p>" if advice else ""
    return status(kind, evaluation.sentence) + below


def policies(evaluations: Sequence[Evaluation]) -> str:
    """All policies beside the log, each by its best estimate."""
    every = [each.best for each in evaluations]
    places = decimals(every)
    logged = max(evaluations, key=lambda evaluation: evaluation.n).logged
    rows = [Dot("as logged", logged.value, logged.low, logged.high, _cells(logged, places))]
    rows += [
        _dot(each.policy, best, places, _kind(each))
        for each, best in zip(evaluations, every, strict=True)
    ]
    head = ["policy", "mean reward", _confidence(evaluations[0]), "estimator"]
    return forest(head, rows, mark=logged.value, decimals=places)


def estimates(evaluation: Evaluation) -> str:
    """All estimates of a policy."""
    every = list(evaluation.values())
    places = decimals(every)
    rows = [_dot(one.name, one, places, "")._replace(cells=[
        with_interval(one, places), one.interval,
        f"{one.parameter}{' (SLOPE)' if one.chosen else ''}",
    ]) for one in every]  # fmt: skip
    head = ["estimator", "mean reward", _confidence(evaluation), "interval", "parameter"]
    return forest(head, rows, mark=evaluation.logged.value, decimals=places)


def _confidence(evaluation: Evaluation) -> str:
    return f"{100 * (1 - evaluation.alpha):.4g} % interval"


def _cells(estimate: Estimate, places: int) -> list[str]:
    return [with_interval(estimate, places), estimate.name]


def _dot(name: str, one: Estimate, places: int, kind: str) -> Dot:
    """A row; what is no possible mean reward stands at the end of its interval."""
    shown = min(max(one.value, one.low), one.high)
    return Dot(name, shown, one.low, one.high, _cells(one, places), kind)


def _kind(evaluation: Evaluation) -> str:
    found = evaluation.difference
    if not evaluation.can_answer or found is None or not found.is_clear:
        return ""
    return "good" if found.value > 0 else "bad"


def checks(evaluation: Evaluation) -> str:
    """The checks of the log as lines."""
    items = "".join(
        f"<li class={state}>{SIGNS[state]} {html.escape(_sentence(text))}</li>"
        for state, text in check_lines(evaluation)
    )
    faint = html.escape(_sentence(support_line(evaluation)))
    return f"<ul class=checks>{items}</ul><p class=faint>{faint}</p>"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def weights(evaluation: Evaluation) -> str:
    """Which weights events have, and how much of all weight lies there."""
    w = evaluation.weight
    assert w is not None
    total = float(w.sum()) or 1.0
    place = np.where(w > 0, np.searchsorted(_CLASSES, w, side="right") + 1, 0)
    names = ["0", *_class_names()]
    rows = []
    for k, name in enumerate(names):
        own = place == k
        if own.any():
            events, share = float(own.mean()), float(w[own].sum()) / total
            cells = [f"{int(own.sum()):,}", f"{share:.1%}"]
            rows.append(Dot(name, share, cells=cells, other=events))
    return forest(["weight", "share", "events", "of all weight"], rows, least=0.0)


def _class_names() -> list[str]:
    inner = [f"{a:g} to {b:g}" for a, b in itertools.pairwise(_CLASSES)]
    return [f"below {_CLASSES[0]:g}", *inner, f"{_CLASSES[-1]:g} and more"]


def over_time(log: Log, evaluation: Evaluation) -> str:
    """The estimate by IPS after so many events, with a confidence sequence."""
    w, r = evaluation.weight, log.reward
    assert w is not None
    first = min(max(20, log.n // 50), log.n)
    ends = np.unique(np.linspace(first, log.n, _POINTS).astype(int))
    points: list[tuple[float, float, float, float]] = []
    for n in ends:
        streams = Streams((w * r)[:n], (w * (1 - r))[:n])
        low, high = two_sided(streams, evaluation.alpha, robust_lower)
        mean = min(max(float((w * r)[:n].mean()), low), high)
        points.append((float(n), log.in_units(low), log.in_units(mean), log.in_units(high)))
    return band_chart(points, f"mean reward of {evaluation.policy} by number of events")


def actions(log: Log, evaluation: Evaluation) -> str:
    """How often actions were logged, and how often the policy would take them."""
    assert evaluation.shares is not None
    logged = np.bincount(log.action, minlength=log.n_actions) / log.n
    shown = np.argsort(-np.maximum(logged, evaluation.shares), kind="stable")[:_MOST]
    rows = [
        Dot(
            log.action_name(int(a)), float(evaluation.shares[a]), other=float(logged[a]),
            cells=[f"{evaluation.shares[a]:.1%}", f"{logged[a]:.1%}"],
        )
        for a in shown
    ]  # fmt: skip
    return forest(["action", "share of events", "the policy", "logged"], rows, least=0.0)


def differing(log: Log, evaluations: Sequence[Evaluation]) -> str:
    """Features that tell events where the first two policies prefer different actions."""
    first, second = evaluations[0], evaluations[1]
    log = judged_by(log, min(first.n, second.n))
    one, other = first.favourites[-log.n :], second.favourites[-log.n :]
    both = (one >= 0) & (other >= 0)
    undecided = [
        each.policy for each in (first, second) if not (each.favourites[-log.n :] >= 0).any()
    ]
    if undecided:
        return lines([f"{' and '.join(undecided)}: no action is preferred to all others."])
    differs = both & (one != other)
    share = float(differs.mean())
    words = f"{first.policy} and {second.policy} prefer different actions in {share:.1%} of events."
    if log.first_row is not None or not 0 < share < 1 or log.n_features == 0:
        return lines([words])
    inside, outside = (_means(log.X[np.flatnonzero(d)]) for d in (differs, ~differs))
    squares = _means(log.X * log.X) - _means(log.X) ** 2
    gap = (inside - outside) / np.sqrt(np.maximum(squares, 1e-12))
    order = np.argsort(-np.abs(gap), kind="stable")[:10]
    names = _feature_names(log)
    rows = [
        [names[j], fixed(inside[j], 3), fixed(outside[j], 3), f"{gap[j] + 0.0:+.2f}"] for j in order
    ]
    head = ["feature", "mean where they differ", "elsewhere", "gap (sd)"]
    return f"{lines([words])}{plain_table(head, rows)}"


def _feature_names(log: Log) -> list[str]:
    """Those of named contexts; numbers if features have none."""
    if log.raw is not None and all(isinstance(one, Mapping) for one in log.raw):
        names = feature_names(log.raw)
        if len(names) == log.n_features:
            return names
    return [str(j) for j in range(log.n_features)]


def judged_by(log: Log, n: int) -> Log:
    """The last n events: earlier ones may have taught the policy."""
    return log if n == log.n else log.part(slice(log.n - n, None))


def _means(X: Any) -> Any:
    """The mean of each feature."""
    return np.asarray(X.mean(axis=0)).ravel()
