"""Metrics: the numbers of a service as Prometheus reads them."""

import time
from typing import Any

from bakeoff.live.serving.rollouts import report_of
from bakeoff.live.serving.state import State

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds
_HELP = {
    "bakeoff_activations_total": "Decisions that were activated later.",
    "bakeoff_apprentice_agreed_total": "Apprentice: the learner would have shown the same.",
    "bakeoff_apprentice_total": "Apprentice: decisions of the application.",
    "bakeoff_decisions_total": "Decisions; repeated ones had the id of one that waits.",
    "bakeoff_outcomes_total": "Decisions that have ended, by what ended them.",
    "bakeoff_refused_total": "Decisions that did not fit the learner and taught nothing.",
    "bakeoff_request_seconds": "Time that requests took.",
    "bakeoff_requests_total": "Requests by path and status.",
    "bakeoff_rewards_total": "Rewards, by whether they counted.",
}


def request_counts(path: str, status: int, seconds: float) -> dict[str, float]:
    """What one request adds to the counters."""
    counts = {f'bakeoff_requests_total{{path="{path}",status="{status}"}}': 1.0}
    for bucket in BUCKETS:
        if seconds <= bucket:
            counts[f'bakeoff_request_seconds_bucket{{path="{path}",le="{bucket}"}}'] = 1.0
    counts[f'bakeoff_request_seconds_bucket{{path="{path}",le="+Inf"}}'] = 1.0
    counts[f'bakeoff_request_seconds_count{{path="{path}"}}'] = 1.0
    counts[f'bakeoff_request_seconds_sum{{path="{path}"}}'] = seconds
    return counts


def metrics_text(state: State, version: int) -> str:
    """All counters of all processes, and what there is at the moment."""
    lines: list[str] = []
    before = ""
    for name, value in sorted(state.counters().items(), key=lambda item: _family(item[0])):
        family = _family(name)
        if family != before:
            kind = "histogram" if family == "bakeoff_request_seconds" else "counter"
            lines += [f"# HELP {family} {_HELP.get(family, '')}", f"# TYPE {family} {kind}"]
            before = family
        lines.append(f"{name} {value:.10g}")
    beat = state.fact("beat")
    gauges = {
        "bakeoff_pending": ("Decisions that wait for a reward.", state.count("pending")),
        "bakeoff_queue": ("Rewards that wait to be learned.", state.count("queue")),
        "bakeoff_model_version": ("Outcomes that this process's model has learned.", version),
        "bakeoff_writer_age_seconds": (
            "Time since the process that learns was alive.",
            time.time() - float(beat) if beat else float("inf"),
        ),
    }
    gauges |= _of_rollout(report_of(state) or {})
    for name, (text, value) in gauges.items():
        lines += [f"# HELP {name} {text}", f"# TYPE {name} gauge", f"{name} {value:.10g}"]
    return "\n".join(lines).replace("inf\n", "+Inf\n") + "\n"


def _of_rollout(report: dict[str, Any]) -> dict[str, tuple[str, float]]:
    """Where a rollout is."""
    texts = {
        "share": "The candidate's share of the decisions.",
        "stopped": "1 if the candidate was worse and is out.",
        "outcomes": "Outcomes since the rollout began.",
        "difference": "Mean reward of the candidate less that of the incumbent, in [-1, 1].",
        "low": "Lower bound of the difference, valid at every moment.",
        "high": "Upper bound of the difference, valid at every moment.",
    }
    return {
        f"bakeoff_rollout_{name}": (text, float(report[name]))
        for name, text in texts.items()
        if report.get(name) is not None
    }


def _family(name: str) -> str:
    name = name.partition("{")[0]
    for suffix in ("_bucket", "_count", "_sum"):
        if name == f"bakeoff_request_seconds{suffix}":
            return "bakeoff_request_seconds"
    return name
