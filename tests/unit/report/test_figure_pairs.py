"""Figures of pairs: what is drawn is what the contests say."""

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from numpy.testing import assert_allclose

from bakeoff.judging.contest import Condition, contest_of
from bakeoff.judging.pairs import all_pairs
from bakeoff.judging.statistics.significance import wins
from bakeoff.judging.views import Criteria
from bakeoff.report.figures.pairs import limits, pairs_figure, points_of
from bakeoff.report.figures.style import OTHERS, SIGNIFICANT
from bakeoff.runs.grids import FIXED
from tests.results import losses, skyline
from tests.unit.report.bake_offs import bake_off, panels_of, played


def drawn(axes: Axes, colour: str) -> int:
    """How many points of a colour there are."""
    return sum(
        len(np.asarray(points.get_offsets()))
        for points in axes.collections
        if np.allclose(np.asarray(points.get_facecolor())[0], to_rgba(colour))
    )


@pytest.mark.parametrize(
    "asked", [Criteria(), Criteria(test="z"), Criteria(correction="holm"), Criteria(min_actions=8)]
)
def test_significant_points_are_those_that_one_of_the_two_wins(asked: Criteria) -> None:
    store = bake_off()
    for pairs in all_pairs(store, asked)[:2]:
        canvas = pairs_figure(store, asked, pairs).canvas
        shown_pairs = [pair for row in pairs.rows for pair in row]
        for pair, axes in zip(shown_pairs, panels_of(canvas), strict=True):
            contest = contest_of(store, [pair.x, pair.y], pairs.condition)
            outcomes = wins(contest, asked.test, asked.correction)
            with_skyline = (contest.problems["skyline"] > 0).to_numpy()
            x_wins = int(outcomes[0, 1, with_skyline].sum())
            y_wins = int(outcomes[1, 0, with_skyline].sum())

            assert drawn(axes, SIGNIFICANT) == x_wins + y_wins
            assert drawn(axes, OTHERS) == with_skyline.sum() - x_wins - y_wins
            assert f"({x_wins} win" in axes.get_xlabel()
            assert f"({y_wins} win" in axes.get_ylabel()


def test_some_random_points_are_significant_and_some_are_not() -> None:
    store, asked = bake_off(), Criteria()
    pairs = all_pairs(store, asked)[1]

    points = points_of(store, asked, pairs.rows[0][0], pairs.condition)

    assert points.x_wins.any()
    assert points.y_wins.any()
    assert not (points.x_wins | points.y_wins).all()
    assert not (points.x_wins & points.y_wins).any()


def test_losses_are_relative_to_the_skyline_each_on_its_axis() -> None:
    store = losses(
        skyline(0.2, problem="a"),
        played("greedy", 0.3, "a"),
        played("cover:n_policies=4,psi=0.1,nu", 0.25, "a"),
    )
    pairs = all_pairs(store, Criteria())[1]

    points = points_of(store, Criteria(), pairs.rows[0][0], Condition())

    assert (points.pair.x.label, points.pair.y.label) == ("G", "C-nu")
    assert_allclose([points.x, points.y], [[0.5], [0.25]], rtol=1e-12)  # rounding


def test_datasets_without_a_skyline_above_0_are_counted_in_the_caption() -> None:
    store = bake_off()

    drawing = pairs_figure(store, Criteria(), all_pairs(store, Criteria())[1])

    assert "23 datasets (multiclass and multilabel); 2 were left out" in drawing.caption


@pytest.mark.parametrize("n_near", [8, 30])
def test_points_far_away_are_triangles_at_the_edge_and_are_counted(n_near: int) -> None:
    far = [skyline(0.001, problem="far"), *(played(spec, 0.9, "far") for spec in FIXED[-1.0])]
    near = [
        row
        for i in range(n_near)
        for row in (
            skyline(0.2, problem=f"p{i}"),
            *(played(spec, 0.2 + i / 300, f"p{i}") for spec in FIXED[-1.0]),
        )
    ]
    store = losses(*far, *near)

    canvas = pairs_figure(store, Criteria(), all_pairs(store, Criteria())[1]).canvas

    axes = panels_of(canvas)[0]
    assert axes.get_title().endswith(f"{n_near + 1} datasets, 1 beyond")
    assert axes.get_xlim() == axes.get_ylim()
    assert axes.get_xlim()[1] < 1
    assert drawn(axes, OTHERS) == n_near + 1
    assert len(axes.collections) == 2  # circles, and a triangle


def test_axes_hold_all_points_if_none_is_far_away() -> None:
    store = bake_off()
    pairs = all_pairs(store, Criteria())[1]
    row = [points_of(store, Criteria(), pair, Condition()) for pair in pairs.rows[0]]
    values = np.concatenate([[*points.x, *points.y] for points in row])

    low, high = limits(row)

    assert low < values.min()
    assert values.max() < high


def test_a_figure_of_pairs_without_skylines_says_that_it_needs_them() -> None:
    store = losses(*(played(spec, 0.3, "a") for spec in FIXED[-1.0]))

    drawing = pairs_figure(store, Criteria(), all_pairs(store, Criteria())[1])

    assert drawing.canvas is None
    assert drawing.needs == "needs a skyline above 0 (-a supervised): 1 without one"
