"""The page of a learner: how it is in one sentence, rewards over time, actions."""

import html
import math
import time
from typing import Any

from bakeoff.basics.pages import Dot, band_chart, document, forest, fragment, shown, table
from bakeoff.basics.text import counted

_Z = 1.96
_ALARM = 3.0  # standard errors by which recent outcomes differ from earlier ones
_FEW_ANSWERS = 0.5
_LABELS = {
    "learning_rate": "learning rate", "pending": "waiting for an outcome",
    "repeated": "outcomes that came again", "given_up": "given up without an outcome",
    "defaulted": "taught the default reward", "collisions": "names that share a place",
    "restarts": "new starts after costs rose",
}  # fmt: skip


def page(statistics: dict[str, Any]) -> str:
    """The result of `Learner.monitor()` as a page that loads nothing."""
    return document("bakeoff: a learner", _body(statistics))


def part(statistics: dict[str, Any]) -> str:
    """The same as a part of a notebook."""
    return fragment(_body(statistics))


def status(statistics: dict[str, Any]) -> tuple[str, str]:
    """How a learner is: "healthy", "check" or "new", and a sentence."""
    decisions, outcomes = statistics["decisions"], statistics["outcomes"]
    if not outcomes or statistics["reward"] is None:
        return "new", f"{counted(decisions, 'decision')}, no outcome yet"
    ended = outcomes + statistics["given_up"]
    answered = (outcomes - statistics["defaulted"]) / ended
    parts = [
        counted(decisions, "decision"),
        f"{_percent(answered)} answered",
        f"reward {statistics['reward']:.2f}{_trend(statistics)}",
    ]
    z = statistics["drift"]["z"]
    is_bad = answered < _FEW_ANSWERS or (z is not None and z > _ALARM)
    return "check" if is_bad else "healthy", ", ".join(parts)


def _trend(statistics: dict[str, Any]) -> str:
    """Where rewards go, if earlier and recent ones can be compared."""
    z, recent = statistics["drift"]["z"], statistics["recent_reward"]
    if z is None or recent is None:
        return ""
    how = "falling" if z > _ALARM else "rising" if z < -_ALARM else "steady"
    return f", {how} ({recent:.2f} in the last {statistics['recent']:,})"


def _body(statistics: dict[str, Any]) -> str:
    kind, sentence = status(statistics)
    now = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(statistics.get("time")))
    parts = [
        "<h1>A learner</h1>",
        f"<p class='status {kind}'><b>{kind}</b>: {html.escape(sentence)}</p>",
        _advice(statistics.get("advice")),
        f"<p class=faint>{html.escape(statistics['run'])}<br>as of {now}</p>",
        _rewards(statistics["history"]),
        _rollout(statistics.get("rollout")),
        _actions(statistics["actions"], statistics["reward"]),
        "<h2>Everything else</h2>",
        table(["", ""], _others(statistics)),
    ]
    return "".join(parts)


def _advice(sentence: str | None) -> str:
    """What to change, if anything."""
    return f"<p>{html.escape(sentence[0].upper() + sentence[1:])}.</p>" if sentence else ""


def _others(statistics: dict[str, Any]) -> list[list[Any]]:
    """Other numbers; counts only if there is something to count."""
    known = ((name, label, statistics[name]) for name, label in _LABELS.items())
    return [[label, value] for name, label, value in known if value or name == "learning_rate"]


def _rewards(history: list[list[float]]) -> str:
    """Mean rewards over time with a band of two standard errors."""
    if len(history) < 2:
        return ""
    points = [(n, mean - _Z * error, mean, mean + _Z * error) for n, mean, error in history]
    chart = band_chart(points, "mean reward by number of outcomes")
    text = "Mean reward of blocks of outcomes with intervals of about 95 %, by number of outcomes."
    return f"<h2>Reward over time</h2>{chart}<p class=faint>{text}</p>"


def _rollout(report: dict[str, Any] | None) -> str:
    """Where the rollout of a candidate is."""
    if report is None:
        return ""
    state = "stopped: the candidate was worse" if report["stopped"] else "under way"
    moves = (
        ", ".join(f"{_percent(share)} after {n:,}" for n, share in report["history"]) or "none yet"
    )
    rows = [
        ["share of the candidate", _percent(report["share"])], ["state", state],
        ["outcomes", report["outcomes"]],
        ["difference to the incumbent", report["difference"]],
        ["its bounds, valid at any time", f"{shown(report['low'])} to {shown(report['high'])}"],
        ["moves", moves],
    ]  # fmt: skip
    return f"<h2>Rollout</h2>{table(['', ''], rows)}"


def _actions(actions: list[dict[str, Any]], mean: float | None) -> str:
    """Actions with what they would earn if they were always taken."""
    if not actions:
        return ""
    total = sum(row["decisions"] for row in actions) or 1
    dots = [
        Dot(
            row["name"] or str(row["action"]), row["estimate"], row["low"], row["high"],
            [f"{row['decisions']:,} ({_percent(row['decisions'] / total)})",
             _fixed(row["reward"]), shown(row["outcomes"]), _interval(row)],
        )
        for row in actions
    ]  # fmt: skip
    head = [
        "action",
        "if always taken",
        "decisions",
        "when taken",
        "outcomes",
        "if always taken, with 95 % interval",
    ]
    text = "Dots: the mean reward if the action were always taken. Dashed: that of all outcomes."
    return f"<h2>Actions</h2>{forest(head, dots, mark=mean)}<p class=faint>{text}</p>"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _fixed(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _interval(row: dict[str, Any]) -> str:
    """An estimate and its interval."""
    if row["low"] is None or row["high"] is None:
        return _fixed(row["estimate"])
    return f"{_fixed(row['estimate'])} ({_fixed(row['low'])} to {_fixed(row['high'])})"


def wilson(mean: float, n: float) -> tuple[float, float]:
    """An interval for a mean in [0, 1] of n outcomes: no outcome in [0, 1] varies more."""
    z2 = _Z * _Z
    middle = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
