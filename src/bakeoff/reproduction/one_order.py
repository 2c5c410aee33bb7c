"""One order: what the verdicts would be if every dataset had been played once."""

from collections.abc import Sequence
from typing import NamedTuple

from bakeoff.judging import Criteria, Losses
from bakeoff.report import CLAIMS, Finding, judge
from bakeoff.reproduction.against_paper import each_order


class Worth(NamedTuple):
    """How verdicts of single orders differ, and how often they are those of the means."""

    orders: int
    claims: int  # that all orders together can judge
    stable: int  # with the same verdict in every order
    agree: float  # mean share of claims with the verdict of the means
    changing: tuple[str, ...]  # claims with several verdicts


def worth_of_one(losses: Losses, findings: Sequence[Finding], criteria: Criteria) -> Worth | None:
    """Judge each order by itself; None if there is one order only."""
    orders = each_order(losses)
    judged = [one for one in findings if one.verdict != "cannot be told"]
    if len(orders) < 2 or not judged:
        return None
    claims = {claim.name: claim for claim in CLAIMS}
    verdicts = {
        one.claim.name: [judge(order, claims[one.claim.name], criteria).verdict for order in orders]
        for one in judged
    }
    same = [v == one.verdict for one in judged for v in verdicts[one.claim.name]]
    changing = [name for name, some in verdicts.items() if len(set(some)) > 1]
    return Worth(
        len(orders), len(judged), len(judged) - len(changing), sum(same) / len(same),
        tuple(changing),
    )  # fmt: skip
