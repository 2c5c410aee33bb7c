"""docs/guide/results.md as a reader follows it: every block runs, and says what is true."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

import bakeoff
from bakeoff import DataNotice, ResultsError, SpecError
from bakeoff.judging.reading import read_curves, read_losses
from bakeoff.judging.results import Results
from bakeoff.judging.selection import Selection
from bakeoff.judging.standings import standings
from bakeoff.judging.verdict import verdict
from bakeoff.judging.views import KINDS, Criteria, main_contest
from bakeoff.store.store import Store

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "results.md"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the blocks of the page define, run one after the other."""
    found: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("day"))
        for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
            exec(block, found)
        found["store"] = Results(Path("results").absolute())
        assert Path("curves.pdf").stat().st_size > 1000
    return found


def test_the_blocks_of_the_page_run(names: dict[str, Any]) -> None:
    assert set(names["wide"].columns) == {"dataset", "G", "RO", "eG"}
    assert names["best"].height == 3
    assert names["curve"]["shuffle"].unique().sort().to_list() == [1, 2, 3]


def test_every_keyword_is_on_the_page() -> None:
    for keyword in Selection.__annotations__:
        assert f"`{keyword}`" in PAGE.read_text()
    for view in KINDS:
        assert f'`"{view}"`' in PAGE.read_text()


def test_the_tables_are_those_of_the_report(names: dict[str, Any]) -> None:
    store: Results = names["store"]
    losses, asked = read_losses(Store(store.folder)), Criteria()
    contest = main_contest(losses, asked)
    places = standings(contest, asked.wins(contest))

    found = store.standings()

    assert found["algorithm"].to_list() == [one.label for one in places]
    assert found["wins"].to_list() == [one.wins for one in places]
    assert found["mean_loss"].to_list() == [one.mean_loss for one in places]
    assert list(store.verdict()) == list(verdict(losses, asked))


def test_wins_add_up_to_the_standings(names: dict[str, Any]) -> None:
    store: Results = names["store"]
    wins, places = store.wins(test="z"), store.standings(test="z")

    assert wins.columns == ["algorithm", *wins["algorithm"]]
    by_row = wins.select(pl.sum_horizontal(wins["algorithm"].to_list())).to_series()
    assert by_row.to_list() == places["wins"].to_list()
    difference = store.wins(difference=True, test="z").drop("algorithm")
    expected = wins.drop("algorithm").to_numpy()
    np.testing.assert_array_equal(difference.to_numpy(), expected - expected.T)


def test_losses_are_means_of_the_rows(names: dict[str, Any]) -> None:
    store: Results = names["store"]

    one = store.losses(datasets="wine", algorithms="greedy")  # a spec is a name, too
    rows = store.rows(view="fixed", datasets="wine", algorithms="G")

    assert one["algorithm"].to_list() == ["G"]
    assert one["shuffles"].to_list() == [3]
    assert one["loss"][0] == pytest.approx(rows["pv_loss"].mean(), abs=1e-12)
    spread = rows["pv_loss"].to_numpy().std(ddof=1)
    assert one["standard_error"][0] == pytest.approx(spread / 3**0.5, abs=1e-12)


def test_rows_are_those_of_the_store(names: dict[str, Any]) -> None:
    store: Results = names["store"]

    assert store.rows().height == 3 * 3 * 3 * 5
    assert store.rows(algorithms=["G", "OAA"])["algorithm"].unique().len() == 2
    assert store.rows(encoding="-1/0")["encoding"].unique().to_list() == ["-1/0"]


def test_an_opened_store_shows_itself(names: dict[str, Any]) -> None:
    store: Results = names["store"]

    assert "<table" in store._repr_html_()
    for text in (repr(store), store._repr_html_()):
        assert all(label in text for label in store.algorithms)
        assert str(store.verdict()) in text


def test_an_experiment_returns_its_results(tmp_path: Path) -> None:
    runs = bakeoff.grid(["greedy", "regcb"], learning_rates=[1])

    done = bakeoff.Experiment("embedded:iris", runs).run(tmp_path / "results")

    assert (done.n_runs, done.n_computed, done.is_complete) == (2, 2, True)
    assert done.standings().height == 2


def test_an_experiment_shows_itself() -> None:
    runs = bakeoff.grid(["greedy"], learning_rates=[0.1, 1])

    assert repr(bakeoff.Experiment(["embedded:iris", "embedded:wine"], runs)) == (
        "Experiment(2 sources, 2 runs)"
    )
    assert repr(bakeoff.Experiment("embedded:iris", runs, shuffles=3)) == (
        "Experiment(1 source, 2 runs, shuffles=3)"
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shuffle": 3}, "there is no option 'shuffle'; did you mean 'shuffles'?"),
        ({"taget": "y"}, "there is no option 'taget'; did you mean 'target'?"),
    ],
)
def test_a_misspelt_keyword_of_an_experiment_is_answered(
    wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        bakeoff.Experiment("embedded:iris", bakeoff.grid("greedy"), **wrong)


def test_what_failed_is_noticed_at_the_line_that_ran_it(tmp_path: Path) -> None:
    (tmp_path / "broken.csv").write_text("a,b\n1,0.5\n2,0.7\n3,0.1\n")
    runs = bakeoff.grid(["greedy"], learning_rates=[1])
    sources = ["embedded:iris", str(tmp_path / "broken.csv")]

    with pytest.warns(DataNotice, match="^failed: broken: .*regression") as caught:
        done = bakeoff.Experiment(sources, runs).run(tmp_path / "results")

    assert [one.filename for one in caught] == [__file__]
    assert not done.is_complete
    assert done.datasets == ["iris"]


def test_curves_are_means_over_the_last_experiments_shuffles(tmp_path: Path) -> None:
    runs = bakeoff.grid(["greedy", "regcb"], learning_rates=[1])
    several = bakeoff.Experiment("embedded:iris", runs, shuffles=3)
    one = bakeoff.Experiment("embedded:iris", runs, shuffles=1)

    several.run(tmp_path)
    one.run(tmp_path)

    store = Store(tmp_path)
    chosen = main_contest(read_losses(store), Criteria()).chosen
    for everything, shuffles in ((False, [1]), (True, [1, 2, 3])):
        curves = read_curves(store, chosen, everything=everything)
        rows = store.read().filter(pl.col("shuffle").is_in(shuffles))
        for curve in curves.iter_rows(named=True):
            same = rows.filter(pl.col("explorer") == curve["explorer"])
            assert same.height == len(shuffles)
            means = np.mean([*same["curve_loss"]], axis=0)
            assert_allclose(curve["curve_loss"], means, rtol=1e-12)  # order of sums


@pytest.mark.parametrize(
    ("look", "message"),
    [
        ({"view": "fix"}, "view must be one of fixed, unpeeked, one_rate, optimised"),
        ({"test": "t"}, "test must be one of paper, z, paired"),
        ({"algorithms": "RP"}, "there is no algorithm 'RP' here; known: G, OAA, RO, eG"),
        ({"datasets": ["irs"]}, "there is no dataset 'irs' here; did you mean 'iris'"),
        ({"encodings": "0/1"}, "no keyword 'encodings'; did you mean 'encoding'"),
        ({"encoding": "0/1"}, "no results for '0/1', only for -1/0"),
    ],
)
def test_what_is_wrong_is_said(names: dict[str, Any], look: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        names["store"].losses(**look)


def test_a_figure_says_what_it_needs(names: dict[str, Any]) -> None:
    with pytest.raises(ResultsError, match="'baseline' needs --baseline both"):
        names["store"].figure("baseline")
    with pytest.raises(SpecError, match="did you mean 'heat-map'"):
        names["store"].figure("heatmap")


def test_a_notebook_shows_a_figure(names: dict[str, Any]) -> None:
    figure = names["store"].figure("heat-map")

    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_store_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="there is no such folder"):
        bakeoff.open(tmp_path / "nowhere")
