"""The table of standings: all algorithms in order, per encoding and view."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bakeoff.judging import (
    CLOSE,
    RESAMPLES,
    RULES,
    Contest,
    Criteria,
    Losses,
    Standing,
    View,
    chance_figure,
    election_notes,
    left_out_note,
    main_contest,
    not_optimised,
    standings,
    views_of,
)
from bakeoff.report.tables.table import Grid, Panel, Table, figure, percent

CLOSE_TO_BEST = f"within {CLOSE:g} of the best"
ELSEWHERE = {  # the views that choose in hindsight: their twins, and the column of these
    "fixed": ("unpeeked", "score, rate elected elsewhere"),
    "optimised": ("elected", "score, settings elected elsewhere"),
}
COLUMNS = (
    "score", *(column for _, column in ELSEWHERE.values()),
    "wins", "losses", "first in", "score in 95 %", "p of lead",
    "mean loss", "median over skyline", "best on", "mean rank", "median excess",
    CLOSE_TO_BEST, "worst regret", "datasets",
)  # fmt: skip


def standings_table(losses: Losses, criteria: Criteria) -> Table:
    """The verdict's numbers."""
    views = views_of(losses, criteria)
    result = {
        (view.encoding, view.kind): _standings(losses, view.kind, view.encoding, criteria)
        for view in views
    }
    panels = []
    for view in views:
        contest, places = result[view.encoding, view.kind]
        elsewhere = _elsewhere(losses, view, criteria, result)
        column = ELSEWHERE.get(view.kind, ("", ""))[1]
        hidden = {name for _, name in ELSEWHERE.values() if name != column or not elsewhere}
        shown = [name for name in COLUMNS if name not in hidden]
        rows = tuple((standing.label, _cells(standing, shown, elsewhere)) for standing in places)
        ours = Grid(tuple(shown), rows, contest.n) if len(rows) > 1 else None
        needs = view.needs
        panels.append(Panel(view.title, ours, needs, corner="algorithm"))
    notes: dict[str, None] = {}
    for encoding in criteria.encodings(losses):
        notes |= dict.fromkeys(election_notes(losses, encoding, criteria.test))
        left_out = not_optimised(losses, encoding, losses.algorithms)
        if left_out and (encoding, "optimised") in result:
            notes[left_out_note(encoding, left_out)] = None
    caption = (
        "The score is the number of "
        "significant wins minus losses against all other "
        f"algorithms. First in: the share of {RESAMPLES:,} resamples of the datasets "
        "(those made from the same data are drawn together) "
        "in which the algorithm has the best score; 95 % of the resampled scores lie "
        "in the range beside it. P of lead: the chance that an equally good algorithm "
        "would fall this far behind the first (for the first, the greatest of these). "
        "The other columns are over the datasets on which every algorithm was played: "
        "mean loss; the median of (loss - skyline) / skyline where the skyline is "
        "above 0; the share of datasets with the lowest loss, ties divided; the mean "
        "rank; the median of loss - skyline; the share of datasets with a loss within "
        f"{CLOSE:g} of the best algorithm's; and the largest such gap. "
        "Datasets: those on which an algorithm was played. Significant by "
        f"{criteria.rule}; where costs are real-valued and no paired test is done, by "
        f"{RULES['hoeffding']}. The learning rate is the best on each dataset, as in "
        "the paper, unless a title or heading says otherwise. Scores with what is elected "
        "elsewhere have the rate, or all settings, chosen on the other datasets: there "
        "nobody gains from having more to choose from."
    )
    return Table("standings", "Standings", " ".join([caption, *notes]), tuple(panels))


def _standings(
    losses: Losses, kind: str, encoding: str, criteria: Criteria
) -> tuple[Contest, list[Standing]]:
    contest = main_contest(losses, replace(criteria, encoding=encoding), kind)
    return contest, standings(contest, criteria.wins(contest))


def _elsewhere(
    losses: Losses,
    view: View,
    criteria: Criteria,
    known: Mapping[tuple[str, str], tuple[Contest, list[Standing]]],
) -> dict[str, int]:
    """The scores with what the other datasets elect, if a view chooses in hindsight."""
    if view.kind not in ELSEWHERE or (view.kind == "fixed" and not losses.has_several_rates):
        return {}
    twin, _ = ELSEWHERE[view.kind]
    key = view.encoding, twin
    _, places = known.get(key) or _standings(losses, twin, view.encoding, criteria)
    return {one.label: one.score for one in places}


def _cells(one: Standing, shown: Sequence[str], elsewhere: Mapping[str, int]) -> tuple[str, ...]:
    low, high = one.interval
    above = one.median_normalised
    cells = (
        f"{one.score}",
        *[f"{elsewhere.get(one.label, '')}"] * len(ELSEWHERE),
        f"{one.wins}",
        f"{one.losses}",
        percent(one.first),
        f"{low} to {high}",
        "" if math.isnan(one.chance) else chance_figure(one.chance),
        figure(one.mean_loss, 4),
        "" if math.isnan(above) else f"{above:.1%}",
        percent(one.best_on),
        figure(one.mean_rank, 2),
        figure(one.median_excess, 4),
        percent(one.close),
        figure(one.worst_regret, 4),
        f"{one.n}",
    )
    known = dict(zip(COLUMNS, cells, strict=True))
    return tuple(known[name] for name in shown)
