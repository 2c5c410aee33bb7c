"""Reading options: every command that reads files takes those of `Options`."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from bakeoff.reading.options import KINDS, Kind

OF_SEVERAL = [name for name in KINDS if name != "name"]  # `name` is for one problem


def reads_files(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options about files; it gets them as `**reading`."""
    shown = inspect.signature(command, eval_str=True)
    own = [p for p in shown.parameters.values() if p.kind is not p.VAR_KEYWORD]
    added = [_parameter(name, KINDS[name]) for name in OF_SEVERAL]
    parameters = [*own, *added]
    command.__signature__ = shown.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def given_options(reading: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as fields of `Options`."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in reading.items()
        if value not in (None, [])
    }


def _parameter(name: str, kind: Kind) -> inspect.Parameter:
    """An option of the command line; None means that it was not given."""
    plain: Any = list[str] if kind.is_list else kind.type
    if name == "target":
        plain = str
    annotation = Annotated[plain | None, typer.Option(help=kind.help)]
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )
