"""Report: tables, figures and the page of a store of results.

It draws and writes what `judging` found.

Imports: basics, core, runs, store, judging.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.report.contents import Contents, contents_of
from bakeoff.report.figures.style import Drawing
from bakeoff.report.findings.claims import CLAIMS, Claim, Duel
from bakeoff.report.findings.comparisons import are_held_out
from bakeoff.report.findings.judge import Count, Finding, judge, tally_of
from bakeoff.report.findings.noise import Noise, noise_of
from bakeoff.report.findings.paper_counts import PaperCount, cell_of
from bakeoff.report.tables.all import all_tables
from bakeoff.report.tables.choices import in_short
from bakeoff.report.tables.findings import effect_text
from bakeoff.report.tables.live import Duels, Live
from bakeoff.report.tables.printed import printed
from bakeoff.report.tables.table import Grid, Panel, Table, marked_down
from bakeoff.report.write import Report, write_report

__all__ = [
    "CLAIMS",
    "Claim",
    "Contents",
    "Count",
    "Drawing",
    "Duel",
    "Duels",
    "Finding",
    "Grid",
    "Live",
    "Noise",
    "Panel",
    "PaperCount",
    "Report",
    "Table",
    "all_tables",
    "are_held_out",
    "cell_of",
    "contents_of",
    "effect_text",
    "in_short",
    "judge",
    "marked_down",
    "noise_of",
    "printed",
    "tally_of",
    "write_report",
]
