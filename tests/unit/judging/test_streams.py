"""The verdict under each condition, on losses small enough to check by hand."""

import math

import pytest

from bakeoff.judging import Criteria, by_stream, plain_names
from bakeoff.judging.losses import Losses
from bakeoff.judging.streams import streams_frame
from tests.unit.report.made_up import EG, RO, G, made, row, store

LOSSES = {  # of Greedy and RegCB-opt, on two datasets
    "": [(0.20, 0.30), (0.10, 0.20)],
    "delay(100)": [(0.30, 0.35), (0.20, 0.25)],
    "drift(after=0.5)": [(0.50, 0.40), (0.40, 0.36)],
    "price(action=0, by=0.5)": [(0.20, 0.10), (0.20, 0.10)],
}


def losses(**streams: list[tuple[float, float]]) -> Losses:
    return store(
        *(
            row(explorer, loss, f"p{i} | {stream}" if stream else f"p{i}")
            for stream, pairs in (streams or LOSSES).items()
            for i, pair in enumerate(pairs)
            for explorer, loss in zip((G, RO), pair, strict=True)
        )
    )


def test_who_leads_under_each_condition_and_what_becomes_of_who_led_without() -> None:
    plain, delay, drift, price = by_stream(losses(), Criteria())

    assert [one.stream for one in (plain, delay, drift, price)] == list(LOSSES)
    assert (plain.leader, plain.second, plain.datasets) == ("G", "RO", 2)
    assert plain.mean_loss == pytest.approx(0.15)
    assert (plain.rise, plain.plain_behind) == (0, 0)
    assert plain.behind == pytest.approx(0.1)
    assert delay.leader == "G"
    assert delay.rise == pytest.approx(0.1)
    assert delay.behind == pytest.approx(0.05)
    assert drift.leader == "RO"
    assert drift.rise == pytest.approx(0.38 - 0.25)
    assert drift.plain_leader == "G"
    assert drift.plain_behind == pytest.approx(0.07)
    assert math.isnan(price.rise)  # costs have another range


def test_a_rise_needs_the_same_datasets_without_conditions() -> None:
    some = store(
        row(G, 0.2, "a"), row(RO, 0.3, "a"),
        row(G, 0.2, "b | delay(1)"), row(RO, 0.3, "b | delay(1)"),
    )  # fmt: skip

    _, late = by_stream(some, Criteria())

    assert math.isnan(late.rise)
    assert late.plain_leader == ""
    assert streams_frame([late]).select("rise", "plain_behind").row(0) == (None, None)
    assert plain_names(some) == {"a", "b"}


def test_one_algorithm_alone_has_a_loss_and_no_rival() -> None:
    some = store(row(EG, 0.2, "a"), row(EG, 0.3, "a | noise(0.1)"))

    _, noisy = by_stream(some, Criteria())

    assert (noisy.leader, noisy.second) == ("eG", "")
    assert noisy.rise == pytest.approx(0.1)


def test_the_table_of_the_report_has_a_row_for_each_condition_if_there_are_several() -> None:
    table = made("streams", losses())

    (panel,) = table.panels
    assert panel.ours is not None
    assert panel.ours.columns[-1] == "G behind"
    assert dict(panel.ours.rows)["drift(after=0.5)"][:5] == (
        "RO",
        "0.3800",
        "0.1300",
        "G",
        "0.0700",
    )
    assert next(label for label, _ in panel.ours.rows) == "no condition"
    assert made("streams", losses(**{"": LOSSES[""]})).panels == ()
