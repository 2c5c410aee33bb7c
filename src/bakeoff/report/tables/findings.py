"""The table of findings: what the paper claims, and what these results say of it."""

import math

from bakeoff.judging import CLEAR, FEW, Criteria, Losses
from bakeoff.report.findings.claims import CLAIMS
from bakeoff.report.findings.comparisons import are_held_out
from bakeoff.report.findings.judge import Finding, judge
from bakeoff.report.findings.noise import noise_of
from bakeoff.report.tables.table import Grid, Panel, Table

COLUMNS = ("in the paper", "its numbers", "here", "effect", "verdict", "why")


def findings_table(losses: Losses, criteria: Criteria) -> Table:
    """A row per claim of the paper."""
    judges = "held-out" if are_held_out(losses, criteria) else "all"
    caption = (
        f"The paper's claims, judged on these results. A comparison counts significant "
        f"wins / losses by {criteria.rule}, or datasets with the smaller and the larger "
        f"error of an estimate, on {judges} datasets. "
        f"A claim is supported if every comparison is in favour and chance alone would be "
        f"as uneven in at most {CLEAR:.0%} of cases; it is refuted if a comparison is as "
        f"clearly against it, corrected for their number; else it is undecided. The effect "
        f"is the mean of net wins per 100 datasets, with a 95 % interval from resamples of "
        f"the datasets."
    )
    findings = [judge(losses, claim, criteria) for claim in CLAIMS]
    judged = [finding for finding in findings if finding.counts]
    rows = tuple((finding.claim.says, _cells(finding)) for finding in findings)
    n = max((count.n for finding in judged for count in finding.counts), default=0)
    if not any(count.has_enough for finding in judged for count in finding.counts):
        needs = f"needs {FEW} datasets or more with -a fixed or -a paper"
        return Table("findings", "Findings", caption, (Panel("claims", None, needs),))
    noise = noise_of(losses, criteria)
    caption = f"{caption} {noise.words(findings)}" if noise else caption
    panel = Panel("claims", Grid(COLUMNS, rows, n), corner="the paper says")
    return Table("findings", "Findings", caption, (panel,))


def _cells(finding: Finding) -> tuple[str, ...]:
    claim = finding.claim
    here = ", ".join(str(count) for count in finding.counts if count.n)
    effect = effect_text(finding)
    return claim.place, claim.numbers, here, effect, finding.verdict, finding.why


def effect_text(finding: Finding) -> str:
    """Net wins per 100 datasets with their interval; empty if there are none."""
    if math.isnan(finding.effect):
        return ""
    low, high = finding.interval
    middle = f"{100 * finding.effect:+.0f}"
    return middle if math.isnan(low) else f"{middle} [{100 * low:+.0f}, {100 * high:+.0f}]"
