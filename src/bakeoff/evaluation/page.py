"""The page of an evaluation: one HTML file, the answer first, nothing else needed."""

import html
from collections.abc import Sequence
from pathlib import Path

from bakeoff.basics.pages import document, lines
from bakeoff.data import Log
from bakeoff.evaluation import parts
from bakeoff.evaluation.estimate import with_interval
from bakeoff.evaluation.gate import GateResult
from bakeoff.evaluation.results import Evaluation


def write_page(
    path: Path, log: Log, evaluations: Sequence[Evaluation], gates: Sequence[GateResult] = ()
) -> None:
    """Write the page of some evaluations on one log."""
    path.write_text(page(log, evaluations, gates), encoding="utf-8")


def page(log: Log, evaluations: Sequence[Evaluation], gates: Sequence[GateResult] = ()) -> str:
    """The page as text."""
    title = f"{log.name}: what policies would have earned"
    kind = "a learner" if log.adaptive else "a logger that did not learn"
    longest = max(evaluations, key=lambda evaluation: evaluation.n)  # learners may leave out events
    body = [
        f"<h1>{html.escape(title)}</h1>",
        *(parts.said(evaluation) for evaluation in evaluations),
        f"<ul class=checks>{''.join(map(_gate, gates))}</ul>" if gates else "",
        _figure(
            parts.policies(evaluations),
            "The dashed line is the mean reward of the log. Each policy has its unbiased estimate "
            "with the shortest interval; green and red differ surely from what was logged.",
        ),
        f"<p class=faint>{log.n:,} events, {log.n_actions} actions, decided by {kind}. Mean "
        f"reward of the log: {with_interval(longest.logged)}.</p>",
        lines(log.notes),
    ]
    for evaluation in evaluations:
        body += _details(log, evaluation)
    if len(evaluations) > 1:
        body += ["<h2>Where the policies differ</h2>", parts.differing(log, evaluations)]
    return document(title, "\n".join(body))


def _gate(result: GateResult) -> str:
    state = "fine" if result.holds else "fails"
    word = "passed" if result.holds else "failed"
    text = f"{parts.SIGNS[state]} {result.policy}: gate {word}: {result.text}"
    return f"<li class={state}>{html.escape(text)}</li>"


def _figure(drawn: str, caption: str) -> str:
    return f"<figure>{drawn}<figcaption class=faint>{html.escape(caption)}</figcaption></figure>"


def _details(log: Log, evaluation: Evaluation) -> list[str]:
    log = parts.judged_by(log, evaluation.n)
    return [
        f"<h2>{html.escape(evaluation.policy)}</h2>",
        parts.checks(evaluation),
        _figure(
            parts.actions(log, evaluation),
            "How often the policy would take each action (dot), and how often it was logged "
            "(ring).",
        ),
        "<details><summary>All estimators, weights, and the estimate over time</summary>",
        _figure(parts.estimates(evaluation), "All estimates with their intervals."),
        _figure(
            parts.weights(evaluation),
            "Weights: how many times likelier the policy was to do what was done. Rings are "
            "shares of events, dots shares of all weight: few events decide if much weight lies "
            "on rare, heavy ones.",
        ),
        _figure(
            parts.over_time(log, evaluation),
            "The IPS estimate by number of events, with a confidence sequence that holds at every "
            "moment.",
        ),
        "</details>",
    ]
