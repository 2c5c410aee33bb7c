"""The paper's statistics in slow, obvious Python (Section 4, Table `algos`; D13).

A result is a row of a store as a dictionary; problems are told apart by their digest.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import Any

Row = dict[str, Any]
Setting = tuple[Any, ...]  # algorithm, encoding, baseline, choice, learning rate
Orders = dict[int, float]  # shuffle -> PV loss

BINARY = ("multiclass", "multilabel")
NORMAL = NormalDist()


# ---- losses


def orders_of(rows: Iterable[Row]) -> dict[str, dict[Setting, Orders]]:
    """PV losses of each problem's settings by shuffle, each a mean over seeds.

    A setting that failed once, in whatever order, is not there.
    """
    seeds: dict[str, dict[Setting, dict[int, list[float]]]] = {}
    failed = set()
    for row in rows:
        if row["digest"] is None:  # a problem that could not be read
            continue
        setting = setting_of(row)
        if row["error"] is not None or not math.isfinite(row["pv_loss"]):
            failed.add((row["digest"], setting))
        else:
            found = seeds.setdefault(row["digest"], {}).setdefault(setting, {})
            found.setdefault(row["shuffle"], []).append(row["pv_loss"])
    return {
        digest: {
            setting: {shuffle: mean(found[shuffle]) for shuffle in sorted(found)}
            for setting, found in settings.items()
            if (digest, setting) not in failed
        }
        for digest, settings in seeds.items()
    }


def setting_of(row: Row) -> Setting:
    """Everything but the problem, the order of its rows and the seed."""
    choice = row["explorer"]
    if row["reduction"] is not None:
        choice += f" reduction={row['reduction']}"
    where = row["algorithm"], row["encoding"], row["baseline"]
    return *where, choice, row["learning_rate"]


def in_same_orders(settings: dict[Setting, Orders]) -> dict[Setting, Orders]:
    """The orders that most settings have, of the settings that have all of those."""
    times: dict[int, int] = {}
    for orders in settings.values():
        for shuffle in orders:
            times[shuffle] = times.get(shuffle, 0) + 1
    common = [k for k in sorted(times) if times[k] == max(times.values())]
    return {
        setting: {shuffle: orders[shuffle] for shuffle in common}
        for setting, orders in settings.items()
        if all(shuffle in orders for shuffle in common)
    }


def best(settings: dict[Setting, Orders]) -> Setting | None:
    """The setting with the least mean loss; of several the first."""
    found = None
    for setting in sorted(settings):
        loss = mean(settings[setting].values())
        if found is None or loss < mean(settings[found].values()):
            found = setting
    return found


def mean(values: Iterable[float]) -> float:
    """The mean."""
    values = list(values)
    return math.fsum(values) / len(values)


def normalised(loss: float, skyline: float | None) -> float:
    """(PV - PV of OAA) / PV of OAA, which a skyline without a loss does not give."""
    if skyline is None or skyline == 0:
        return math.nan
    return (loss - skyline) / skyline


# ---- significance


def paper_wins(p_a: float, p_b: float, n: int) -> bool:
    """Whether a beats b as the paper's scripts have it (D13)."""
    edge = NORMAL.inv_cdf((1 + 0.95) / 2) / math.sqrt(2)  # erfinv(0.95)
    variance = p_a * (1 - p_a) / n + p_b * (1 - p_b) / n
    return p_a < p_b and (p_b - p_a) / (1e-6 + math.sqrt(variance)) > edge


def z_test(p_a: float, p_b: float, n: int) -> float:
    """Two-sided p-value of two shares of n each."""
    if p_a == p_b:
        return 1.0
    variance = p_a * (1 - p_a) / n + p_b * (1 - p_b) / n
    if variance == 0:
        return 0.0
    return 2 * NORMAL.cdf(-abs(p_a - p_b) / math.sqrt(variance))


def hoeffding(a: float, b: float, n: int) -> float:
    """Bound on the p-value of two mean costs in [0, 1]."""
    return min(1.0, 2 * math.exp(-n * (a - b) ** 2 / 8))


def paired_test(a: Sequence[float], b: Sequence[float], n: int) -> float:
    """Two-sided Student test of the differences in S orders.

    Their standard deviation counts as 1 / n at least: less is chance.
    """
    S = len(a)
    differences = [x - y for x, y in zip(a, b, strict=True)]
    middle = mean(differences)
    variance = mean((x - middle) ** 2 for x in differences) * S / (S - 1)
    deviation = max(math.sqrt(variance), 1 / n)
    return student_tails(abs(middle) / (deviation / math.sqrt(S)), S - 1)


def student_tails(t: float, freedom: int) -> float:
    """Both tails of Student's distribution beyond t, by Simpson's rule.

    With x = sqrt(freedom) tan(angle) the density is a power of the cosine.
    """

    def area(angle: float, steps: int = 2000) -> float:
        width = angle / steps
        weights = [1, *([4, 2] * (steps // 2 - 1)), 4, 1]
        heights = [
            weight * math.cos(width * i) ** (freedom - 1) for i, weight in enumerate(weights)
        ]
        return math.fsum(heights) * width / 3

    return 1 - area(math.atan(t / math.sqrt(freedom))) / area(math.pi / 2)


def holm(p_values: Sequence[float], level: float) -> list[bool]:
    """Which of m hypotheses fall, by Holm's steps down: p < level / (m - place)."""
    fallen = [False] * len(p_values)
    for place, which in enumerate(_ascending(p_values)):
        if not p_values[which] < level / (len(p_values) - place):
            break
        fallen[which] = True
    return fallen


def benjamini_hochberg(p_values: Sequence[float], level: float) -> list[bool]:
    """Which of m hypotheses fall: all up to the last with p < level place / m."""
    order = _ascending(p_values)
    last = 0
    for place, which in enumerate(order, start=1):
        if p_values[which] < level * place / len(p_values):
            last = place
    return [which in order[:last] for which in range(len(p_values))]


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=lambda which: p_values[which])


# ---- leads


def flip_test(differences: Sequence[int]) -> Fraction:
    """The share of all ways to choose signs with a sum as far from 0 as the one seen.

    A difference of 0 has two signs as well: that changes no share.
    """
    lead = abs(sum(differences))
    as_far = total = 0
    for signs in product((1, -1), repeat=len(differences)):
        swapped = sum(s * d for s, d in zip(signs, differences, strict=True))
        as_far += abs(swapped) >= lead
        total += 1
    return Fraction(as_far, total)


# ---- second opinions


def signed_rank(
    differences: Sequence[float], same: float, draws: Iterable[Sequence[float]]
) -> tuple[float, float, float]:
    """Shares of draws for the first, for neither and for the second algorithm.

    A draw has a weight for each dataset, and one for the prior if it is among the
    differences. It speaks for the first if more of the weight of all pairs of datasets
    (each with itself too) has a mean difference below -same than within the region,
    and more than above it; and likewise for the second; else for neither.
    """
    better = alike = worse = n_draws = 0
    for weights in draws:
        below = within = above = 0.0
        for x, its_weight in zip(differences, weights, strict=True):
            for y, other_weight in zip(differences, weights, strict=True):
                middle = (x + y) / 2
                if middle < -same:
                    below += its_weight * other_weight
                elif middle > same:
                    above += its_weight * other_weight
                else:
                    within += its_weight * other_weight
        if below > within and below > above:
            better += 1
        elif above > within and above > below:
            worse += 1
        else:
            alike += 1
        n_draws += 1
    return better / n_draws, alike / n_draws, worse / n_draws


# ---- ranks, regrets, bands


def ranks(losses: Sequence[float]) -> list[Fraction]:
    """Places from 1 for the least loss; equals, in nine decimals, share the mean."""
    losses = [round(loss, 9) for loss in losses]
    found = []
    for loss in losses:
        places = [place for place, other in enumerate(sorted(losses), start=1) if other == loss]
        found.append(Fraction(sum(places), len(places)))
    return found


def groups(means: Sequence[float], difference: float) -> set[frozenset[int]]:
    """The largest sets of algorithms of which no two are a difference apart."""
    sets = []
    for one in means:
        near = [k for k, other in enumerate(means) if 0 <= other - one < difference]
        sets.append(frozenset(near))
    return {some for some in sets if len(some) > 1 and not any(some < other for other in sets)}


def regrets(losses: Sequence[float]) -> list[float]:
    """How much higher than the least, in nine decimals."""
    return [round(loss - min(losses), 9) for loss in losses]


def band(values: Sequence[float], resamples: Iterable[Sequence[int]]) -> tuple[float, float, float]:
    """The mean, and the 2.5th and 97.5th percentile of means of resamples."""
    means = sorted(mean(values[i] for i in some) for some in resamples)

    def percentile(share: float) -> float:
        place = share * (len(means) - 1)
        low = math.floor(place)
        high = min(low + 1, len(means) - 1)
        return means[low] + (means[high] - means[low]) * (place - low)

    return mean(values), percentile(0.025), percentile(0.975)


# ---- learning rates


def rates_elsewhere(losses: dict[str, dict[float, float]]) -> dict[str, float]:
    """Of each dataset the rate with the least mean loss on the others.

    `losses[dataset][rate]` is a loss. Rates stand that were played on half as many
    datasets as the one played most, and datasets have a say that were played with all
    of those. Of equal rates the lowest is taken. Where no other dataset has a say there
    is no rate.
    """
    times: dict[float, int] = {}
    for by_rate in losses.values():
        for rate in by_rate:
            times[rate] = times.get(rate, 0) + 1
    stand = [rate for rate in sorted(times) if 2 * times[rate] >= max(times.values())]
    found = {}
    for dataset in losses:
        others = [
            by_rate
            for name, by_rate in losses.items()
            if name != dataset and all(rate in by_rate for rate in stand)
        ]
        if not others:
            continue
        least = min(mean(by_rate[rate] for by_rate in others) for rate in stand)
        for rate in stand:
            if mean(by_rate[rate] for by_rate in others) == least:
                found[dataset] = rate
                break
    return found


# ---- voting


def runoff(scores: Sequence[Sequence[int]]) -> list[int]:
    """Choices in the order in which they leave; the last one is elected.

    `scores[i][c]` are wins minus losses of choice c against all others on dataset i.
    The vote of a dataset is divided among those that it ranks first. Who has the fewest
    votes leaves; of several the one with the fewest wins minus losses over all
    datasets; of several still the one that is listed last.
    """
    staying = list(range(len(scores[0])))
    gone = []
    while staying:
        votes = dict.fromkeys(staying, Fraction(0))
        for score in scores:
            first = [c for c in staying if all(score[c] >= score[d] for d in staying)]
            for c in first:
                votes[c] += Fraction(1, len(first))
        leaves = staying[0]
        for c in staying[1:]:
            total, least = sum(s[c] for s in scores), sum(s[leaves] for s in scores)
            if (votes[c], total) <= (votes[leaves], least):
                leaves = c
        staying.remove(leaves)
        gone.append(leaves)
    return gone
