"""Specs: "cover:n_policies=4,psi=0.1,nu" <-> Cover(n_policies=4, psi=0.1, nu=True).

The parameters of an explorer are the fields of its dataclass. A spec may also carry a
`label`, its name in tables.
"""

import importlib
from collections.abc import Iterable
from dataclasses import Field, fields
from functools import lru_cache
from typing import Any

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean, nearest
from bakeoff.core.explorers import EXPLORERS, NAMES, Explorer
from bakeoff.core.safeguards import safe_explorer_of, used, with_safeguards

OF_USERS = ("rule-", "own-")  # begin the names of their rules, and of their explorers


def parse(text: str) -> Any:
    """The settings that `text` describes.

    Parameters
    ----------
    text
        A spec.

    Returns
    -------
    Any
        The settings of its explorer.

    Raises
    ------
    SpecError
        If there is no such explorer or setting, or a value is out of range.

    Examples
    --------
    >>> parse("cover:psi=0.01,nu")
    Cover(n_policies=4, psi=0.01, nu=True)
    """
    return parse_labelled(text)[0]


def parse_labelled(text: str) -> tuple[Any, str | None]:
    """The settings that `text` describes, and its label if it has one.

    >>> parse_labelled("greedy:label=mine")
    (Greedy(), 'mine')
    """
    if not isinstance(text, str):
        raise SpecError(f"a spec is a string such as 'cover:psi=0.1', got {text!r}")
    return _parsed(text)


@lru_cache(maxsize=4096)  # a bake-off asks for the same few specs again and again
def _parsed(text: str) -> tuple[Any, str | None]:
    if "[" in text:
        raise SpecError(
            f"{text!r} stands for several runs, which grid([{text!r}]) makes; here, give one value"
        )
    name, _, rest = text.partition(":")
    if name == "python":
        raise SpecError(f"{text!r} names a learner of your own, whose runs grid({text!r}) makes")
    if not is_known(name):
        raise SpecError(f"unknown explorer {name!r} in {text!r}{hint_at(name)}")
    others, label = _without_label(rest, text)
    record: Any = with_safeguards(EXPLORERS[name])
    values = parse_fields(others, fields(record.settings), name, text)
    try:
        made = record.settings(**values)
    except ValueError as error:
        raise SpecError(f"{text!r}: {error}") from None
    is_plain = safe_explorer_of(made) is not None and not used(made)
    return made.plain if is_plain else made, label


def forget_parsed() -> None:
    """Parse all specs anew: an explorer has changed."""
    _parsed.cache_clear()


def is_known(name: str) -> bool:
    """Whether there is an explorer of this name, here or in an installed package."""
    if name in EXPLORERS or not name.startswith(OF_USERS):
        return name in EXPLORERS
    installed: bool = importlib.import_module("bakeoff.runs.rules").install(name)
    return installed


def _without_label(rest: str, whole: str) -> tuple[str, str | None]:
    """The parameters of a spec but for its label, and the label."""
    parts = rest.split(",")
    labels = [part for part in parts if part.partition("=")[0].strip() == "label"]
    if not labels:
        return rest, None
    if len(labels) > 1:
        raise SpecError(f"'label' is given twice in {whole!r}")
    label = labels[0].partition("=")[2].strip()
    if not label or label.split() != [label]:
        raise SpecError(f"'label' in {whole!r} must be one word: label=mine")
    if label in NAMES:
        raise SpecError(
            f"{label!r} in {whole!r} is what tables call {NAMES[label].title}; choose another label"
        )
    return ",".join(part for part in parts if part is not labels[0]), label


def labelled(spec: str, label: str | None) -> str:
    """A spec with a label, if there is one.

    >>> labelled("greedy", "mine")
    'greedy:label=mine'
    """
    if label is None:
        return spec
    return f"{spec}{',' if ':' in spec else ':'}label={label}"


def to_text(settings: Any) -> str:
    """The spec of `settings`, with every value and each flag that is set.

    Parameters
    ----------
    settings
        The settings of an explorer.

    Returns
    -------
    str
        The spec that `parse` reads.

    Raises
    ------
    SpecError
        If these are not the settings of an explorer.

    Examples
    --------
    >>> to_text(parse("bag:greedy"))
    'bag:n_policies=4,greedy'
    """
    name = explorer_of(settings).name
    parts = fields_text(settings, fields(settings))
    return f"{name}:{parts}" if parts else name


def explorer_of(settings: Any) -> Explorer:
    """The record of the explorer that `settings` belong to."""
    safe = safe_explorer_of(settings)
    if safe is not None:
        return safe
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
        elif value is not None and not (field.metadata.get("quiet") and value == field.default):
            parts.append(f"{field.name}={value}")
    return ",".join(parts)


def spec_of_label(label: str) -> str | None:
    """The spec of the algorithm that the paper's tables call so.

    >>> spec_of_label("RO")
    'regcb:c0=0.001,optimistic'
    """
    for record in EXPLORERS.values():
        flags = [f.name for f in fields(record.settings) if f.type in (bool, "bool")]
        for flag in ({}, *({name: True} for name in flags)):
            settings = record.settings(**flag)
            if record.label(settings) == label:
                return to_text(settings)
    return None


def hint_at(name: str, others: Iterable[str] = ()) -> str:
    """A hint at the algorithm that an unknown `name` may mean."""
    if name.startswith(OF_USERS):
        own = name.partition("-")[2]
        return (
            f", which a user has written: give its file, such as rules.py:{own} (commands have "
            f"--own for that), or call bakeoff.rule({own}) first"
        )
    spec = spec_of_label(name)
    if spec is not None:
        return f"; tables call {NAMES[name].title} so: write {spec!r}"
    known = sorted([*EXPLORERS, *others])
    near = nearest(name, known)
    hint = f"; did you mean {near!r}?" if near else ""
    return (
        f"{hint}; known: {', '.join(known)}; a learner of your own is python:module.Name, a rule "
        f"or an explorer in a file is rules.py:name"
    )
