"""Figures and tables from Python: any two algorithms, any table, and styles by label."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection

import bakeoff
from bakeoff import Experiment, Results, ResultsError, SpecError, grid
from bakeoff.report.line_styles import LINE_STYLES, OWN, line_styles
from tests.problems import sample


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder: Path = tmp_path_factory.mktemp("store")
    problems = [sample("multiclass", n).problem for n in (40, 50, 60)]
    runs = grid(["greedy", "epsilon-greedy:label=mine", "supervised"], learning_rates=[0.1, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Experiment(problems, runs, shuffles=2).run(folder)
    return bakeoff.open(folder)


def test_any_two_algorithms_make_a_scatter_plot(store: Results) -> None:
    figure = store.figure("scatter", x="mine", y="G")

    [axes] = figure.axes
    assert axes.get_xlabel().startswith("mine (")
    assert axes.get_ylabel().startswith("G (")
    points = [one for one in axes.collections if isinstance(one, PathCollection)]
    assert sum(np.asarray(one.get_offsets()).shape[0] for one in points) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"name": "scatter"}, "takes two algorithms"),
        ({"name": "scatter", "x": "G"}, "takes two algorithms"),
        ({"name": "heat-map", "x": "G", "y": "mine"}, "takes two algorithms"),
        ({"name": "scatter", "x": "G", "y": "mina"}, "no algorithm 'mina'.*did you mean 'mine'"),
        ({"name": "scater"}, "did you mean 'scatter'"),
    ],
)
def test_what_a_scatter_plot_needs_is_said(
    store: Results, words: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError, match=said):
        store.figure(**words)


def test_the_papers_pairs_say_where_other_pairs_are(store: Results) -> None:
    with pytest.raises(ResultsError, match=r"two of G, C-nu, B-g and RO .*'scatter' shows any two"):
        store.figure("pairs")


def test_any_table_is_there_as_latex_markdown_and_csv(store: Results) -> None:
    table = store.table("standings", algorithms=["G", "mine"])

    assert table.latex.count(r"\begin{tabular}") == table.latex.count(r"\end{tabular}") > 0
    assert "mine" in table.latex
    assert table.csv.count("\n") > 2
    assert str(table) == table.markdown
    with pytest.raises(SpecError, match=r"unknown table 'standing'; did you mean 'standings'"):
        store.table("standing")


@pytest.mark.parametrize("name", ["learning-curves", "learning-curves-largest"])
def test_curves_have_bands_over_orders(store: Results, name: str) -> None:
    [axes, *_] = store.figure(name).axes

    bands = [one for one in axes.collections if isinstance(one, PolyCollection)]
    assert len(bands) == 2


def test_a_style_belongs_to_a_label() -> None:
    alone = line_styles(["mine"])["mine"]
    beside = line_styles(["LinUCB2", "G", "mine", "another"])

    assert beside["mine"] == alone
    assert line_styles(["mine", "G", "LinUCB2"])["LinUCB2"] == beside["LinUCB2"]
    names = [f"own{i}" for i in range(len(OWN))]
    assert len(set(line_styles(names).values())) == len(OWN)
    assert len(line_styles([*names, "more"])) == len(OWN) + 1
    assert len({style.colour for style in OWN}) == 3
    assert {style.colour for style in OWN}.isdisjoint(one.colour for one in LINE_STYLES.values())
