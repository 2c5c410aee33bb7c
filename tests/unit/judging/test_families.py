"""Datasets made from the same data are resampled together."""

import numpy as np
import polars as pl

from bakeoff.judging.evidence import against_leader
from bakeoff.judging.families import families_of
from bakeoff.judging.standings import standings
from bakeoff.judging.statistics.draws import times_drawn
from bakeoff.judging.views import Criteria, main_contest
from bakeoff.reading.catalog import find_all
from benchmarks.calibration import called, on_relatives, shares_of
from tests.unit.report.made_up import RO, G, row, store


def problems(*names: str) -> pl.DataFrame:
    return pl.DataFrame({"problem": names, "digest": [f"digest of {name}" for name in names]})


def test_the_embedded_suite_has_seven_families() -> None:
    names = [source.name for source in find_all(["embedded"])]

    assert len(names) == 17
    assert len(set(families_of(problems(*names)).tolist())) == 7


def test_other_datasets_are_families_of_their_own() -> None:
    assert families_of(problems("a-1", "a-2", "digits", "digits-majority")).tolist() == [0, 1, 2, 2]


def test_a_family_is_drawn_as_a_whole() -> None:
    times = times_drawn(50, 4, np.array([0, 1, 1, 2]))

    assert (times[:, 1] == times[:, 2]).all()
    assert (times[:, [0, 1, 3]].sum(axis=1) == 3).all()
    alone = times_drawn(50, 4, np.arange(4))
    assert (alone == times_drawn(50, 4)).all()


def test_relatives_do_not_count_as_independent() -> None:
    def range_of(*names: str) -> int:
        rows = []
        for i, name in enumerate(names):
            pair = (0.2, 0.5) if i % 2 else (0.5, 0.2)
            rows += [row(G, pair[0], name), row(RO, pair[1], name)]
        contest = main_contest(store(*rows), Criteria())
        low, high = standings(contest, Criteria().wins(contest))[0].interval
        return high - low

    # the relatives all have the same winner, so a resample may have it more often
    embedded = ("digits", "iris", "digits-majority", "iris-majority", "digits-largest", "iris-tree")
    others = ("a", "b", "c", "d", "e", "f")
    assert range_of(*embedded) > range_of(*others)


def test_one_source_in_many_conditions_is_one_piece_of_evidence() -> None:
    """Before, a lead on three sources in six conditions each was "clear" with p = 2 / 2^18."""
    conditions = ("", *(f" | delay({rounds})" for rounds in (1, 2, 3, 4, 5)))

    def chance_of_lead(*sources: str) -> float:
        rows = []
        for source in sources:
            for condition in conditions:
                rows += [row(G, 0.2, source + condition), row(RO, 0.5, source + condition)]
        contest = main_contest(store(*rows), Criteria())
        return against_leader(contest, Criteria().wins(contest))[1].p

    assert chance_of_lead("a", "b", "c") == 2 / 2**3
    assert chance_of_lead("a", "b", "c", "d", "e", "f") == 2 / 2**6


def test_equals_are_seldom_called_winners_on_relatives() -> None:
    """Before, 40 % of such contests had a clear winner."""
    rng = np.random.default_rng(1)
    found = shares_of([called(on_relatives(rng, 3, 6, 2)) for _ in range(60)])

    assert found["clear"] == 0.0
