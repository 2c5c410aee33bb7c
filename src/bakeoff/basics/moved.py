"""Moved: modules that can be imported by their names of 0.2 for one more version.

Stores name learners by import path, and programs name errors, so old paths still work.
"""

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MOVED = {
    "bakeoff.adapters": "bakeoff.learners",
    "bakeoff.adapters.vowpal": "bakeoff.learners.vowpal",
    "bakeoff.core.arrays": "bakeoff.core.types",
    "bakeoff.core.events": "bakeoff.core.types",
    "bakeoff.errors": "bakeoff.basics.errors",
    "bakeoff.learner": "bakeoff.live.learner",
    "bakeoff.logs": "bakeoff.reading.logs",
    "bakeoff.logs.writer": "bakeoff.live.log_writer",
    "bakeoff.notices": "bakeoff.basics.notices",
}


class _Finder:
    """Finds old names, and makes modules that hold what the new ones do."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """What the import system asks for."""
        if name not in MOVED:
            return None
        return ModuleSpec(name, self, is_package=any(n.startswith(f"{name}.") for n in MOVED))  # type: ignore[arg-type]

    def create_module(self, _spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module."""
        home = importlib.import_module(MOVED[module.__name__])
        names = {name: value for name, value in vars(home).items() if name[:2] != "__"}
        vars(module).update(names)


def keep_old_names() -> None:
    """Let old names be imported."""
    sys.meta_path.append(_Finder())
