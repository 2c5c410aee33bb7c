"""Make golden files with the code of this checkout.

    python -m tests.golden.make all [--out FOLDER]   # of a new version: into vVERSION
    python -m tests.golden.make store                # or results, models, log
    python -m tests.golden.make api                  # the interface, changed on purpose

Files of a version are made once, by its release. What is there is never overwritten.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import bakeoff
from tests.golden.api import make_api
from tests.golden.files import HERE
from tests.golden.logs import make_log
from tests.golden.models import make_models
from tests.golden.results import COMMAND, make_results
from tests.golden.stores import make_store


def _results(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as store:
        command = [sys.executable, "-m", "bakeoff", *COMMAND, "--quiet", "--out", store]
        subprocess.run(command, check=True)
        make_results(folder, Path(store))


MAKERS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "results": ("results.json", _results),
    "store": ("store", make_store),
    "models": ("models", make_models),
    "log": ("log", make_log),
}
"""What each makes first, which must not be there yet, and how."""


def main() -> None:
    """Make what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=[*MAKERS, "api", "all"])
    default = HERE / f"v{metadata.version('bakeoff')}"
    parser.add_argument("--out", type=Path, default=default)
    options = parser.parse_args()
    if not Path(bakeoff.__file__).is_relative_to(HERE.parents[1]):
        sys.exit(f"this would run {bakeoff.__file__}, not the code of this checkout")
    if options.what == "api":
        make_api()
        return
    for name in MAKERS if options.what == "all" else [options.what]:
        first, make = MAKERS[name]
        if (options.out / first).exists():
            sys.exit(f"{options.out / first} is there; golden files are made once")
        options.out.mkdir(parents=True, exist_ok=True)
        make(options.out)


if __name__ == "__main__":
    main()
