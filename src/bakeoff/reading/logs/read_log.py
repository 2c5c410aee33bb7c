"""read_log: a decision log from a file of any known kind, or from a table.

    .jsonl, .parquet    our own log (docs/guide/evaluation.md has the format)
    .csv, .tsv          columns action, probability, reward (or cost, or loss)
    .vw                 Vowpal Wabbit's text: --cb, or --cb_adf with blank lines
    .dsjson             Vowpal Wabbit's and Personalizer's JSON lines

Slates and positions are not read: a decision here is one action.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import DataError
from bakeoff.basics.memory import available_memory
from bakeoff.data import Log
from bakeoff.reading.files import plain_name
from bakeoff.reading.logs import dsjson, json_lines, parquet, table, vw_text
from bakeoff.reading.logs.options import LogOptions, options_of
from bakeoff.reading.logs.parts import parts_of

_GROWTH = 4  # how much larger than its file a log is in memory, at the least
READERS: dict[str, Callable[[Path, LogOptions], Log]] = {
    ".jsonl": json_lines.read,
    ".parquet": parquet.read,
    ".csv": table.read,
    ".tsv": table.read,
    ".vw": vw_text.read,
    ".vw.txt": vw_text.read,
    ".dsjson": dsjson.read,
    ".ds.json": dsjson.read,
}


def read_log(
    source: Any,
    *,
    n_actions: int | None = None,
    action_names: Any = None,
    reward_range: tuple[float, float] | None = None,
    cost_range: tuple[float, float] | None = None,
    adaptive: bool | None = None,
    columns: dict[str, str] | None = None,
    ignore: Any = (),
) -> Log:
    """The log in a file, or in a pandas or polars table.

    `reward_range` is where rewards lie if not in [0, 1]; `cost_range` where costs or
    losses do (dsjson: [-1, 0], else [0, 1]): the reward is the highest cost minus the
    cost. `adaptive` says whether a learner made the decisions, which our own logs know.
    For tables, `columns` says which column is which, as in {"action": "arm"}, and
    `ignore` names columns that are not features.

    Parameters
    ----------
    source
        A path or a frame.
    n_actions
        How many actions there are, if the log does not say.
    action_names
        Names in the order of their numbers.
    reward_range
        Where rewards lie.
    cost_range
        Where costs lie.
    adaptive
        Whether the logger was learning.
    columns
        Which column of a table is which.
    ignore
        Columns that are not features.

    Returns
    -------
    Log
        A `Log`.

    Raises
    ------
    DataError
        If the log cannot be read, or holds something that cannot be.

    Examples
    --------
    >>> table = polars.DataFrame({"x": [1.0, 2.0], "arm": [0, 1], "p": [0.5, 0.5], "r": [1, 0]})
    >>> names = {"action": "arm", "probability": "p", "reward": "r"}
    >>> bakeoff.read_log(table, columns=names, adaptive=False).n
    2
    """
    options = options_of(
        n_actions, action_names, reward_range, cost_range, adaptive, columns, ignore
    )
    if not isinstance(source, str | os.PathLike):
        return table.of_frame(source, options)
    path = Path(os.fspath(source)).expanduser()
    read = reader_of(path)
    _check_size(path)
    return read(path, options)


def _check_size(path: Path) -> None:
    """Refuse a file that cannot fit, with all its parts, before it is read."""
    is_ours = plain_name(path).lower().endswith(".jsonl")
    parts = parts_of(path) if is_ours else [path]
    size = sum(part.stat().st_size for part in parts if part.is_file())
    needed, there = _GROWTH * size, available_memory()
    if needed > there:
        raise DataError(
            f"{path}: is {size / 1e9:.3g} GB and takes about {needed / 1e9:.3g} GB to "
            f"read, but {there / 1e9:.3g} GB of memory are free; read it in pieces "
            f"(read_pieces, or --pieces 100000)"
        )


def reader_of(path: Path) -> Callable[[Path, LogOptions], Log]:
    """The reader for a file, by its ending."""
    name = plain_name(path).lower()
    fitting = [ending for ending in READERS if name.endswith(ending)]
    if not fitting:
        known = ", ".join(READERS)
        raise DataError(f"{path}: no reader for this kind of log; known are {known}")
    return READERS[max(fitting, key=len)]
