"""`python -m bakeoff` and `bakeoff`: Ctrl-C works before anything else is imported."""

import importlib

from bakeoff.commands.interrupts import (
    INTERRUPTED,
    exit_interrupted,
    ignore,
    install,
    was_interrupted,
)
from bakeoff.commands.start import prepare


def main() -> None:
    """Run the command line."""
    install()
    prepare()
    try:
        importlib.import_module("bakeoff.basics.panics").hush()
        importlib.import_module("bakeoff.cli").main()
    except KeyboardInterrupt:
        exit_interrupted()
    except SystemExit as end:
        if end.code == INTERRUPTED or (end.code and was_interrupted()):
            exit_interrupted()
        raise
    except Exception:
        if was_interrupted():
            exit_interrupted()
        raise
    finally:
        ignore()


if __name__ == "__main__":
    main()
