"""`bakeoff algorithms`: what can be compared, with all settings."""

import json
import sys
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bakeoff.commands.console import out, plain, table

if TYPE_CHECKING:
    from bakeoff.core.explorers import Explorer


def algorithms(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """List all algorithms, with their settings, defaults and ranges.

    A spec is a name and settings that differ from the defaults, such as bag:n_policies=8,greedy.
    """
    from bakeoff.core.explorers import EXPLORERS
    from bakeoff.runs import GRIDS

    records = [_described(record) for record in EXPLORERS.values()]
    if as_json:
        sys.stdout.write(json.dumps(records, indent=1) + "\n")
        return
    from bakeoff.core.safeguards import Safeguards

    safeguards = ", ".join(one.name for one in fields(Safeguards))
    grid = table(("algorithm", "in tables", "settings (default; range)", "what it is"), ())
    for one in records:
        settings = "\n".join(plain(_in_words(setting)) for setting in one["settings"])
        about = f"{one['about']} reductions: {', '.join(one['reductions']) or 'none'}"
        grid.add_row(one["name"], ", ".join(one["labels"]), settings, plain(about))
    out.print(grid)
    out.print(
        f"grids of them: {', '.join(GRIDS)}; a learner of your own: python:module.Name; "
        f"an exploration rule in a file: rules.py:name\n"
        f"safeguards of each but the skyline: {safeguards} (greedy:forget=1000,restart=20; "
        f"docs/evidence/streams.md)",
        highlight=False,
        soft_wrap=True,
    )


def _described(record: "Explorer") -> dict[str, Any]:
    from bakeoff.core.explorers import ranges_of

    ranges = ranges_of(record.settings)
    module = sys.modules[record.settings.__module__].__doc__ or ""
    own = (record.settings.__doc__ or "").splitlines()[0]
    return {
        "name": record.name,
        "labels": [name.label for name in record.names],
        "settings": [
            {
                "name": one.name,
                "default": None if one.default is MISSING else one.default,
                "range": str(ranges[one.name]) if one.name in ranges else None,
            }
            for one in fields(record.settings)
        ],
        "reductions": list(record.reductions),
        "about": f"{own} {module.splitlines()[0]}" if module else own,
    }


def _in_words(setting: dict[str, Any]) -> str:
    if isinstance(setting["default"], bool):
        return f"{setting['name']} (flag)"
    limits = f"; must {setting['range']}" if setting["range"] else ""
    return f"{setting['name']}={setting['default']}{limits}"
