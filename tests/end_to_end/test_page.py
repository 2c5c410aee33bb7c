"""The page in a real browser: it follows filters, keys and links, and asks nobody."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bakeoff.judging.competitors import fixed, unpeeked
from bakeoff.judging.contest import Condition, contest_of
from bakeoff.judging.rates import rates_of
from bakeoff.judging.standings import order_of
from bakeoff.judging.statistics.significance import differences, wins
from bakeoff.judging.views import NAMES
from bakeoff.report.page.data import SHOWN_OTHERWISE
from tests.browser import needs_chromium, opened
from tests.page_store import HOSTILE, OWN
from tests.report_page import (
    Made,
    cells,
    control,
    filters,
    made_page,
    menu,
    plain,
    see_everything,
    settled,
)

pytestmark = needs_chromium


def expected_differences(made: Made, condition: Condition) -> list[list[str]]:
    contest = contest_of(made.losses, unpeeked(made.losses, "-1/0"), condition).compared()
    texts = np.vectorize(lambda number: f"{number:+}" if number else "0")
    table = texts(differences(wins(contest)))
    np.fill_diagonal(table, "-")
    order = order_of(contest, wins(contest))
    return table[order][:, order].tolist()


def shown_differences(tab: Page) -> list[list[str]]:
    table = settled(tab).locator("#main-table")
    return [row[1:-1] for row in cells(table)]


# ---- nothing leaves the page, and nothing gets into it


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_the_page_is_drawn_without_an_error_or_a_request(
    made: Made, browser: Browser, scheme: str
) -> None:
    with opened(browser, made.path, color_scheme=scheme) as tab:
        see_everything(tab)

        assert tab.locator("main .plot svg[role=img]").count() >= 9


def test_a_page_that_asks_for_something_is_noticed(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text("<img src='http://localhost:1/x.png'><script>throw 'x'</script>")

    visit = opened(browser, path)
    visit.__enter__()

    with pytest.raises(AssertionError, match="asked for http"):
        visit.__exit__(None, None, None)


def test_the_page_may_not_ask_even_if_it_wanted_to(made: Made, browser: Browser) -> None:
    tab = browser.new_page()
    tab.goto(made.path.as_uri())

    asked = "fetch('data:text/plain,x').then(() => 'answered', () => 'refused')"

    assert tab.evaluate(asked) == "refused"


def test_hostile_names_are_text(made: Made, browser: Browser) -> None:
    address = "#?dataset=" + "0000" * 3
    with opened(browser, made.path, address) as tab:
        see_everything(tab)

        assert tab.locator("#dataset-title").inner_text() == HOSTILE
        assert tab.locator("#datasets tbody th").first.inner_text() == HOSTILE
        assert tab.locator("#main-table tbody").get_by_text(OWN).count() == 1
        assert tab.locator("img[src='x']").count() == 0
        scripts = tab.locator("script").all_text_contents()
        assert not any(text.startswith("alert") for text in scripts)


# ---- filters


def test_filters_change_the_table_to_the_right_numbers(made: Made, tab: Page) -> None:
    everything = expected_differences(made, Condition())
    assert shown_differences(tab) == everything

    filters(tab)
    tab.get_by_label("Actions K from").fill("3")
    tab.get_by_label("Examples n from").fill("5000")
    tab.get_by_label("held-out only").check()
    tab.get_by_label("multilabel", exact=True).uncheck()

    condition = Condition(
        least_k=3, least_n=5000, held_out=True, tasks=("multiclass", "cost-sensitive")
    )
    expected = expected_differences(made, condition)
    assert expected != everything
    assert shown_differences(tab) == expected
    n = condition.holds(made.losses.problems).sum()
    expect(tab.locator("#count")).to_have_text(f"{n} of 24 datasets")

    chips = tab.locator("#chips .chip").all_inner_texts()
    assert [text[:-2] for text in chips] == [
        "n ≥ 5,000", "K ≥ 3", "cost-sensitive, multiclass", "held-out",
    ]  # fmt: skip

    control(tab, "reset").click()

    assert shown_differences(tab) == everything


def test_both_algorithms_of_the_scatter_plot_can_be_changed_at_once(tab: Page) -> None:
    settled(tab).locator("#pair").scroll_into_view_if_needed()
    settled(tab)

    tab.evaluate("""() => {
        const find = (name) => document.querySelector(`[data-name='${name}']`);
        const both = [[find("x"), "G"], [find("y"), "eG"]];
        for (const [control, label] of both) {  // before anything is drawn anew
            control.value = label;
            control.dispatchEvent(new Event("change"));
        }
    }""")

    settled(tab)
    assert [control(tab, name).input_value() for name in ("x", "y")] == ["G", "eG"]


def test_the_scatter_plot_follows_the_filters(made: Made, tab: Page) -> None:
    filters(tab).get_by_label("Skyline loss at most").fill("0.3")
    tab.keyboard.press("Escape")
    settled(tab).locator("#pair").scroll_into_view_if_needed()
    control(tab, "x").select_option("G")
    control(tab, "y").select_option("eG")
    control(tab, "loss").select_option("plain")

    pair = unpeeked(made.losses, "-1/0", ["G", "eG"])
    contest = contest_of(made.losses, pair, Condition(greatest_skyline=0.3))
    significant = wins(contest).any(axis=(0, 1))
    settled(tab)
    drawn = tab.evaluate("pairShown().points.map((p) => [p.x, p.y, p.winner !== null])")
    for won in (True, False):
        expected = contest.losses[significant == won].tolist()
        assert sorted([x, y] for x, y, is_win in drawn if is_win == won) == sorted(expected)
    assert tab.locator("#pair-plot .point").count() == contest.n


def test_a_cell_tells_its_wins_and_picks_the_pair(made: Made, tab: Page) -> None:
    contest = contest_of(made.losses, unpeeked(made.losses, "-1/0"))
    a, b = contest.labels.index("RO"), contest.labels.index("G")
    won = wins(contest).sum(axis=2)
    order = order_of(contest, wins(contest))

    cell = tab.locator(f"[data-place='{order.index(a)},{order.index(b)}']")
    cell.hover()

    losses = "1 loss" if won[b, a] == 1 else f"{won[b, a]} losses"
    expect(tab.locator("#table-detail")).to_contain_text(
        f"RegCB-opt against Greedy: {won[a, b]} wins, {losses}, "
        f"{contest.n - won[a, b] - won[b, a]} ties on {contest.n} datasets"
    )

    cell.click()

    expect(control(tab, "x")).to_have_value("G")
    expect(control(tab, "y")).to_have_value("RO")


def test_tables_of_the_paper_have_the_figures_of_the_files(made: Made, tab: Page) -> None:
    n_compared = 0
    for table in made.tables:
        heading = tab.locator("#paper details").filter(
            has=tab.get_by_role("heading", name=table.title, exact=True)
        )
        if table.name in SHOWN_OTHERWISE or not table.panels:
            assert heading.count() == 0
            continue
        heading.locator("summary").click()
        heading.locator(".panel").first.wait_for()
        panels = heading.locator(".panel").all()
        assert len(panels) == len(table.panels)
        for shown, panel in zip(panels, table.panels, strict=True):
            grids = [grid for _, grid in panel.grids]
            tables = shown.locator("table").all()
            assert len(tables) == len(grids)
            for found, grid in zip(tables, grids, strict=True):
                expected = [[label, *row] for label, row in grid.rows]
                assert cells(found) == [
                    [plain(text).replace("+-", "\N{PLUS-MINUS SIGN}") for text in row]
                    for row in expected
                ]
                n_compared += 1
            if panel.ours is None:
                expect(shown).to_contain_text(panel.needs)
    assert n_compared > 30


@pytest.mark.parametrize(
    "title",
    ["Main results", "Encodings", "Datasets", "Reductions",
     "Datasets with real-valued costs", "Hyperparameters by voting"],
)  # fmt: skip
def test_an_open_table_of_the_paper_follows_the_filters(tab: Page, title: str) -> None:
    table = opened_table(tab, title)
    caption = table.locator("caption").filter(has_text="Ours").last
    same = table.get_by_text(caption.inner_text(), exact=True)
    before = same.count()

    filters(tab).get_by_label("Examples n from").fill("20000")
    tab.keyboard.press("Tab")

    expect(same).not_to_have_count(before)


def opened_table(tab: Page, title: str) -> Locator:
    table = tab.locator("#paper details").filter(
        has=tab.get_by_role("heading", name=title, exact=True)
    )
    table.locator("summary").click()
    table.locator(".panel").first.wait_for()
    return table


def test_what_is_no_result_stays_whatever_the_filters_are(tab: Page) -> None:
    panel = opened_table(tab, "Baseline optimised on each dataset").locator(".panel")
    ours = panel.last.locator("table").first
    before = cells(ours)

    tab.evaluate("change({minN: 5000})")

    expect(panel.last.locator("caption").first).to_have_text("Ours")
    assert cells(settled(tab).locator(".panel").last.locator("table").first) == before


def test_tuning_datasets_elect_also_for_those_who_look_at_held_out_ones(
    made: Made, tab: Page
) -> None:
    (table,) = [one for one in made.tables if one.name == "hyperparameters"]
    expected = table.panels[0].ours
    assert expected is not None

    tab.evaluate("change({heldOut: true})")

    shown = opened_table(tab, table.title).locator("table").first
    assert cells(shown) == [[label, *row] for label, row in expected.rows]


def test_learning_rates_are_those_of_the_files(made: Made, tab: Page) -> None:
    tab.locator("#rates").scroll_into_view_if_needed()
    shown = cells(tab.locator("#rates-table table"))

    expected = rates_of(made.losses, fixed(made.losses, "-1/0"), Condition())
    assert len(expected) == len(shown)
    by_name = {NAMES.get(rates.label, rates.label): rates for rates in expected}
    for row in shown:
        rates = by_name[row[0]]
        assert row[1] == f"{rates.loss:.4f}"
        assert row[2:4] == [f"{rates.rate:g}", f"{rates.loss_at_rate:.4f}"]
        assert row[4].startswith(f"{rates.n_lowest} (")
        assert row[5].startswith(f"{rates.n_highest} (")
        assert row[6] == str(rates.n)


# ---- the table of datasets


def names_in(tab: Page) -> list[str]:
    return settled(tab).locator("#datasets tbody th").all_inner_texts()


def test_datasets_are_sorted_by_any_column(made: Made, tab: Page) -> None:
    problems = made.losses.problems
    by_d = problems.sort("n_features", maintain_order=True)["problem"].to_list()

    heading = tab.get_by_role("columnheader", name="d", exact=True)
    heading.get_by_role("button").click()

    assert names_in(tab) == by_d
    expect(heading).to_have_attribute("aria-sort", "ascending")

    heading.get_by_role("button").click()

    features = dict(problems.select("problem", "n_features").iter_rows())
    found = [features[name] for name in names_in(tab)]
    assert found == sorted(found, reverse=True)
    expect(heading).to_have_attribute("aria-sort", "descending")


def test_what_is_missing_is_sorted_last(tab: Page) -> None:
    heading = tab.get_by_role("columnheader", name="skyline", exact=True)
    for _ in range(2):
        heading.get_by_role("button").click()

        assert names_in(tab)[-1] == "data-4"


def test_search_finds_by_name_and_task(tab: Page) -> None:
    tab.get_by_label("Search").fill("SCRIPT")
    assert names_in(tab) == [HOSTILE]

    tab.get_by_label("Search").fill("data-1 multilabel")
    assert names_in(tab) == ["data-1", "data-11", "data-16"]

    tab.get_by_label("Search").fill("nowhere")
    expect(tab.locator("#datasets")).to_contain_text("No dataset matches.")


def test_a_point_of_the_scatter_plot_opens_its_dataset(tab: Page) -> None:
    tab.locator("#pair").scroll_into_view_if_needed()
    settled(tab).locator("#pair-plot .point").last.scroll_into_view_if_needed()
    before = tab.evaluate("scrollY")

    tab.locator("#pair-plot .point").last.hover(force=True)
    expect(tab.locator("#pair-plot .tip")).to_contain_text("loss")
    tab.locator("#pair-plot .point").last.click(force=True)

    expect(tab.locator("#dataset")).to_be_visible()
    assert tab.evaluate("scrollY") == before  # it opens where one is


# ---- addresses


def test_back_closes_a_dataset(tab: Page) -> None:
    tab.locator("#datasets").scroll_into_view_if_needed()
    tab.get_by_role("button", name="data-3", exact=True).click()
    expect(tab.locator("#dataset-title")).to_have_text("data-3")

    tab.go_back()

    expect(tab.locator("#dataset")).to_be_hidden()
    assert tab.locator("#main-table td").count() > 0


def test_an_address_restores_what_was_looked_at(made: Made, browser: Browser) -> None:
    with opened(browser, made.path) as tab:
        filters(tab).get_by_label("Actions K from").fill("4")
        tab.get_by_label("Significance").select_option("z")
        tab.get_by_label("Correction").select_option("holm")
        tab.keyboard.press("Escape")
        tab.locator("#datasets").scroll_into_view_if_needed()
        tab.get_by_role("button", name="data-3", exact=True).click()
        address = tab.evaluate("location.hash")
        table = shown_differences(tab)

    with opened(browser, made.path, address) as tab:
        assert shown_differences(tab) == table
        expect(tab.locator("#dataset-title")).to_have_text("data-3")
        expect(tab.get_by_label("Correction")).to_have_value("holm")


def test_nonsense_in_an_address_is_passed_over(made: Made, browser: Browser) -> None:
    address = (
        "#?minK=abc&encoding=%3Cscript%3E&test=none&preset=99&dataset=zz&x=nobody"
        "&sort=1&maxN=&tasks=juggling,multiclass&kind=__proto__"
    )
    with opened(browser, made.path, address) as tab:
        see_everything(tab)

        assert shown_differences(tab) == expected_differences(
            made, Condition(tasks=("multiclass",))
        )


def test_filters_that_nothing_passes_say_so(tab: Page) -> None:
    filters(tab).get_by_label("Actions K from").fill("1000")
    see_everything(settled(tab))

    expect(tab.locator("#count")).to_have_text("0 of 24 datasets")
    expect(tab.locator("#verdict")).to_contain_text("No dataset matches")


# ---- names that mean something elsewhere


@pytest.fixture(scope="module")
def oddly_named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of algorithms whose names are words of JavaScript, or formulas."""
    names = {OWN: "__proto__", "B": "constructor", "G": "=1+1"}
    return made_page(tmp_path_factory.mktemp("odd"), 6, names).path


def test_names_that_objects_have_anyway_are_names(oddly_named: Path, browser: Browser) -> None:
    with opened(browser, oddly_named, "#?constructor=1") as tab:
        see_everything(tab)

        assert "NaN" not in tab.locator("main").inner_html()
        for name in ("__proto__", "constructor"):
            shown = tab.locator("#main-table tbody th").filter(has_text=name)
            expect(shown).to_have_text(name)


def test_a_downloaded_table_has_no_formula(oddly_named: Path, browser: Browser) -> None:
    with opened(browser, oddly_named) as tab:
        settled(tab)
        menu(tab, "Sig")
        with tab.expect_download() as waiting:
            tab.get_by_role("button", name="Download as CSV: Sig").first.click()
        text = Path(waiting.value.path()).read_text()

    cells = {cell.strip('"') for line in text.splitlines() for cell in line.split(",")}
    assert "'=1+1" in cells
    assert "=1+1" not in cells
    assert [cell for cell in cells if re.fullmatch(r"'[+-][\d.]+", cell)] == []
