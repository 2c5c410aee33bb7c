"""The four parts of a verdict equal the slow reference."""

from dataclasses import replace
from typing import Any

import pytest

from bakeoff.judging.evidence import Evidence, Way, robustness_of
from bakeoff.judging.standings import RESAMPLES
from bakeoff.judging.statistics.draws import drawn
from bakeoff.judging.verdict import Verdict, verdict
from bakeoff.judging.views import Criteria
from tests.random_rows import GAINS, SHAPES, random_rows
from tests.reference import verdict as reference
from tests.unit.report.made_up import store

PARTS = ("chance", "size", "robustness", "influence")
SHOWN = ("fixed", "-1/0", "z")


def both(rows: list[dict[str, Any]], test: Any = "paper") -> tuple[Verdict, reference.Judged]:
    found = verdict(store(*rows), Criteria(test=test))
    resamples = drawn(RESAMPLES * 11, 11).reshape(RESAMPLES, 11).tolist()
    return found, reference.judged(rows, found.view, found.encoding, test, resamples)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("gain", GAINS)
def test_the_parts_equal_the_reference(gain: str, shape: str) -> None:
    rows = random_rows(list(GAINS).index(gain), GAINS[gain], shape)

    found, expected = both(rows, "paired" if shape == "three orders" else "paper")

    assert found.view == ("fixed" if shape == "one rate" else "unpeeked")
    assert (found.grade, found.leader) == (expected.grade, expected.leader)
    assert found.chance is not None
    assert found.size is not None
    assert found.robustness is not None
    assert found.influence is not None
    assert (found.chance.rival, found.chance.grade) == (expected.chance[0], expected.chance[2])
    assert found.chance.p == pytest.approx(expected.chance[1], rel=1e-9)
    assert found.size.grade == expected.size
    ways = [(w.view, w.encoding, w.test, w.leader, w.p, w.grade) for w in found.robustness.ways]
    assert [way[:4] for way in ways] == [way[:4] for way in expected.ways]
    assert [way[5] for way in ways] == [way[5] for way in expected.ways]
    assert [way[4] for way in ways] == pytest.approx([way[4] for way in expected.ways], rel=1e-9)
    assert found.robustness.grade == expected.robustness
    decisive = {one.dataset: one.leader for one in found.influence.decisive}
    assert decisive == expected.decisive
    for one in found.algorithms[1:]:
        numbers = (one.difference, one.low, one.high, one.wins, one.ties, one.losses)
        assert numbers == pytest.approx(expected.beside[one.label], rel=1e-9, abs=1e-12)


def test_the_stores_of_this_page_have_all_grades() -> None:
    """Else the comparison with the reference would say little."""
    grades = {
        verdict(store(*random_rows(list(GAINS).index(name), gain, shape)), Criteria()).grade
        for name, gain in GAINS.items()
        for shape in SHAPES
    }

    assert grades == {"clear", "likely", "open"}


def test_a_leader_that_only_hindsight_makes_is_never_sure() -> None:
    """It leads in eleven of twelve ways, and not in the honest twin of the one that is shown."""
    ways = [
        Way(view, encoding, test, "G", "RO", 0.01, "clear", 20, (view, encoding, test) == SHOWN)
        for view in ("fixed", "unpeeked", "one_rate")
        for encoding in ("-1/0", "0/1")
        for test in ("paper", "z")
    ]
    keys: list[tuple[str, ...]] = [(way.view, way.encoding, way.test) for way in ways]
    twin = keys.index(("unpeeked", *SHOWN[1:]))

    assert robustness_of(tuple(ways), "G").grade == "clear"
    for lost in (replace(ways[twin], leader="RO"), replace(ways[twin], grade="open")):
        found = robustness_of((*ways[:twin], lost, *ways[twin + 1 :]), "G")
        assert (found.grade, found.is_hindsight) == ("open", True)


def test_of_several_that_are_level_none_is_a_clear_winner() -> None:
    """Even if a rival whom few datasets link to them leaves all four parts clear."""
    found, _ = both(random_rows(5, 0.08, "one order"))
    sure = {part: replace(getattr(found, part), grade="clear") for part in PARTS}
    fields = {name: getattr(found, name) for name in Evidence.__dataclass_fields__}

    assert Evidence(**(fields | sure | {"level": ()})).grade == "clear"
    assert Evidence(**(fields | sure | {"level": ("G", "RO")})).grade == "open"
