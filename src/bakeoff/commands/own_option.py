"""The option `--own`: rules and explorers of users, for logs and saved learners that name them."""

from typing import Annotated

import typer

Own = Annotated[
    list[str] | None,
    typer.Option(
        help="A rule or explorer of your own that the learner has, such as rules.py:name. "
        "Repeat for more."
    ),
]


def make_known(own: Own) -> None:
    """Import what is named, so that specs such as rule-name stand for it."""
    if own:
        from bakeoff.runs import Run

        for text in own:
            Run(text)
