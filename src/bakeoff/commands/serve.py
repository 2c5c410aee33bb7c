"""`bakeoff serve`: a learner behind HTTP."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def serve(
    source: Annotated[
        Path, typer.Argument(help="A TOML file with settings, or a saved learner to begin with.")
    ],
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 takes a free one.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that decide.")] = None,
    state: Annotated[
        Path | None, typer.Option(help="Folder of the model, the log and pending decisions.")
    ] = None,
) -> None:
    """Serve decisions over HTTP, and learn from rewards.

    It goes on where it stopped if the folder has a state already. Stop it with SIGTERM
    or Ctrl-C: requests are finished and the model is saved.
    """
    from bakeoff.live.serving import read_config
    from bakeoff.live.serving import serve as run

    folder = None if state is None else str(state)
    config = read_config(source).with_service(host=host, port=port, workers=workers, state=folder)
    sys.exit(run(config))
