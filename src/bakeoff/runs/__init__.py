"""Runs: an algorithm with all its settings, as a value and as text.

`Run` is the unit of every comparison. Specs, grids, sweeps and loss encodings are here.

Imports: basics, core.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.runs.choice import Choice
from bakeoff.runs.encodings import DEFAULT, ENCODINGS, offset_of
from bakeoff.runs.grids import FIXED, GRIDS, RATES, Baseline, grid, paper_choices
from bakeoff.runs.kinds import PREFIX, is_own, run_from_text
from bakeoff.runs.run import CENTRED, INPUTS, RAW, REDUCTIONS, Run, with_inputs, without_inputs
from bakeoff.runs.specs import explorer_of, parse, to_text
from bakeoff.runs.sweeps import swept

__all__ = [
    "CENTRED",
    "DEFAULT",
    "ENCODINGS",
    "FIXED",
    "GRIDS",
    "INPUTS",
    "PREFIX",
    "RATES",
    "RAW",
    "REDUCTIONS",
    "Baseline",
    "Choice",
    "Run",
    "explorer_of",
    "grid",
    "is_own",
    "offset_of",
    "paper_choices",
    "parse",
    "run_from_text",
    "swept",
    "to_text",
    "with_inputs",
    "without_inputs",
]
