"""Ahead: kernels of live learners, compiled before they are needed, as in an image."""

import os
import subprocess
import sys
from collections.abc import Sequence

from bakeoff.basics.errors import ResourceError
from bakeoff.live import Learner
from bakeoff.runs import FIXED

GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def compile_live(explorers: Sequence[str], *, generic: bool = False) -> None:
    """Compile the loops of live learners for this processor, or for any of its kind.

    Processes that are to use loops for a generic processor need the variables of
    `GENERIC` in their environment.
    """
    if not generic:
        for explorer in explorers or FIXED[-1.0]:
            Learner(explorer, 2, seed=1)
        return
    program = f"from {__name__} import compile_live; import sys; compile_live(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", program, *explorers], env={**os.environ, **GENERIC}, check=False
    )
    if done.returncode:
        raise ResourceError("kernels could not be compiled for a generic processor")
