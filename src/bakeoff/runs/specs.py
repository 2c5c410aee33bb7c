"""Specs: "cover:n_policies=4,psi=0.1,nu" <-> Cover(n_policies=4, psi=0.1, nu=True).

The parameters of an explorer are the fields of its dataclass, and nothing else.
"""

from collections.abc import Iterable
from dataclasses import Field, fields
from typing import Any

from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.explorers.base import Explorer
from bakeoff.errors import SpecError
from bakeoff.text import did_you_mean


def parse(text: str) -> Any:
    """The settings that `text` describes.

    >>> parse("cover:psi=0.01,nu")
    Cover(n_policies=4, psi=0.01, nu=True)
    """
    if not isinstance(text, str):
        raise SpecError(f"a spec is a text such as 'cover:psi=0.1', got {text!r}")
    name, _, rest = text.partition(":")
    if name not in EXPLORERS:
        hint = did_you_mean(name, EXPLORERS)
        raise SpecError(f"unknown explorer {name!r} in {text!r}{hint}")
    settings = EXPLORERS[name].settings
    values = parse_fields(rest, fields(settings), name, text)
    try:
        return settings(**values)
    except ValueError as error:
        raise SpecError(f"{text!r}: {error}") from None


def to_text(settings: Any) -> str:
    """The spec of `settings`, with every value and each flag that is set.

    >>> to_text(parse("bag:greedy"))
    'bag:n_policies=4,greedy'
    """
    name = explorer_of(settings).name
    parts = fields_text(settings, fields(settings))
    return f"{name}:{parts}" if parts else name


def explorer_of(settings: Any) -> Explorer:
    """The record of the explorer that `settings` belong to."""
    for explorer in EXPLORERS.values():
        if type(settings) is explorer.settings:
            return explorer
    raise SpecError(f"{settings!r} are not the settings of an explorer")


def parse_fields(
    text: str, allowed: Iterable[Field[Any]], owner: str, whole: str
) -> dict[str, Any]:
    """Values by name of "key=value,key=value,flag"."""
    known = {field.name: field for field in allowed}
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in known:
            hint = did_you_mean(key, known)
            raise SpecError(f"{owner!r} has no parameter {key!r} (in {whole!r}){hint}")
        if key in values:
            raise SpecError(f"{key!r} is given twice in {whole!r}")
        values[key] = _value(known[key], equals, value, whole)
    return values


def _value(field: Field[Any], equals: str, value: str, whole: str) -> Any:
    if field.type in (bool, "bool"):
        if equals:
            raise SpecError(f"{field.name!r} in {whole!r} is a flag and takes no value")
        return True
    if not value:
        raise SpecError(f"{field.name!r} in {whole!r} needs a value: {field.name}=...")
    for kind in (int, float, str):
        if kind.__name__ in str(field.type):
            try:
                return kind(value)
            except ValueError:
                what = "an integer" if kind is int else "a number"
                raise SpecError(
                    f"{field.name} in {whole!r} must be {what}, got {value!r}"
                ) from None
    raise TypeError(f"no text form for {field.name}: {field.type}")


def fields_text(record: Any, shown: Iterable[Field[Any]]) -> str:
    """Text of the form "key=value,key=value,flag" for some fields of a dataclass."""
    parts = []
    for field in shown:
        value = getattr(record, field.name)
        if isinstance(value, bool):
            parts += [field.name] if value else []
        elif value is not None:
            parts.append(f"{field.name}={value}")
    return ",".join(parts)
