"""The table of findings: what the paper claims, and what these results say of it."""

from bakeoff.judging import CLEAR, FEW, Criteria, Losses
from bakeoff.report.findings.claims import CLAIMS
from bakeoff.report.findings.judge import Finding, are_held_out, judge
from bakeoff.report.tables.table import Grid, Panel, Table

COLUMNS = ("in the paper", "its numbers", "here", "verdict", "why")


def findings_table(losses: Losses, criteria: Criteria) -> Table:
    """A row per claim of the paper."""
    judges = "held-out" if are_held_out(losses, criteria) else "all"
    caption = (
        f"The paper's claims, judged on these results. A comparison counts significant "
        f"wins / losses by {criteria.rule}, or datasets with the smaller and the larger "
        f"error of an estimate, on {judges} datasets. "
        f"A claim holds if every comparison is in favour and chance alone would be as "
        f"uneven in at most {CLEAR:.0%} of cases; it holds weakly if most are in "
        f"favour and none is clearly against it."
    )
    findings = [judge(losses, claim, criteria) for claim in CLAIMS]
    judged = [finding for finding in findings if finding.counts]
    rows = tuple((finding.claim.says, _cells(finding)) for finding in findings)
    n = max((count.n for finding in judged for count in finding.counts), default=0)
    if not any(count.has_enough for finding in judged for count in finding.counts):
        needs = f"needs {FEW} datasets or more with -a fixed or -a paper"
        return Table("findings", "Findings", caption, (Panel("claims", None, needs),))
    panel = Panel("claims", Grid(COLUMNS, rows, n), corner="the paper says")
    return Table("findings", "Findings", caption, (panel,))


def _cells(finding: Finding) -> tuple[str, ...]:
    claim = finding.claim
    here = ", ".join(str(count) for count in finding.counts if count.n)
    return claim.place, claim.numbers, here, finding.verdict, finding.why
