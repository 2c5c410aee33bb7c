"""Choice: an algorithm's hyperparameters and its reduction, as a value and as text."""

import re
from typing import NamedTuple

from bakeoff.runs.by_value import FILE_MODULE
from bakeoff.runs.kinds import PREFIX, is_own
from bakeoff.runs.run import RAW, Run
from bakeoff.runs.specs import OF_USERS

MARK = " reduction="  # before the reduction, in text
INPUTS_MARK = " inputs="  # before the inputs, in text


_OF_SESSION = re.compile(
    f"(?:{'|'.join(OF_USERS)}|{PREFIX}(?:__main__|{FILE_MODULE}(?P<file>\\w+))[.])(?P<name>[^:,]+)[:,]?"
)
_CODE = re.compile(r",?\bcode=[0-9a-f]+")


def in_file(explorer: str) -> str:
    """A spec as another process takes it: what a session has defined stands in some file.

    >>> in_file("rule-mine:gamma=10.0,code=2bdef99d"), in_file("greedy")
    ('FILE.py:mine,gamma=10.0', 'greedy')
    """
    match = _OF_SESSION.match(explorer)
    if match is None:
        return explorer
    settings = _CODE.sub("", explorer[match.end() :])
    name = f"{match['file'] or 'FILE'}.py:{match['name']}"
    return ",".join(filter(None, [name, settings.strip(",")]))


class Choice(NamedTuple):
    """What can be chosen for an algorithm besides encoding, baseline and learning rate.

    >>> str(Choice("bag:n_policies=4", "dr"))
    'bag:n_policies=4 reduction=dr'
    """

    explorer: str
    reduction: str | None = None  # None: the algorithm takes none
    inputs: str = RAW

    def __str__(self) -> str:
        reduction = f"{MARK}{self.reduction}" if self.reduction else ""
        inputs = "" if self.inputs == RAW else f"{INPUTS_MARK}{self.inputs}"
        return f"{self.explorer}{reduction}{inputs}"

    @classmethod
    def from_text(cls, text: str) -> "Choice":
        """The choice that `str(choice)` describes."""
        if is_own(text):
            return cls(text)
        text, _, inputs = text.partition(INPUTS_MARK)
        explorer, _, reduction = text.partition(MARK)
        return cls(explorer, reduction or None, inputs or RAW)

    @classmethod
    def from_spec(cls, spec: str) -> "Choice":
        """The choice that users mean by a spec; defaults are filled in.

        >>> Choice.from_spec("regcb:c0=1e-3")
        Choice(explorer='regcb:c0=0.001', reduction=None)
        """
        if is_own(spec):
            return cls(spec)
        run = Run.from_text(spec)
        return cls(run.explorer, run.reduction, run.inputs)
