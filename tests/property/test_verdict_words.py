"""Whatever the results are, a verdict reads as a person would say it."""

import re
from typing import Any

import numpy as np
import pytest

from bakeoff.judging.recommend import recommend
from bakeoff.judging.verdict import verdict
from bakeoff.judging.views import Criteria
from tests.unit.report.made_up import EG, RO, G, row, store

DEGENERATE = re.compile(
    r"0\.0000 (below|above)|[-+]0\.0+\b(?!\d)|\bby 0\.0+ |\b0 (datasets?|ways|others?|algorithms)\b"
    r"|\b1 (datasets|ways|others|other\)|algorithms|shuffles|losses|sources)\b"
    r"|\b[Oo]n 1 of the datasets are|\b1 of the datasets are\b"
    r"|\bin 0\b|\bnan\b|\bNone of [012] |\binf\b|\ba equal|  |\(\)|\.\."
)


def rows_of(seed: int) -> list[dict[str, Any]]:
    """Few datasets and coarse losses, so that much is tied, equal or missing."""
    rng = np.random.default_rng(seed)
    specs = [G, RO, EG][: int(rng.integers(1, 4))]
    n_datasets, grain = int(rng.choice([1, 2, 3, 10, 11, 12])), float(rng.choice([0.5, 0.1, 0.01]))
    rates = (0.1, 1.0) if rng.random() < 0.5 else (0.1,)
    gap, is_equal = float(rng.choice([0.0, 0.05, 0.2])), rng.random() < 0.3
    rows = []
    for i in range(n_datasets):
        level = rng.uniform(0.2, 0.6)
        for k, spec in enumerate(specs):
            if len(specs) > 2 and k == 2 and rng.random() < 0.2:
                continue
            for rate in rates:
                loss = level + (0.0 if is_equal else gap * k + rng.normal(0, 0.03))
                loss = float(np.clip(np.round(loss / grain) * grain, 0.0, 1.0))
                for offset in (-1.0, 0.0) if seed % 3 == 0 else (-1.0,):
                    rows.append(
                        row(spec, loss, f"p{i:02}", learning_rate=rate, offset=offset, n=500)
                    )
    return rows


@pytest.mark.parametrize("seed", range(40))
def test_no_sentence_has_degenerate_numbers(seed: int) -> None:
    losses = store(*rows_of(seed))
    found = verdict(losses, Criteria())

    said = [*found, found.about, *(" ".join(filter(None, cells)) for cells in found.rows())]
    said += [advice.text for advice in recommend(losses, Criteria())]

    assert [text for text in said if DEGENERATE.search(text)] == []


def test_equal_algorithms_are_level_with_each_other() -> None:
    rows = [row(spec, 0.3, f"p{i:02}") for i in range(12) for spec in (G, RO)]

    found = verdict(store(*rows), Criteria())

    assert str(found) == "Greedy and RegCB-opt do not differ significantly on 12 datasets"
    assert found.reasons == [
        "Greedy's loss is level with RegCB-opt's (0.0000 to 0.0000); 0.01 would matter."
    ]
