"""Play what is missing, and write the document."""

import argparse
import csv
import os
import time
from pathlib import Path

from bakeoff import Experiment, Problem, grid, load
from bakeoff.experiment import Tally
from bakeoff.reading.catalog import Source, find
from bakeoff.reading.catalog.sources import read
from bakeoff.reading.options import Options
from bakeoff.runs import INPUTS
from benchmarks.inputs.columns import play_codes, play_drifts
from benchmarks.inputs.document import document
from benchmarks.inputs.feedback import play_feedback
from benchmarks.inputs.forms import keep_location, play_forms

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "evidence" / "inputs.md"
ENCODINGS = ("-1/0", "0/1")
PARTS = ("grid", "forms", "codes", "drifts", "feedback")


def sources_in(folder: Path, least: int, most: int, widest: int) -> list[Source]:
    """Datasets of so many rows and at most so many features, small ones first."""
    with (folder / "manifest.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    for source, row in zip(find(folder).sources, rows, strict=True):
        n, d = int(row["n"]), int(row["d"])
        if least <= n <= most and d <= widest and row["task"] == "multiclass":
            found.append((n * d, source))
    return [source for _, source in sorted(found, key=lambda pair: pair[0])]


def play_grid(source: Source, orders: int, out: Path) -> None:
    """All algorithms at fixed hyperparameters, both encodings, raw and centred."""
    runs = grid("fixed", encodings=ENCODINGS, inputs=INPUTS)
    Experiment([source], runs, shuffles=orders).run(out, watcher=Tally())


def play_nominal(folder: Path, out: Path) -> None:
    """Nominal columns as codes and one-hot, of ARFF files that have any (80 rows or more)."""
    with (folder / "manifest.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.get("arff") and int(row["n"]) >= 80]
    for row in rows:
        path, target, name = folder / row["arff"], row["arff_target"], row["name"]
        codes = load(path, target=target, name=name)
        play_codes(codes, load(path, target=target, name=name, features="one-hot"), out)


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="benchmarks.inputs")
    data, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("--data", type=Path, default=data, required=not data, help="a folder with a manifest")
    add("--least", type=int, default=300, help="rows of a dataset (300)")
    add("--most", type=int, default=3000, help="rows of a dataset (3,000)")
    add("--widest", type=int, default=100, help="features of a dataset (100)")
    add("--orders", type=int, default=1, help="orders of the rows (1)")
    add("--some", type=int, default=4, help="feedback and drifts on one dataset of so many (4)")
    add("--parts", nargs="+", choices=PARTS, default=PARTS, help="play only these")
    add("--seconds", type=float, default=float("inf"), help="begin nothing after this time")
    add("--out", type=Path, default=Path("results-inputs"), help="the store")
    add("--document", type=Path, default=DOCUMENT, help="what to write")
    return parser.parse_args()


def play(source: Source, number: int, options: argparse.Namespace) -> None:
    """Play what is missing of a dataset."""
    out, parts = options.out, options.parts
    if "grid" in parts:
        play_grid(source, options.orders, out)
    problem = read(source, Options())
    assert isinstance(problem, Problem)
    keep_location(problem, out)
    if "forms" in parts:
        play_forms(problem, out)
    if number % options.some == 0:
        if "drifts" in parts:
            play_drifts(problem, out)
        if "feedback" in parts:
            play_feedback(problem, out)


def main() -> None:
    """Play datasets until time is up, then write."""
    options = arguments()
    began = time.monotonic()
    options.out.mkdir(parents=True, exist_ok=True)
    if "codes" in options.parts:
        play_nominal(options.data, options.out)
    sources = sources_in(options.data, options.least, options.most, options.widest)
    for number, source in enumerate(sources, start=1):
        if time.monotonic() - began > options.seconds:
            print("time is up; the same command goes on from here")
            break
        play(source, number, options)
        print(f"{number} of {len(sources)}: {source.name}", flush=True)
    page = options.document
    before = page.read_text() if page.exists() else ""
    page.write_text(document(options.out, options.least, options.most, options.widest, before))


if __name__ == "__main__":
    main()
