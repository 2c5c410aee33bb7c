"""The page's verdict equals the slow reference under random filters: grid, parts, numbers."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from playwright.sync_api import Browser

from bakeoff.judging.standings import RESAMPLES
from bakeoff.judging.statistics.draws import drawn
from bakeoff.judging.verdict import verdict
from bakeoff.judging.views import Criteria
from tests.browser import needs_chromium, opened
from tests.random_rows import GAINS, SHAPES, random_rows
from tests.reference import verdict as reference
from tests.report_page import page_of
from tests.unit.report.made_up import store

pytestmark = needs_chromium

DATASETS, LEFT = 16, (8, 13)  # more than 13 are too many for the reference
FILTERS = 3  # of each store


class Filter(NamedTuple):
    """What is filtered on the page, and what is left."""

    changes: dict[str, int]
    left: list[str]


def random_filter(rows: list[dict[str, Any]], rng: np.random.Generator) -> Filter:
    """Limits of facts that leave as many datasets as the reference can judge."""
    facts = {row["problem"]: (row["n"], row["n_features"], row["n_actions"]) for row in rows}
    while True:
        low, high = np.sort(rng.integers(0, 3500, 2)).tolist()
        least, actions = int(rng.integers(0, 60)), int(rng.integers(2, 4))
        left = sorted(
            name
            for name, (n, d, k) in facts.items()
            if low <= n <= high and d >= least and k >= actions
        )
        if LEFT[0] <= len(left) <= LEFT[1]:
            return Filter({"minN": low, "maxN": high, "minD": least, "minK": actions}, left)


SEEN = """(changes) => {
    change({ ...DEFAULTS, ...changes });
    const found = evidence(remembered("ways", waysOf));
    return {
        ...found, left: currentContest().problems.map((i) => PROBLEMS.name[i]),
        decisive: found.influence.decisive.map(({ name, leader }) => [name, leader]),
    };
}"""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("gain", ["a clear winner", "a likely one", "another"])
def test_the_verdict_under_filters_equals_the_reference(
    gain: str, shape: str, browser: Browser, tmp_path: Path
) -> None:
    seed = 10 + list(GAINS).index(gain)
    rows = random_rows(seed, GAINS[gain], shape, DATASETS)
    losses = store(*rows)
    test: Any = "paired" if shape == "three orders" else "paper"
    criteria = Criteria(test=test)
    path = page_of(losses, tmp_path, criteria)
    whole = verdict(losses, criteria)
    rng = np.random.default_rng(seed)

    with opened(browser, path) as tab:
        for _ in range(FILTERS):
            chosen = random_filter(rows, rng)
            found = tab.evaluate(SEEN, chosen.changes)

            n = len(chosen.left)
            resamples = drawn(RESAMPLES * n, n).reshape(RESAMPLES, n).tolist()
            expected = reference.judged(
                rows, whole.view, whole.encoding, test, resamples, chosen.left
            )
            assert found["left"] == chosen.left
            check(found, expected)


def check(found: dict[str, Any], expected: reference.Judged) -> None:
    assert (found["grade"], found["leader"]) == (expected.grade, expected.leader)
    chance = found["chance"]
    assert (chance["rival"], chance["grade"]) == (expected.chance[0], expected.chance[2])
    assert chance["p"] == pytest.approx(float(expected.chance[1]), abs=1e-12)
    assert found["size"]["grade"] == expected.size
    assert found["robustness"]["grade"] == expected.robustness
    ways = found["robustness"]["ways"]
    seen = [tuple(way[key] for key in ("kind", "encoding", "test", "leader")) for way in ways]
    assert seen == [way[:4] for way in expected.ways]
    assert [way["grade"] for way in ways] == [way[5] for way in expected.ways]
    chances = [float(way[4]) for way in expected.ways]
    assert [way["chance"] for way in ways] == pytest.approx(chances, abs=1e-12)
    assert dict(found["decisive"]) == expected.decisive
    for row in found["distances"][1:]:
        numbers = [row[key] for key in ("value", "low", "high", "lost", "tied", "won")]
        known = [float("nan") if one is None else one for one in numbers]
        assert known == pytest.approx(expected.beside[row["label"]], abs=1e-12, nan_ok=True)
