"""`bakeoff compile`: kernels of live learners, compiled before they are needed."""

from typing import Annotated

import typer


def compile_(
    algorithms: Annotated[
        list[str] | None,
        typer.Argument(help="Algorithms, such as epsilon-greedy; all of the paper's if none."),
    ] = None,
    generic: Annotated[
        bool,
        typer.Option(
            help="For any processor of this kind, as in an image; set NUMBA_CPU_NAME=generic "
            "and NUMBA_CPU_FEATURES= where it runs."
        ),
    ] = False,
) -> None:
    """Compile the kernels of live learners ahead of time."""
    from bakeoff.live.serving import compile_live

    compile_live(algorithms or [], generic=generic)
