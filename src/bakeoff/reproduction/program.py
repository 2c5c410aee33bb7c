"""The paper's own program: its losses on the same datasets, if a folder has them.

`reference/paper-program.csv` has the columns openml_id, algorithm, encoding,
learning_rate and pv_loss; `paper-program-multilabel.csv` has name in place of
openml_id. The algorithms have the paper's fixed hyperparameters of each encoding.
"""

from pathlib import Path

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.judging import FACTS, SKYLINE, Losses, losses_of
from bakeoff.runs import FIXED, Run, offset_of
from bakeoff.store import rows_of

FOLDER = "reference"
FILES = {"paper-program.csv": "openml_id", "paper-program-multilabel.csv": "name"}
COLUMNS = ("algorithm", "encoding", "learning_rate", "pv_loss")


def program_losses(folder: Path, ours: Losses) -> Losses | None:
    """The program's losses on the datasets of a store; None if there are none."""
    tables = [
        _on_our_problems(_read(folder / FOLDER / name, key), key, ours)
        for name, key in FILES.items()
        if (folder / FOLDER / name).is_file()
    ]
    result = [table for table in tables if not table.is_empty()]
    if not result:
        return None
    rows = pl.concat(result).join(_settings(), on=["algorithm", "encoding"])
    return losses_of(rows_of(rows.drop("joined").to_dicts()))


def _read(path: Path, key: str) -> pl.DataFrame:
    try:
        return pl.read_csv(path).select(key, *COLUMNS)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(
            f"{path}: reference losses need the columns {', '.join((key, *COLUMNS))}: {error}"
        ) from None


def _on_our_problems(table: pl.DataFrame, key: str, ours: Losses) -> pl.DataFrame:
    """Rows of datasets in the store, with their facts."""
    by = "openml_id" if key == "openml_id" else "problem"
    facts = ours.problems.select("digest", *FACTS, joined=pl.col(by).cast(pl.String))
    theirs = table.with_columns(joined=pl.col(key).cast(pl.String)).drop(key)
    return theirs.join(facts.drop_nulls("joined"), on="joined")


def _settings() -> pl.DataFrame:
    """The hyperparameters behind each label, by encoding."""
    rows = [_setting(SKYLINE, "-", Run("supervised"))]
    for encoding in ("-1/0", "0/1"):
        runs = [Run.from_text(text) for text in FIXED[offset_of(encoding)]]
        rows += [_setting(run.label, encoding, run) for run in runs]
    return pl.DataFrame(rows)


def _setting(label: str, encoding: str, run: Run) -> dict[str, object]:
    return {
        "algorithm": label,
        "encoding": encoding,
        "explorer": run.explorer,
        "reduction": run.reduction,
        "baseline": False,
        "shuffle": 1,
        "seed": 1,
        "run": f"{label} {encoding}",
        "version": "the paper's program",
    }
