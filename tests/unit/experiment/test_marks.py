"""Marks: what was fetched is known again until its files change."""

import os
from pathlib import Path

import pytest

from bakeoff.experiment.problem_sources import mark_of
from bakeoff.reading.catalog import rcv1
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.catalog.sources import find, find_all
from bakeoff.reading.options import Options

FILES = {
    "openml:61": [f"openml/61/{name}" for name in
                  ("description.json", "features.json", "data.arff")],
    "paper-multilabel:yeast": ["libsvm/yeast.svm.bz2"],
    "paper-cost-sensitive:mslr30k": [f"mslr30k/Fold1/{part}.txt.gz" for part in
                                     ("train", "vali", "test")],
    f"paper-cost-sensitive:{rcv1.NAME}": [f"{rcv1.NAME}/{file}" for file in
                                          (rcv1.TREE, "documents.npz")],
}  # fmt: skip


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path))
    monkeypatch.delenv("BAKEOFF_DATA", raising=False)


def put(file: str, text: str) -> Path:
    path = data_folder(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def mark(source: Source) -> str | None:
    return mark_of(source, Options())


@pytest.mark.parametrize("text", FILES)
def test_a_mark_changes_with_any_file_in_the_cache(text: str) -> None:
    (source,) = find(text).sources
    marks = [mark(source)]
    for file in FILES[text]:
        marks.append(mark(source))
        put(file, "old")

    found = {mark(source)}
    for file in FILES[text]:
        put(file, "longer than old")
        found.add(mark(source))
        path = put(file, "longer than new")
        os.utime(path, (1, 1))
        found.add(mark(source))

    assert set(marks) == {None}  # until all files are there
    assert None not in found
    assert len(found) == 1 + 2 * len(FILES[text])


def test_a_mark_stays_while_nothing_or_something_else_changes() -> None:
    (source,) = find("openml:61").sources
    for file in FILES["openml:61"]:
        put(file, "old")
    before = mark(source)

    put("openml/61/.data.arff.0123.part", "somebody fetches it")
    put("openml/62/data.arff", "another dataset")

    assert before == mark(source)


def test_all_that_can_be_fetched_has_a_mark_once_it_is_here() -> None:
    sources = find_all(["paper", "openml:1"])

    assert len(sources) > 500
    assert [source.name for source in sources if source.cached is None] == []


def test_what_the_package_makes_has_no_mark() -> None:
    assert {mark(source) for source in find_all(["embedded"])} == {None}
