"""`bakeoff recommend`: the paper's guidelines, from one's own results."""

import json
import sys
from typing import Annotated

import typer

from bakeoff.commands.console import out, plain, say
from bakeoff.commands.report import (
    RESULTS,
    Correction,
    Encoding,
    Folder,
    HeldOut,
    Test,
    asked_of,
)


def recommend(
    folder: Folder = RESULTS,
    encoding: Encoding = None,
    held_out: HeldOut = False,
    test: Test = "paper",
    correction: Correction = "none",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, for programs.")
    ] = False,
) -> None:
    """Say which algorithm, encoding, reduction and learning rate to use, and why."""
    from bakeoff.report.reading import missing_of
    from bakeoff.report.recommend import recommend
    from bakeoff.store.store import Store

    losses, asked = asked_of(folder, encoding, held_out, test, correction)
    advice = recommend(losses, asked)
    if as_json:
        sys.stdout.write(json.dumps([one._asdict() for one in advice], indent=1) + "\n")
        return
    notice = missing_of(Store(folder))
    if notice:
        say(f"note: {notice}", "yellow")
    for topic, text in advice:
        out.print(f"[bold]{plain(topic)}[/]: {plain(text)}", highlight=False)
