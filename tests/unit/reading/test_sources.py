"""One syntax for where problems come from."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff.basics.errors import DataError
from bakeoff.data.problem import Problem
from bakeoff.reading.catalog.source import Source, with_options
from bakeoff.reading.catalog.sources import find, find_all

ROWS = "a,class\n1,x\n2,y\n3,x\n"
RANKED = "2 qid:1 1:0.5\n0 qid:1 1:0.25\n1 qid:2 1:1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of files in several formats, without a manifest."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "rows.csv").write_text(ROWS)
    (tmp_path / "inner" / "rows.csv.gz").write_bytes(gzip.compress(ROWS.encode()))
    (tmp_path / "inner" / "queries.txt").write_text(RANKED)
    (tmp_path / "README.txt").write_text("Notes on these data")
    (tmp_path / ".hidden.csv").write_text("not, a table")
    return tmp_path


def names(problems: Problem | list[Problem]) -> list[str]:
    assert isinstance(problems, list)
    return [problem.name for problem in problems]


def one(problem: Problem | list[Problem]) -> Problem:
    assert isinstance(problem, Problem)
    return problem


def test_a_file_is_one_problem_called_after_it(folder: Path) -> None:
    assert one(bakeoff.load(folder / "rows.csv")).name == "rows"
    assert one(bakeoff.load(str(folder / "inner" / "rows.csv.gz"))).name == "rows"


def test_a_name_can_be_given(folder: Path) -> None:
    assert one(bakeoff.load(folder / "rows.csv", name="mine")).name == "mine"


@pytest.mark.filterwarnings("ignore::bakeoff.DataNotice")
def test_a_folder_is_every_known_file_in_it(folder: Path) -> None:
    problems = bakeoff.load(folder)

    assert names(problems) == ["inner/queries", "inner/rows", "rows"]


def test_files_of_the_same_name_keep_their_endings(tmp_path: Path) -> None:
    for file in ("rows.csv", "rows.tsv", "other.csv"):
        (tmp_path / file).write_text(ROWS.replace(",", "\t" if "tsv" in file else ","))

    assert names(bakeoff.load(tmp_path)) == ["other", "rows.csv", "rows.tsv"]


def test_a_link_back_up_does_not_make_a_folder_endless(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "up").symlink_to(tmp_path)
    (tmp_path / "rows.csv").write_text(ROWS)

    assert names(bakeoff.load(tmp_path)) == ["rows"]


def test_a_manifest_says_what_is_in_a_folder(folder: Path) -> None:
    (folder / "manifest.csv").write_text(
        "name,file,task,openml_id,target,max_relevance,max_documents,notes\n"
        "first,rows.csv,multiclass,61,a,,,mine\n"
        "ranked,inner/queries.txt,ranking,,,4,2,\n"
    )

    problems = bakeoff.load(folder)

    assert names(problems) == ["first", "ranked"]
    assert isinstance(problems, list)
    assert problems[0].openml_id == 61
    assert problems[0].class_names == ("1", "2", "3")
    assert problems[1].true_costs.value.tolist() == [0.5, 1.0, 0.75]


def test_a_name_that_a_manifest_gives_twice_is_made_unique(folder: Path) -> None:
    (folder / "manifest.csv").write_text(
        "file,task,name,openml_id\n"
        "rows.csv,multiclass,quake,209\n"
        "inner/rows.csv.gz,multiclass,quake,\n"
        "inner/queries.txt,ranking,other,\n"
    )

    sources = find(folder).sources

    assert [source.name for source in sources] == [
        "quake (openml:209)",
        "quake (rows.csv.gz)",
        "other",
    ]


def test_what_a_manifest_leaves_open_can_be_said(folder: Path) -> None:
    (folder / "manifest.csv").write_text("file,task,name\nrows.csv,multiclass,rows\n")

    problems = bakeoff.load(folder, target="a")

    assert isinstance(problems, list)
    assert problems[0].class_names == ("1", "2", "3")


def test_a_manifest_may_say_every_option_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("7,u,10,p\n8,v,20,q\n9,u,10,q\n")
    (tmp_path / "b.letor").write_text("".join(f"{i} qid:1 1:1\n" for i in range(5)))
    (tmp_path / "manifest.csv").write_text(
        "file,task,name,header,ignore,categorical,features,max_documents,max_relevance\n"
        'a.csv,multiclass,a,false,"column_1",column_3,one-hot,,\n'
        "b.letor,ranking,b,,,,,3,8\n"
    )

    a, b = bakeoff.load(tmp_path)

    assert a.name == "a (one-hot)"
    assert a.features.names == ["column_2=u", "column_2=v", "column_3=10", "column_3=20"]
    assert (b.n_actions, b.constant_action_cost) == (3, 0.75)


def test_a_dataset_in_the_users_folder_is_not_downloaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "manifest.csv").write_text("file,task,name,openml_id\nrows.csv,multiclass,rows,61\n")

    given = one(bakeoff.load("openml:61", data=folder))
    monkeypatch.setenv("BAKEOFF_DATA", str(folder))
    found = one(bakeoff.load("openml:61"))

    assert given.digest == found.digest == one(bakeoff.load(folder / "rows.csv")).digest
    assert given.openml_id == 61


def test_a_suite_is_a_list_and_each_of_its_problems_has_a_source(folder: Path) -> None:
    suite = bakeoff.load("embedded")

    assert isinstance(suite, list)
    for problem in suite:
        assert one(bakeoff.load(f"embedded:{problem.name}")).digest == problem.digest


def test_one_hot_features_show_in_the_name(folder: Path) -> None:
    problem = one(bakeoff.load(folder / "rows.csv", features="one-hot"))

    assert problem.name == "rows (one-hot)"


def test_several_sources_have_unique_names_and_no_source_counts_twice(folder: Path) -> None:
    file, inner = str(folder / "rows.csv"), str(folder / "inner" / "rows.csv.gz")

    sources = find_all([file, inner, file, "embedded:iris"])

    assert [source.name for source in sources] == [file, inner, "iris"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("embeded", "did you mean 'embedded'"),
        ("embedded:digit", "did you mean 'digits'"),
        ("rows.csv", "rows.csv: no such file or folder"),
        ("nothing", "suites are embedded, paper"),
        ("openml:iris", "openml: is followed by a dataset's number"),
        ("openml:0", "openml: is followed by a dataset's number"),
    ],
)
def test_a_source_that_is_not_there_is_explained(text: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        find(text)


def test_a_name_for_several_problems_is_refused(folder: Path) -> None:
    with pytest.raises(DataError, match="holds several problems"):
        bakeoff.load(folder, name="mine")


def test_a_folder_of_data_that_is_no_folder_is_refused(folder: Path) -> None:
    with pytest.raises(DataError, match="is not a folder"):
        bakeoff.load("openml:61", data=folder / "rows.csv")


@pytest.mark.parametrize(
    ("given", "way"),
    [
        (np.zeros((3, 2)), "got ndarray; arrays make a problem with Problem.from_cl"),
        ({"a": [1, 2], "y": [0, 1]}, "got dict; make a frame of it first"),
        (3, "got int"),
    ],
    ids=["array", "dict", "number"],
)
def test_what_is_no_source_is_shown_the_way(given: Any, way: str) -> None:
    with pytest.raises(DataError) as caught:
        bakeoff.load(given)

    assert way in str(caught.value)


def test_the_origin_of_a_source_tells_its_options_as_they_are_typed(tmp_path: Path) -> None:
    options = {"numeric": ("when", "price"), "ignore": ["id"]}
    source = with_options(
        Source("visits", lambda _: bakeoff.load("embedded:iris"), "visits.csv"), options
    )

    assert source.origin == "visits.csv (numeric=when,price, ignore=id)"
