"""The paper's claims, judged on made-up stores."""

import pytest

from bakeoff.judging.views import Criteria
from bakeoff.report.findings.claims import CLAIMS, Claim, Duel, Errors, Shift, Subsets
from bakeoff.report.findings.judge import Count, are_held_out, count_of, judge, needs_of, verdict_of
from bakeoff.runs.grids import FIXED
from bakeoff.runs.run import Run
from tests.unit.report.made_up import EG, RO, TUNING_ID, G, made, row, store

KNOWN = {Run.from_text(text).label for text in FIXED[-1.0]}
BY_NAME = {claim.name: claim for claim in CLAIMS}


def count(won: int, lost: int, n: int = 40) -> Count:
    signs = [1] * won + [-1] * lost + [0] * (n - won - lost)
    return count_of("a vs b", {str(i): sign for i, sign in enumerate(signs)})


def test_there_are_thirty_one_claims_with_names_of_their_own() -> None:
    assert len(BY_NAME) == len(CLAIMS) == 31


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claims_name_algorithms_that_exist(claim: Claim) -> None:
    def labels(one: object) -> set[str]:
        if isinstance(one, Shift):
            return labels(one.more) | labels(one.less)
        if isinstance(one, Subsets):
            return {one.label, *one.others}
        assert isinstance(one, Duel | Errors)
        return {one.first.label, one.second.label}

    for one in claim.judged_by:
        assert labels(one) <= KNOWN


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ([count(12, 1), count(9, 0)], "holds"),
        ([count(12, 1), count(5, 4)], "holds weakly"),
        ([count(12, 1), count(9, 0), count(3, 4)], "holds weakly"),
        ([count(12, 1), count(0, 9)], "does not hold"),
        ([count(3, 4), count(2, 2)], "does not hold"),
        ([count(3, 4), count(12, 1)], "does not hold"),
        ([count(9, 0, n=9)], "cannot be told"),
        ([count(12, 1), count(0, 9, n=9)], "holds"),
    ],
)
def test_verdicts(counts: list[Count], verdict: str) -> None:
    assert verdict_of(counts)[0] == verdict


def test_what_is_missing_or_unsure_is_named() -> None:
    few = count(0, 3, n=3)._replace(needs="with -a paper")

    _, why = verdict_of([count(12, 1), count(5, 4), few])

    assert why == (
        "not clear: a vs b: 5/4 of 40; not told: 1 comparison that needs 10 datasets "
        "or more with -a paper (here: 3)"
    )


def test_a_comparison_says_what_it_takes() -> None:
    def needs(name: str) -> set[str]:
        return {needs_of(one) for one in BY_NAME[name].judged_by}

    assert needs("uniform") == {"with -a fixed --encoding=-1/0"}
    assert needs("iwr") == {"with -a paper --encoding=-1/0"}
    assert needs("minus-one") == {"with -a paper --encoding=-1/0 --encoding=0/1"}
    assert "with n >= 10,000, with -a fixed --encoding=-1/0" in needs("large-n")
    assert needs("baseline-9/10") == {"with -a fixed --encoding=9/10 --baseline both"}


def test_a_claim_is_judged_by_significant_wins() -> None:
    rows = []
    for i in range(12):
        name = f"p{i}"
        rows += [row(RO, 0.2, name), row(G, 0.5, name), row(EG, 0.5, name)]

    finding = judge(store(*rows), BY_NAME["ro-first"], Criteria())

    told = {one.text: (one.won, one.lost) for one in finding.counts if one.has_enough}
    assert told == {"RO vs G": (12, 0), "RO vs eG": (12, 0)}
    assert finding.verdict == "holds"
    assert "6 comparisons that need 10 datasets" in finding.why


def test_a_claim_that_the_results_contradict_does_not_hold() -> None:
    rows = []
    for i in range(12):
        rows += [row(EG, 0.2, f"p{i}"), row(G, 0.5, f"p{i}")]

    finding = judge(store(*rows), BY_NAME["uniform"], Criteria())

    assert finding.verdict == "does not hold"
    assert "clearly not: G vs eG: 0/12 of 12" in finding.why


def test_smaller_errors_of_estimates_count_for_a_log() -> None:
    rows = []
    for i in range(12):
        name = f"p{i}"
        rows.append(row(EG, 0.3, name, ips_reward=0.5, uniform_cost=0.5))
        rows.append(row(G, 0.3, name, ips_reward=0.9, uniform_cost=0.5))

    finding = judge(store(*rows), BY_NAME["logs"], Criteria())

    told = {one.text: (one.won, one.lost) for one in finding.counts if one.has_enough}
    assert told == {"eG vs G": (12, 0)}


def test_the_table_has_a_row_per_claim_or_says_what_it_needs() -> None:
    rows = []
    for i in range(12):
        rows += [row(RO, 0.2, f"p{i}"), row(G, 0.5, f"p{i}")]

    (panel,) = made("findings", store(*rows)).panels
    (empty,) = made("findings", store(row(G, 0.5, "a"), row(RO, 0.2, "a"))).panels

    assert panel.ours is not None
    assert len(panel.ours.rows) == len(CLAIMS)
    assert empty.ours is None
    assert "10 datasets" in empty.needs


# ---- which datasets judge


def test_held_out_datasets_judge_unless_they_are_the_minority() -> None:
    tuning = [row(G, 0.3, "t1", openml_id=TUNING_ID)]
    held_out = [row(G, 0.3, "h1"), row(G, 0.3, "h2")]
    another = row(G, 0.3, "t2", openml_id=22)

    assert are_held_out(store(*tuning, *held_out), Criteria())
    assert are_held_out(store(*tuning, held_out[0]), Criteria())
    few = store(*tuning, another, held_out[0])
    assert not are_held_out(few, Criteria())
    assert are_held_out(few, Criteria(held_out=True))


def test_datasets_where_little_was_played_do_not_judge_optimised_settings() -> None:
    spec = "epsilon-greedy:epsilon={}"
    grid = ("0.02", "0.05", "0.1", "0.2")
    whole = [
        row(f"{spec.format(epsilon)} reduction={reduction}", loss, f"w{i}")
        for i in range(3)
        for reduction, loss in (("iwr", 0.1), ("ips", 0.5))
        for epsilon in grid
    ]
    part = [
        row(f"{spec.format('0.02')} reduction={reduction}", 0.3, f"p{i}")
        for i in range(5)
        for reduction in ("iwr", "ips")
    ]

    found = judge(store(*whole, *part), BY_NAME["iwr"], Criteria())

    counts = {one.text: (one.won, one.n) for one in found.counts}
    assert counts["eG iwr vs eG ips"] == (3, 3)


def test_without_runs_that_have_one_no_baseline_is_judged() -> None:
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(12)
        for spec, loss in ((G, 0.1), ("cover:n_policies=4,psi=0.1,nu", 0.5))
    ]

    found = judge(store(*rows), BY_NAME["baseline"], Criteria())

    assert found.verdict == "cannot be told"
