"""Ranking data that must be brought by hand, since a licence must be agreed to.

MSLR-30K: train, validation and test part of one fold are all of its queries, once.

Yahoo: the published number of queries is that of all six files of C14B together, and
the published number of features that of the features which occur in both of its sets
(of 700 there are 519 in set 1 and 596 in set 2, hence 415 in both).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Contexts, Costs, Ints
from bakeoff.data import Problem
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.download import unwatched
from bakeoff.reading.catalog.source import Progress, Source
from bakeoff.reading.files import COMPRESSED
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file

BEST_GRADE = 4.0


class Licensed(NamedTuple):
    """A dataset of ranking files, in sets that may differ in their features."""

    title: str
    page: str
    sets: tuple[tuple[str, ...], ...]
    max_documents: int


DATASETS = {
    "mslr30k": Licensed(
        "MSLR-WEB30K",
        "https://www.microsoft.com/en-us/research/project/mslr/",
        (("Fold1/train.txt", "Fold1/vali.txt", "Fold1/test.txt"),),
        10,
    ),
    "yahoo": Licensed(
        "C14B, the Yahoo! Learning to Rank Challenge 2.0,",
        "https://webscope.sandbox.yahoo.com/catalog.php?datatype=c",
        (
            ("set1.train.txt", "set1.valid.txt", "set1.test.txt"),
            ("set2.train.txt", "set2.valid.txt", "set2.test.txt"),
        ),
        6,
    ),
}


def source(name: str) -> Source:
    """A dataset that is brought by hand as a source."""
    return Source(
        name,
        partial(read, name),
        origin=f"paper:{name}",
        task="ranking",
        is_here=partial(is_here, name),
        fetch=partial(fetch, name),
        cached=partial(data_folder, name),
    )


def is_here(name: str) -> bool:
    """Whether all files of a dataset have been brought."""
    files = [file for files in DATASETS[name].sets for file in files]
    return all(_found(name, file) is not None for file in files)


def fetch(name: str, progress: Progress) -> None:
    """Say how to bring a dataset, unless that has been done."""
    if is_here(name):
        return
    dataset, folder = DATASETS[name], data_folder(name)
    missing = [f for files in dataset.sets for f in files if _found(name, f) is None]
    raise DataError(
        f"{name}: must be brought by hand, since a licence must be agreed to; get "
        f"{dataset.title} from {dataset.page} and put {', '.join(missing)} into "
        f"{folder} (also with {', '.join(COMPRESSED)})"
    )


def read(name: str, options: Options) -> Problem:
    """A dataset as a problem: its files one after the other."""
    fetch(name, unwatched)
    options = replace(
        options,
        name=options.name or name,
        task="ranking",
        max_documents=options.max_documents or DATASETS[name].max_documents,
        max_relevance=options.max_relevance or BEST_GRADE,
    )
    sets = [
        [read_file(path, options) for file in files if (path := _found(name, file))]
        for files in DATASETS[name].sets
    ]
    whole = joined([part for parts in sets for part in parts])
    if len(sets) == 1:
        return whole
    occurring = [np.unique(np.concatenate([p.contexts.feature for p in parts])) for parts in sets]
    common = occurring[0]
    for others in occurring[1:]:
        common = np.intersect1d(common, others)
    return with_features(whole, common)


def _found(name: str, file: str) -> Path | None:
    """A file that was brought, as it is or compressed."""
    path = data_folder(name) / file
    candidates = [path, *(path.with_name(path.name + end) for end in COMPRESSED)]
    return next((path for path in candidates if path.is_file()), None)


def joined(parts: Sequence[Problem]) -> Problem:
    """Ranking problems one after the other, under the name of the first."""
    contexts = [part.contexts for part in parts]
    costs = [part.true_costs for part in parts]
    return replace(
        parts[0],
        contexts=Contexts(
            _appended([c.start for c in contexts]),
            np.concatenate([c.feature for c in contexts]),
            np.concatenate([c.value for c in contexts]),
            _appended([c.first_row for c in contexts]),
        ),
        true_costs=Costs(
            _appended([c.start for c in costs]),
            parts[0].true_costs.right,
            np.concatenate([c.value for c in costs]),
        ),
        n=sum(part.n for part in parts),
        n_actions=max(part.n_actions for part in parts),
        n_features=max(part.n_features for part in parts),
    )


def _appended(starts: Sequence[Ints]) -> Ints:
    """Where things begin when lists of them stand one after the other."""
    sizes = np.concatenate([np.diff(start) for start in starts])
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def with_features(problem: Problem, kept: Ints) -> Problem:
    """The problem with some features only, numbered anew; `kept` has the bias, 0."""
    contexts = problem.contexts
    stays = np.isin(contexts.feature, kept)
    before = np.concatenate(([0], np.cumsum(stays)))
    return replace(
        problem,
        contexts=contexts._replace(
            start=before[contexts.start].astype(np.int64),
            feature=np.searchsorted(kept, contexts.feature[stays]).astype(np.int32),
            value=contexts.value[stays],
        ),
        n_features=len(kept) - 1,
    )
