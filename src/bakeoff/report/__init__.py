"""Report: tables, figures and the page of a store of results.

It draws and writes what `judging` found.

Imports: basics, core, runs, store, judging.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.report.contents import Contents, contents_of
from bakeoff.report.figures.style import Drawing
from bakeoff.report.findings.claims import CLAIMS
from bakeoff.report.findings.judge import Count, Finding, are_held_out, judge
from bakeoff.report.tables.all import all_tables
from bakeoff.report.tables.choices import in_short
from bakeoff.report.tables.table import Grid, Panel, Table, marked_down
from bakeoff.report.write import Report, write_report

__all__ = [
    "CLAIMS",
    "Contents",
    "Count",
    "Drawing",
    "Finding",
    "Grid",
    "Panel",
    "Report",
    "Table",
    "all_tables",
    "are_held_out",
    "contents_of",
    "in_short",
    "judge",
    "marked_down",
    "write_report",
]
