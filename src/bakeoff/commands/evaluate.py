"""`bakeoff evaluate`: what policies would have earned on a decision log."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from bakeoff.commands.console import out, plain, say, table
from bakeoff.commands.own_option import Own, make_known

if TYPE_CHECKING:
    from bakeoff.evaluation import Evaluation, GateResult

GATE_FAILED = 1
_STATES = {"fine": "fine", "fails": "[bold red]fails[/]", "unknown": "not known"}

_Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        "-p",
        help="uniform, logged, constant:ACTION, column:NAME, or a saved learner "
        "(greedy:FILE without its exploration), judged by events it has not learned from; "
        "progressive:FILE is the learner of this log as it was before each event. "
        "Repeat it for several.",
    ),
]
_Estimators = Annotated[
    list[str] | None,
    typer.Option("--estimator", "-e", help="{estimators} or all. [default: {default}]"),
]
_Interval = Annotated[str, typer.Option(help="auto, {intervals}.")]
_Gate = Annotated[
    list[str] | None,
    typer.Option(
        "--gate",
        help="A condition such as 'dr.low >= logged + 0.01'; the exit code is 1 if it "
        "does not hold for every policy.",
    ),
]
_Range = Annotated[str | None, typer.Option(help="Where rewards lie, as in 0:50. [default: 0:1]")]
_Costs = Annotated[str | None, typer.Option(help="Where costs lie, as in -1:0. [default: 0:1]")]
_Columns = Annotated[
    list[str] | None, typer.Option("--column", help="Which column is which, as in action=arm.")
]


def evaluate(
    log: Annotated[
        Path, typer.Argument(help="A decision log: .jsonl, .parquet, .csv, .vw, .dsjson")
    ],
    policy: _Policies = None,
    estimator: _Estimators = None,
    interval: _Interval = "auto",
    alpha: Annotated[float, typer.Option(help="One minus the confidence.")] = 0.05,
    gate: _Gate = None,
    page: Annotated[Path | None, typer.Option(help="Write an HTML page with everything.")] = None,
    n_actions: Annotated[int | None, typer.Option(help="How many actions there are.")] = None,
    reward_range: _Range = None,
    cost_range: _Costs = None,
    column: _Columns = None,
    ignore: Annotated[list[str] | None, typer.Option(help="A column that is no feature.")] = None,
    adaptive: Annotated[
        bool | None,
        typer.Option("--adaptive/--fixed", help="Whether the log was written by a learner."),
    ] = None,
    pieces: Annotated[
        int | None,
        typer.Option(
            help="Read so many events at a time: for a log larger than memory, by "
            "estimators without a reward model."
        ),
    ] = None,
    own: Own = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Estimate what other policies would have earned, from a log."""
    from bakeoff.data import Log
    from bakeoff.evaluation import (
        DEFAULT,
        ESTIMATORS,
        check_gate,
        estimators_in,
        needs_model,
        write_page,
    )
    from bakeoff.evaluation import evaluate as evaluate_policy
    from bakeoff.reading.logs import LogPieces, read_log, read_pieces

    make_known(own)
    gates = gate or []
    estimators = estimator or list(DEFAULT)
    if "all" in estimators:
        estimators = list(ESTIMATORS)
    if pieces is not None and (not estimator or "all" in estimator):
        estimators = [name for name in estimators if not needs_model(name)]
    in_gates = [name for condition in gates for name in estimators_in(condition)]
    estimators = list(dict.fromkeys([*estimators, *in_gates]))
    if pieces is not None and page is not None:
        raise typer.BadParameter("a page needs the whole log", param_hint="--page with --pieces")
    options: dict[str, Any] = {
        "n_actions": n_actions,
        "reward_range": _pair(reward_range, "--reward-range"),
        "cost_range": _pair(cost_range, "--cost-range"),
        "columns": _columns(column or []),
        "ignore": ignore or (),
        "adaptive": adaptive,
    }
    read: Log | LogPieces
    if pieces is None:
        read = read_log(log, **options)
    else:
        read = read_pieces(log, events=pieces, **options)
    evaluations = [
        evaluate_policy(read, name, estimators, alpha=alpha, interval=interval)
        for name in policy or ["uniform"]
    ]
    results = [check_gate(condition, each) for each in evaluations for condition in gates]
    if as_json:
        _print_json(evaluations, results)
    else:
        _print(evaluations, results)
    if page is not None and isinstance(read, Log):
        write_page(page, read, evaluations, results)
        say(f"wrote {page}")
    if not all(result.holds for result in results):
        raise typer.Exit(GATE_FAILED)


class EvaluateCommand(TyperCommand):
    """Fills the names of estimators and intervals into the help; slow to import until then."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options."""
        from bakeoff.evaluation import DEFAULT, ESTIMATORS, INTERVALS

        names = {
            "estimators": ", ".join(ESTIMATORS),
            "intervals": ", ".join(INTERVALS),
            "default": ", ".join(DEFAULT),
        }
        for option in self.params:
            if isinstance(option, TyperOption) and option.help:
                option.help = option.help.format(**names)
        super().format_options(ctx, formatter)


def _pair(text: str | None, option: str) -> tuple[float, float] | None:
    if text is None:
        return None
    low, _, high = text.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise typer.BadParameter(
            f"write LOW:HIGH, as in 0:50, got {text!r}", param_hint=option
        ) from None


def _columns(options: list[str]) -> dict[str, str]:
    pairs = [option.partition("=") for option in options]
    for role, sign, _ in pairs:
        if not sign:
            raise typer.BadParameter(
                f"write ROLE=NAME, as in action=arm, got {role!r}", param_hint="--column"
            )
    return {role: name for role, _, name in pairs}


def _print_json(evaluations: "list[Evaluation]", results: "list[GateResult]") -> None:
    content: dict[str, Any] = {
        "evaluations": [evaluation.as_dict() for evaluation in evaluations],
        "gates": [result._asdict() for result in results],
        "passed": all(result.holds for result in results),
    }
    sys.stdout.write(json.dumps(content, indent=1, default=float) + "\n")


def _print(evaluations: "list[Evaluation]", results: "list[GateResult]") -> None:
    from bakeoff.evaluation import with_interval

    first = max(evaluations, key=lambda evaluation: evaluation.n)  # learners may leave out events
    kind = "written by a learner" if first.adaptive else "of a logger that did not learn"
    out.print(
        f"{plain(first.log)}: {first.n:,} events, {first.n_actions} actions, {kind}; mean "
        f"reward {with_interval(first.logged)}",
        highlight=False,
    )
    for evaluation in evaluations:
        _print_evaluation(evaluation)
    for result in results:
        say(
            f"{result.policy}: gate {'passed' if result.holds else 'FAILED'}: {result.text}",
            "green" if result.holds else "red",
        )


def _print_evaluation(evaluation: "Evaluation") -> None:
    """The answer first, then the numbers."""
    from bakeoff.evaluation import advice_of, check_lines, decimals, fixed, support_line

    style = "bold" if evaluation.can_answer else "bold red"
    out.print(f"\n[{style}]{plain(evaluation.sentence)}[/]", highlight=False)
    if advice := advice_of(evaluation):
        out.print(plain(advice), highlight=False)
    rows = table(["estimator"], ["value", "low", "high", "interval", "parameter"])
    places = decimals(evaluation.values())
    for estimate in evaluation.values():
        numbers = (fixed(x, places) for x in (estimate.value, estimate.low, estimate.high))
        parameter = f"{estimate.parameter} (SLOPE)" if estimate.chosen else estimate.parameter
        rows.add_row(estimate.name, *numbers, estimate.interval, parameter)
    out.print(rows)
    out.print(support_line(evaluation), highlight=False)
    for state, text in check_lines(evaluation):
        out.print(f"{_STATES[state]}: {plain(text)}", highlight=False)
    if evaluation.sensitivity is not None:
        s = evaluation.sensitivity
        out.print(
            f"if the estimated probabilities are wrong by a factor of {s.factor:g}: "
            f"{fixed(s.low, places)} to {fixed(s.high, places)}",
            highlight=False,
        )
