"""Reports and recommendations of some algorithms and datasets only."""

import json

import polars as pl
import pytest

from tests.terminal import Terminal

SWEEP = "epsilon-greedy:epsilon=[0.05,0.1],label=eG-{epsilon}"
DATA = ("embedded:iris", "embedded:wine")
RUN = ("run", *DATA, "-a", "greedy", "-a", "bag", "-a", SWEEP, "--learning-rate", "1", "-q")


@pytest.fixture
def store(bakeoff: Terminal) -> Terminal:
    assert bakeoff(*RUN).code == 0
    return bakeoff


def test_a_report_of_some_algorithms(store: Terminal) -> None:
    said = store("report", "--figures", "none", "--json", "-a", "G", "-a", "eG-0.1")

    assert said.code == 0
    assert {one["label"] for one in json.loads(said.out)["standings"]} == {"G", "eG-0.1"}
    assert set(pl.read_csv("results/report/main.csv")["algorithm"]) == {"G", "eG-0.1"}


def test_a_report_of_some_datasets(store: Terminal) -> None:
    said = store("report", "--figures", "none", "--json", "--datasets", "iris")

    assert said.code == 0
    assert json.loads(said.out)["datasets"] == 1


def test_a_recommendation_among_some(store: Terminal) -> None:
    use = json.loads(store("recommend", "--json", "-a", "B").out)["use"]

    assert use is None or "bag" in json.dumps(use)


@pytest.mark.parametrize("words", [("-a", "gredy"), ("--datasets", "irs")])
def test_what_the_store_lacks_is_one_sentence(store: Terminal, words: tuple[str, str]) -> None:
    for command in ("report", "recommend"):
        said = store(command, *words)
        assert said.code == 2
        assert words[1] in said.err
