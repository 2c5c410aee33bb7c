"""Sweeps: a spec with lists stands for one spec per combination of their values.

cover:n_policies=[4,8],psi=[0.01,0.1],nu
"""

import itertools
import re

from bakeoff.basics.errors import SpecError

_LABEL = re.compile(r"(?<=[:,])\s*label=[^,\s]*")
_VALUE = re.compile(r"(?:^|[:, ])\s*(\w+)=([^,\s]*)")
_LIST = re.compile(r"=\s*\[([^][]*)\]")


def swept(text: str) -> list[str]:
    """The specs that `text` stands for; itself if it has no lists.

    The last list varies fastest.

    >>> swept("bag:n_policies=[4,8],greedy reduction=[dr,iwr]")[1:3]
    ['bag:n_policies=4,greedy reduction=iwr', 'bag:n_policies=8,greedy reduction=dr']
    """
    fixed = _LIST.split(text)[::2]
    if any(set("[]") & set(part) for part in fixed):
        raise SpecError(
            f"a list in a spec is written key=[value,value], got {text!r}; on a "
            f"command line, put the spec in quotes"
        )
    lists = [_values(inner, text) for inner in _LIST.findall(text)]
    return [
        _with_label(fixed[0] + "".join(f"={v}{r}" for v, r in zip(some, fixed[1:], strict=True)))
        for some in itertools.product(*lists)
    ]


def _with_label(spec: str) -> str:
    """The spec with its values in its label: `label=eG-{epsilon}` becomes `label=eG-0.1`."""
    label = _LABEL.search(spec)
    if label is None or "{" not in label[0]:
        return spec
    values = dict(_VALUE.findall(spec))

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise SpecError(
                f"the label in {spec!r} names {match[1]!r}, which the spec does not give"
            )
        return values[match[1]]

    return spec.replace(label[0], re.sub(r"\{(\w+)\}", value, label[0]))


def _values(inner: str, whole: str) -> list[str]:
    values = [value.strip() for value in inner.split(",")]
    if not all(values):
        raise SpecError(f"a list in {whole!r} has an empty value: [{inner}]")
    return values
