"""`bakeoff algorithms`: every algorithm, with its settings."""

import json

from bakeoff import grid
from bakeoff.core.explorers import EXPLORERS
from tests.terminal import Terminal


def test_every_algorithm_is_listed_with_its_settings(bakeoff: Terminal) -> None:
    said = bakeoff("algorithms")
    listed = json.loads(bakeoff("algorithms", "--json").out)

    assert said.code == 0
    assert {one["name"] for one in listed} == {*EXPLORERS}
    for one in listed:
        assert one["name"] in said.out
        assert grid(one["name"])
    [squarecb] = [one for one in listed if one["name"] == "squarecb"]
    assert "Foster and Rakhlin" in squarecb["about"]
    assert squarecb["settings"][0] == {"name": "gamma", "default": 100.0, "range": "be positive"}
    assert "gamma=100.0; must be" in said.out
