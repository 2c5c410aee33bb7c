"""RCV1's tree costs: distances by hand, and trees that are none."""

import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import pytest
import sklearn.datasets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.utils import Bunch

from bakeoff.basics.errors import DataError
from bakeoff.reading.catalog import rcv1
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.download import UnreachableError, unwatched
from bakeoff.reading.options import Options
from tests import openml_server
from tests.openml_server import GARBAGE, Server

TREE = """\
parent: None      child: Root      child-description: Root
parent: Root      child: CCAT      child-description: CORPORATE/INDUSTRIAL
parent: Root      child: GCAT      child-description: GOVERNMENT/SOCIAL
parent: CCAT      child: C15       child-description: PERFORMANCE
parent: C15       child: C151      child-description: ACCOUNTS/EARNINGS
parent: GCAT      child: G15       child-description: EUROPEAN COMMUNITY
"""
TOPICS = ["C15", "C151", "CCAT", "G15", "GCAT"]
PATH = f"/a02-orig-topics-hierarchy/{rcv1.TREE}"

X = sparse.csr_array([[0.5, 0.0], [0.0, 1.0], [1.0, 2.0]])
Y = sparse.csr_array([[1, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 1, 0, 0, 1]])


def written(folder: Path, text: str) -> Path:
    path = folder / "topics"
    path.write_text(text)
    return path


# ---- costs


def test_distances_count_the_edges_between_topics(tmp_path: Path) -> None:
    tree = rcv1.read_hierarchy(written(tmp_path, TREE))

    found = rcv1.distances(TOPICS, tree)

    assert_array_equal(
        found, [[0, 1, 1, 4, 3], [1, 0, 2, 5, 4], [1, 2, 0, 3, 2], [4, 5, 3, 0, 1], [3, 4, 2, 1, 0]]
    )


def test_a_cost_is_the_share_of_the_longest_way_to_the_nearest_right_topic(tmp_path: Path) -> None:
    tree = rcv1.read_hierarchy(written(tmp_path, TREE))

    costs = rcv1.tree_costs(Y, TOPICS, tree)

    longest = 5  # from C151 to G15
    assert_array_equal(costs * longest, [[0, 1, 0, 3, 2], [4, 5, 3, 0, 1], [1, 0, 2, 1, 0]])


def test_the_longest_way_counts_topics_that_no_document_has(tmp_path: Path) -> None:
    tree = rcv1.read_hierarchy(written(tmp_path, TREE))

    costs = rcv1.tree_costs([[1, 0]], ["CCAT", "GCAT"], tree)

    assert_array_equal(costs, [[0.0, 2 / 5]])


def test_a_document_without_topics_costs_one_everywhere(tmp_path: Path) -> None:
    tree = rcv1.read_hierarchy(written(tmp_path, TREE))

    costs = rcv1.tree_costs([[0, 0, 0, 0, 0]], TOPICS, tree)

    assert_array_equal(costs, np.ones((1, 5)))


def test_dense_and_sparse_topics_cost_the_same(tmp_path: Path) -> None:
    tree = rcv1.read_hierarchy(written(tmp_path, TREE))

    assert_array_equal(rcv1.tree_costs(Y, TOPICS, tree), rcv1.tree_costs(Y.toarray(), TOPICS, tree))


def test_a_topic_that_is_not_in_the_tree_is_refused(tmp_path: Path) -> None:
    tree = rcv1.read_hierarchy(written(tmp_path, TREE))

    with pytest.raises(DataError, match=r"^the tree of topics has no 'MCAT'$"):
        rcv1.tree_costs([[1, 0]], ["CCAT", "MCAT"], tree)


# ---- trees that are none


def line(parent: str, child: str) -> str:
    return f"parent: {parent} child: {child} child-description: x\n"


ROOT = line("None", "Root")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ": has no root, a line that begins with 'parent: None'"),
        (line("A", "B") + line("B", "A"), ": has no root"),
        (ROOT + "parent: Root\n", ":2: expected 'parent: P child: C child-descr"),
        (ROOT + "CCAT GCAT\n", ":2: expected 'parent: P child: C child-description: "),
        (
            ROOT + "parent: Root child: A B child-description: x\n",
            ":2: expected 'parent: P child: C child-description: ...', got 'parent: ",
        ),
        (
            ROOT + line("Root", "A") + line("Root", "B") + line("B", "A"),
            ":4: the topic 'A' has a parent already, in line 2",
        ),
        (
            ROOT + "\n" + line("Root", "A") + line("Root", "A"),
            ":4: the topic 'A' has a parent already, in line 3",
        ),
        (
            ROOT + line("B", "A") + line("C", "B") + line("A", "C"),
            ":2: the parents of 'A' go round in a circle",
        ),
        (ROOT + line("A", "A"), ":2: the parents of 'A' go round in a circle"),
        (
            ROOT + line("Rot", "A"),
            ":2: 'Rot', the parent of 'A', is not in the tree itself",
        ),
        (ROOT + line("None", "Top"), ":2: 'Top' is a second root besides 'Root'"),
    ],
    ids=[
        "empty", "only a circle", "half a line", "other words", "two children",
        "two parents", "a topic twice", "a circle", "its own parent",
        "unknown parent", "two roots",
    ],
)  # fmt: skip
def test_what_is_not_a_tree_is_refused_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)

    with pytest.raises(DataError) as refusal:
        rcv1.read_hierarchy(path)

    assert str(refusal.value).startswith(f"{path}{says}")


WORDS = st.sampled_from(["None", "Root", "A", "B", "C", "parent:", "", "\x85"])


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6).map(
    lambda pairs: "".join(line(*pair) for pair in pairs).encode()
) | st.binary(max_size=80))  # fmt: skip
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_other_text_is_refused_or_a_tree(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "topics"
    path.write_bytes(content)

    with suppress(DataError):
        tree = rcv1.read_hierarchy(path)

        assert list(tree.values()).count(None) == 1
        assert rcv1.distances(list(tree), tree).min() == 0


# ---- fetching


class Fetcher:
    """Stands for scikit-learn's fetch_rcv1, which needs the network."""

    def __init__(self) -> None:
        self.calls = 0
        self.error: BaseException | None = None

    def __call__(self, *, subset: str, data_home: str) -> Bunch:
        self.calls += 1
        assert subset == "train"
        (Path(data_home) / "large.pkl").write_bytes(b"")
        if self.error is not None:
            raise self.error
        return Bunch(data=X, target=Y, target_names=np.array(TOPICS, object))


@pytest.fixture
def fetcher(monkeypatch: pytest.MonkeyPatch) -> Fetcher:
    fetcher = Fetcher()
    monkeypatch.setattr(sklearn.datasets, "fetch_rcv1", fetcher)
    return fetcher


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    openml_server.without_waiting(monkeypatch)
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path))
    with openml_server.running() as server:
        monkeypatch.setenv(rcv1.VARIABLE, server.base)
        server.files[PATH] = TREE.encode()
        yield server


def test_documents_and_tree_are_fetched_once(server: Server, fetcher: Fetcher) -> None:
    source = rcv1.source()
    assert not source.is_here()

    problem = source.read(Options())
    again = source.read(Options(name="other"))

    assert source.is_here()
    assert server.asked == [PATH]
    assert fetcher.calls == 1
    assert repr(problem) == (
        "Problem('rcv1-costs', cost-sensitive, n=3, n_features=2, n_actions=5)"
    )
    assert problem.class_names == tuple(TOPICS)
    assert again.digest == problem.digest
    assert again.name == "other"
    assert_array_equal(problem.true_costs.value[:5] * 5, [0, 1, 0, 3, 2])
    names = {path.name for path in data_folder("rcv1-costs").iterdir()}
    assert names == {"documents.npz", rcv1.TREE}


def test_a_tree_brought_by_hand_is_not_fetched(server: Server, fetcher: Fetcher) -> None:
    data_folder("rcv1-costs").mkdir(parents=True)
    (data_folder("rcv1-costs") / rcv1.TREE).write_text(TREE)

    rcv1.fetch(unwatched)

    assert server.asked == []
    assert rcv1.is_here()


def test_a_page_instead_of_the_tree_is_not_kept(server: Server, fetcher: Fetcher) -> None:
    server.misbehave(PATH, GARBAGE)

    with pytest.raises(DataError, match=r"the download cannot be read: .*:1: exp"):
        rcv1.fetch(unwatched)
    rcv1.fetch(unwatched)

    assert rcv1.is_here()


def test_without_a_network_the_user_is_told_where_to_put_the_tree(
    server: Server, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml_server.running() as gone:
        monkeypatch.setenv(rcv1.VARIABLE, gone.base)

    with pytest.raises(UnreachableError) as refusal:
        rcv1.fetch(unwatched)

    path = data_folder("rcv1-costs") / rcv1.TREE
    assert str(refusal.value).endswith(f"without a network, put the file as {path}")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            URLError("[Errno -2] Name or\nservice not known"),
            r"^rcv1-costs: scikit-learn cannot fetch RCV1 \(<urlopen error \[Errno -2\]"
            r" Name or service not known>\); without a network, copy .*documents.npz",
        ),
        (
            OSError("The SHA256 checksum differs"),
            r"cannot fetch RCV1 \(The SHA256 checksum differs\)",
        ),
        (EOFError(), "held damaged files, which were removed; fetch rcv1-costs again"),
        (zlib.error("x"), "held damaged files, which were removed"),
    ],
    ids=["no network", "checksum", "cut pickle", "bad pickle"],
)
def test_what_scikit_learn_says_becomes_one_sentence(
    server: Server, fetcher: Fetcher, error: BaseException, says: str
) -> None:
    fetcher.error = error

    with pytest.raises(DataError, match=says) as refusal:
        rcv1.fetch(unwatched)

    assert "\n" not in str(refusal.value)
    assert not rcv1.is_here()


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def altered(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + b"\0\1\2\3" * 4 + content[middle + 16 :]


def emptied(content: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [cut, altered, emptied])
def test_damaged_documents_are_refused(server: Server, fetcher: Fetcher, damage: Any) -> None:
    rcv1.fetch(unwatched)
    path = data_folder("rcv1-costs") / "documents.npz"
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(DataError, match="is damaged; delete it and fetch rcv1-costs"):
        rcv1.read(Options())
