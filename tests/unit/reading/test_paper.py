"""The paper's suites: the published figures, and data held against them."""

import bz2
import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.reading.catalog import openml, paper
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.download import unwatched
from bakeoff.reading.catalog.manifest import sources_in
from bakeoff.reading.catalog.source import Published, Source
from bakeoff.reading.options import Options
from tests import openml_server
from tests.openml_server import Server, all_paths

SIZES = {
    "paper": 524,
    "paper-multiclass": 516,
    "paper-tuning": 199,
    "paper-held-out": 317,
    "paper-multilabel": 5,
    "paper-cost-sensitive": 3,
    "uci": 8,
}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    openml_server.without_waiting(monkeypatch)
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    with openml_server.running() as server:
        monkeypatch.setenv("BAKEOFF_OPENML", server.base)
        monkeypatch.setenv("BAKEOFF_LIBSVM", f"{server.base}/multilabel")
        yield server


def named(name: str, local: paper.Local | None = None) -> Source:
    return {s.name: s for s in paper.sources("paper", local or {})}[name]


def ids(suite: str) -> set[int | None]:
    return {source.openml_id for source in paper.sources(suite, {})}


def figures(suite: str) -> list[Published]:
    return [s.published for s in paper.sources(suite, {}) if s.published is not None]


def counts(values: list[float], bounds: list[float]) -> list[int]:
    """How many values lie in ]-inf, b0], ]b0, b1], ..., ]bn, inf[."""
    places = np.searchsorted(bounds, values)
    return np.bincount(places, minlength=len(bounds) + 1).tolist()


# ---- figures


@pytest.mark.parametrize("suite", paper.SUITES)
def test_a_suite_has_its_datasets_each_once(suite: str) -> None:
    sources = paper.sources(suite, {})

    assert len(sources) == SIZES[suite]
    assert len({source.name for source in sources}) == len(sources)
    assert len({source.origin for source in sources}) == len(sources)
    assert all(source.published is not None for source in sources)
    assert all(source.fetch is not None for source in sources)


def test_tuning_and_held_out_datasets_are_all_and_have_none_in_common() -> None:
    assert not ids("paper-tuning") & ids("paper-held-out")
    assert ids("paper-tuning") | ids("paper-held-out") == ids("paper-multiclass")
    assert ids("uci") < ids("paper-multiclass")


def test_the_paper_has_what_its_parts_have() -> None:
    parts = ["paper-multiclass", "paper-multilabel", "paper-cost-sensitive"]

    names = [source.name for part in parts for source in paper.sources(part, {})]

    assert [source.name for source in paper.sources("paper", {})] == names


def test_the_datasets_that_the_paper_discarded_are_not_among_them() -> None:
    assert not ids("paper-multiclass") & {8, 189, 197, 209, 223, 227, 287, 294, 298}


def test_sizes_are_spread_as_the_paper_says() -> None:
    known = figures("paper-multiclass")

    assert counts([k.n for k in known], [1e2, 1e3, 1e5]) == [94, 268, 126, 28]
    assert counts([k.n_features for k in known], [50, 100, 1000]) == [384, 34, 17, 81]


def test_losses_are_spread_as_the_paper_says_but_for_one_that_is_not_known() -> None:
    losses = [k.supervised_loss for k in figures("paper-multiclass")]

    known = [loss for loss in losses if loss is not None]

    assert len(losses) - len(known) == 1  # of dataset 1590, between 0.1 and 0.2
    assert counts(known, [0.01, 0.1, 0.2, 0.5]) == [10, 87, 102 - 1, 271, 46]


def test_a_source_has_its_published_figures() -> None:
    iris = named("openml:61")

    assert iris.published == Published(150, 4, None, 0.666667, 0.386667)
    assert (iris.origin, iris.task, iris.openml_id) == ("openml:61", "multiclass", 61)
    assert named("scene").published == Published(1211, 294, 6, None, 0.0066)
    assert named("scene").task == "multilabel"
    assert named("yahoo").published == Published(36251, 415, 6, None, 0.5876)
    assert named("yahoo").task == "ranking"
    assert named("rcv1-costs").published == Published(23149, 47236, 103)
    assert named("rcv1-costs").task == "cost-sensitive"


def test_sources_can_be_sent_to_other_processes() -> None:
    sources = paper.sources("paper", {})

    copies = pickle.loads(pickle.dumps(sources))

    assert [copy.name for copy in copies] == [source.name for source in sources]


# ---- data against figures


def arff(rows: int, columns: list[str]) -> str:
    """Made-up data with as many rows and columns; the class is the last."""
    header = "".join(f"@attribute {name} numeric\n" for name in columns)
    lines = "".join(",".join("1" * len(columns)) + f",{'ab'[i % 2]}\n" for i in range(rows))
    return f"@relation r\n{header}@attribute class {{a,b}}\n@data\n{lines}"


def test_data_with_the_published_sizes_are_read_without_a_word(server: Server) -> None:
    server.add(61, arff(150, ["a", "b", "c", "d"]), "class")

    problem = named("openml:61").read(Options())

    assert (problem.name, problem.n, problem.n_features) == ("openml:61", 150, 4)
    assert problem.openml_id == 61


def test_data_with_other_sizes_are_read_with_a_notice(server: Server) -> None:
    server.add(61, arff(149, ["a", "b", "c"]), "class")

    with pytest.warns(DataNotice) as notices:
        problem = named("openml:61").read(Options())

    assert [str(notice.message) for notice in notices] == [
        "openml:61: has 149 rows where the paper has 150 and 3 features where the paper has 4"
    ]
    assert problem.n == 149


def test_row_numbers_are_counted_by_the_paper_and_left_out_here(server: Server) -> None:
    columns = ["row", "a", "b", "c"]
    server.add(61, arff(150, columns), "class", row_id_attribute="row")

    problem = named("openml:61").read(Options())

    assert problem.n_features == 3


def test_what_the_user_chose_is_not_compared(server: Server) -> None:
    server.add(61, arff(150, ["a", "b", "c", "d"]), "class")

    assert named("openml:61").read(Options(ignore=("a",))).n_features == 3
    assert named("openml:61").read(Options(features="one-hot")).n_features == 4


def test_a_suite_is_fetched_piece_by_piece(server: Server) -> None:
    server.add(6, arff(3, ["a"]), "class")
    sources = paper.sources("uci", {})[:2]

    assert [source.is_here() for source in sources] == [False, False]
    assert sources[0].fetch is not None
    sources[0].fetch(unwatched)

    assert [source.is_here() for source in sources] == [True, False]
    assert server.asked == all_paths(6)


# ---- data of the user's own


def folder_with(folder: Path, rows: list[str]) -> dict[int | str, Source]:
    """What a folder's manifest holds, by OpenML id or name."""
    header = "file,task,name,openml_id,max_documents\n"
    (folder / "manifest.csv").write_text(header + "".join(f"{row}\n" for row in rows))
    return {s.openml_id or s.name: s for s in sources_in(folder)}


def test_a_dataset_in_the_users_folder_is_used_before_the_network(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "flowers.arff").write_text(arff(150, ["a", "b", "c", "d"]))
    local = folder_with(tmp_path, ["flowers.arff,multiclass,flowers,61,"])

    source = named("openml:61", local)
    problem = source.read(Options())

    assert (problem.name, problem.n, problem.openml_id) == ("openml:61", 150, 61)
    assert source.origin == str(tmp_path / "flowers.arff")
    assert source.fetch is None
    assert source.is_here()
    assert source.published == Published(150, 4, None, 0.666667, 0.386667)
    assert server.asked == []


def test_data_of_the_users_folder_are_compared_too(server: Server, tmp_path: Path) -> None:
    (tmp_path / "flowers.arff").write_text(arff(149, ["a", "b", "c", "d"]))
    local = folder_with(tmp_path, ["flowers.arff,multiclass,flowers,61,"])

    with pytest.warns(DataNotice, match="openml:61: has 149 rows where the paper has"):
        named("openml:61", local).read(Options())


def test_other_datasets_in_the_users_folder_change_nothing(tmp_path: Path) -> None:
    local = folder_with(tmp_path, ["x.arff,multiclass,x,99999,"])

    assert named("openml:61", local).fetch is not None


def test_a_ranking_file_of_the_users_keeps_as_many_documents_as_the_paper(tmp_path: Path) -> None:
    documents = "".join(f"{i % 5} qid:1 1:{i}\n" for i in range(12))
    (tmp_path / "m.letor").write_text(documents + "4 qid:2 2:1\n")
    local = folder_with(tmp_path, ["m.letor,ranking,mslr30k,,"])

    with pytest.warns(DataNotice, match="^mslr30k: has 2 rows where the paper has"):
        problem = named("mslr30k", local).read(Options())

    assert problem.n_actions == 10
    assert problem.true_costs.value[:6].tolist() == [1.0, 0.75, 0.5, 0.25, 0.0, 1.0]


# ---- the LibSVM site

SCENE = "".join(f"{i % 6},{(i + 1) % 6} {i % 294 + 1}:0.5\n" for i in range(1211))
SCENE_PATH = "/multilabel/scene_train.bz2"


def test_a_multilabel_dataset_comes_from_the_libsvm_site(server: Server) -> None:
    server.files[SCENE_PATH] = bz2.compress(SCENE.encode())
    source = named("scene")

    problem = source.read(Options())
    source.read(Options())

    assert repr(problem) == ("Problem('scene', multilabel, n=1211, n_features=294, n_actions=6)")
    assert server.asked == [SCENE_PATH]
    assert source.is_here()


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("mediamill", "mediamill/train-exp1.svm.bz2"),
        ("rcv1", "rcv1_topics_train.svm.bz2"),
        ("tmc", "tmc2007_train.svm.bz2"),
        ("yeast", "yeast_train.svm.bz2"),
    ],
)
def test_each_has_a_file_of_its_own(server: Server, name: str, path: str) -> None:
    server.files[f"/multilabel/{path}"] = bz2.compress(b"0,1 1:1\n2 2:1\n")

    with pytest.warns(DataNotice, match=f"^{name}: has 2 rows where the paper has"):
        problem = named(name).read(Options())

    assert problem.task == "multilabel"


def test_a_page_instead_of_data_is_not_kept(server: Server) -> None:
    server.files[SCENE_PATH] = b"<html>Welcome to the hotel</html>"

    with pytest.raises(DataError) as refusal:
        named("scene").read(Options())

    assert str(refusal.value).startswith(
        f"{server.base}{SCENE_PATH}: the download cannot be read: "
    )
    assert not named("scene").is_here()


def test_without_a_network_the_user_is_told_where_to_put_the_file(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml_server.running() as gone:
        monkeypatch.setenv("BAKEOFF_LIBSVM", gone.base)

    with pytest.raises(DataError) as refusal:
        named("scene").read(Options())

    path = data_folder("libsvm") / "scene.svm.bz2"
    assert str(refusal.value) == (
        f"{gone.base}/scene_train.bz2: cannot be fetched in 4 tries: no connection "
        f"(Connection refused); without a network, put the file as {path}, or into a "
        f"folder with a manifest.csv that names it scene, and pass that folder as data "
        f"(--data) or name it in BAKEOFF_DATA"
    )


def test_no_dataset_of_the_suites_is_described_before_it_is_read(server: Server) -> None:
    paper.sources("paper", {})

    assert server.asked == []
    assert not openml.is_here(61)
