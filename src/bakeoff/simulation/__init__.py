"""Simulation: Algorithm 1 on supervised data, many runs in one pass.

`simulate` plays runs side by side as lanes of compiled loops.

Imports: basics, core, runs, data.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.simulation.compile_ahead import compile_ahead, smallest_problem
from bakeoff.simulation.inputs import all_inputs, contexts_of, is_mostly_zero, seen_contexts
from bakeoff.simulation.lanes import bytes_per_lane, new_lanes, sizes_of
from bakeoff.simulation.passes import MOST_LANES
from bakeoff.simulation.player import Report
from bakeoff.simulation.result import Curve, Result, new_sums, result_of
from bakeoff.simulation.results import Simulated
from bakeoff.simulation.simulate import group_by_structure, play_in_order, player_of, simulate

__all__ = [
    "MOST_LANES",
    "Curve",
    "Report",
    "Result",
    "Simulated",
    "all_inputs",
    "bytes_per_lane",
    "compile_ahead",
    "contexts_of",
    "group_by_structure",
    "is_mostly_zero",
    "new_lanes",
    "new_sums",
    "play_in_order",
    "player_of",
    "result_of",
    "seen_contexts",
    "simulate",
    "sizes_of",
    "smallest_problem",
]
