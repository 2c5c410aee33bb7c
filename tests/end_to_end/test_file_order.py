"""Rows in their own order: what the verdict advises does not undo it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import bakeoff
from bakeoff import Experiment, grid
from tests.browser import needs_chromium, opened
from tests.problems import sample


def test_rows_in_their_own_order_are_not_to_be_shuffled(tmp_path: Path) -> None:
    problems = [sample(task, 40).problem for task in ("multiclass", "multilabel")]
    runs = grid(["greedy", "epsilon-greedy"], learning_rates=[1], seeds=2)

    own = list(Experiment(problems, runs, shuffles=0).run(tmp_path / "own").verdict())
    shuffled = list(Experiment(problems, runs).run(tmp_path / "shuffled").verdict())

    assert any("`--seeds 10` averages" in one for one in own)
    assert not any("--shuffles 10" in one for one in own)
    assert any("--shuffles 10" in one for one in shuffled)


@needs_chromium
@pytest.mark.parametrize(("shuffles", "advice"), [(0, "--seeds 10"), (1, "--shuffles 10")])
def test_the_page_advises_the_same(
    tmp_path: Path, browser: Browser, shuffles: int, advice: str
) -> None:
    problems = [sample(task, 40).problem for task in ("multiclass", "multilabel")]
    runs = grid(["greedy", "epsilon-greedy"], learning_rates=[1])
    Experiment(problems, runs, shuffles=shuffles).run(tmp_path)

    with opened(browser, bakeoff.open(tmp_path).page()) as page:
        text = page.evaluate("document.querySelector('main').textContent")

    assert [one for one in ("--seeds 10", "--shuffles 10") if one in text] == [advice]
