"""`python -m bakeoff` and `bakeoff`: Ctrl-C works before anything else is imported."""

import importlib

from bakeoff.commands.interrupts import INTERRUPTED, came, ignore, leave, watch
from bakeoff.commands.start import prepare


def main() -> None:
    """Run the command line."""
    watch()
    prepare()
    try:
        importlib.import_module("bakeoff.basics.panics").hush()
        importlib.import_module("bakeoff.cli").main()
    except KeyboardInterrupt:
        leave()
    except SystemExit as end:
        if end.code == INTERRUPTED or (end.code and came()):
            leave()
        raise
    except Exception:
        if came():
            leave()
        raise
    finally:
        ignore()


if __name__ == "__main__":
    main()
