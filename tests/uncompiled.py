"""Loops of simulations as plain Python, where to compile them would take minutes."""

import pytest

from bakeoff.core.explorers.base import Explorer
from bakeoff.core.jit import with_globals
from bakeoff.core.rounds import Loops, _rounds


def plain_python(explorer: Explorer) -> Loops:
    """The loops of an explorer, uncompiled."""
    inside = {"explore": explorer.explore, "learn": explorer.learn}
    names = _rounds.__globals__ | inside
    return Loops(
        with_globals(_rounds, names | {"STREAM": False}, "rounds"),
        with_globals(_rounds, names | {"STREAM": True}, "streams"),
    )


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play uncompiled loops."""
    monkeypatch.setattr("bakeoff.simulation.passes.loops_of", plain_python)
    monkeypatch.setattr("bakeoff.simulation.passes.announce_compilation", lambda _: None)
