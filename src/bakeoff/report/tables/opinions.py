"""The table of second opinions: how large the leader's differences to others are."""

from bakeoff.judging import (
    FEW,
    SAME,
    Criteria,
    Losses,
    View,
    contest_of,
    signed_ranks,
    standings,
    views_of,
)
from bakeoff.report.tables.table import Grid, Panel, Table, figure

COLUMNS = ("mean difference", "leader better", "practically the same", "leader worse")


def second_opinions_table(losses: Losses, criteria: Criteria) -> Table:
    """Per encoding and view, the leader against each of the others."""
    caption = (
        "The leader of the standings against each of the others, by the size of "
        "differences and not by significant wins: the mean difference of losses "
        "(leader minus other) over datasets that both have one, and the probabilities, "
        "by a Bayesian signed-rank test, that on a typical dataset the leader's loss "
        f"is lower by more than {SAME:g}, within {SAME:g}, or higher by more (with ten "
        "datasets or more)."
    )
    panels = tuple(_panel(losses, view, criteria) for view in views_of(losses, criteria))
    return Table("second-opinion", "Second opinion", caption, panels)


def _panel(losses: Losses, view: View, criteria: Criteria) -> Panel:
    contest = contest_of(losses, view.competitors, criteria.condition).compared()
    needs = view.needs
    if contest.n == 0 or len(contest.labels) < 2:
        return Panel(view.title, None, needs, corner="leader against")
    first, *others = (standing.label for standing in standings(contest, criteria.wins(contest)))
    known = {label: contest.differences(first, label) for label in others}
    enough = [label for label in others if known[label].size >= FEW]
    opinions = dict(zip(enough, signed_ranks([known[label] for label in enough]), strict=True))
    rows = []
    for label, differences in known.items():
        mean = figure(float(differences.mean()), 4) if differences.size else ""
        opinion = opinions.get(label)  # few datasets say nothing of others
        shares = [f"{share:.0%}" for share in opinion] if opinion else [""] * 3
        rows.append((label, (mean, *shares)))
    corner = f"{first} against"
    return Panel(view.title, Grid(COLUMNS, tuple(rows), contest.n), needs, corner=corner)
