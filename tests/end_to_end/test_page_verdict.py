"""The verdict on the page is that of Python: in every way of counting, under filters, of some."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from bakeoff import Experiment, grid
from bakeoff.judging.reading import read_losses
from bakeoff.judging.recommend import recommend
from bakeoff.judging.selection import with_algorithms
from bakeoff.judging.verdict import Verdict, verdict
from bakeoff.judging.views import NAMES, Criteria
from bakeoff.report.write import write_report
from bakeoff.store import Store
from tests.browser import needs_chromium, opened
from tests.report_page import (
    Made,
    cells,
    control,
    faults,
    filters,
    page_of,
    plain,
    see_everything,
    settled,
)
from tests.unit.report.made_up import OAA, RO, G, duel, row, store

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def shared(made: Made, browser: Browser) -> Iterator[Page]:
    with opened(browser, made.path) as page:
        yield page


@pytest.fixture
def tab(shared: Page) -> Page:
    shared.evaluate("change({...DEFAULTS})")
    return settled(shared)


def on_page(tab: Page, **changes: Any) -> dict[str, Any]:
    """The verdict of the page in some state; all ways of counting are counted anew."""
    tab.evaluate("(changes) => change({...DEFAULTS, a: DATA.labels, ...changes})", changes)
    return dict(
        tab.evaluate(
            """() => {
                const found = evidence(remembered("ways", waysOf));
                return {
                    sentence: sentenceOf(found), reasons: reasonsOf(found), grade: found.grade,
                    ways: found.robustness.ways, distances: found.distances,
                    decisive: found.influence.decisive.map(({ name }) => name),
                };
            }"""
        )
    )


def check(found: dict[str, Any], expected: Verdict) -> None:
    assert found["sentence"] == str(expected)
    assert [plain(text) for text in found["reasons"]] == expected.reasons
    assert found["grade"] == expected.grade
    assert expected.robustness is not None
    assert expected.influence is not None
    ways = [(way.view, way.encoding, way.test, way.leader, way.grade, way.is_shown)
            for way in expected.robustness.ways]  # fmt: skip
    keys = ("kind", "encoding", "test", "leader", "grade", "isShown")
    assert [tuple(way[key] for key in keys) for way in found["ways"]] == ways
    chances = [way.p for way in expected.robustness.ways]
    assert [way["chance"] for way in found["ways"]] == pytest.approx(chances, abs=1e-12)
    assert found["decisive"] == [one.dataset for one in expected.influence.decisive]
    for shown, one in zip(found["distances"], expected.algorithms, strict=True):
        assert (shown["label"], shown["won"], shown["lost"]) == (one.label, one.losses, one.wins)
        assert shown["meanLoss"] == pytest.approx(one.mean_loss)
        for mine, theirs in (("value", one.difference), ("low", one.low), ("high", one.high)):
            assert shown[mine] == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("view", ["fixed", "unpeeked", "one_rate", "optimised"])
@pytest.mark.parametrize("test", ["paper", "paired"])
def test_the_verdict_is_that_of_python_in_every_view(
    made: Made, tab: Page, view: str, test: Any
) -> None:
    found = on_page(tab, kind=view, test=test)

    check(found, verdict(made.losses, Criteria(view=view, test=test)))


@pytest.mark.parametrize("criteria", [Criteria(held_out=True), Criteria(correction="holm")])
def test_the_verdict_follows_filters_and_corrections(
    made: Made, tab: Page, criteria: Criteria
) -> None:
    found = on_page(tab, heldOut=criteria.held_out, correction=criteria.correction)

    check(found, verdict(made.losses, criteria))


@pytest.mark.parametrize("labels", [["G", "eG"], ["RO", "B", "G"]])
def test_the_verdict_is_about_the_algorithms_that_are_picked(
    made: Made, tab: Page, labels: list[str]
) -> None:
    found = on_page(tab, a=labels)

    check(found, verdict(with_algorithms(made.losses, labels), Criteria()))


def test_the_first_lines_are_the_verdict(made: Made, tab: Page) -> None:
    expected = verdict(made.losses, Criteria())

    expect(tab.locator("#verdict-title")).to_have_text(str(expected))
    reasons = tab.locator("#reasons li").all_inner_texts()
    assert [plain(text) for text in reasons] == expected.reasons
    assert tab.locator("#parts a").count() == 4
    for link in tab.locator("#parts a").all():
        assert tab.locator(str(link.get_attribute("href"))).count() == 1


def test_a_way_of_counting_can_be_looked_at(made: Made, tab: Page) -> None:
    tab.locator("[data-name='way-one_rate-0/1-z']").click()

    assert tab.evaluate("[STATE.kind, STATE.encoding, STATE.test]") == ["one_rate", "0/1", "z"]
    pressed = settled(tab).locator("#ways-table [aria-pressed='true']")
    expect(pressed).to_have_attribute("data-name", "way-one_rate-0/1-z")


def test_algorithms_are_picked_and_kept_in_the_address(made: Made, browser: Browser) -> None:
    with opened(browser, made.path) as tab:
        control(filters(tab), "a-B").uncheck()
        assert len(cells(settled(tab).locator("#main-table"))) == len(made.losses.algorithms) - 1
        address = tab.evaluate("location.hash")

    with opened(browser, made.path, address) as tab:
        names = [row[0] for row in cells(settled(tab).locator("#main-table"))]
        assert NAMES["B"] not in names
        assert len(names) == len(made.losses.algorithms) - 1
        expect(tab.locator("#chips .chip").first).to_contain_text("algorithms of")


def test_a_single_algorithm_stands_beside_what_needs_no_learning(tab: Page) -> None:
    tab.evaluate("change({a: ['G'], skyline: 1})")  # one of the datasets has no skyline
    settled(tab)

    expect(tab.locator("#verdict-title")).to_contain_text("Greedy has a mean loss of 0.")
    expect(tab.locator("#verdict-title")).to_contain_text("on 23 datasets (skyline: 0.")
    drawn = tab.locator("#distance-plot svg").get_attribute("aria-label") or ""
    for name in ("supervised skyline", "best constant action", "uniform at random"):
        assert name in drawn
    for section in ("ways", "sure", "measures", "pair", "kinds"):
        expect(tab.locator(f"#{section}")).to_be_hidden()
        assert tab.locator(f"nav a[href='#{section}']:visible").count() == 0


COSTS = {"constant_action_cost": 0.6, "uniform_cost": 0.7}
SMALL = {
    "one algorithm on one dataset": [row(G, 0.2, "a", **COSTS)],
    "one algorithm": [row(G, 0.2, "a", **COSTS), row(G, 0.4, "b", **COSTS)],
    "one algorithm and a skyline": [row(G, 0.2, "a"), row(OAA, 0.1, "a", offset=0.0)],
    "one dataset": duel((0.5, 0.1)),
    "one dataset with a tie": duel((0.3, 0.3)),
    "three datasets": duel((0.5, 0.1), (0.5, 0.3), (0.2, 0.3)),
    "level": duel((0.5, 0.1), (0.1, 0.5)),
    "no difference": duel(*[(0.3, 0.3)] * 12),
    "never met": [row(G, 0.1, "a"), row(RO, 0.1, "b")],
}


@pytest.mark.parametrize("name", SMALL)
def test_small_stores_have_one_sentence_everywhere(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    losses, criteria = store(*SMALL[name]), Criteria()
    expected = str(verdict(losses, criteria))

    with opened(browser, page_of(losses, tmp_path)) as tab:
        expect(settled(tab).locator("#verdict-title")).to_have_text(expected)

    assert recommend(losses, criteria)[0].text.startswith(expected)


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("name", SMALL)
def test_small_stores_show_only_what_has_content(
    name: str, width: int, browser: Browser, tmp_path: Path
) -> None:
    path = page_of(store(*SMALL[name]), tmp_path)

    with opened(browser, path, viewport={"width": width, "height": 900}) as tab:
        see_everything(tab)

        assert faults(tab) == []
        expect(tab.locator("#tune")).to_be_hidden()  # one learning rate
        assert tab.locator("[data-sort='skyline']").count() == 0  # nobody ran one
        if name in ("no difference", "never met"):
            expect(tab.locator("#influence")).to_be_hidden()


@pytest.fixture(scope="module")
def one_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("iris")
    runs = grid(["greedy", "epsilon-greedy"], learning_rates=[0.1, 1.0])
    Experiment(["embedded:iris"], runs, shuffles=2).run(folder)
    losses = read_losses(Store(folder))
    return write_report(folder, losses, Criteria(), tables=["none"], figures=["none"]).page


def test_a_page_of_one_dataset_is_about_it(one_dataset: Path, browser: Browser) -> None:
    with opened(browser, one_dataset) as tab:
        settled(tab)
        expect(tab.locator("#verdict-title")).to_contain_text("on iris")
        expect(tab.locator("#alone-title")).to_have_text("iris")
        expect(tab.locator("#datasets")).to_be_hidden()
        tab.evaluate("PROBLEMS.uniform[0] += 0.01; redraw()")  # near the best constant action's
        see_everything(tab)
        assert faults(tab) == []
        control(tab, "replay-shuffle").select_option("1")
        code = tab.locator("#code-replay").inner_text()

    found: dict[str, Any] = {}
    exec(code, found)  # the run is played again, with the loss that is shown
    assert f"{found['result'].pv_loss:.6f}" == plain(code.rpartition("# ")[2])
