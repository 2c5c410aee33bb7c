"""Reproduction: the paper's study, beside what the paper printed.

`bakeoff reproduce` and docs/evidence/reproduction.md.

Imports: basics, runs, reading, store, experiment, judging, report.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.reproduction.document import document
from bakeoff.reproduction.stages import DEFAULT, STAGES, stages_named
from bakeoff.reproduction.study import Part, datasets_of, parts_of
from bakeoff.reproduction.today import STAGES_OF_TODAY, today_document, today_figure

__all__ = [
    "DEFAULT",
    "STAGES",
    "STAGES_OF_TODAY",
    "Part",
    "datasets_of",
    "document",
    "parts_of",
    "stages_named",
    "today_document",
    "today_figure",
]
