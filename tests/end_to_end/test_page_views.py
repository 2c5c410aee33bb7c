"""Every number of the page's views is that of the files and of `bakeoff.judging`."""

import csv
import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser, Page, expect

import bakeoff
from bakeoff import Learner, Run
from bakeoff.judging.competitors import fixed, one_rate
from bakeoff.judging.contest import Condition, Contest, contest_of
from bakeoff.judging.rates import rates_of
from bakeoff.judging.reading import MANY_ROUNDS, costs_of, read_times
from bakeoff.judging.standings import Standing, standings
from bakeoff.judging.statistics.bands import band_of
from bakeoff.judging.statistics.ranks import critical_difference, groups_of, ranks_of
from bakeoff.judging.statistics.regret import regrets_of, shares_within
from bakeoff.judging.statistics.significance import wins
from bakeoff.judging.views import BREAKDOWNS, NAMES, Criteria, main_contest
from bakeoff.judging.voting import choices_of
from bakeoff.report.figures.curves import SHARES, at_shares
from bakeoff.report.tables.choices import in_short
from bakeoff.runs import in_file
from bakeoff.store.store import Store
from tests.browser import needs_chromium, opened
from tests.report_page import Made, cells, control, menu, plain, settled

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def shared(made: Made, browser: Browser) -> Iterator[Page]:
    """One tab for tests that change nothing but the state."""
    with opened(browser, made.path) as page:
        yield page


@pytest.fixture
def tab(shared: Page) -> Page:
    shared.evaluate("change({...DEFAULTS})")
    return settled(shared)


def common_losses(contest: Contest) -> Any:
    return contest.losses[contest.is_common]


# ---- standings


def net_rate(contest: Contest, place: Standing) -> float:
    """Wins minus losses as a share of an algorithm's comparisons."""
    has = ~np.isnan(contest.losses)
    a = contest.labels.index(place.label)
    return place.score / int((has[:, [a]] & has).sum() - has[:, a].sum())


def test_the_measures_are_those_of_the_file(made: Made, tab: Page) -> None:
    (table,) = [one for one in made.tables if one.name == "standings"]
    grid = table.panels[0].ours
    assert grid is not None
    rows = [(label, dict(zip(grid.columns, row, strict=True))) for label, row in grid.rows]

    shown = cells(tab.locator("#standings-table"))

    assert len(shown) == len(rows) > 3
    for found, (label, row) in zip(shown, rows, strict=True):
        assert found[0] == NAMES.get(label, label)
        assert [whole(found[4]), whole(found[5])] == [row["first in"], row["best on"]]
        assert whole(found[6]) == row["within 0.02 of the best"]
        assert found[7:9] == [row["mean rank"], row["median excess"]]
        assert found[9] == row["worst regret"]


def test_the_measures_are_those_of_python_users(made: Made, tab: Page) -> None:
    contest = main_contest(made.losses, Criteria())
    places = standings(contest, wins(contest))
    expected = bakeoff.open(made.path.parent).standings()

    shown = cells(tab.locator("#standings-table"))

    names = [NAMES.get(label, label) for label in expected["algorithm"]]
    assert [row[0] for row in shown] == names
    for row, place in zip(shown, places, strict=True):
        assert float(row[1]) == pytest.approx(place.mean_loss, abs=5.1e-5)
        assert int(row[3].rstrip("%")) == pytest.approx(100 * net_rate(contest, place), abs=0.51)


def test_measures_are_sorted_by_any_column(tab: Page) -> None:
    heading = tab.locator("#standings-table [data-sort='rank']")

    for order in (1, -1):
        heading.click()
        ranks = [float(row[7]) for row in cells(tab.locator("#standings-table"))]
        assert ranks == sorted(ranks)[::order]
    tab.locator("#standings-table [data-sort='net']").click()


def whole(text: str) -> str:
    """A share as the files print it."""
    return {"< 1%": "0%", "> 99%": "100%"}.get(text, text)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ([(2, 0.2, 0.1), (3, 0.3, 0.0)], ""),
        ([(2, 0.05, 0.9), (3, 0.3, 0.0)], "Greedy leads by median excess and datasets"),
        ([(0.5, 0.2, 0.1), (3, 0.3, 0.9)], "Greedy leads by mean rank and RegCB-opt"),
    ],
)
def test_who_leads_by_other_measures_is_said_once(
    tab: Page, others: list[tuple[float, float, float]], words: str
) -> None:
    measures = [(1, 0.1, 0.5), *others]
    rows = [
        {"one": {"label": label}, "rank": rank, "excess": excess, "bestOn": best}
        for label, (rank, excess, best) in zip(("B", "G", "RO"), measures, strict=True)
    ]

    said = tab.evaluate("measuresText", rows)

    assert said.startswith(words and f"The order depends on the measure: {words}")
    assert bool(said) == bool(words)


def test_mean_ranks_and_groups_are_those_of_python(made: Made, tab: Page) -> None:
    losses = common_losses(main_contest(made.losses, Criteria()))
    means = ranks_of(losses).mean(axis=0)
    difference = critical_difference(losses.shape[1], len(losses))

    assert tab.evaluate("meanRanks(currentContest())") == pytest.approx(means.tolist())
    found = tab.evaluate("([k, n]) => criticalDifference(k, n)", losses.shape[::-1])
    assert found == pytest.approx(difference)
    ordered = sorted(means.tolist())
    assert tab.evaluate("([m, d]) => groupsOf(m, d)", [ordered, difference]) == [
        list(group) for group in groups_of(ordered, difference)
    ]
    text = tab.locator("#ranks-plot svg").text_content() or ""
    for mean in means:
        assert f"{mean:.2f}" in text
    assert f"critical difference {difference:.2f}" in text


def test_regret_profiles_are_those_of_python(made: Made, tab: Page) -> None:
    regrets = regrets_of(common_losses(main_contest(made.losses, Criteria())))
    limits = np.array([0.0, 0.005, 0.02, 0.1])

    found = tab.evaluate(
        """(limits) => {
            const regrets = regretsOf(commonLosses(currentContest()));
            return limits.map((x) => regrets[0].map((_, a) =>
                profileOf(regrets, a, 1).findLast((point) => point.x <= x).y));
        }""",
        limits.tolist(),
    )

    np.testing.assert_allclose(found, shares_within(regrets, limits))


# ---- learning rates: every view follows


def test_every_view_follows_the_learning_rate(made: Made, tab: Page) -> None:
    contest = contest_of(made.losses, one_rate(made.losses, "-1/0")).compared()
    places = standings(contest, wins(contest))

    control(tab, "rate").select_option("one_rate")

    settled(tab)
    shown = cells(tab.locator("#standings-table"))
    assert [row[0] for row in shown] == [NAMES.get(o.label, o.label) for o in places]
    assert [row[1] for row in shown] == [f"{one.mean_loss:.4f}" for one in places]
    totals = [int(row[-1]) for row in cells(tab.locator("#main-table"))]
    assert totals == [one.score for one in places]
    row = cells(tab.locator("#datasets table"))[1]
    place = contest.problems["problem"].to_list().index(row[0])
    first = contest.labels.index(places[0].label)
    assert float(row[6]) == pytest.approx(float(contest.losses[place, first]), abs=5e-5)
    assert "one learning rate for all" in tab.locator("#verdict-view").inner_text()


# ---- what to use


def test_what_to_use_can_be_used(made: Made, tab: Page) -> None:
    leader = standings(*_contest_and_wins(made))[0].label
    rate = next(
        one
        for one in rates_of(made.losses, fixed(made.losses, "-1/0"), Condition())
        if one.label == leader
    )

    found: dict[str, Any] = {}
    exec(tab.locator("#code-python").inner_text(), found)
    command = tab.locator("#code-command").inner_text()

    learner = found["learner"]
    assert isinstance(learner, Learner)
    assert learner.run.label == leader
    assert (learner.run.learning_rate, learner.run.offset) == (rate.rate, -1)
    spec = command.split('"')[1]
    assert Run.from_text(spec).explorer == learner.run.explorer
    assert f"--learning-rate {rate.rate:g} --encoding=-1/0" in command
    expect(tab.locator("#use-body")).to_contain_text(f"mean loss {rate.loss_at_rate:.4f}")


@pytest.mark.parametrize(
    "explorer",
    [
        "rule-mine:gamma=10.0,code=2bdef99d",
        "own-boltzmann:code=2bdef99d",
        "python:__main__.Ridge,alpha=0.3",
        "python:bakeoff_file_rules.Ridge",
        "python:mine.Ridge,alpha=0.3",
        "regcb:c0=0.001,optimistic",
    ],
)
def test_what_a_session_defined_is_pasted_as_in_a_shell(tab: Page, explorer: str) -> None:
    assert tab.evaluate("(explorer) => inFile(explorer)", explorer) == in_file(explorer)


def test_a_learner_that_takes_no_rate_is_pasted_without(tab: Page) -> None:
    start = """() => {
      const id = currentColumns()[0];
      DATA.rateless = [columnOf(id).label];
      const found = startingRate(id, currentContest().problems);
      DATA.rateless = [];
      return commandFor(settingsOf(columnOf(id).label), found.rate);
    }"""

    command = tab.evaluate(start)

    assert command.startswith("bakeoff run DATA.csv -a ")
    assert "--learning-rate" not in command


def _contest_and_wins(made: Made) -> tuple[Contest, Any]:
    contest = main_contest(made.losses, Criteria())
    return contest, wins(contest)


def test_what_to_use_says_when_filters_are_on(tab: Page) -> None:
    assert tab.locator("#use .warning").count() == 0

    tab.evaluate("change({minK: 3})")

    expect(settled(tab).locator("#use .warning")).to_contain_text("with K ≥ 3")


# ---- kinds of data


def test_kinds_have_the_net_wins_of_python(made: Made, tab: Page) -> None:
    contest = main_contest(made.losses, Criteria())
    order = [one.label for one in standings(contest, wins(contest))]
    expected: list[list[Any]] = []
    for kind in (Condition(), *BREAKDOWNS):
        part = contest.only(kind)
        if part.n and (part.n < contest.n or kind == Condition()):
            rates = {one.label: net_rate(part, one) for one in standings(part, wins(part))}
            expected.append([str(part.n), *(rates[label] for label in order)])

    shown = cells(tab.locator("#kinds-table"))

    assert [row[1] for row in shown] == [row[0] for row in expected]
    for found, (_, *shares) in zip(shown, expected, strict=True):
        percents = [int(text.rstrip("%")) for text in found[3:]]
        assert percents == pytest.approx([100 * share for share in shares], abs=0.51)


def test_a_click_on_a_kind_sets_the_filters(tab: Page) -> None:
    tab.locator("#kinds-table").get_by_role("button", name="K ≥ 3").click()

    expect(tab.locator("#chips .chip")).to_have_text(["K ≥ 3 \N{MULTIPLICATION SIGN}"])


@pytest.mark.parametrize(("field", "column"), [("n", "n"), ("skyline", "skyline")])
def test_quarters_are_those_of_numpy(made: Made, tab: Page, field: str, column: str) -> None:
    contest = main_contest(made.losses, Criteria())
    usable = contest.is_common & contest.problems[column].is_not_null().to_numpy()
    values = contest.problems[column].to_numpy()[usable].astype(float)
    regrets = regrets_of(contest.losses[usable])
    bins = np.searchsorted(np.quantile(values, [0.25, 0.5, 0.75]), values)

    found = tab.evaluate(
        "(field) => regretByQuarter(currentContest(), (i) => PROBLEMS[field][i])", field
    )

    for quarter, part in zip(found, np.unique(bins), strict=True):
        np.testing.assert_allclose(quarter["means"], regrets[bins == part].mean(axis=0))
        assert quarter["low"] == values[bins == part].min()


# ---- curves


@pytest.mark.parametrize("n", [1, 2, 30])
def test_bands_are_those_of_python(tab: Page, n: int) -> None:
    values = np.random.default_rng(n).uniform(size=(n, 3))

    found = tab.evaluate("(rows) => bandOf(rows, 3)", values.tolist())

    expected = np.transpose(band_of(values))
    got = [[one["mean"], one["low"], one["high"]] for one in found]
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_curves_are_read_where_python_reads_them(tab: Page) -> None:
    rounds = np.unique(np.geomspace(1, 5000, 25).astype(int))
    loss = np.random.default_rng(1).uniform(size=rounds.size)

    found = tab.evaluate(
        "([rounds, loss]) => atShares(rounds, loss)", [rounds.tolist(), loss.tolist()]
    )

    assert len(found) == len(SHARES)
    np.testing.assert_allclose(found, at_shares(rounds.astype(float), loss))


# ---- hyperparameters and cost


def test_strips_have_the_mean_excess_of_each_choice(made: Made, tab: Page) -> None:
    every = {label: choices_of(made.losses, label, "-1/0") for label in made.losses.algorithms}
    shared: set[str] | None = None  # the datasets that all choices of all algorithms have
    for some in (one for one in every.values() if len(one) > 1):
        rivals = contest_of(made.losses, [*some.values()])
        own = set(rivals.problems.filter(rivals.is_common)["digest"])
        shared = own if shared is None else shared & own
    choices = every["B"]
    contest = contest_of(made.losses, [*choices.values()])
    usable = contest.problems["digest"].is_in(sorted(shared or ())).to_numpy()
    usable &= ~np.isnan(contest.skylines)
    excess = (contest.losses[usable] - contest.skylines[usable][:, None]).mean(axis=0)

    found = tab.evaluate(
        "(label) => choiceLosses(DATA.hyperparameters['-1/0']).find((one) => one.label === label)",
        "B",
    )

    assert found["count"] == usable.sum()
    got = {one["choice"]: one["excess"] for one in found["choices"]}
    assert got == pytest.approx(dict(zip(contest.labels, excess.tolist(), strict=True)))
    names = {one["name"] for one in found["choices"]}
    assert names == {in_short(choice) for choice in choices}


def test_costs_are_those_of_the_store(made: Made, tab: Page) -> None:
    times = read_times(Store(made.path.parent)).filter(pl.col("n") >= MANY_ROUNDS)
    costs = costs_of(times, main_contest(made.losses, Criteria()))

    shown = {row[0]: row[-1] for row in cells(tab.locator("#standings-table"))}

    assert len(costs) == len(shown)
    for label, cost in costs.items():
        assert float(shown[NAMES.get(label, label)]) == pytest.approx(cost, rel=0.051)


# ---- downloads


def downloaded(tab: Page, label: str) -> tuple[str, bytes]:
    menu(tab, label.partition(": ")[2])
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name=label).first.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_a_table_can_be_downloaded(tab: Page) -> None:
    table = tab.locator("#main-table")

    name, data = downloaded(tab, "Download as CSV: Significant wins minus losses of row")

    rows = list(csv.reader(io.StringIO(data.decode())))
    assert name.endswith(".csv")
    assert [[plain(text) for text in row] for row in rows[1:]] == cells(table)


def test_a_table_can_be_copied_as_latex(made: Made, browser: Browser) -> None:
    rights = ["clipboard-read", "clipboard-write"]
    with opened(browser, made.path, permissions=rights) as tab:
        table = settled(tab).locator("#main-table")
        what = "Copy as LaTeX: Significant wins minus losses of row"
        button = tab.get_by_role("button", name=what)
        menu(tab, "Significant wins minus losses of row")

        button.first.click()

        expect(button.first).to_have_text("Copied")
        text = tab.evaluate("navigator.clipboard.readText()")
        shown = cells(table)
    first, *lines = text.splitlines()
    assert first == "% needs \\usepackage{booktabs}"
    assert lines[0] == rf"\begin{{tabular}}{{l{'r' * (len(shown[0]) - 1)}}}"
    assert (lines[1], lines[3]) == (r"\toprule", r"\midrule")
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    body = [line.removesuffix(r" \\").split(" & ") for line in lines[4:-2]]
    assert [[cell.replace("$", "") for cell in row] for row in body] == shown
    assert any("$-" in cell for row in body for cell in row)  # a minus, no hyphen


def test_a_plot_can_be_downloaded_on_white(tab: Page) -> None:
    tab.locator("#rates").scroll_into_view_if_needed()

    name, data = downloaded(settled(tab), "Download the plot as SVG: mean loss by")
    text = data.decode()
    assert name.endswith("-mean-loss-by-learning-rate-1-0-unpeeked.svg")
    assert text.startswith("<svg")
    assert "var(" not in text
    assert '<rect width="100%" height="100%" fill="#ffffff"' in text

    _, data = downloaded(tab, "Download the plot as PNG: mean loss by")
    assert data.startswith(b"\x89PNG")

    _, slide = downloaded(tab, "Download as a slide, 16:9: mean loss by")
    assert struct.unpack(">II", slide[16:24]) == (1920, 1080)
    title = tab.locator("#verdict-title").inner_text()
    text = tab.evaluate("slideOf(document.querySelector('#rates-plot'))")
    drawn = ElementTree.fromstring(text)
    words = [(one.text or "") for one in drawn.findall("{*}text")]
    assert " ".join(words[:-2]) == title
    assert tab.locator("#verdict-view").inner_text() in words[-2]
    assert "var(" not in text


# ---- what used to be wrong


def test_captions_follow_the_test(tab: Page) -> None:
    expect(tab.locator("#main-table caption")).to_contain_text("by the paper's rule")

    tab.evaluate("change({test: 'z'})")

    expect(settled(tab).locator("#main-table caption")).to_contain_text("by a z-test at 5 %")


def test_reset_leaves_no_figure_of_the_paper_behind(tab: Page) -> None:
    tab.evaluate("change({preset: 0})")
    expect(settled(tab).locator("#pair-text")).to_contain_text("has its own settings")

    tab.locator("#reset").click()

    assert tab.evaluate("STATE.preset") is None


def test_no_algorithm_is_set_against_itself(tab: Page) -> None:
    tab.evaluate("change({x: 'G', y: 'RO'})")
    settled(tab)

    control(tab, "x").select_option("RO")

    assert tab.evaluate("[STATE.x, STATE.y]") == ["RO", "G"]
    tab.evaluate("change({x: 'G', y: 'G'})")
    assert tab.evaluate("new Set(pickedPair().ids).size") == 2


def test_print_takes_a_few_pages(tab: Page) -> None:
    printed = tab.pdf(format="A4")

    assert 2 <= printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") <= 5
