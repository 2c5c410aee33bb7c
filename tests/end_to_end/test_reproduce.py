"""`bakeoff reproduce` as a user types it."""

import shutil
from pathlib import Path

import pytest

from tests import openml_server as openml
from tests.terminal import Terminal

ARFF = "@relation r\n@attribute a numeric\n@attribute class {x, y}\n@data\n" + (
    "1,x\n2,y\n3,x\n" * 4
)


def world_of(base: str, patch: pytest.MonkeyPatch, cache: Path) -> None:
    """A world in which one server has everything, and nobody waits long."""
    openml.without_waiting(patch)
    patch.setenv("BAKEOFF_CACHE", str(cache))
    for variable in ("BAKEOFF_OPENML", "BAKEOFF_LIBSVM", "BAKEOFF_JMLR"):
        patch.setenv(variable, base)


@pytest.mark.slow
def test_the_small_stage_ends_in_a_document_and_a_report(bakeoff: Terminal) -> None:
    said = bakeoff("reproduce", "embedded")

    assert said.code == 0
    assert said.out.startswith("small: fixed hyperparameters, datasets of at most")
    text = Path("reproduction", "reproduction.md").read_text()
    assert "31 claims:" in text
    assert "in 10 shuffles" in " ".join(said.out.split())
    assert "### main-results" in Path("reproduction", "reproduction-tables.md").read_text()
    assert Path("reproduction", "reproduction.svg").is_file()
    assert Path("reproduction", "report.html").is_file()

    again = bakeoff("reproduce", "embedded")

    assert again.code == 0
    assert "all done" in " ".join(again.out.split())
    assert Path("reproduction", "reproduction.md").read_text() == text


@pytest.mark.slow
def test_the_document_is_about_all_stages_of_the_store(bakeoff: Terminal) -> None:
    bakeoff("reproduce", "embedded:iris", "--stage", "nine-ten", "--shuffles", "2")
    said = bakeoff("reproduce", "embedded:iris", "--shuffles", "2")

    assert said.code == 0
    text = Path("reproduction", "reproduction.md").read_text()
    assert "encodings -1/0, 0/1, 9/10" in text
    tables = Path("reproduction", "reproduction-tables.md").read_text()
    assert "| baseline-9/10 | G with baseline vs G (9/10) | " in tables
    assert "| ro-first | RO vs G | " in tables


def test_a_dry_run_only_says_how_long_it_takes(bakeoff: Terminal) -> None:
    said = bakeoff("reproduce", "embedded:iris", "--dry-run", "--stage", "nine-ten")

    assert said.code == 0
    assert said.out.startswith("nine-ten: encoding 9/10")
    assert "540 runs to do, about" in " ".join(said.out.split())
    assert not Path("reproduction").exists()


def test_wrong_arguments_are_answered_in_one_sentence(bakeoff: Terminal) -> None:
    Path("empty").mkdir()

    assert "there is no stage 'al'" in bakeoff("reproduce", "x", "--stage", "al").err
    assert bakeoff("reproduce", "nowhere").code == 3
    assert bakeoff("reproduce", "empty").code == 3


def test_a_dataset_that_cannot_be_read_is_left_out_and_named(
    bakeoff: Terminal, tmp_path: Path
) -> None:
    Path("data").mkdir()
    Path("data", "good.csv").write_text("x,target\n" + "1,a\n2,b\n" * 10)
    Path("data", "bad.csv").write_text('x,target\n1,"a\n')

    said = bakeoff("reproduce", "data", "--dry-run")

    assert said.code == 0
    assert "bad is left out:" in " ".join(said.err.split())
    assert "1 dataset" in said.out
    shutil.rmtree("data")


def test_the_papers_suite_is_fetched_as_far_as_it_can_be_had(
    bakeoff: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml.running() as server:
        for openml_id in (6, 28, 30):
            server.add(openml_id, ARFF.replace("1,x", f"{openml_id},x"), "class")
        world_of(server.base, monkeypatch, tmp_path / "cache")

        said = bakeoff("reproduce", "paper", "--stage", "nine-ten")

    assert said.code == 0
    assert "3 datasets" in said.out
    assert "openml:3 is left out:" in said.err
    assert "3 multiclass" in Path("reproduction", "reproduction.md").read_text()


def test_without_a_network_nobody_waits_for_each_dataset(
    bakeoff: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with openml.running() as gone:
        world_of(gone.base, monkeypatch, tmp_path / "cache")

    said = bakeoff("reproduce", "paper")

    assert said.code == 3
    assert said.err.count("left out for want of a network: 522 datasets;") == 1
    assert said.err.count("Connection refused") == 1


@pytest.mark.slow
def test_the_stage_of_today_ends_in_a_document_of_its_own(bakeoff: Terminal) -> None:
    said = bakeoff("reproduce", "embedded:iris", "--stage", "today")

    assert said.code == 0
    text = Path("reproduction", "bakeoff-today.md").read_text()
    assert text.startswith("# The bake-off of today\n\n![Mean losses")
    assert "\n\nMade by `bakeoff reproduce DIR --stage today`" in text
    assert "| LT (LinTS) |" in text
    assert not Path("reproduction", "reproduction.md").exists()

    again = bakeoff("reproduce", "embedded:iris", "--stage", "today")

    assert "all done" in " ".join(again.out.split())
    assert Path("reproduction", "bakeoff-today.md").read_text() == text
