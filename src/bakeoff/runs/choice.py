"""Choice: an algorithm's hyperparameters and its reduction, as a value and as text."""

from typing import NamedTuple

from bakeoff.runs.kinds import is_own
from bakeoff.runs.run import Run

MARK = " reduction="  # between the two, in text


class Choice(NamedTuple):
    """What can be chosen for an algorithm besides encoding, baseline and learning rate.

    >>> str(Choice("bag:n_policies=4", "dr"))
    'bag:n_policies=4 reduction=dr'
    """

    explorer: str
    reduction: str | None = None  # None: the algorithm takes none

    def __str__(self) -> str:
        return f"{self.explorer}{MARK}{self.reduction}" if self.reduction else self.explorer

    @classmethod
    def from_text(cls, text: str) -> "Choice":
        """The choice that `str(choice)` describes."""
        explorer, mark, reduction = text.rpartition(MARK)
        return cls(explorer, reduction) if mark and not is_own(text) else cls(text)

    @classmethod
    def from_spec(cls, spec: str) -> "Choice":
        """The choice that users mean by a spec; defaults are filled in.

        >>> Choice.from_spec("regcb:c0=1e-3")
        Choice(explorer='regcb:c0=0.001', reduction=None)
        """
        if is_own(spec):
            return cls(spec)
        run = Run.from_text(spec)
        return cls(run.explorer, run.reduction)
