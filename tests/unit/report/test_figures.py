"""Figures: what is drawn is what the contests say."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure as Canvas
from numpy.testing import assert_allclose, assert_array_equal

from bakeoff.basics.errors import ResultsError
from bakeoff.judging.competitors import fixed, unpeeked
from bakeoff.judging.contest import contest_of
from bakeoff.judging.losses import Losses, losses_of
from bakeoff.judging.statistics.ranks import critical_difference, ranks_of
from bakeoff.judging.statistics.significance import differences, wins
from bakeoff.judging.views import Criteria
from bakeoff.report.figures.all import FIGURES, Figure, write_figures
from bakeoff.report.figures.curves import SHARES, at_shares, learning_curves
from bakeoff.report.figures.heat import heat_map
from bakeoff.report.figures.ips import ips_errors
from bakeoff.report.figures.parts import comparable, shown
from bakeoff.report.figures.rates import learning_rates, scaled_losses
from bakeoff.report.figures.saver import Saver
from bakeoff.report.figures.standings import critical_differences, regret_profiles
from bakeoff.store.rows import rows_of
from tests.results import losses, result, skyline
from tests.unit.report.bake_offs import NO_CURVES, bake_off, curves_by_hand, panels_of, played

HOSTILE = ["$x_1$ \\frac{", "_<b>&amp;", "a\x00b\nc", "\u5b57 \U0001f600", "long " * 99]


# ---- heat map


def test_the_heat_map_prints_wins_minus_losses() -> None:
    store = bake_off()
    contest = contest_of(store, fixed(store, "-1/0"))
    expected = differences(wins(contest))

    canvas = heat_map(store, Criteria()).canvas

    axes = panels_of(canvas)[0]
    found = np.zeros_like(expected)
    for text in axes.texts:
        column, row = map(int, text.get_position())
        found[row, column] = int(text.get_text())
    assert_array_equal(found, expected)
    assert [text.get_text() for text in axes.get_yticklabels()] == list(contest.labels)


def test_one_algorithm_makes_no_heat_map() -> None:
    drawing = heat_map(losses(result(0.1)), Criteria())

    assert drawing.canvas is None
    assert drawing.needs == "needs two algorithms on a dataset (-a fixed)"


# ---- IPS errors


def test_both_ips_estimates_are_compared_with_the_uniform_cost() -> None:
    store = losses(
        played("greedy", 0.2, "a", uniform_cost=0.5, ips_reward=0.6, ips_loss=0.2),
        played("greedy", 0.2, "b", uniform_cost=0.7, ips_reward=0.7, ips_loss=0.9),
    )

    rewards = contest_of(store, fixed(store, "-1/0")).squared_errors("ips_reward")
    costs = contest_of(store, fixed(store, "-1/0")).squared_errors("ips_loss")

    assert_allclose(rewards["G"], [0.01, 0], atol=1e-15)  # rounding
    assert_allclose(costs["G"], [0.09, 0.04], rtol=1e-12)  # rounding


def test_estimates_are_those_of_the_best_learning_rate() -> None:
    facts: dict[str, Any] = {"uniform_cost": 0.5, "ips_loss": 0.5}
    store = losses(
        played("greedy", 0.3, "a", learning_rate=0.1, ips_reward=0.5, **facts),
        played("greedy", 0.2, "a", learning_rate=1.0, ips_reward=0.7, **facts),
    )

    found = contest_of(store, fixed(store, "-1/0")).squared_errors("ips_reward")

    assert_allclose(found["G"], [0.04], rtol=1e-12)  # rounding


def test_boxes_have_the_medians_of_the_errors() -> None:
    store = bake_off(n=20_000)
    expected = contest_of(store, fixed(store, "-1/0")).squared_errors("ips_reward")

    drawing = ips_errors(store, Criteria())

    everything, large = panels_of(drawing.canvas)
    assert "25 datasets, 25 of them with n >= 10,000" in drawing.caption
    for axes in (everything, large):
        labels = [text.get_text() for text in axes.get_xticklabels()]
        medians = [
            float(np.asarray(line.get_ydata())[0])
            for line in axes.lines
            if line.get_color() == "#0072B2"
        ]
        assert labels == ["G", "RO", "C-nu", "B-g", "eG"]
        assert medians == [np.median(expected[label]) for label in labels]


def test_without_large_datasets_their_panel_is_left_out() -> None:
    drawing = ips_errors(bake_off(), Criteria())

    assert [axes.get_title() for axes in panels_of(drawing.canvas)] == ["multiclass: 25 datasets"]
    assert "25 datasets, 0 of them with n >= 10,000" in drawing.caption


# ---- standings


def test_the_critical_difference_figure_has_mean_ranks_and_names() -> None:
    store = bake_off()
    losses = contest_of(store, unpeeked(store, "-1/0")).losses
    means = ranks_of(losses).mean(axis=0)

    drawing = critical_differences(store, Criteria())

    assert drawing.canvas is not None
    texts = " ".join(text.get_text() for text in drawing.canvas.axes[0].texts)
    for mean in means:
        assert f"{mean:.2f}" in texts
    difference = critical_difference(len(means), len(losses))
    assert f"critical difference {difference:.2f}" in texts
    assert "25 datasets" in drawing.caption
    assert "elected on the other datasets" in drawing.caption


def test_regret_profiles_end_where_all_datasets_are_counted() -> None:
    store = bake_off()
    losses = contest_of(store, unpeeked(store, "-1/0")).losses
    regrets = losses - losses.min(axis=1, keepdims=True)

    drawing = regret_profiles(store, Criteria())

    assert drawing.canvas is not None
    axes = drawing.canvas.axes[0]
    limit = axes.get_xlim()[1]
    ends = sorted(float(np.asarray(line.get_ydata())[-1]) for line in axes.lines[:-1])
    assert_allclose(ends, sorted((regrets <= limit).mean(axis=0)))


@pytest.mark.parametrize("make", [critical_differences, regret_profiles])
def test_one_dataset_makes_no_figure_of_standings(make: Any) -> None:
    assert make(losses(result(0.1)), Criteria()).needs.startswith("needs two algorithms")


# ---- learning curves and rates


def test_a_curve_is_read_at_shares_of_its_examples() -> None:
    found = at_shares(np.array([1.0, 10.0, 100.0]), np.array([1.0, 0.5, 0.2]))

    assert_allclose(found[[0, -1]], [1.0, 0.2], rtol=1e-12)  # rounding
    middle = np.interp(0.5, np.log10(SHARES) / 2 + 1, found)
    assert_allclose(middle, 0.5, rtol=0.01)  # between two of the shares


def test_the_mean_curve_is_over_datasets_that_all_algorithms_have() -> None:
    specs = ("greedy", "epsilon-greedy:epsilon=0.02")
    store = losses(
        *(played(spec, 0.3, name, n=100) for spec in specs for name in "abc"),
        played("bag:n_policies=4", 0.3, "a", n=100),
    )
    ends = {"G": (0.2, 0.4, 0.9), "eG": (0.1, 0.3, None), "B": (0.5, None, None)}
    curves = pl.DataFrame(
        [
            (f"d-{name}", label, [1, 100], [end, end], [0.0, 0.0])
            for label, values in ends.items()
            for name, end in zip("abc", values, strict=True)
            if end is not None
        ],
        schema=NO_CURVES.schema,
        orient="row",
    )

    drawing = learning_curves(store, curves, Criteria())

    assert drawing.canvas is not None
    lines = drawing.canvas.axes[0].lines
    finals = [float(np.asarray(line.get_ydata())[-1]) for line in lines]
    assert_allclose(finals, [0.3, 0.2], rtol=1e-12)  # G and eG on a and b
    assert "2 datasets; 1 left out" in drawing.caption
    assert drawing.caption.endswith("played too seldom to be compared: B.")


def test_rates_count_every_dataset_alike() -> None:
    rows = [
        played("greedy", loss, name, learning_rate=rate)
        for name, values in (("a", (0.9, 0.1, 0.5)), ("b", (0.03, 0.01, 0.01)))
        for rate, loss in zip((0.1, 1.0, 10.0), values, strict=True)
    ]

    means, left_out = scaled_losses(losses(*rows), "-1/0", Criteria())

    assert means["learning_rate"].to_list() == [0.1, 1.0, 10.0]
    assert_allclose(means["loss"], [1, 0, 0.25], rtol=1e-12)  # rounding
    assert means["datasets"].to_list() == [2, 2, 2]
    assert left_out == ""


def test_one_learning_rate_makes_no_figure() -> None:
    drawing = learning_rates(losses(result(0.1)), Criteria())

    assert drawing.canvas is None
    assert drawing.needs == "needs runs at several learning rates (-a fixed)"


def test_what_is_compared_was_played_on_the_same_datasets() -> None:
    rows = pl.DataFrame({"digest": ["a", "b", "c", "a", "b", "a"], "label": list("GGGRRB")})

    kept = comparable(rows, ["label"])

    assert kept.rows() == [("a", "G"), ("b", "G"), ("a", "R"), ("b", "R")]


# ---- all of them


def write(store: Losses, folder: Path, **others: Any) -> list[Figure]:
    return write_figures(store, lambda: curves_by_hand(store), Criteria(), folder, **others)


def test_without_results_every_figure_says_what_it_needs(tmp_path: Path) -> None:
    nothing = losses_of(rows_of([]))

    figures = write_figures(nothing, lambda: NO_CURVES, Criteria(), tmp_path)

    assert len(figures) == 13
    assert all(figure.needs.startswith("needs ") for figure in figures)
    assert not any(figure.files for figure in figures)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_figures_made_twice_are_the_same_files(tmp_path: Path) -> None:
    store = bake_off()

    first, second = write(store, tmp_path / "1"), write(store, tmp_path / "2")

    files = [file for figure in first for file in figure.files]
    assert {file.suffix for file in files} == {".svg", ".png", ".pdf"}
    assert len(files) == len(set((tmp_path / "1").iterdir()))
    for figure, again in zip(first, second, strict=True):
        for one, other in zip(figure.files, again.files, strict=True):
            assert one.read_bytes() == other.read_bytes(), one.name


def test_only_figures_and_formats_asked_for_are_written(tmp_path: Path) -> None:
    figures = write(bake_off(), tmp_path, names=["heat-map"], formats=["svg"])

    assert [figure.name for figure in figures] == ["heat-map"]
    assert [file.name for file in tmp_path.iterdir()] == ["heat-map.svg"]


def test_all_figures_are_made_unless_some_are_named(tmp_path: Path) -> None:
    figures = write(bake_off(1), tmp_path, formats=[])

    assert tuple(figure.name for figure in figures) == FIGURES


def test_a_saver_writes_the_same_files(tmp_path: Path) -> None:
    folders = [tmp_path / "here", tmp_path / "there"]
    write(bake_off(), folders[0], names=["heat-map", "ips-errors"], formats=["svg"])

    with Saver() as saver:
        write(bake_off(), folders[1], names=["heat-map", "ips-errors"], formats=["svg"], save=saver)

    for name in ("heat-map.svg", "ips-errors.svg"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_a_saver_says_why_it_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"cannot be written: .*No such file"), Saver() as saver:
        saver(Canvas(), tmp_path / "nowhere", "picture", ["svg"])


@pytest.mark.slow
def test_names_are_shown_as_they_are_and_break_nothing(tmp_path: Path) -> None:
    rows = [
        row
        for problem in HOSTILE
        for row in (
            skyline(0.2, problem=problem, uniform_cost=0.5),
            *(
                result(0.25 + i / 50, problem=problem, algorithm=label, explorer=label,
                       learning_rate=rate, uniform_cost=0.5, ips_reward=0.4,
                       ips_loss=0.4)
                for i, label in enumerate(HOSTILE)
                for rate in (0.1, 1.0)
            ),
        )
    ]  # fmt: skip
    names = ["heat-map", "ips-errors-all", "learning-curves-largest", "learning-rates"]

    figures = write(losses(*rows), tmp_path, names=names)

    assert [len(figure.files) for figure in figures] == [3] * 4
    for name in names:
        tree = ET.parse(tmp_path / f"{name}.svg")
        texts = ["".join(each.itertext()) for each in tree.iter() if each.text]
        drawn_texts = {re.sub(r"\s+", " ", text).strip() for text in texts}
        assert any(text.startswith("$x_1$") for text in drawn_texts), name
        assert any(text.startswith("_<b>") for text in drawn_texts), name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("iris", "iris"),
        (" two\n lines ", "two lines"),
        ("$x_1$", "$x_1$"),
        ("a\x00b", "a\ufffdb"),
        ("\u5b57", "\ufffd"),
        ("x" * 40, "x" * 29 + "..."),
    ],
)
def test_names_become_one_short_line_of_known_characters(text: str, expected: str) -> None:
    assert shown(text) == expected
