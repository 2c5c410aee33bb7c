"""Data: the values that everything else passes around.

A `Problem` (supervised data that simulate bandit feedback), its `Facts` and `Features`,
and a `Log` of decisions. No files are read here and nothing is compiled.

Imports: basics, core, runs.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.data.checks import (
    LARGEST,
    Pieces,
    as_floats,
    as_labels,
    as_pieces,
    check_one_dimension,
    check_range,
    is_frame,
    is_integer,
)
from bakeoff.data.facts import Facts
from bakeoff.data.features import MISSING, Column, Features, class_name, is_missing, numbered
from bakeoff.data.log import Log, Origin, Range, log_of_rows, present
from bakeoff.data.log_checks import (
    MOST_ACTIONS,
    checked_distribution,
    checked_reward,
    is_count,
    is_number,
    number_of_actions,
    refuse,
    unbelievable,
)
from bakeoff.data.place import Place, at
from bakeoff.data.problem import Problem, Task
from bakeoff.data.quantities import FORMS, Form, form_of, looks_like_dates, quantity, text_of
from bakeoff.data.streams.conditions import Condition, Price, named, split_source, split_stream
from bakeoff.data.streams.conditions import parse as parse_conditions
from bakeoff.data.streams.conditions import text_of as text_of_conditions
from bakeoff.data.streams.schedule import Schedule, at_once

__all__ = [
    "FORMS",
    "LARGEST",
    "MISSING",
    "MOST_ACTIONS",
    "Column",
    "Condition",
    "Facts",
    "Features",
    "Form",
    "Log",
    "Origin",
    "Pieces",
    "Place",
    "Price",
    "Problem",
    "Range",
    "Schedule",
    "Task",
    "as_floats",
    "as_labels",
    "as_pieces",
    "at",
    "at_once",
    "check_one_dimension",
    "check_range",
    "checked_distribution",
    "checked_reward",
    "class_name",
    "form_of",
    "is_count",
    "is_frame",
    "is_integer",
    "is_missing",
    "is_number",
    "log_of_rows",
    "looks_like_dates",
    "named",
    "number_of_actions",
    "numbered",
    "parse_conditions",
    "present",
    "quantity",
    "refuse",
    "split_source",
    "split_stream",
    "text_of",
    "text_of_conditions",
    "unbelievable",
]
