"""Messages: what an error names, whatever words it uses."""

import re

_NUMBER = r"(?<![\w.'])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)|\bnan\b"
_FACT = re.compile(rf"'[^']*'|{_NUMBER}|\w+_\w+|did you mean")


def facts_in(message: str) -> set[str]:
    """What a message quotes, its numbers and parameters, and whether it makes a guess.

    >>> sorted(facts_in("'bag:n_policies=0': n_policies must lie between 1 and 9, got 0"))
    ["'bag:n_policies=0'", '0', '1', '9', 'n_policies']
    """
    return set(_FACT.findall(message))
