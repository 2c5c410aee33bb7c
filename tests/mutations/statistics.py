"""Mutations of the statistics."""

from tests.mutations.mutation import Mutation

CONTEST, LOSSES, RATES, VOTING = (
    f"judging/{name}.py" for name in ("contest", "losses", "rates", "voting")
)
BANDS, LEADS, RANKS, REGRET, SIGNED_RANK, SIGNIFICANCE = (
    f"judging/statistics/{name}.py"
    for name in ("bands", "leads", "ranks", "regret", "signed_rank", "significance")
)

STATISTICS = [
    # Significance on one dataset
    Mutation(
        "statistics: the higher loss wins",
        SIGNIFICANCE,
        "losses[:, None] < losses[None, :]",
        "losses[:, None] > losses[None, :]",
    ),
    Mutation(
        "statistics: the paper's rule as a z-test",
        SIGNIFICANCE,
        "special.erfc(np.abs(a - b) / (TINY + _standard_error(a, b, n)))",
        "special.erfc(np.abs(a - b) / (TINY + _standard_error(a, b, n)) / 2**0.5)",
    ),
    Mutation(
        "statistics: the z-test is one-sided",
        SIGNIFICANCE,
        "special.erfc(z / np.sqrt(2))",
        "special.erfc(z / np.sqrt(2)) / 2",
    ),
    Mutation(
        "statistics: the standard error of one loss only",
        SIGNIFICANCE,
        "(a * (1 - a) + b * (1 - b)) / n",
        "(a * (1 - a)) / n",
    ),
    Mutation(
        "statistics: Hoeffding for one mean", SIGNIFICANCE, "(a - b) ** 2 / 8", "(a - b) ** 2 / 2"
    ),
    Mutation(
        "statistics: real-valued costs tested as mistakes",
        SIGNIFICANCE,
        "    found[..., real] = hoeffding_test(a, b, n)[..., real]\n",
        "",
    ),
    Mutation(
        "statistics: the paired test by the normal distribution",
        SIGNIFICANCE,
        "2 * special.stdtr(count - 1.0, -t)",
        "special.erfc(t / np.sqrt(2))",
    ),
    Mutation(
        "statistics: a paired spread of zero",
        SIGNIFICANCE,
        "np.maximum(np.sqrt(spread), 1 / n)",
        "np.maximum(np.sqrt(spread), 1e-12)",
    ),
    Mutation(
        "statistics: Holm without its running maximum",
        SIGNIFICANCE,
        "np.maximum.accumulate(values[order] * (values.size + 1 - ranks))",
        "values[order] * (values.size + 1 - ranks)",
    ),
    Mutation(
        "statistics: Bonferroni instead of Holm",
        SIGNIFICANCE,
        "(values.size + 1 - ranks)",
        "values.size",
    ),
    Mutation(
        "statistics: Benjamini-Hochberg from the small end",
        SIGNIFICANCE,
        "np.minimum.accumulate(scaled[::-1])[::-1]",
        "np.minimum.accumulate(scaled)",
    ),
    # Leads over all datasets
    Mutation("statistics: leads in one direction", LEADS, "min(1.0, 2 * float(", "min(1.0, float("),
    Mutation(
        "statistics: only larger leads count",
        LEADS,
        "(reach - lead) // 2",
        "(reach - lead - 1) // 2",
    ),
    Mutation(
        "statistics: leads on datasets that one did not play",
        LEADS,
        "has_loss[leader] & has_loss[rival]",
        "has_loss[leader] | has_loss[rival]",
    ),
    Mutation("statistics: the surest lead decides", LEADS, "return min(leads", "return max(leads"),
    Mutation(
        "statistics: a winner on few datasets",
        LEADS,
        "if n_problems < FEW or chance > LIKELY:",
        "if chance > LIKELY:",
    ),
    Mutation(
        "statistics: a lead without losses",
        LEADS,
        "outcomes.sum(axis=1, dtype=np.int64) - outcomes.sum(axis=0, dtype=np.int64)",
        "outcomes.sum(axis=1, dtype=np.int64)",
    ),
    # Choices
    Mutation("statistics: a dataset votes on its own rate", RATES, "(total - own)", "total"),
    Mutation(
        "statistics: a dataset votes on its own hyperparameters",
        VOTING,
        "np.delete(self.scores, i, axis=0)",
        "self.scores",
    ),
    Mutation(
        "statistics: a tied vote counts in full for each",
        VOTING,
        "is_first / is_first.sum(axis=1, keepdims=True)",
        "is_first * 1.0",
    ),
    Mutation(
        "statistics: of equal choices the first listed leaves",
        VOTING,
        "(votes[i], total[i], -i)",
        "(votes[i], total[i], i)",
    ),
    Mutation(
        "statistics: the best setting by its last shuffle",
        CONTEST,
        'settings.sort("loss", maintain_order=True)',
        'settings.sort(pl.col("by_shuffle").list.last(), maintain_order=True)',
    ),
    Mutation(
        "statistics: losses from different shuffles are compared",
        CONTEST,
        '    if orders["digest"].is_duplicated().any():\n',
        "    if orders.is_empty():\n",
    ),
    Mutation(
        "statistics: normalised by the loss",
        CONTEST,
        "(self.losses - known) / known",
        "(self.losses - known) / self.losses",
    ),
    Mutation(
        "statistics: a setting that failed once counts",
        LOSSES,
        'pl.col("is_sound").all()',
        'pl.col("is_sound").any()',
    ),
    Mutation(
        "statistics: errors of estimates cancel out",
        LOSSES,
        "(difference**2).alias",
        "difference.alias",
    ),
    # The second opinion
    Mutation(
        "statistics: a region of practical equivalence twice as wide",
        LEADS,
        "SAME = 0.01",
        "SAME = 0.02",
    ),
    Mutation("statistics: no prior", SIGNED_RANK, "np.cos(2 * np.pi * u[:, n]) ** 2", "1e-9"),
    Mutation(
        "statistics: the mean of two datasets is their sum",
        SIGNED_RANK,
        "-2 * same - values",
        "-same - values",
    ),
    # Ranks, regrets and bands
    Mutation(
        "ranks: equal losses take the lowest rank",
        RANKS,
        "stats.rankdata(in_digits(losses), axis=1)",
        'stats.rankdata(in_digits(losses), axis=1, method="min")',
    ),
    Mutation(
        "ranks: the critical difference without a root",
        RANKS,
        "float(np.sqrt(spread))",
        "float(spread)",
    ),
    Mutation(
        "ranks: groups within groups are listed",
        RANKS,
        "last > groups[-1][1]",
        "last >= groups[-1][1]",
    ),
    Mutation(
        "regret: measured from the mean",
        REGRET,
        "losses.min(axis=1, keepdims=True)",
        "losses.mean(axis=1, keepdims=True)",
    ),
    Mutation(
        "regret: equal ones count in full",
        REGRET,
        "(is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)",
        "is_best.mean(axis=0)",
    ),
    Mutation("bands: of 90 % of the resamples", BANDS, "[2.5, 97.5]", "[5, 95]"),
    Mutation(
        "rates: the highest of equal rates for all",
        RATES,
        'rounded.sort("loss", "learning_rate")["learning_rate"][0]',
        'rounded.sort("loss", "learning_rate", descending=[False, True])["learning_rate"][0]',
    ),
]
