"""`bakeoff recommend`: the paper's guidelines, from one's own results."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bakeoff.commands.console import out, plain, say
from bakeoff.commands.file_options import OF_SEVERAL
from bakeoff.commands.report import (
    RESULTS,
    Algorithms,
    Correction,
    Datasets,
    Encoding,
    Everything,
    Folder,
    HeldOut,
    Test,
    View,
    losses_for,
)
from bakeoff.reading.options import Options

if TYPE_CHECKING:
    from bakeoff.judging import Advice, Use


def recommend(
    folder: Folder = RESULTS,
    encoding: Encoding = None,
    held_out: HeldOut = False,
    test: Test = "paper",
    correction: Correction = "none",
    everything: Everything = False,
    algorithms: Algorithms = None,
    datasets: Datasets = None,
    view: View = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Say which algorithm and which settings to use, and why."""
    from bakeoff.judging import Criteria, missing_of, recommend, use_of, verdict
    from bakeoff.store import opened

    store = opened(folder)
    asked = Criteria(encoding, held_out, test=test, correction=correction, view=view)
    losses = losses_for(folder, asked, algorithms, datasets, everything=everything)
    advice, use = recommend(losses, asked), use_of(losses, asked)
    manifest = store.usable_manifest()
    lines = _lines(use, manifest.asked if manifest else {}) if use else {}
    found = verdict(losses, asked)
    if as_json:
        answer = {"verdict": found.in_short(), **_as_dict(advice, use, lines)}
        sys.stdout.write(json.dumps(answer, indent=1) + "\n")
        return
    notice = missing_of(store)
    for note in filter(None, (notice, losses.others)):
        say(f"note: {note}", "yellow")
    out.print(plain(str(found)), style="bold", highlight=False)
    for sentence in found.reasons:
        out.print(plain(sentence), highlight=False)
    for topic, text, _ in advice[1:]:
        out.print(f"[bold]{plain(topic)}[/]: {plain(text)}", highlight=False)
    for where, line in lines.items():
        out.print(f"[bold]to use it, {where}[/]:", highlight=False)
        out.print(plain(line), highlight=False, soft_wrap=True)


def _lines(use: "Use", asked: Mapping[str, Any]) -> dict[str, str]:
    """What can be pasted, by the place where it can be."""
    sources = asked.get("sources")
    words = [str(word) for word in sources] if isinstance(sources, list) else []
    read = [word for name in OF_SEVERAL for word in _option(name, asked.get(name))]
    shell = use.command([*words, *read])
    lines = {"in a shell": shell, "in Python": use.python}
    return {where: line for where, line in lines.items() if line}


def _option(name: str, value: Any) -> list[str]:
    """An option about files as it is written on a command line."""
    option = f"--{name.replace('_', '-')}"
    if value in (None, [], getattr(Options(), name)):
        return []
    if isinstance(value, bool):
        return [option if value else f"--no-{option[2:]}"]
    if name == "target" and isinstance(value, list):
        value = ",".join(value)
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (option, str(one))]


def _as_dict(advice: "list[Advice]", use: "Use | None", lines: dict[str, str]) -> dict[str, Any]:
    """Fields for programs; the texts are beside their numbers."""
    return {
        "use": use and use._asdict(),
        "paste": lines,
        "advice": [
            {"topic": topic, **(facts or {}), "text": text} for topic, text, facts in advice
        ],
    }
