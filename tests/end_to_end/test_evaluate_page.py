"""The page of an evaluation in a real browser: the verdict first, and asks nobody."""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Browser, Page
from typer.testing import CliRunner

from bakeoff.cli import app
from tests.browser import needs_chromium, opened
from tests.decision_logs import made_log
from tests.end_to_end.test_page_axe import AXE, FAULTS

pytestmark = needs_chromium
POLICIES = ("uniform", "constant:<b>1</b>")


@pytest.fixture(scope="module")
def page_and_numbers(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, list[dict[str, dict[str, float]]]]:
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
    return page, [one["estimates"] for one in said["evaluations"]]


Made = tuple[Path, list[dict[str, dict[str, float]]]]


@pytest.fixture
def tab(page_and_numbers: Made, browser: Browser) -> Iterator[Page]:
    with opened(browser, page_and_numbers[0]) as page:
        yield page


def top(tab: Page, selector: str) -> float:
    box = tab.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"]


def test_the_verdict_is_on_the_first_screen_above_all_numbers(tab: Page) -> None:
    assert top(tab, ".yes, .no") < top(tab, "table") < top(tab, "svg")
    assert top(tab, ".yes, .no") < 400


def test_every_number_of_the_tables_is_that_of_the_command(
    tab: Page, page_and_numbers: Made
) -> None:
    tables = tab.locator("table").all()[: len(POLICIES)]

    for shown, numbers in zip(tables, page_and_numbers[1], strict=True):
        rows = [row.locator("td").all_inner_texts() for row in shown.locator("tbody tr").all()]
        expected = [
            [name, *(f"{one[key]:.4g}" for key in ("value", "low", "high"))]
            for name, one in numbers.items()
        ]
        assert [row[:4] for row in rows] == expected


def test_every_figure_is_drawn_and_says_what_it_shows(tab: Page) -> None:
    figures = tab.locator("figure").all()

    assert len(figures) == 1 + 3 * len(POLICIES)
    for figure in figures:
        box = figure.locator("svg").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 100
        assert figure.locator("svg[role=img]").get_attribute("aria-label")
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
