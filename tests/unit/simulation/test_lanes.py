"""Lanes: what runs need of a round."""

import pytest

from bakeoff import Run
from bakeoff.core.types import Sizes
from bakeoff.simulation.lanes import needs_steps, new_lanes


@pytest.mark.parametrize(
    ("spec", "needed"),
    [
        ("regcb", True), ("active", True), ("randregcb", True), ("supervised", True),
        ("cover", True), ("cover:nu", True), ("epsilon-greedy reduction=dr", True),
        ("squarecb:elim", True), ("squarecb", False), ("squarecb:elim,forget=100", True),
        ("squarecb:forget=100", False), ("fastcb", False), ("softmax", False),
        ("greedy", False), ("bag", False),
    ],
)  # fmt: skip
def test_step_sizes_of_all_actions_are_fetched_only_where_a_round_looks_at_them(
    spec: str, needed: bool
) -> None:
    """On wide data SquareCB and FastCB waited for memory that they did not look at."""
    assert needs_steps(Run.from_text(spec)) is needed


def test_a_pass_fetches_what_any_of_its_lanes_needs() -> None:
    runs = [Run("squarecb"), Run("squarecb:elim")]

    assert new_lanes(runs, Sizes(5, 3, 3, 4, 4.0))[2].needs_steps
    assert not new_lanes(runs[:1], Sizes(5, 3, 3, 4, 4.0))[2].needs_steps
