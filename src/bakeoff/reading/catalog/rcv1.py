"""RCV1 with costs by topic tree: the farther from the right topics, the dearer.

    cost = edges to the nearest right topic / most edges between any two topics

The paper gives no formula (docs/reference/deviations.md). Documents and topics come through
scikit-learn, the tree from the appendix of Lewis et al. (JMLR 5, 2004).
"""

import http.client
import importlib
import io
import os
import pickle
import re
import shutil
import warnings
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Problem, at
from bakeoff.reading.catalog.cache import data_folder, store, writable
from bakeoff.reading.catalog.download import download, unwatched
from bakeoff.reading.catalog.source import Progress, Source
from bakeoff.reading.files import decoded, read_bytes
from bakeoff.reading.options import Options

NAME = "rcv1-costs"
VARIABLE = "BAKEOFF_JMLR"
PUBLIC = "http://jmlr.csail.mit.edu/papers/volume5/lewis04a"
TREE = "rcv1.topics.hier.orig"

Hierarchy = Mapping[str, str | None]  # the parent of each topic; the root has none

LINE = re.compile(r"parent:\s*(\S+)\s+child:\s*(\S+)\s+child-description:.*")


def source() -> Source:
    """RCV1 with tree costs as a source."""
    return Source(
        NAME, read, origin=f"paper:{NAME}", task="cost-sensitive", is_here=is_here, fetch=fetch
    )


def is_here() -> bool:
    """Whether documents and tree are in the cache."""
    return _documents().is_file() and _tree().is_file()


def fetch(progress: Progress) -> None:
    """Bring what is missing of documents and tree into the cache."""
    if not _tree().is_file():
        _fetch_tree(_tree(), progress)
    if not _documents().is_file():
        _fetch_documents(_documents())


def read(options: Options) -> Problem:
    """RCV1's training documents with a cost for each topic."""
    if not is_here():
        fetch(unwatched)
    X, Y, topics = _read_documents(_documents())
    costs = tree_costs(Y, topics, read_hierarchy(_tree()))
    name = options.name or NAME
    return Problem.from_costs(X, costs, class_names=topics, name=name)


def _tree() -> Path:
    return data_folder(NAME) / TREE


def _documents() -> Path:
    return data_folder(NAME) / "documents.npz"


# ---- the tree


def _fetch_tree(path: Path, progress: Progress) -> None:
    base = os.environ.get(VARIABLE) or PUBLIC
    url = f"{base.rstrip('/')}/a02-orig-topics-hierarchy/{TREE}"
    advice = f"without a network, put the file as {path}"
    download(url, path, progress, advice, check=read_hierarchy)


def read_hierarchy(path: Path) -> dict[str, str | None]:
    """The tree in a file with a line `parent: P child: C child-description: ...` each.

    The root's parent is None.
    """
    parents: dict[str, str | None] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(decoded(read_bytes(path), path).splitlines(), 1):
        if not line.strip():
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            raise DataError(
                f"{at(path, number)}: expected 'parent: P child: C child-description: "
                f"...', got {line.strip()[:60]!r}"
            )
        parent, child = match.groups()
        if child in lines:
            raise DataError(
                f"{at(path, number)}: the topic {child!r} has a parent already, in "
                f"line {lines[child]}"
            )
        parents[child] = None if parent == "None" else parent
        lines[child] = number
    _check_tree(path, parents, lines)
    return parents


def _check_tree(path: Path, parents: Hierarchy, lines: Mapping[str, int]) -> None:
    """Refuse what is not one tree."""
    roots = [topic for topic, parent in parents.items() if parent is None]
    if not roots:
        raise DataError(f"{path}: has no root, a line that begins with 'parent: None'")
    if len(roots) > 1:
        raise DataError(
            f"{at(path, lines[roots[1]])}: {roots[1]!r} is a second root besides {roots[0]!r}"
        )
    for topic, parent in parents.items():
        if parent is not None and parent not in parents:
            raise DataError(
                f"{at(path, lines[topic])}: {parent!r}, the parent of {topic!r}, is "
                f"not in the tree itself"
            )
    for topic in parents:
        above, steps = parents[topic], 0
        while above is not None and steps <= len(parents):
            above, steps = parents[above], steps + 1
        if above is not None:
            raise DataError(
                f"{at(path, lines[topic])}: the parents of {topic!r} go round in a circle"
            )


def distances(topics: Sequence[str], hierarchy: Hierarchy) -> Ints:
    """The number of edges between any two topics (K, K)."""
    number = {topic: k for k, topic in enumerate(hierarchy)}
    above = np.zeros((len(topics), len(number)), np.int64)  # also the topic itself
    for row, topic in zip(above, topics, strict=True):
        if topic not in hierarchy:
            raise DataError(f"the tree of topics has no {topic!r}")
        node: str | None = topic
        while node is not None:
            row[number[node]] = 1
            node = hierarchy[node]
    depth = above.sum(axis=1)
    return depth[:, None] + depth[None, :] - 2 * above @ above.T


def tree_costs(Y: Any, topics: Sequence[str], hierarchy: Hierarchy) -> Doubles:
    """The cost of each topic (n, K) for documents with right topics `Y` (n, K).

    A document without topics costs 1 everywhere.
    """
    others = [topic for topic, parent in hierarchy.items() if parent is not None]
    farthest = distances(others, hierarchy).max(initial=1)
    nearest = distances(topics, hierarchy) / farthest
    right = sparse.csc_array(Y)
    costs = np.ones(right.shape)
    for topic in range(right.shape[1]):
        rows = right.indices[right.indptr[topic] : right.indptr[topic + 1]]
        costs[rows] = np.minimum(costs[rows], nearest[topic])
    return costs


# ---- the documents


def _fetch_documents(path: Path) -> None:
    """Let scikit-learn fetch all of RCV1, and keep the training part."""
    datasets: Any = importlib.import_module("sklearn.datasets")  # slow, rarely needed
    home = path.with_name("scikit-learn")
    with writable(home):
        home.mkdir(parents=True, exist_ok=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it speaks of its tries
            found = datasets.fetch_rcv1(subset="train", data_home=str(home))
    except (EOFError, ValueError, zlib.error, pickle.UnpicklingError):
        shutil.rmtree(home, ignore_errors=True)
        raise DataError(
            f"{home}: held damaged files, which were removed; fetch {NAME} again"
        ) from None
    except (OSError, http.client.HTTPException) as error:
        raise DataError(
            f"{NAME}: scikit-learn cannot fetch RCV1 ({' '.join(str(error).split())}); "
            f"without a network, copy {path} from a machine that has it"
        ) from None
    store(path, [_packed(found)])
    shutil.rmtree(home, ignore_errors=True)  # half a gigabyte


def _packed(bunch: Any) -> bytes:
    X, Y = sparse.csr_array(bunch.data), sparse.csr_array(bunch.target)
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        value=X.data.astype(np.float32), feature=X.indices, start=X.indptr,
        n_features=X.shape[1], topic=Y.indices, topic_start=Y.indptr,
        topics=np.array([str(name) for name in bunch.target_names]),
    )  # fmt: skip
    return packed.getvalue()


def _read_documents(path: Path) -> tuple[Any, Any, list[str]]:
    """Features, right topics as a 0/1 matrix, and the names of the topics."""
    packed = io.BytesIO(read_bytes(path))
    try:
        with np.load(packed, allow_pickle=False) as kept:
            topics = [str(name) for name in kept["topics"]]
            n = len(kept["start"]) - 1
            features = (kept["value"], kept["feature"], kept["start"])
            X = sparse.csr_array(features, shape=(n, int(kept["n_features"])))
            flags = np.ones(len(kept["topic"]), np.uint8)
            right = (flags, kept["topic"], kept["topic_start"])
            Y = sparse.csr_array(right, shape=(n, len(topics)))
    except (OSError, EOFError, ValueError, KeyError, zlib.error, zipfile.BadZipFile):
        raise DataError(f"{path}: is damaged; delete it and fetch {NAME} again") from None
    return X, Y, topics
