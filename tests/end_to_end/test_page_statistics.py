"""The page computes what `bakeoff.judging` computes."""

from collections.abc import Iterator
from typing import get_args

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from bakeoff.judging.competitors import election_notes, fixed, one_rate, optimised, unpeeked
from bakeoff.judging.contest import BINARY, Condition, Contest, Numbers, contest_of
from bakeoff.judging.standings import standings
from bakeoff.judging.statistics import significance
from bakeoff.judging.statistics.leads import flip_test, grade_of
from bakeoff.judging.statistics.signed_rank import SAMPLES, signed_rank
from bakeoff.judging.statistics.significance import Correction, Test, corrected, wins
from bakeoff.judging.views import NAMES, RULES
from bakeoff.judging.voting import elect, runoff
from tests.browser import needs_chromium, opened
from tests.report_page import Made, plain

pytestmark = needs_chromium

COMPETITORS = {"fixed": fixed, "unpeeked": unpeeked, "one_rate": one_rate, "optimised": optimised}


@pytest.fixture(scope="module")
def tab(made: Made, browser: Browser) -> Iterator[Page]:
    with opened(browser, made.path) as page:
        yield page


def of_page(tab: Page, function: str, *arguments: Numbers) -> Numbers:
    """Call a test of the page on the elements of arrays."""
    lists = [one.tolist() for one in arguments]
    each = f"(lists) => lists[0].map((_, i) => {function}(...lists.map((l) => l[i])))"
    return np.array(tab.evaluate(each, lists), float)


def test_tests_of_two_losses_equal_those_of_python(tab: Page) -> None:
    rng = np.random.default_rng(1)
    n = rng.integers(10, 5000, 3000).astype(np.float64)
    a = rng.binomial(n.astype(int), rng.uniform(0, 0.5, n.size)) / n
    b = np.clip(a + rng.integers(-60, 60, n.size) / n, 0, 1)
    a[:20], b[:10], b[10:20] = 0.0, 0.0, 1.0  # standard errors of 0

    for name, function in (
        ("paperTest", significance.paper_test),
        ("zTest", significance.z_test),
        ("hoeffdingTest", significance.hoeffding_test),
    ):
        np.testing.assert_allclose(
            of_page(tab, name, a, b, n), function(a, b, n), rtol=1e-9, atol=1e-300
        )


@pytest.mark.parametrize("n_orders", [2, 3, 4, 9, 10, 25])
def test_paired_tests_equal_those_of_python(tab: Page, n_orders: int) -> None:
    rng = np.random.default_rng(n_orders)
    n = rng.integers(20, 2000, 300).astype(np.float64)
    a = rng.uniform(0.1, 0.3, (300, n_orders))
    b = a + rng.normal(rng.normal(0, 0.02, (300, 1)), 0.02, a.shape)
    b[:5] = a[:5]

    found = of_page(tab, "pairedTest", a, b, n)

    np.testing.assert_allclose(found, significance.paired_test(a, b, n), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("correction", get_args(Correction))
def test_corrections_equal_those_of_python(tab: Page, correction: Correction) -> None:
    p = np.random.default_rng(2).uniform(0, 1, 200) ** 4
    p[::17], p[5:9] = np.nan, p[5]

    found = tab.evaluate(
        """([values, correction]) => {
            const p = Float64Array.from(values, (value) => value ?? NaN);
            correct(p, correction);
            return Array.from(p, (value) => (Number.isNaN(value) ? null : value));
        }""",
        [[None if np.isnan(value) else value for value in p], correction],
    )

    np.testing.assert_allclose(np.array(found, float), corrected(p, correction), rtol=1e-12)


def of_python(made: Made, encoding: str, kind: str, condition: Condition) -> Contest:
    competitors = COMPETITORS[kind](made.losses, encoding)
    return contest_of(made.losses, competitors, condition)


@pytest.mark.parametrize("test", get_args(Test))
@pytest.mark.parametrize("correction", get_args(Correction))
@pytest.mark.parametrize("kind", list(COMPETITORS))
@pytest.mark.parametrize("encoding", ["-1/0", "0/1"])
def test_wins_equal_those_of_python_on_every_problem(
    made: Made, tab: Page, encoding: str, kind: str, test: Test, correction: Correction
) -> None:
    contest = of_python(made, encoding, kind, Condition(least_k=3))

    found = tab.evaluate(
        """(changes) => {
            change(changes);
            const lists = (row) => row.map((won) => Array.from(won));
            return currentContest().wins.map(lists);
        }""",
        {"encoding": encoding, "kind": kind, "test": test, "correction": correction, "minK": 3},
    )

    expected = wins(contest, test, correction)
    assert expected.any()
    np.testing.assert_array_equal(np.array(found, bool), expected)


def test_the_verdict_has_the_standings_of_python(made: Made, tab: Page) -> None:
    contest = of_python(made, "-1/0", "unpeeked", Condition()).compared()
    tab.evaluate("change(DEFAULTS)")

    entries = tab.evaluate("judged(currentContest())")
    resampled = tab.evaluate(
        "resampled(scoresOf(currentContest().wins), familiesOf(currentContest()))"
    )

    expected = standings(contest, wins(contest))
    assert [(one["label"], one["won"], one["lost"]) for one in entries] == [
        (one.label, one.wins, one.losses) for one in expected
    ]
    for entry, standing in zip(entries, expected, strict=True):
        assert entry["ahead"] == len(standing.ahead_of)
        assert entry["meanLoss"] == pytest.approx(standing.mean_loss)
        again = resampled[entry["a"]]
        assert again["share"] == pytest.approx(standing.first, abs=1e-9)
        assert (again["low"], again["high"]) == standing.interval
        assert entry["chance"] == pytest.approx(standing.chance, abs=1e-12)


@pytest.mark.parametrize("n", [0, 1, 7, 60, 199, 201, 400])
def test_chances_of_leads_equal_those_of_python(tab: Page, n: int) -> None:
    rng = np.random.default_rng(n)
    leads = [rng.integers(-5, 7, n), 2 * rng.integers(-1, 2, n), np.ones(n, int)]

    found = [tab.evaluate("flipTest", lead.tolist()) for lead in leads]

    assert found == pytest.approx([flip_test(lead) for lead in leads], abs=1e-12)


@pytest.mark.parametrize("chance", [0.0, 0.049, 0.05, 0.051, 0.199, 0.2, 0.201, 1.0])
@pytest.mark.parametrize("n_problems", [9, 10, 100])
def test_grades_of_leads_are_those_of_python(tab: Page, chance: float, n_problems: int) -> None:
    found = tab.evaluate("([chance, n]) => gradeOf(chance, n)", [chance, n_problems])

    assert found == grade_of(chance, n_problems)


@pytest.mark.parametrize("n", [0, 1, 2, 12, 150])
@pytest.mark.parametrize("mean", [-0.012, 0.0, 0.03])
def test_second_opinions_equal_those_of_python(tab: Page, n: int, mean: float) -> None:
    differences = np.random.default_rng(n).normal(mean, 0.02, n).round(3)

    found = tab.evaluate("signedRanks", [differences.tolist()])[0]

    # logarithms may differ in the last bit, and decide one sample otherwise
    expected = signed_rank(differences)._asdict()
    assert found == pytest.approx(expected, abs=1.5 / SAMPLES)


def test_the_second_opinion_is_that_of_the_files(made: Made, tab: Page) -> None:
    tab.evaluate("change(DEFAULTS)")

    rows = tab.locator("#rivals-table tbody tr")

    (table,) = [one for one in made.tables if one.name == "second-opinion"]
    expected = table.panels[0].ours
    assert expected is not None
    expect(rows).to_have_count(len(expected.rows))
    assert len(expected.rows) > 3
    expect(rows.first.locator("td").last).not_to_be_empty()
    for row, (label, cells) in zip(rows.all(), expected.rows, strict=True):
        shown = [plain(cell) for cell in row.locator("td").all_inner_texts()]
        assert row.locator("th").inner_text() == NAMES.get(label, label)
        assert float(shown[0]) == pytest.approx(-float(cells[0]))
        for text, share in zip(shown[-3:], cells[1:], strict=True):
            assert text.replace(" ", "") in (
                share,
                share.replace("0%", "<1%"),
                share.replace("100%", ">99%"),
            )


def test_the_verdict_says_who_elected_hyperparameters(made: Made, tab: Page) -> None:
    tab.evaluate("change(DEFAULTS)")

    [note] = election_notes(made.losses, "-1/0", "paper")

    assert "elected by the tuning datasets, each dataset's without its own" in note
    assert note in tab.locator("#notes").inner_text()


@pytest.mark.parametrize("seed", range(20))
def test_runoffs_equal_those_of_python(tab: Page, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(-2, 3, (rng.integers(1, 12), rng.integers(1, 7)))
    names = [str(j) for j in range(scores.shape[1])]

    winner = tab.evaluate("([scores, n]) => runoff(scores, n)", [scores.T.tolist(), len(scores)])

    assert str(winner) == runoff(scores.astype(float), names).winner


@pytest.mark.parametrize("test", get_args(Test))
@pytest.mark.parametrize("least_n", [0, 5000, 60_000, 10**6])
def test_the_page_elects_what_python_elects(
    made: Made, tab: Page, least_n: int, test: Test
) -> None:
    (panel,) = [table["panels"][0] for table in tab.evaluate("DATA.tables")
                if table["name"] == "hyperparameters"]  # fmt: skip
    tab.evaluate(
        "(changes) => change({...DEFAULTS, ...changes})",
        {"minN": least_n, "test": test, "correction": "holm"},
    )
    wanted = Condition(least_n=least_n, tuning=True, tasks=BINARY)

    for label, encodings in panel["elections"]:
        for encoding, ids in zip(panel["heading"], encodings, strict=True):
            found = tab.evaluate(
                "([ids, condition]) => electionOf(ids, condition)", [ids, panel["condition"]]
            )
            expected = elect(made.losses, label, encoding, wanted, test)
            assert (found is None) == (expected is None)
            if expected is not None:
                assert found["winner"] == str(expected.winner)
                assert found["nVoters"] == expected.n_voters
                assert found["nChoices"] == len(expected.rounds)


@pytest.mark.parametrize("test", get_args(Test))
def test_the_verdict_names_the_tests_that_were_done(made: Made, tab: Page, test: Test) -> None:
    contest = of_python(made, "-1/0", "fixed", Condition())
    tab.evaluate("(test) => change({...DEFAULTS, test})", test)

    said = tab.evaluate("testsUsed(currentContest())")

    used = significance.used_tests(contest, test)
    assert len(used) > 1
    for name, n in used.items():
        assert f"{RULES[name]} on {n} datasets" in said


def test_draws_of_resamples_are_uniform(tab: Page) -> None:
    draws = tab.evaluate("Array.from(drawsFor(10000, 6))")

    counts = np.bincount(draws, minlength=7)
    assert counts[6] == 0
    assert np.abs(counts[:6] - 10000).max() < 400  # four standard deviations
