"""Tables of significant wins and losses."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bakeoff.judging import (
    BASELINE_CHOICES,
    BINARY,
    FIVE,
    KINDS,
    LARGE,
    Condition,
    Contest,
    Criteria,
    Kind,
    Losses,
    WinPanel,
    baseline_optimised,
    breakdown,
    contest_of,
    datasets,
    election_notes,
    encoding_duels,
    extended,
    left_out_note,
    main_results,
    n_less_open,
    not_optimised,
    optimised,
    reduction_panels,
    tally,
)
from bakeoff.report.tables.choices import in_short
from bakeoff.report.tables.live import Duels
from bakeoff.report.tables.printed import panels, printed
from bakeoff.report.tables.table import Grid, Panel, Table, best_rows

MEANINGS = {
    "difference": "Significant wins minus losses of the row against the column",
    "both": "Significant wins / losses of the row against the column",
}


def main_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `win_loss_diff`."""
    views = main_results(losses, criteria)
    notes = [
        note
        for encoding in criteria.encodings(losses)
        for note in election_notes(losses, encoding, criteria.test, FIVE)
    ]
    sentences = ["Datasets with binary costs, as in the paper.", *_how_open(losses, criteria)]
    how = " ".join([*sentences, *dict.fromkeys(notes)])
    return wins_table("main-results", "Main results", losses, criteria, views, how)


def _how_open(losses: Losses, criteria: Criteria) -> Iterator[str]:
    """Sentences on where fewer hyperparameters were optimised than elsewhere."""
    for encoding in criteria.encodings(losses):
        if optimised(losses, encoding):
            left_out = not_optimised(losses, encoding, losses.algorithms)
            if left_out:
                yield left_out_note(encoding, left_out)
    n_fewer = n_less_open(losses)
    if n_fewer:
        yield (
            f"On {datasets(n_fewer)} fewer than half of some algorithm's "
            f"hyperparameters were played, so there is less to optimise there."
        )


def reductions_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `reductions`."""
    views = reduction_panels(losses, criteria, "difference")
    return wins_table("reductions", "Reductions", losses, criteria, views)


def reductions_wins_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `reductions_win_loss`."""
    views = reduction_panels(losses, criteria, "both")
    return wins_table("reductions-wins", "Reductions, in full", losses, criteria, views)


def breakdown_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `breakdown`."""
    views = breakdown(losses, criteria)
    title = "Subsets of the datasets"
    how = f"Fixed hyperparameters, {criteria.encoding_of(losses)} encoding."
    return wins_table("breakdown", title, losses, criteria, views, how)


def multiclass_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `win_loss_multiclass`."""
    views = extended(losses, criteria, "multiclass")
    title = "All algorithms, held-out multiclass datasets"
    return wins_table("multiclass", title, losses, criteria, views)


def multilabel_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `win_loss_multilab`."""
    views = extended(losses, criteria, "multilabel")
    title = "All algorithms, multilabel datasets"
    return wins_table("multilabel", title, losses, criteria, views)


def uci_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `win_loss_uci`."""
    views = extended(losses, criteria, "uci")
    title = "All algorithms, eight datasets of the UCI repository"
    return wins_table("uci", title, losses, criteria, views)


def baseline_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `baseline_opt`, with the hyperparameters below it."""
    title = "Baseline optimised on each dataset"
    view = baseline_optimised(losses, criteria)
    table = wins_table("baseline-optimised", title, losses, criteria, [view])
    return replace(table, panels=(*table.panels, _baseline_choices()))


def _baseline_choices() -> Panel:
    """The hyperparameters of the table above, which are the paper's own."""
    paper = printed("baseline_opt", "hyperparameters")
    rows = BASELINE_CHOICES.items()
    ours = tuple((label, (in_short(choice),)) for label, choice in rows)
    return Panel("fixed hyperparameters", Grid(paper.columns, ours), "", paper, "algorithm")


# ---- encodings


def encodings_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `encoding`: of each algorithm, one encoding against the other."""
    every = criteria.condition._replace(tasks=BINARY)
    caption = (
        "Significant wins / losses of -1/0 against 0/1 on datasets with binary costs, "
        "each with the best hyperparameters on each dataset as in the paper (DR for "
        "Cover-NU, IWR for Bag and epsilon-greedy, whatever else was played), and with "
        f"the fixed ones of its encoding. {_rule(criteria)}"
    )
    panels = []
    for kind in ("optimised", "fixed"):
        pairs = encoding_duels(losses, criteria, kind) if criteria.encoding is None else {}
        duels = {label: contest_of(losses, both, every) for label, both in pairs.items()}
        for condition in (Condition(), LARGE):
            panel = _encodings(duels, criteria, condition, kind)
            live = Duels(pairs, every._replace(least_n=condition.least_n))
            panels.append(replace(panel, live=live))
    return Table("encodings", "Encodings", caption, tuple(panels))


def _encodings(
    duels: Mapping[str, Contest], criteria: Criteria, condition: Condition, kind: str
) -> Panel:
    columns, cells, counts = [], [], []
    for label, duel in duels.items():
        contest = duel.only(condition)
        n_both = int((~np.isnan(contest.losses)).all(axis=1).sum())
        if n_both:
            won = tally(criteria.wins(contest))
            columns.append(label)
            cells.append(f"{won[0, 1]} / {won[1, 0]}")
            counts.append(n_both)
    rows = (("-1/0 against 0/1", tuple(cells)),)
    ours = Grid(tuple(columns), rows, max(counts)) if counts else None
    large = f"datasets with {condition} and " if condition.least_n else ""
    grid = "fixed" if kind == "fixed" else "paper"
    needs = f"needs {large}runs with both encodings (-a {grid} --encoding=-1/0 --encoding=0/1)"
    if criteria.encoding is not None:
        needs = "compares encodings: leave out --encoding"
    who = "held-out" if criteria.held_out else "all"
    title = f"{who} datasets"
    if condition.least_n:
        title += f" with {condition}"
    in_paper = kind == "optimised" and not criteria.held_out
    paper = printed("encoding", str(condition)) if in_paper else None
    return Panel(f"{title}, {KINDS[kind]}", ours, needs, paper)


# ---- from views to tables


def wins_table(
    name: str,
    title: str,
    losses: Losses,
    criteria: Criteria,
    views: Sequence[WinPanel],
    how: str = "",
) -> Table:
    """A table of wins and losses, a panel for each view, that follows the filters."""
    whole: dict[Hashable, Contest] = {}  # views of the same competitors share one
    parts = []
    for view in views:
        key = tuple(
            (competitor.label, competitor.where.meta.serialize()) for competitor in view.competitors
        )
        if key not in whole:
            whole[key] = contest_of(losses, view.competitors)
        parts.append(_panel(view, whole[key].only(view.condition), criteria))
    kind: Kind = views[0].kind if views else "difference"
    gaps = [f"{panel.title}: {n_gaps}" for panel, n_gaps in parts if n_gaps]
    caption = [f"{MEANINGS[kind]}; bold: ahead of all others.", how, _rule(criteria)]
    if gaps:
        caption.append(
            "Datasets on which an algorithm has no loss count where both have one "
            f"({'; '.join(gaps)})."
        )
    text = " ".join(filter(None, caption))
    return Table(name, title, text, tuple(panel for panel, _ in parts))


def _panel(view: WinPanel, contest: Contest, criteria: Criteria) -> tuple[Panel, int]:
    """A panel, and on how many of its datasets not all competitors have a loss."""
    (present,) = np.nonzero(~np.isnan(contest.losses).all(axis=0))
    labels = [contest.labels[a] for a in present]
    paper, corner = _paper(view), "row vs column"
    if len(labels) < 2:
        return Panel(view.title, None, view.needs, paper, corner), 0
    outcomes = criteria.wins(contest)
    won = tally(outcomes)[np.ix_(present, present)]
    has = (~np.isnan(contest.losses[:, present])).astype(int)
    met = has.T @ has
    cells = [
        tuple(
            "-" if a == b
            else "" if met[a, b] == 0  # never played on the same dataset
            else f"{won[a, b] - won[b, a]}" if view.kind == "difference"
            else f"{won[a, b]} / {won[b, a]}"
            for b in range(len(labels))
        )
        for a in range(len(labels))
    ]  # fmt: skip
    grid = Grid(
        tuple(labels), tuple(zip(labels, cells, strict=True)), contest.n, best_rows(labels, won)
    )
    n_gaps = int(np.isnan(contest.losses[:, present]).any(axis=1).sum())
    return Panel(view.title, grid, paper=paper, corner=corner, live=view), n_gaps


def _paper(view: WinPanel) -> Grid | None:
    """The paper's figures for a view, if it prints any."""
    name, panel = view.printed or ("", "")
    return printed(name, panel) if view.printed and panel in panels(name) else None


def _rule(criteria: Criteria) -> str:
    return f"Significant by {criteria.rule}."
