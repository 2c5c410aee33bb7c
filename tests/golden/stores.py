"""A store with failed and compacted files, its tables, and the data of its page."""

import base64
import csv
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.store.compaction import compact
from bakeoff.store.store import Store
from tests.golden.files import HERE, write_json

INPUTS = HERE / "inputs"  # what the commands read; stores hold hashes of it
RESULTS, STORE, REPORT = "results", "store", "report"
COMMAND = (
    "run", "embedded:iris", "embedded:wine", "huge.csv", "broken.csv", "-a", "fixed",
    "-a", "supervised", "-a", "python:own.Fails,label=Fails",
    "--encoding=-1/0", "--encoding=100000/100001",
    "--learning-rate", "0.1", "--learning-rate", "0.5",
    "--shuffles", "2", "--jobs", "1", "--out", RESULTS,
)  # fmt: skip
FIRST = [word for word in COMMAND if word != "--encoding=100000/100001"]
REPORT_COMMAND = ("report", RESULTS, "--figures", "none", "--json")
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
OF_THE_MACHINE = ("costs", "made")  # of a page: speed, version and paths


def make_store(folder: Path) -> None:
    """Compute a store in two commands, put its files together, and write a report."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(INPUTS, work, dirs_exist_ok=True)
        for words in (FIRST, COMMAND):
            _bakeoff(work, *words)
        made = Path(work) / RESULTS
        store = Store(made)
        with store.writing():
            compact(store)
        kept = shutil.ignore_patterns("lock", "checked")
        shutil.copytree(made, folder / STORE, ignore=kept)
        said = json.loads(_bakeoff(work, *REPORT_COMMAND))
        for path in sorted((made / "report").glob("*.csv")):
            _copy(path, folder / REPORT)
        write_json(folder / REPORT / "said.json", said)
        write_json(folder / REPORT / "page.json", page_data(made / "report.html"))


def _copy(path: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    shutil.copy(path, folder)


def _bakeoff(work: str, *words: str) -> str:
    command = [sys.executable, "-m", "bakeoff", *words]
    done = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, text=True)
    return done.stdout


def page_data(page: Path) -> dict[str, Any]:
    """What a page shows, but for what depends on the machine."""
    found = DATA.search(page.read_text("utf-8"))
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return {key: value for key, value in data.items() if key not in OF_THE_MACHINE}


def with_named_columns(page: dict[str, Any]) -> dict[str, Any]:
    """A page's data where columns are known by what they hold, and not by their numbers."""
    texts = page["settings"]
    columns = [
        {**one, "settings": [texts[k] if k >= 0 else "" for k in _numbers(one.get("settings", ""))]}
        for one in page["columns"]
    ]
    names = [f"{one['label']} {_short(one['losses'])} {_short(one['settings'])}" for one in columns]

    def by_name(numbered: dict[Any, Any]) -> dict[str, Any]:
        return {names[int(number)]: value for number, value in numbered.items()}

    def named(some: Any) -> Any:
        return [named(one) for one in some] if isinstance(some, list) else names[some]

    curves, rates = page["curves"], page["rates"]
    of_rates = rates["columns"] | {a: rates["columns"][str(b)] for a, b in rates["same"].items()}
    return page | {
        "settings": sorted(texts),
        "columns": dict(zip(names, columns, strict=True)),
        "views": [one | {"columns": named(one["columns"])} for one in page["views"]],
        "pairs": [one | {"x": names[one["x"]], "y": names[one["y"]]} for one in page["pairs"]],
        "hyperparameters": {
            encoding: [one | {"columns": named(one["columns"])} for one in some]
            for encoding, some in page["hyperparameters"].items()
        },
        "tables": [
            table
            | {
                "panels": [
                    panel | ({"columns": named(panel["columns"])} if "columns" in panel else {})
                    for panel in table["panels"]
                ]
            }
            for table in page["tables"]
        ],
        "curves": curves | {key: by_name(curves[key]) for key in ("columns", "errors")},
        "rates": {"grid": rates["grid"], "columns": by_name(of_rates)},
        "ips": by_name(page["ips"]),
    }


def _numbers(encoded: str) -> list[int]:
    return np.frombuffer(base64.b64decode(encoded), "<i4").tolist()


def _short(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:8]


def table_of(path: Path) -> list[Any]:
    """The cells of a table, with numbers as numbers."""
    with path.open(newline="", encoding="utf-8") as file:
        return [[_value(cell) for cell in row] for row in csv.reader(file)]


def figures_of(path: Path) -> list[Any] | dict[str, Any]:
    """The figures of a table by their place, so that new columns and rows can come."""
    head, *rows = table_of(path)
    if head[-1] != "value":
        return [head, *rows]
    return {str(row[:-1]): row[-1] for row in rows}


def _value(cell: str) -> Any:
    try:
        return float(cell)
    except ValueError:
        return cell


FIRST_ARITHMETIC = ("v0.2.0",)  # what these call DR has importance 1


def spelled_as_today(golden: Any) -> Any:
    """What a version of the first arithmetic said, with today's name of its DR."""
    text = json.dumps(golden)
    return json.loads(re.sub(r'reduction=dr(?=[,"])', "reduction=dr-unweighted", text))


CHANGED = {  # on purpose, with the reason
    "page.json/tables/0/caption": "claims are supported, refuted or undecided since 0.3.0",
    "page.json/rules/options/rate/fixed": "views are named by what one may peek at since 0.3.0",
    "page.json/rules/options/rate/unpeeked": "views are named by what one may peek at since 0.3.0",
    "page.json/subtitle": "a shorter sentence since 0.3.0",
    "page.json/files": "a table of all conditions of a stream since 0.3.0",
    "said.json/files": "a table of all conditions of a stream since 0.3.0",
    "said.json/verdict": "a verdict has four parts, a grade and reasons since 0.3.0",
}
