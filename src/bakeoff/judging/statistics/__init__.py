"""Statistics: tests and resampling, as functions of arrays.

`CONSTANTS` are shared with the page's scripts.
"""

from typing import TypedDict

from bakeoff.judging.statistics import bands, leads, ranks, regret, signed_rank, significance


class Constants(TypedDict):
    """Numbers on which the page's scripts must agree with this package."""

    level: float
    several: int
    tiny: float
    clear: float
    likely: float
    few: int
    leading: float
    clearly: float
    leads: dict[leads.Grade, str]
    exact: int
    same: float
    samples: int
    close: float
    digits: int
    nemenyi: list[float]
    band: int


CONSTANTS: Constants = {
    "level": significance.LEVEL,
    "several": significance.SEVERAL,
    "tiny": significance.TINY,
    "clear": leads.CLEAR,
    "likely": leads.LIKELY,
    "few": leads.FEW,
    "leading": leads.LEADING,
    "clearly": leads.CLEARLY,
    "leads": leads.LEADS,
    "exact": leads.EXACT,
    "same": leads.SAME,
    "samples": signed_rank.SAMPLES,
    "close": regret.CLOSE,
    "digits": regret.DIGITS,
    "nemenyi": [ranks.nemenyi_factor(k) for k in range(2, ranks.MOST + 1)],
    "band": bands.RESAMPLES,
}
