"""Judging: from losses to a verdict.

Losses, contests, learning rates chosen on other datasets (`rates`), significance, votes,
standings, the verdict and the recommendation; `bakeoff.open` gives them to Python users. Pure
statistics are in `statistics`.

Imports: basics, core, runs, reading, store, experiment.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.judging.competitors import (
    election_notes,
    fixed,
    fixed_choices,
    left_out_note,
    n_less_open,
    not_optimised,
    optimised,
    optimised_reductions,
    settings,
)
from bakeoff.judging.contest import (
    BINARY,
    Competitor,
    Condition,
    Contest,
    Numbers,
    candidates_of,
    contest_of,
)
from bakeoff.judging.families import families_of, family_names
from bakeoff.judging.frames import standings_frame, wins_frame
from bakeoff.judging.losses import FACTS, SKYLINE, Losses, in_order, losses_of, orders_of
from bakeoff.judging.pairs import Pair, Pairs, all_pairs
from bakeoff.judging.rates import Rates, rates_of
from bakeoff.judging.reading import (
    LAST,
    NEEDED,
    curves_of,
    in_last_experiment,
    missing_of,
    read_choice_costs,
    read_costs,
    read_curves,
    read_losses,
)
from bakeoff.judging.recommend import Advice, recommend
from bakeoff.judging.recommended_settings import Use, use_of
from bakeoff.judging.results import Finished, Results, open
from bakeoff.judging.selection import with_algorithms, with_datasets
from bakeoff.judging.standings import RESAMPLES, Standing, standings
from bakeoff.judging.statistics import CONSTANTS, Constants
from bakeoff.judging.statistics.draws import times_drawn
from bakeoff.judging.statistics.leads import CLEAR, FEW, flip_test
from bakeoff.judging.statistics.ranks import critical_difference, friedman_test, groups_of, ranks_of
from bakeoff.judging.statistics.regret import CLOSE, regrets_of, shares_within
from bakeoff.judging.statistics.signed_rank import SAME, signed_rank
from bakeoff.judging.statistics.significance import (
    LEVEL,
    SIGNIFICANT,
    Correction,
    Outcomes,
    Test,
    differences,
    paper_test,
    tally,
)
from bakeoff.judging.verdict import Verdict, verdict
from bakeoff.judging.views import (
    ALL,
    BASELINE_CHOICES,
    BREAKDOWNS,
    CORRECTIONS,
    FIVE,
    KINDS,
    LARGE,
    NAMES,
    RULES,
    TWINS,
    TWINS_OF,
    WITHOUT_PEEKING,
    Criteria,
    Kind,
    View,
    WinPanel,
    baseline_optimised,
    breakdown,
    competitors_of,
    encoding_duels,
    extended,
    main_contest,
    main_results,
    reduction_panels,
    views_of,
)
from bakeoff.judging.voting import Election, ballots_of, choices_of, elect, fixed_choice, recount
from bakeoff.judging.winners import predicted_winners
from bakeoff.judging.wording import chance_figure, datasets, full_name, name_of

__all__ = [
    "ALL",
    "BASELINE_CHOICES",
    "BINARY",
    "BREAKDOWNS",
    "CLEAR",
    "CLOSE",
    "CONSTANTS",
    "CORRECTIONS",
    "FACTS",
    "FEW",
    "FIVE",
    "KINDS",
    "LARGE",
    "LAST",
    "LEVEL",
    "NAMES",
    "NEEDED",
    "RESAMPLES",
    "RULES",
    "SAME",
    "SIGNIFICANT",
    "SKYLINE",
    "TWINS",
    "TWINS_OF",
    "WITHOUT_PEEKING",
    "Advice",
    "Competitor",
    "Condition",
    "Constants",
    "Contest",
    "Correction",
    "Criteria",
    "Election",
    "Finished",
    "Kind",
    "Losses",
    "Numbers",
    "Outcomes",
    "Pair",
    "Pairs",
    "Rates",
    "Results",
    "Standing",
    "Test",
    "Use",
    "Verdict",
    "View",
    "WinPanel",
    "all_pairs",
    "ballots_of",
    "baseline_optimised",
    "breakdown",
    "candidates_of",
    "chance_figure",
    "choices_of",
    "competitors_of",
    "contest_of",
    "critical_difference",
    "curves_of",
    "datasets",
    "differences",
    "elect",
    "election_notes",
    "encoding_duels",
    "extended",
    "families_of",
    "family_names",
    "fixed",
    "fixed_choice",
    "fixed_choices",
    "flip_test",
    "friedman_test",
    "full_name",
    "groups_of",
    "in_last_experiment",
    "in_order",
    "left_out_note",
    "losses_of",
    "main_contest",
    "main_results",
    "missing_of",
    "n_less_open",
    "name_of",
    "not_optimised",
    "open",
    "optimised",
    "optimised_reductions",
    "orders_of",
    "paper_test",
    "predicted_winners",
    "ranks_of",
    "rates_of",
    "read_choice_costs",
    "read_costs",
    "read_curves",
    "read_losses",
    "recommend",
    "recount",
    "reduction_panels",
    "regrets_of",
    "settings",
    "shares_within",
    "signed_rank",
    "standings",
    "standings_frame",
    "tally",
    "times_drawn",
    "use_of",
    "verdict",
    "views_of",
    "wins_frame",
    "with_algorithms",
    "with_datasets",
]
