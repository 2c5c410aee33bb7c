"""Sweeps: a spec with lists stands for one spec per combination of their values.

cover:n_policies=[4,8],psi=[0.01,0.1],nu
"""

import itertools
import re

from bakeoff.basics.errors import SpecError

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
        fixed[0] + "".join(f"={v}{rest}" for v, rest in zip(some, fixed[1:], strict=True))
        for some in itertools.product(*lists)
    ]


def _values(inner: str, whole: str) -> list[str]:
    values = [value.strip() for value in inner.split(",")]
    if not all(values):
        raise SpecError(f"a list in {whole!r} has an empty value: [{inner}]")
    return values
