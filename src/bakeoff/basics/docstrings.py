"""Docstrings in which each shared thing is said once.

`help` and the reference have every parameter, result and error of every method. Methods
that share some of them say in their own docstring what is special, and `completed` adds
the rest.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])
Described = Mapping[str, str]  # a line for each name
ORDER = ("Parameters", "Returns", "Raises")
STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def completed(
    parameters: Described, returns: Described | None = None, raises: Described | None = None
) -> Callable[[Method], Method]:
    """A decorator that adds to a docstring what it leaves out.

    Parameters come in the order of the signature; the docstring's own words win.
    """
    shared = {"Parameters": parameters, "Returns": returns or {}, "Raises": raises or {}}

    def complete(method: Method) -> Method:
        if method.__doc__ is None:  # python -OO
            return method
        about, *rest = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(method.__doc__), flags=re.M)
        own = {title: text.strip() for title, text in zip(rest[::2], rest[1::2], strict=True)}
        sections = {
            "Parameters": _parameters(own.get("Parameters", ""), parameters, method),
            **{title: own.get(title) or _lines(shared[title]) for title in ORDER[1:]},
            **{title: text for title, text in own.items() if title not in ORDER},
        }
        parts = [f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items() if text]
        method.__doc__ = "\n\n".join([about.strip(), *parts])
        return method

    return complete


def _parameters(own: str, shared: Described, method: Callable[..., Any]) -> str:
    """The entries of all parameters, each from the docstring or from what is shared."""
    entries = {entry.partition("\n")[0]: entry for entry in re.split(r"\n(?=\S)", own) if entry}
    names = [
        STARS.get(one.kind.name, "") + name
        for name, one in inspect.signature(method).parameters.items()
        if name not in ("self", "cls")
    ]
    known = {name: _lines({name: shared[name]}) for name in names if name in shared} | entries
    return "\n".join(known[name] for name in names if name in known)


def _lines(described: Described) -> str:
    return "\n".join(f"{name}\n    {text}" for name, text in described.items())
