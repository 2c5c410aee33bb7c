"""Runs: an algorithm with all its settings, as a value and as text.

`Run` is the unit of every comparison. Specs, grids, sweeps and loss encodings are here.

Imports: basics, core.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.runs.arithmetic import (
    ARITHMETIC,
    DR_BEFORE,
    DR_NOW,
    UNWEIGHTED,
    spelled_today,
    unmistakable,
)
from bakeoff.runs.by_value import FILE_MODULE, pickled_by_value
from bakeoff.runs.choice import Choice, in_file
from bakeoff.runs.code_fingerprint import fingerprint
from bakeoff.runs.encodings import DEFAULT, ENCODINGS, offset_of
from bakeoff.runs.grids import (
    FIXED,
    GRIDS,
    RATES,
    Algorithm,
    Baseline,
    Runlike,
    grid,
    paper_choices,
    runs_of,
)
from bakeoff.runs.kinds import PREFIX, is_own, run_from_text
from bakeoff.runs.rules import is_rule, rule, spec_of_users
from bakeoff.runs.run import CENTRED, INPUTS, RAW, REDUCTIONS, Run, with_inputs, without_inputs
from bakeoff.runs.specs import OF_USERS, explorer_of, parse, to_text
from bakeoff.runs.sweeps import swept
from bakeoff.runs.today import NEWCOMERS

__all__ = [
    "ARITHMETIC",
    "CENTRED",
    "DEFAULT",
    "DR_BEFORE",
    "DR_NOW",
    "ENCODINGS",
    "FILE_MODULE",
    "FIXED",
    "GRIDS",
    "INPUTS",
    "NEWCOMERS",
    "OF_USERS",
    "PREFIX",
    "RATES",
    "RAW",
    "REDUCTIONS",
    "UNWEIGHTED",
    "Algorithm",
    "Baseline",
    "Choice",
    "Run",
    "Runlike",
    "explorer_of",
    "fingerprint",
    "grid",
    "in_file",
    "is_own",
    "is_rule",
    "offset_of",
    "paper_choices",
    "parse",
    "pickled_by_value",
    "rule",
    "run_from_text",
    "runs_of",
    "spec_of_users",
    "spelled_today",
    "swept",
    "to_text",
    "unmistakable",
    "with_inputs",
    "without_inputs",
]
