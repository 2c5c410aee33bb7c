"""The paper's datasets: suites with the published figures (Appendix B).

Data come from the user's folder if it has them, else from the cache or the network;
what is read is compared with the published sizes.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib import resources
from typing import Any

from bakeoff.basics.notices import notify
from bakeoff.data import Problem
from bakeoff.reading.catalog import libsvm_site, licensed, openml, rcv1
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.source import Published, Source
from bakeoff.reading.options import Options

Local = Mapping[int | str, Source]  # the user's own, by OpenML id or by name


def sources(suite: str, local: Local) -> list[Source]:
    """The datasets of a suite; those in `local` from there."""
    return SUITES[suite](local)


def paper(local: Local) -> list[Source]:
    """All of the paper's datasets."""
    return [*multiclass(local), *multilabel(local), *cost_sensitive(local)]


def multiclass(local: Local) -> list[Source]:
    """The 516 multiclass datasets."""
    return _of_openml(local, lambda row: True)


def tuning(local: Local) -> list[Source]:
    """Those on which hyperparameters were chosen: 199.

    The paper says 200; one of them is no longer among its 516.
    """
    return _of_openml(local, lambda row: row["split"] == "tuning")


def held_out(local: Local) -> list[Source]:
    """Those on which algorithms were compared: 317."""
    return _of_openml(local, lambda row: row["split"] == "held-out")


def uci(local: Local) -> list[Source]:
    """The eight that come from the UCI repository."""
    ids = uci_ids()
    return _of_openml(local, lambda row: row["openml_id"] in ids)


def tuning_ids() -> list[int]:
    """OpenML's numbers of the datasets on which hyperparameters were chosen."""
    rows = _rows("multiclass")
    return [row["openml_id"] for row in rows if row["split"] == "tuning"]


def uci_ids() -> list[int]:
    """OpenML's numbers of the datasets from the UCI repository."""
    ids: list[int] = _facts()["uci"]
    return ids


def multilabel(local: Local) -> list[Source]:
    """The five multilabel datasets of the LibSVM site, which were not shuffled."""
    sources = [
        _known(libsvm_site.source(row["name"], row["file"]), _published(row), local)
        for row in _rows("multilabel")
    ]
    return [replace(source, in_file_order=True) for source in sources]


def cost_sensitive(local: Local) -> list[Source]:
    """RCV1 with costs by topic tree, and two ranking datasets."""
    topics = next(row for row in _rows("multilabel") if row["name"] == "rcv1")
    figures = _published(topics)._replace(supervised_loss=None)  # of other costs
    tree = replace(rcv1.source(), cached=partial(data_folder, rcv1.NAME))
    return [
        _known(tree, figures, local),
        *(_known(licensed.source(row["name"]), _published(row), local) for row in _rows("ranking")),
    ]


SUITES: dict[str, Callable[[Local], list[Source]]] = {
    "paper": paper,
    "paper-multiclass": multiclass,
    "paper-tuning": tuning,
    "paper-held-out": held_out,
    "paper-multilabel": multilabel,
    "paper-cost-sensitive": cost_sensitive,
    "uci": uci,
}


def _of_openml(local: Local, wanted: Callable[[dict[str, Any]], bool]) -> list[Source]:
    return [
        _known(replace(openml.source(row["openml_id"]), task="multiclass"), _published(row), local)
        for row in _rows("multiclass")
        if wanted(row)
    ]


# ---- published figures


@cache
def _facts() -> dict[str, Any]:
    file = resources.files("bakeoff.reading.catalog") / "paper_datasets.json"
    facts: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return facts


def _rows(table: str) -> list[dict[str, Any]]:
    columns = _facts()["columns"][table]
    return [dict(zip(columns, row, strict=True)) for row in _facts()[table]]


def _published(row: Mapping[str, Any]) -> Published:
    return Published(
        row["n"],
        row["n_features"],
        row.get("n_actions", row.get("max_documents")),
        row.get("constant_action_cost"),
        row["supervised_loss"],
    )


def _known(source: Source, published: Published, local: Local) -> Source:
    """The source with its figures, from the user's folder if that has it."""
    found = local.get(source.openml_id or source.name)
    if found is not None:
        source = replace(
            found, name=source.name, task=found.task or source.task, openml_id=source.openml_id
        )
    read = partial(_read, source, published, from_openml=found is None)
    return replace(source, published=published, read=read)


def _read(source: Source, published: Published, options: Options, *, from_openml: bool) -> Problem:
    """The problem of a source, compared with the published figures."""
    chosen = replace(options, name=options.name or source.name, task=options.task or source.task)
    if chosen.task == "ranking":
        chosen = replace(
            chosen,
            max_documents=options.max_documents or published.n_actions,
            max_relevance=options.max_relevance or licensed.BEST_GRADE,
        )
    problem = replace(source.read(chosen), openml_id=source.openml_id)
    as_usual = replace(options, name=None, task=None) == Options()
    if as_usual:
        left_out = 0
        if from_openml and source.openml_id is not None:
            left_out = len(openml.describe(source.openml_id).ignored)
        _compare(problem, published, left_out)
    return problem


def _compare(problem: Problem, published: Published, left_out: int) -> None:
    """Notify if sizes differ from the published ones, which count row numbers too."""
    pairs = [
        ("rows", problem.n, published.n),
        ("features", problem.n_features, published.n_features),
        ("actions", problem.n_actions, published.n_actions),
    ]
    different = [
        f"{found} {what} where the paper has {expected}"
        for what, found, expected in pairs
        if expected not in (None, found)
        and not (what == "features" and 0 <= expected - found <= left_out)
    ]
    if different:
        notify(f"{problem.name}: has {' and '.join(different)}")
