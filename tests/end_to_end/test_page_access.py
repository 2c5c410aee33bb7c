"""The page by keyboard, by screen reader, on a phone, in the dark."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import needs_chromium, opened
from tests.report_page import Made, control, faults, see_everything, settled

pytestmark = needs_chromium

PHONE = {"width": 390, "height": 844}


def tab_to(tab: Page, selector: str) -> None:
    """Press the tab key until something has the focus."""
    for _ in range(120):
        tab.keyboard.press("Tab")
        if tab.evaluate("(what) => document.activeElement.matches(what)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached")


def test_everything_can_be_done_by_keyboard(tab: Page) -> None:
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab_to(tab, "#open-filters")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "controls-title"
    tab_to(tab, "[data-name='minK']")
    tab.keyboard.type("3")
    tab.keyboard.press("Tab")
    expect(tab.locator("#count")).not_to_have_text("24 of 24 datasets")
    assert tab.evaluate("document.activeElement.dataset.name") == "maxK"
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.id") == "open-filters"

    tab_to(tab, "#parts a[href='#influence']")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.closest('#influence') !== null")

    tab_to(tab, "[data-place]")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.dataset.place") == "1,2"
    tab.keyboard.press("Enter")
    y, x = tab.evaluate("currentStandings().slice(1, 3).map(({ label }) => label)")
    expect(control(tab, "x")).to_have_value(x)
    expect(control(tab, "y")).to_have_value(y)

    tab_to(tab, "#search")
    tab.keyboard.type("data-2")
    tab_to(tab, "[data-sort='n']")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.dataset.sort") == "n"
    tab_to(tab, "[data-problem]")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "dataset-title"
    tab_to(tab, "[data-step='1']")
    first = tab.locator("#dataset-title").inner_text()
    tab.keyboard.press("Enter")
    expect(tab.locator("#dataset-title")).not_to_have_text(first)
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.matches('[data-problem]')")

    tab_to(tab, "#paper summary")
    tab.keyboard.press("Enter")
    expect(tab.locator("#paper .panel").first).to_be_visible()


def test_everything_has_a_name_for_screen_readers(tab: Page) -> None:
    see_everything(tab)

    nameless = tab.evaluate(
        """() => Array.from(document.querySelectorAll(
            "select, input, button, table, [role=img], section"))
            .filter((one) => one.offsetParent)
            .filter((one) => !(one.labels?.length || one.ariaLabel
                || one.textContent.trim() || one.getAttribute("aria-labelledby")))
            .map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    levels = tab.evaluate(
        """Array.from(document.querySelectorAll("h1, h2, h3, h4"))
            .map((one) => Number(one.tagName[1]))"""
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_a_phone_never_scrolls_sideways(made: Made, browser: Browser) -> None:
    address = "#?dataset=" + "0003" * 3
    with opened(browser, made.path, viewport=PHONE) as tab:
        for summary in tab.locator("summary").all():
            if summary.is_visible():
                summary.click()
        see_everything(tab)

        assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert tab.evaluate("document.body.scrollWidth") <= PHONE["width"]
    with opened(browser, made.path, address, viewport=PHONE) as tab:
        assert tab.evaluate("$('dataset').scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(("width", "which"), [(PHONE["width"], 0), (1400, 1)])
def test_names_of_our_algorithms_are_whole_in_the_diagram_of_ranks(
    made: Made, browser: Browser, width: int, which: int
) -> None:
    with opened(browser, made.path, viewport={"width": width, "height": 900}) as tab:
        see_everything(tab)
        names = tab.evaluate(
            "currentContest().columns.map(({ label }) => [label, fullName(label)])"
        )
        texts = tab.locator("#ranks-plot text").all_text_contents()

    ours = [pair for pair in names if pair[0] != pair[1]]
    assert len(ours) > 2
    for pair in ours:
        ranked = rf"(\d\.\d\d )?{re.escape(pair[which])}( \d\.\d\d)?"
        assert any(re.fullmatch(ranked, text) for text in texts), (pair, texts)


def swiped(tab: Page, plot: str) -> float:
    """How far the page goes when a finger swipes up over a plot."""
    picture = tab.locator(f"{plot} svg")
    picture.scroll_into_view_if_needed()
    box, before = picture.bounding_box(), tab.evaluate("scrollY")
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = tab.context.new_cdp_session(tab)
    for step in range(11):
        kind, point = ("touchMove" if step else "touchStart", {"x": x, "y": y - 20 * step})
        event = {"type": kind, "touchPoints": [point]}
        finger.send("Input.dispatchTouchEvent", event)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tab.wait_for_timeout(300)
    return float(tab.evaluate("scrollY") - before)


@pytest.mark.parametrize("plot", ["#pair-plot", "#rates-plot", "#ips-all"])
def test_a_swipe_over_a_plot_scrolls_the_page_and_leaves_the_plot(
    made: Made, browser: Browser, plot: str
) -> None:
    phone: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with opened(browser, made.path, **phone) as tab:
        see_everything(tab)
        picture = tab.locator(f"{plot} svg").inner_html()

        moved = swiped(tab, plot)

        assert moved > 150
        assert tab.evaluate("visualViewport.scale") == 1
        assert tab.locator(f"{plot} svg").inner_html() == picture
        # The finger is real: a plot that kept it for itself would be noticed.
        tab.add_style_tag(content=".plot { touch-action: none }")
        assert swiped(tab, plot) == 0


def test_links_stop_below_the_bar_on_a_phone(made: Made, browser: Browser) -> None:
    with opened(browser, made.path, viewport=PHONE) as tab:
        see_everything(tab)
        tab.locator("nav a[href='#tune']").click()
        tab.wait_for_timeout(300)

        tops = tab.evaluate(
            "[$('bar'), $('tune-title')].map((one) => one.getBoundingClientRect())"
            ".map(({ top, bottom }) => [top, bottom])"
        )
        (_, bar), (heading, _) = tops
        assert bar <= heading < PHONE["height"] / 2


def test_only_tables_that_scroll_are_stops(tab: Page) -> None:
    see_everything(tab)

    wrong = tab.evaluate(
        """Array.from(document.querySelectorAll(".box")).filter((one) =>
            (one.scrollWidth > one.clientWidth + 1) !== one.hasAttribute("tabindex"))
            .length"""
    )
    assert wrong == 0


CONTRAST = """() => {
    const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
    const over = ([r, g, b, a = 1], under) =>
        [r, g, b].map((value, k) => a * value + (1 - a) * under[k]);
    const behind = (one) => {
        if (!one) return numbers(getComputedStyle(document.body).backgroundColor);
        return over(numbers(getComputedStyle(one).backgroundColor),
            behind(one.parentElement));
    };
    const light = (rgb) => {
        const [r, g, b] = rgb.map((value) => value / 255).map((c) =>
            c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [];
    for (const one of document.querySelectorAll("body *")) {
        const hasText = Array.from(one.childNodes).some((node) =>
            node.nodeType === 3 && node.textContent.trim());
        if (!hasText || !one.offsetParent || one.closest(".plot, :disabled")) continue;
        const ground = behind(one);
        const ink = over(numbers(getComputedStyle(one).color), ground);
        const [x, y] = [light(ink), light(ground)].sort((p, q) => q - p);
        const contrast = (x + 0.05) / (y + 0.05);
        if (contrast < 4.5) found.push([one.textContent.slice(0, 40), contrast]);
    }
    return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(made: Made, browser: Browser, scheme: str) -> None:
    with opened(browser, made.path, color_scheme=scheme) as tab:
        see_everything(tab)

        assert tab.evaluate(CONTRAST) == []
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


# ---- nothing is cut off, left empty or spoken of in vain


@pytest.mark.parametrize("width", [390, 1024, 1400])
def test_nothing_is_cut_off_covered_or_empty(made: Made, browser: Browser, width: int) -> None:
    """One of the algorithms has a long name; nobody scrolls."""
    with opened(browser, made.path, viewport={"width": width, "height": 800}) as tab:
        settled(tab)

        assert faults(tab) == []
        has_bars = tab.locator("#distance-plot rect[fill='var(--line)']").count() > 0
        assert has_bars == (width > 390)
        assert tab.locator(".of-bars").is_visible() == has_bars


def test_a_printed_page_is_drawn_at_once_and_for_paper(tab: Page) -> None:
    """What changed a moment ago, and was never in view, is drawn, too."""
    share = "document.querySelector('#curves-plot svg').width.baseVal.value"
    of_screen = f"{share} / document.querySelector('#curves-plot').clientWidth"

    drawn = tab.evaluate(f"""() => {{
        change({{ minN: 1 }});
        window.dispatchEvent(new Event("beforeprint"));
        return [PARTS.filter((one) => one.isStale).length, {of_screen}];
    }}""")

    assert drawn == [0, pytest.approx(0.75, abs=0.01)]
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert tab.evaluate(of_screen) == pytest.approx(1, abs=0.01)
