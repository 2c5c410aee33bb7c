"""`bakeoff plan`: how many events until a difference shows."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bakeoff.basics.errors import SpecError
from bakeoff.commands.console import out, say, table

if TYPE_CHECKING:
    from bakeoff.evaluation import Needed, Question

ENDINGS = (".png", ".svg", ".pdf")


def plan(
    effect: Annotated[float, typer.Option(help="The difference of mean rewards that should show.")],
    actions: Annotated[int | None, typer.Option(help="How many actions.")] = None,
    epsilon: Annotated[
        list[float] | None, typer.Option(help="A rate of exploration. Repeat it for several.")
    ] = None,
    rate: Annotated[float, typer.Option(help="The mean reward.")] = 0.3,
    disagree: Annotated[
        float, typer.Option(help="Share of events where the policies differ.")
    ] = 0.5,
    alpha: Annotated[float, typer.Option(help="One minus the confidence.")] = 0.05,
    power: Annotated[float, typer.Option(help="The chance to see the difference.")] = 0.8,
    log: Annotated[
        Path | None, typer.Option(help="Take actions and mean reward from a log.")
    ] = None,
    check: Annotated[bool, typer.Option(help="Simulate logs of this length and count.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw events against exploration: PNG or SVG.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Say how many events to collect until a better policy shows."""
    from bakeoff.evaluation import RATES, Question, checked, from_log
    from bakeoff.evaluation import table as planned
    from bakeoff.reading.logs import read_log

    if actions is None and log is None:
        raise typer.BadParameter("give --actions, or a --log", param_hint="--actions")
    if plot is not None and plot.suffix.lower() not in ENDINGS:
        raise SpecError(f"--plot {plot}: its name must end in {', '.join(ENDINGS)}")
    n_actions = 2 if actions is None else actions
    question = checked(Question(n_actions, effect, rate, disagree, alpha, power))
    if log is not None:
        question = from_log(read_log(log), question)
    rows = planned(question, tuple(epsilon) if epsilon else RATES)
    shows: list[float | None] = [None] * len(rows)
    if check:
        shows = _checked(question, rows)
    if plot is not None:
        _draw(question, plot)
    if as_json:
        answer = {
            **question._asdict(),
            "needed": [
                {**row._asdict(), "simulated_power": power}
                for row, power in zip(rows, shows, strict=True)
            ],
        }
        sys.stdout.write(json.dumps(answer, indent=1) + "\n")
        return
    _print(question, rows, shows)


def _checked(question: "Question", rows: "list[Needed]") -> list[float | None]:
    from bakeoff.evaluation import simulated_power

    return [
        simulated_power(question, row.epsilon, row.events, times=200)
        if row.events <= 2_000_000
        else None
        for row in rows
    ]


def _print(question: "Question", rows: "list[Needed]", shows: list[float | None]) -> None:
    is_checked = any(power is not None for power in shows)
    numbers = ["events", "price per event", *(["seen in simulation"] if is_checked else [])]
    shown = table(["exploration"], numbers)
    for row, power in zip(rows, shows, strict=True):
        seen = "" if power is None else f"{power:.0%}"
        cells = [f"{row.epsilon:.0%}", f"{row.events:,}", f"{row.price:.4g}", seen]
        shown.add_row(*cells[: 1 + len(numbers)])
    out.print(shown)
    out.print(
        f"Assumed: {question.n_actions} actions, mean reward {question.rate:.3g} (0 or "
        f"1), policies that differ in {question.disagree:.0%} of events and by "
        f"{question.effect:g} in mean reward, IPS, confidence {1 - question.alpha:.0%},"
        f" power {question.power:.0%}. The price is what exploring costs if other "
        f"actions are worse by as much.",
        highlight=False,
    )


def _draw(question: "Question", path: Path) -> None:
    import numpy as np
    from matplotlib.figure import Figure

    from bakeoff.evaluation import events_needed

    rates = np.geomspace(0.005, 1.0, 40)
    events = [events_needed(question, float(rate)).events for rate in rates]
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.loglog(rates, events)
    axes.set_xlabel("exploration (epsilon)")
    axes.set_ylabel("events needed")
    axes.set_title(f"to see a difference of {question.effect:g}")
    axes.grid(alpha=0.3, which="both")
    figure.savefig(path)
    say(f"wrote {path}")
