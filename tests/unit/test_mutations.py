"""The list of mutations is up to date: each can still be made, and has its tests."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.departures import DEPARTURES, SPECS, Departure
from tests.mutations import ROOMS
from tests.mutations.mutation import Mutation

ROOT = Path(__file__).parents[2]
MUTATIONS = [mutation for room in ROOMS for mutation in room.mutations]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_mutation_edits_one_place(mutation: Mutation) -> None:
    text = (ROOT / "src/bakeoff" / mutation.file).read_text()

    assert text.count(mutation.old) == 1
    assert mutation.old != mutation.new


@pytest.mark.parametrize("departure", DEPARTURES, ids=lambda d: d.title)
def test_a_departure_can_be_undone_and_concerns_known_algorithms(departure: Departure) -> None:
    texts: dict[str, str] = {}
    for edit in departure.edits:  # one after the other, as the benchmark makes them
        text = texts.get(edit.file) or (ROOT / "src/bakeoff" / edit.file).read_text()
        assert text.count(edit.old) == 1
        texts[edit.file] = text.replace(edit.old, edit.new)
    assert {name.removesuffix("+") for name in departure.algorithms} <= set(SPECS)


def test_mutations_have_names_of_their_own() -> None:
    times = Counter(mutation.name for mutation in MUTATIONS)

    assert [name for name, n in times.items() if n > 1] == []


def test_the_tests_that_should_notice_exist() -> None:
    suites = {path for room in ROOMS for path in room.suites.values()}

    assert [path for path in sorted(suites) if not (ROOT / path).exists()] == []
