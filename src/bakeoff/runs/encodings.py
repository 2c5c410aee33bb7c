"""Encodings: the losses of a right and a wrong action, such as "-1/0" (Eq. 7)."""

import math

from bakeoff.basics.errors import SpecError

DEFAULT = "-1/0"  # the paper's advice
DEFAULT_OFFSET = -1.0
# Of the paper, its favourite first: name -> offset.
ENCODINGS = {"-1/0": -1.0, "0/1": 0.0, "9/10": 9.0}


def offset_of(encoding: str) -> float:
    """The offset of a loss encoding such as "-1/0".

    >>> offset_of("9/10")
    9.0
    """
    try:
        low, high = (float(part) for part in encoding.split("/"))
    except (ValueError, AttributeError):
        low, high = 0.0, 0.0
    if not math.isclose(high - low, 1.0):  # 2.3 - 1.3 is not 1.0
        raise SpecError(
            f"an encoding gives the losses of a right and a wrong action, which differ "
            f"by one, such as -1/0 or 0/1, got {encoding!r}"
        )
    return low + 0.0  # never -0.0, whose text is another


def encoding_of(offset: float) -> str:
    """The encoding that has an offset.

    >>> encoding_of(-1)
    '-1/0'
    """
    return f"{offset:g}/{offset + 1:g}"
