"""`bakeoff verify`: whether a log has its learner's decisions, drawn as it says."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bakeoff.basics.text import counted
from bakeoff.commands.console import out, plain, say
from bakeoff.commands.own_option import Own, make_known

if TYPE_CHECKING:
    from bakeoff.live import Count, Verdict


def verify(
    log: Annotated[Path, typer.Argument(help="A decision log (JSON Lines).")],
    model: Annotated[
        Path | None,
        typer.Option(help="A saved learner: start from where it was, not at the log's beginning."),
    ] = None,
    own: Own = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Check that a decision log is what its learner did.

    It makes the decisions again, and tests the actions against their probabilities.
    Exit code 1: something does not fit.
    """
    from bakeoff.live import verify

    make_known(own)
    verdict = verify(log, model)
    if as_json:
        sys.stdout.write(json.dumps(_as_json(verdict), indent=1) + "\n")
    else:
        went_back = "were made after the learner went back: it did not catch up"
        older = went_back if model is None else "are older than the model"
        _print(str(log), verdict, older)
    if not verdict.is_fine:
        sys.exit(1)


def _as_json(verdict: "Verdict") -> dict[str, Any]:
    ratios = verdict.ratios
    return {
        "fine": verdict.is_fine,
        "decisions": ratios.decisions,
        "contradictions": ratios.contradictions,
        "p_value": ratios.p_value,
        "by_action": [_count(one) for one in ratios.by_action.values()],
        "by_probability": [_count(one) for one in ratios.by_probability],
        "replay": None if verdict.replay is None else asdict(verdict.replay),
        "why_not": verdict.why_not,
    }


def _count(one: "Count") -> dict[str, Any]:
    return asdict(one) | {"p_value": one.p_value}


def _print(log: str, verdict: "Verdict", older: str) -> None:
    from bakeoff.live import ALARM

    ratios, replay = verdict.ratios, verdict.replay
    out.print(
        f"{plain(log)}: {counted(ratios.decisions, 'decision')}", highlight=False, soft_wrap=True
    )
    if ratios.contradictions:
        say(f"{counted(ratios.contradictions, 'decision')} contradict their own "
            f"probabilities", "red")  # fmt: skip
    if replay is None:
        say(f"decisions were not made again: {verdict.why_not}", "yellow")
    else:
        notes = [f"{replay.before:,} {older}"] if replay.before else []
        if replay.admitted:
            notes.append(f"{replay.admitted:,} by other processes were not")
        apart = f" ({', '.join(notes)})" if notes else ""
        out.print(
            f"made again: {replay.decisions:,}{apart}, {replay.outcomes:,} outcomes "
            f"learned, {replay.different:,} different", highlight=False, soft_wrap=True,
        )  # fmt: skip
        if replay.different:
            say(f"the first that is different is {replay.first_different!r}", "red")
    p = ratios.p_value
    if p is None:
        say("too few decisions to test actions against their probabilities", "yellow")
        return
    style = "red" if p < ALARM else ""
    out.print(f"actions against their probabilities: p = {p:.3g}", style=style, highlight=False)
    for count in [*ratios.by_action.values(), *ratios.by_probability]:
        if count.p_value is not None and count.p_value < ALARM:
            say(f"  {count.what}: drawn {count.drawn:,} times, expected "
                f"{count.expected:,.1f} (p = {count.p_value:.2g})", "red")  # fmt: skip
