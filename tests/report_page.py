"""The page of the made-up store, and reading it in a browser."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, Page

from bakeoff.judging.losses import Losses
from bakeoff.judging.reading import read_curves, read_losses
from bakeoff.judging.views import Criteria
from bakeoff.report.page.data import page_data
from bakeoff.report.page.page import page
from bakeoff.report.tables.all import all_tables
from bakeoff.report.tables.table import Table
from bakeoff.report.write import write_report
from bakeoff.store.store import Store
from tests.page_store import NOTHING, made_up_store


class Made(NamedTuple):
    """A page, and what it was made from."""

    path: Path
    losses: Losses
    tables: list[Table]


def made_page(folder: Path, n_problems: int = 24, called: Mapping[str, str] = NOTHING) -> Made:
    """Write the page of the made-up store."""
    losses = read_losses(made_up_store(folder, n_problems, called))
    report = write_report(folder, losses, Criteria(), tables=["none"], figures=["none"])
    return Made(report.page, losses, all_tables(losses, Criteria()))


def page_of(losses: Losses, folder: Path, criteria: Criteria | None = None) -> Path:
    """Write the page of some losses that no store holds."""
    curves = read_curves(Store(folder), [])
    data = page_data(losses, {}, criteria or Criteria(), curves, [])
    path = folder / "report.html"
    path.write_text(page(data), encoding="utf-8")
    return path


def plain(text: str) -> str:
    """Text with the hyphens and dashes that a keyboard has."""
    for fancy in ("\N{MINUS SIGN}", "\N{EN DASH}"):
        text = text.replace(fancy, "-")
    return text.strip()


def control(tab: Page, name: str) -> Locator:
    """A control of the page, by its name in the address."""
    return tab.locator(f"[data-name='{name}']")


def cells(table: Locator) -> list[list[str]]:
    """The texts of a table's body, row by row, headings of rows too."""
    rows = table.locator("tbody tr").all()
    return [[plain(text) for text in row.locator("th, td").all_inner_texts()] for row in rows]


def until(tab: Page, expression: str) -> None:
    """Wait until something holds; Playwright's own way needs eval, which is refused."""
    for _ in range(400):
        if tab.evaluate(expression):
            return
        tab.wait_for_timeout(25)
    raise AssertionError(f"never happened: {expression}")


def menu(tab: Page, caption: str) -> None:
    """Open the menu of the first table or plot whose caption starts so."""
    box = tab.locator("details.menu").filter(
        has=tab.locator(f"summary[aria-label^='Save or copy: {caption}']")
    )
    if box.first.get_attribute("open") is None:
        box.first.locator("summary").click()


def settled(tab: Page) -> Page:
    """The page when everything is drawn, and nobody has just typed."""
    tab.wait_for_timeout(200)
    until(tab, "PARTS.every((one) => !one.isStale)")
    return tab


def filters(tab: Page) -> Page:
    """The page with the drawer of filters open."""
    if tab.locator("#controls").is_hidden():
        tab.locator("#open-filters").click()
    return tab


def see_everything(tab: Page) -> None:
    """Scroll from top to bottom, so that every part is drawn."""
    for place in tab.locator("main section, .plot").all():
        if place.is_visible():
            place.scroll_into_view_if_needed()
            tab.wait_for_timeout(50)
    until(tab, "PARTS.every((one) => !one.isStale)")


CUT = """() => [...document.querySelectorAll(".plot svg")].filter((svg) => svg.checkVisibility())
    .flatMap((svg) => {
        const all = svg.getBoundingClientRect();
        const isCut = ({ left, right, top, bottom }) => left < all.left - 1
            || right > all.right + 1 || top < all.top - 1 || bottom > all.bottom + 1;
        return [...svg.querySelectorAll("text")]
            .filter((one) => isCut(one.getBoundingClientRect())).map((one) => one.textContent);
    })"""
COVERED = """() => [...document.querySelectorAll(".plot svg")]
    .filter((svg) => svg.checkVisibility()).flatMap((svg) => {
        const boxes = [...svg.querySelectorAll("text"),
            ...svg.parentElement.querySelectorAll(".menu summary")].map((one) =>
            [one.textContent, one.getBoundingClientRect()]);
        return boxes.flatMap(([a, x], k) => boxes.slice(k + 1).filter(([, y]) =>
            Math.min(x.right, y.right) - Math.max(x.left, y.left) > 3
            && Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 4)
            .map(([b]) => `${a} / ${b}`));
    })"""
EMPTY = """() => [...document.querySelectorAll("main .plot, main section")]
    .filter((one) => one.checkVisibility() && !one.querySelector("svg, table, dl, p, li, details"))
    .map((one) => one.id)"""


def faults(tab: Page) -> list[str]:
    """Words of plots that are cut off or cover each other, and what is shown without content."""
    return [
        f"{what}: {one}"
        for what, script in (("cut", CUT), ("covered", COVERED), ("empty", EMPTY))
        for one in tab.evaluate(script)
    ]
