"""Statistics: tests and resampling, as functions of arrays.

`CONSTANTS` are the numbers on which the page's scripts must agree with this package.
"""

from typing import Any

from bakeoff.judging.statistics import bands, leads, ranks, regret, signed_rank, significance

CONSTANTS: dict[str, Any] = {
    "level": significance.LEVEL,
    "several": significance.SEVERAL,
    "tiny": significance.TINY,
    "clear": leads.CLEAR,
    "likely": leads.LIKELY,
    "few": leads.FEW,
    "leads": leads.LEADS,
    "exact": leads.EXACT,
    "same": signed_rank.SAME,
    "samples": signed_rank.SAMPLES,
    "close": regret.CLOSE,
    "nemenyi": [ranks.nemenyi_factor(k) for k in range(2, ranks.MOST + 1)],
    "band": bands.RESAMPLES,
}
