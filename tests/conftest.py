"""What holds for every test."""

from collections.abc import Iterator

import pytest

from bakeoff.core.explorers import EXPLORERS
from bakeoff.runs.specs import forget_parsed


@pytest.fixture(autouse=True)
def no_rules_are_left() -> Iterator[None]:
    """Forget the rules and explorers that a test has made known."""
    before = set(EXPLORERS)
    yield
    if left := EXPLORERS.keys() - before:
        for name in left:
            del EXPLORERS[name]
        forget_parsed()
