"""Pickling by value: users' code for other processes, with the helpers that it names.

What a library has is imported there; files of the user may not be there, and are sent along.
"""

import importlib
import sys
import threading
from types import ModuleType
from typing import Any

from bakeoff.runs.values_as_written import is_of_users

FILE_MODULE = "bakeoff_file_"  # begins the names of modules that are made of such files
_REGISTERING = threading.Lock()  # which modules are sent is a setting of the whole process


def pickled_by_value(value: Any) -> bytes:
    """A value with the code of all modules of the user that it refers to.

    If something in them cannot be pickled, only what nobody can import is sent by value.
    """
    pickling = importlib.import_module("cloudpickle")
    named = [(name, one) for name, one in [*sys.modules.items()] if name != "__main__"]
    users = [one for name, one in named if is_of_users(one) and one.__name__ == name]
    with _REGISTERING:
        try:
            return _pickled(pickling, value, users)
        except Exception:  # whatever a global of theirs may raise
            nowhere = [one for one in users if one.__name__.startswith(FILE_MODULE)]
            return _pickled(pickling, value, nowhere)


def _pickled(pickling: Any, value: Any, modules: list[ModuleType]) -> bytes:
    known = pickling.list_registry_pickle_by_value()
    new = [one for one in modules if one.__name__ not in known]
    for module in new:
        pickling.register_pickle_by_value(module)
    try:
        data: bytes = pickling.dumps(value)
    finally:
        for module in new:
            pickling.unregister_pickle_by_value(module)
    return data
