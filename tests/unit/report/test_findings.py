"""The paper's claims, judged on made-up stores."""

import pytest

from bakeoff.judging.views import Criteria
from bakeoff.report.findings.claims import CLAIMS, Claim, Duel, Errors, Shift, Subsets
from bakeoff.report.findings.comparisons import are_held_out, needs_of
from bakeoff.report.findings.judge import Count, count_of, judge, verdict_of
from bakeoff.report.findings.noise import noise_of
from bakeoff.report.findings.paper_counts import PaperCount, paper_count
from bakeoff.report.tables.findings import findings_table
from bakeoff.runs.grids import FIXED
from bakeoff.runs.run import Run
from tests.unit.report.bake_offs import bake_off
from tests.unit.report.made_up import EG, RO, TUNING_ID, G, made, row, store

RIVALS = (G, EG, "cover:n_policies=4,psi=0.1,nu", "bag:n_policies=4,greedy")  # of RO

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
        ([count(12, 1), count(9, 0)], "supported"),
        ([count(12, 1), count(5, 4)], "undecided"),
        ([count(12, 1), count(9, 0), count(3, 4)], "undecided"),
        ([count(12, 1), count(0, 9)], "refuted"),
        ([count(3, 4), count(2, 2)], "undecided"),
        ([count(2, 3), count(1, 5)], "undecided"),
        ([count(0, 0)], "undecided"),
        ([count(0, 6)], "refuted"),
        ([count(0, 6), count(0, 0)], "undecided"),  # one of two: p = 2 * 0.031
        ([count(9, 0, n=9)], "cannot be told"),
        ([count(12, 1), count(0, 9, n=9)], "supported"),
        ([count(12, 1), count(9, 0, n=9), count(9, 0, n=9)], "cannot be told"),
        ([count(0, 9), count(9, 0, n=9), count(9, 0, n=9)], "refuted"),
    ],
)
def test_verdicts(counts: list[Count], verdict: str) -> None:
    assert verdict_of(counts)[0] == verdict


def test_one_comparison_takes_the_same_evidence_for_and_against() -> None:
    for won in range(12):
        for_it, against = verdict_of([count(won, 2)])[0], verdict_of([count(2, won)])[0]
        assert (for_it == "supported") == (against == "refuted")
        assert (for_it == "undecided") == (against == "undecided")


def test_what_is_missing_or_unsure_is_named() -> None:
    few = count(0, 3, n=3)._replace(needs="with -a paper")

    _, why = verdict_of([count(12, 1), count(5, 4), few])

    assert "1 of 2 comparisons clearly in favour" in why
    assert "not clear: a vs b: 5/4 of 40" in why
    assert "1 comparison that needs 10 datasets or more with -a paper (here: 3)" in why


# ---- beside the paper's numbers


def test_the_papers_tables_have_numbers_for_most_comparisons() -> None:
    def numbers(name: str) -> list[PaperCount | None]:
        return [paper_count(one) for one in BY_NAME[name].judged_by]

    assert numbers("uniform") == [PaperCount(53, 322, None), PaperCount(143, 317, 163)]
    assert numbers("dr")[:2] == [PaperCount(42, 521, 100), PaperCount(-61, 521, 105)]
    assert [one and one.net for one in numbers("zero-one-large")] == [8, 6]
    assert [one and one.net for one in numbers("regcb-0/1")] == [53, 32]
    assert [one and (one.net, one.n) for one in numbers("large-k-d")] == [(2, 31), (6, 41)]
    assert numbers("logs") == [None] * 12


def test_a_sign_opposite_to_the_papers_table_is_said_even_of_a_supported_claim() -> None:
    opposite = count(12, 0)._replace(paper=PaperCount(-61, 521, None))

    verdict, why = verdict_of([opposite])

    assert verdict == "supported"
    assert "opposite" in why
    assert "+30" in why
    assert "-12" in why
    assert verdict_of([count(12, 0)._replace(paper=PaperCount(61, 521, None))])[1] == ""


def test_a_finding_has_an_effect_and_an_interval() -> None:
    rows = [
        row(explorer, loss if i < 18 else 0.5, f"p{i}")
        for i in range(24)
        for explorer, loss in ((RO, 0.2), *((other, 0.5) for other in RIVALS))
    ]

    finding = judge(store(*rows), BY_NAME["ro-first"], Criteria())

    assert finding.effect == pytest.approx(18 / 24)
    low, high = finding.interval
    assert 0.5 < low < 18 / 24 < high < 1
    assert finding.p_for <= 0.001
    assert finding.paper_effect == pytest.approx((9 + 28 + 50 + 69) / 4 / 322)


# ---- noise


def test_noise_leaves_claims_undecided() -> None:
    noise = noise_of(bake_off(30), Criteria(), times=100)

    assert noise is not None
    assert {"ro-first", "uniform", "bag-behind"} & set(noise.claims)
    assert sum(noise.mean.values()) == pytest.approx(len(noise.claims))
    assert noise.mean["undecided"] > 0.9 * len(noise.claims)


def test_the_table_says_what_noise_would_give() -> None:
    losses = bake_off(30)
    noise = noise_of(losses, Criteria())

    caption = findings_table(losses, Criteria()).caption

    assert noise is not None
    assert "permuted at random within each of 30 datasets" in caption
    assert f"on average get supported {noise.mean.get('supported', 0):.1f}, " in caption


def test_noise_does_not_depend_on_who_is_better() -> None:
    """All algorithms but one are the same; the labels are what noise takes away."""
    rows = [
        row(explorer, 0.2 if explorer == RO else 0.5, f"p{i}")
        for i in range(20)
        for explorer in FIXED[-1.0]
    ]
    losses = store(*rows)

    noise = noise_of(losses, Criteria(), times=50)

    assert judge(losses, BY_NAME["ro-r"], Criteria()).verdict == "supported"
    assert noise is not None
    assert noise.mean.get("supported", 0) < 0.5


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
        rows += [row(RO, 0.2, name), *(row(other, 0.5, name) for other in RIVALS)]

    finding = judge(store(*rows), BY_NAME["ro-first"], Criteria())

    told = {one.text: (one.won, one.lost) for one in finding.counts if one.has_enough}
    assert told == {f"RO vs {label}": (12, 0) for label in ("G", "C-nu", "B-g", "eG")}
    assert finding.verdict == "supported"
    assert "4 comparisons that need 10 datasets" in finding.why


def test_a_claim_that_the_results_contradict_is_refuted() -> None:
    rows = []
    for i in range(12):
        rows += [row(EG, 0.2, f"p{i}"), row(G, 0.5, f"p{i}")]

    finding = judge(store(*rows), BY_NAME["uniform"], Criteria())

    assert finding.verdict == "refuted"
    assert "against: G vs eG: 0/12 of 12" in finding.why


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


def test_a_choice_or_two_are_not_the_optimised_hyperparameters_of_the_paper() -> None:
    cover = "cover:n_policies={},psi=0.1,nu"
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(12)
        for spec, loss in ((G, 0.1), (cover.format(4), 0.5), (cover.format(16), 0.4))
    ]

    found = judge(store(*rows), BY_NAME["optimised-cover"], Criteria())

    assert found.verdict == "cannot be told"


def test_without_runs_that_have_one_no_baseline_is_judged() -> None:
    rows = [
        row(spec, loss, f"p{i}")
        for i in range(12)
        for spec, loss in ((G, 0.1), ("cover:n_policies=4,psi=0.1,nu", 0.5))
    ]

    found = judge(store(*rows), BY_NAME["baseline"], Criteria())

    assert found.verdict == "cannot be told"
