"""Runs that version 0.2 wrote down keep their meaning."""

import pytest

from bakeoff import Run
from bakeoff.runs import ARITHMETIC, spelled_today, unmistakable
from bakeoff.store.jobs import key_of


@pytest.mark.parametrize("run", [Run("cover:nu"), Run("bag", "dr", baseline=True, seed=3)])
def test_what_version_02_called_dr_is_unweighted(run: Run) -> None:
    before = Run.from_text(spelled_today(str(run)))

    assert before.reduction == "dr-unweighted"
    assert before == Run.from_text(str(before))
    assert spelled_today(str(run), ARITHMETIC) == str(run)
    assert spelled_today(str(before)) == str(before)


@pytest.mark.parametrize("spec", ["greedy", "bag", "cover", "regcb", "supervised"])
def test_all_other_runs_are_what_they_were(spec: str) -> None:
    text = str(Run(spec))

    assert spelled_today(text) == text
    assert unmistakable(text) == text


def test_results_of_version_02_are_not_taken_for_those_of_today() -> None:
    dr, unweighted = str(Run("cover:nu")), str(Run("cover:nu", "dr-unweighted"))

    assert len({key_of([dr]), key_of([unweighted]), key_of([])}) == 3
    assert key_of([dr]) != "3df12772dacabad1"  # the key that version 0.2 gave it
    assert key_of([str(Run("greedy"))]) == "f6b39842b1878564"  # the same as then
