"""The page of an evaluation in a real browser: the answer first, and asks nobody."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Browser, Page
from typer.testing import CliRunner

from bakeoff.cli import app
from bakeoff.evaluation.estimators import UNBIASED
from tests.browser import needs_chromium, opened
from tests.decision_logs import made_log
from tests.end_to_end.test_page_axe import AXE, FAULTS

pytestmark = needs_chromium
POLICIES = ("uniform", "constant:<b>1</b>")


@pytest.fixture(scope="module")
def page_and_numbers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A page of two policies, and what `--json` says of them."""
    folder = tmp_path_factory.mktemp("page")
    made = made_log(2000).log
    names = ["<b>0</b>", "<b>1</b>", "2 & 3", "<script>alert(1)</script>"]
    frame = pl.DataFrame(
        {
            "action": [names[a] for a in made.action],
            "probability": made.probability,
            "reward": made.reward,
            **{f"x{j}": made.X[:, j] for j in range(3)},
        }
    )
    frame.write_csv(folder / "log.csv")
    asked = ["evaluate", str(folder / "log.csv"), "-e", "all", "--json"]
    for policy in POLICIES:
        asked += ["--policy", policy]
    page = folder / "page.html"
    with pytest.warns(UserWarning, match="the 4 that occur"):
        done = CliRunner().invoke(app, [*asked, "--page", str(page)])
    said = json.loads(done.stdout[: done.stdout.rindex("}") + 1])
    return page, said["evaluations"]


Made = tuple[Path, list[dict[str, Any]]]


@pytest.fixture
def tab(page_and_numbers: Made, browser: Browser) -> Iterator[Page]:
    with opened(browser, page_and_numbers[0]) as page:
        yield page


def top(tab: Page, selector: str) -> float:
    box = tab.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"]


def test_the_answer_is_on_the_first_screen_above_all_numbers(
    tab: Page, page_and_numbers: Made
) -> None:
    said = tab.locator(".status").all_inner_texts()

    assert said == [one["sentence"] for one in page_and_numbers[1]]
    assert said[0].startswith("uniform would have earned ")
    assert top(tab, ".status") < top(tab, "table") < 400


def test_every_number_is_that_of_the_command(tab: Page, page_and_numbers: Made) -> None:
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    tables = tab.locator("details .forest").all()[::2]
    assert len(tables) == len(POLICIES)

    for shown, evaluation in zip(tables, page_and_numbers[1], strict=True):
        rows = [row.locator("td").all_inner_texts() for row in shown.locator("tbody tr").all()]
        estimates = evaluation["estimates"]
        narrowest = min(one["high"] - one["low"] for one in estimates.values())
        digits = 1 - math.floor(math.log10(narrowest))
        expected = [
            [name, "{value:.{d}f} ({low:.{d}f} to {high:.{d}f})".format(d=digits, **one)]
            for name, one in estimates.items()
        ]
        assert [[row[0], row[2]] for row in rows[:-1]] == expected  # the last one is the axis


def test_dots_and_ranges_stand_where_their_numbers_are(tab: Page, page_and_numbers: Made) -> None:
    rows = tab.locator(".forest").first.locator("tbody tr").all()[1:-1]  # between log and axis
    drawn = [
        [
            float((row.locator(f".{kind}").get_attribute(name) or "").rstrip("%"))
            for kind, name in (("range", "x1"), ("dot", "cx"), ("range", "x2"))
        ]
        for row in rows
    ]
    best = [
        min((one["estimates"][name] for name in UNBIASED), key=lambda e: e["high"] - e["low"])
        for one in page_and_numbers[1]
    ]
    values = [[one["low"], one["value"], one["high"]] for one in best]
    (a, b), (c, d) = (values[0][0], values[0][2]), (drawn[0][0], drawn[0][2])

    for places, numbers in zip(drawn, values, strict=True):
        assert places == pytest.approx([c + (x - a) * (d - c) / (b - a) for x in numbers], abs=0.1)


def test_every_figure_is_drawn_and_says_what_it_shows(tab: Page) -> None:
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    figures = tab.locator("figure").all()

    assert len(figures) == 1 + 4 * len(POLICIES)
    for figure in figures:
        box = figure.locator("svg").first.bounding_box()
        assert box is not None
        assert box["width"] > 100
        assert len(figure.locator("figcaption").inner_text()) > 20


def test_names_are_text_and_nothing_else(tab: Page) -> None:
    assert tab.locator("main b, main script").count() == 0
    assert "constant:<b>1</b>" in tab.locator("main").inner_text()


def test_a_telephone_need_not_scroll_sideways(page_and_numbers: Made, browser: Browser) -> None:
    size = {"width": 390, "height": 800}
    with opened(browser, page_and_numbers[0], viewport=size) as tab:
        width = tab.evaluate("document.documentElement.scrollWidth")

    assert width <= 390


@pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core (scripts/get_axe)")
def test_axe_finds_no_serious_fault_in_an_evaluation(tab: Page) -> None:
    tab.evaluate(AXE.read_text())

    assert tab.evaluate(FAULTS) == []
