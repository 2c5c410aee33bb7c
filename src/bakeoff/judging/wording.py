"""Wording: the small pieces that sentences about results are made of."""

import math
from collections.abc import Iterable

from bakeoff.basics.text import counted
from bakeoff.judging.views import NAMES

LEVEL = "0.0000"  # a difference that is printed as none


def full_name(label: str) -> str:
    """What a label stands for.

    >>> full_name("RO"), full_name("mine")
    ('RegCB-opt', 'mine')
    """
    return NAMES.get(label, label)


def name_of(label: str) -> str:
    """A label with the name it stands for.

    >>> name_of("RO")
    'RegCB-opt (RO)'
    """
    return f"{NAMES[label]} ({label})" if label in NAMES else label


def at_start(label: str) -> str:
    """A full name at the beginning of a sentence; a learner's own name stays as it is.

    >>> at_start("eG"), at_start("mine")
    ('Epsilon-greedy', 'mine')
    """
    name = full_name(label)
    return name[0].upper() + name[1:] if label in NAMES else name


def counts(won: int, lost: int) -> str:
    """Wins and losses in words.

    >>> counts(1, 2)
    '1 significant win, 2 losses'
    """
    return f"{counted(won, 'significant win')}, {counted(lost, 'loss', 'losses')}"


def datasets(n: int) -> str:
    """How many datasets, in words."""
    return counted(n, "dataset")


def chance_figure(chance: float) -> str:
    """A p-value as it is printed.

    >>> chance_figure(0.0001)
    '< 0.001'
    """
    rounded = math.floor(1000 * chance + 0.5) / 1000  # halves go up, as on the page
    return "< 0.001" if chance < 0.001 else f"{rounded:.3f}"


def chance_in_words(chance: float) -> str:
    """The same in a sentence.

    >>> chance_in_words(0.05)
    'p = 0.050'
    """
    return f"p {'' if chance < 0.001 else '= '}{chance_figure(chance)}"


def signed(gap: float) -> str:
    """A difference of losses; a tie, and what is printed as one, has no sign.

    >>> signed(0.01), signed(-0.00001)
    ('+0.0100', '0.0000')
    """
    text = f"{gap:+.4f}"
    return LEVEL if text[1:] == LEVEL else text


def listed(names: Iterable[str], most: int = 3) -> str:
    """Names in words; of many, the first and how many more there are.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d"])
    ('a and b', 'a, b and 2 others')
    """
    every = list(names)
    if len(every) > most:
        every = [*every[: most - 1], f"{len(every) - most + 1} others"]
    *others, last = every or [""]
    return f"{', '.join(others)} and {last}" if others else last


def names(labels: Iterable[str], most: int = 3) -> str:
    """The full names of algorithms in words."""
    return listed(map(full_name, labels), most)
