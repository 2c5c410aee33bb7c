"""The page of an evaluation: one HTML file, the verdict first, nothing else needed."""

import html
from collections.abc import Sequence
from pathlib import Path

from bakeoff.data import Log
from bakeoff.evaluation.figures import (
    actions_figure,
    estimates_figure,
    features_table,
    judged_by,
    time_figure,
    weights_figure,
)
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.results import Evaluation

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem;
       padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; }
.yes { border-left: .4rem solid #009e73; padding-left: 1rem; }
.no { border-left: .4rem solid #d55e00; padding-left: 1rem; font-weight: bold; }
figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } main { overflow-wrap: anywhere; }
figcaption, .small { color: #555; font-size: .9rem; }
"""


def write_page(path: Path, log: Log, evaluations: Sequence[Evaluation]) -> None:
    """Write the page of some evaluations on one log."""
    path.write_text(page(log, evaluations), encoding="utf-8")


def page(log: Log, evaluations: Sequence[Evaluation]) -> str:
    """The page as text."""
    title = f"{log.name}: what policies would have scored"
    kind = "a learner" if log.adaptive else "a logger that did not learn"
    parts = [
        f"<h1>{_text(title)}</h1>",
        f"<p>{log.n:,} events, {log.n_actions} actions, decided by {kind}. Mean reward "
        f"of the log: {_interval(evaluations[0].logged)}.</p>",
        *(f"<p class=small>{_text(note)}</p>" for note in log.notes),
    ]
    for evaluation in evaluations:
        parts += [_verdict(evaluation), _numbers(evaluation)]
    parts += [
        _figure(
            estimates_figure(log, evaluations),
            "Estimates with their intervals; the line is the mean reward of the log.",
        )
    ]
    for evaluation in evaluations:
        parts += _details(log, evaluation)
    if len(evaluations) > 1:
        parts += ["<h2>Where the policies differ</h2>", _wide(features_table(log, evaluations))]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>{body}</main></body></html>\n"
    )


def _text(text: str) -> str:
    return html.escape(text)


def _interval(estimate: object) -> str:
    value, low, high = (getattr(estimate, name) for name in ("value", "low", "high"))
    return f"{value:.4g} [{low:.4g}, {high:.4g}]"


def _verdict(evaluation: Evaluation) -> str:
    kind = "yes" if evaluation.can_answer else "no"
    return f"<h2>{_text(evaluation.policy)}</h2>\n<p class={kind}>{_text(evaluation.advice)}</p>"


def _numbers(evaluation: Evaluation) -> str:
    rows = [
        f"<tr><td>{_text(estimate.name)}</td><td>{estimate.value:.4g}</td><td>{estimate.low:.4g}</td>"
        f"<td>{estimate.high:.4g}</td><td>{_text(INTERVALS[estimate.interval].title)}</td>"
        f"<td>{_text(estimate.parameter)}{' (SLOPE)' if estimate.chosen else ''}</td></tr>"
        for estimate in evaluation.values()
    ]
    head = "<tr>" + "".join(
        f"<th scope=col>{name}</th>"
        for name in ("estimator", "value", "low", "high", "interval", "parameter")
    )
    body = f"<tbody>{''.join(rows)}</tbody>"
    support = evaluation.support
    return (
        f"{_wide(f'<table><thead>{head}</tr></thead>{body}</table>')}\n"
        f"<p class=small>Effective sample size {support.effective_sample_size:,.0f} of "
        f"{evaluation.n:,}; largest weight {support.largest_weight:,.3g}; mean weight "
        f"{support.mean_weight:.3f}; never tried {support.unseen:.1%}. "
        f"{_text(' '.join(_sentence(check.text) for check in evaluation.checks))}</p>"
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _wide(table: str) -> str:
    """A table that scrolls by itself where it does not fit."""
    return f"<div class=wide tabindex=0>{table}</div>"


def _figure(svg: str, caption: str) -> str:
    named = svg.replace("<svg", f'<svg role="img" aria-label="{_text(caption)}"', 1)
    return f"<figure>{named}<figcaption>{_text(caption)}</figcaption></figure>"


def _details(log: Log, evaluation: Evaluation) -> list[str]:
    log = judged_by(log, evaluation.n)
    return [
        f"<h2>{_text(evaluation.policy)} in detail</h2>",
        _figure(
            weights_figure(evaluation),
            "Weights: how many times likelier the policy was to do what was done. A "
            "long tail means that few events decide.",
        ),
        _figure(
            time_figure(log, evaluation),
            "The IPS estimate over time, with a confidence sequence that holds at every moment.",
        ),
        _figure(
            actions_figure(log, evaluation),
            "How often each action was logged, and how often the policy likes it best.",
        ),
    ]
