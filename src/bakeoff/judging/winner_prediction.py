"""Which facts of a dataset predict the algorithm with the lowest loss there.

A decision tree of two questions is trained on size, features, actions and skyline loss,
and judged on datasets it has not seen. Guessing the most frequent winner every time is
the bar it has to clear.
"""

from typing import NamedTuple

import numpy as np
import polars as pl
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from bakeoff.basics.text import counted
from bakeoff.judging.contest import Contest, Numbers
from bakeoff.judging.statistics.regret import regrets_of
from bakeoff.judging.views import NAMES

LEAST = 20  # datasets
FOLDS = 5
FACTS = {"n": "n", "n_features": "d", "n_actions": "K", "skyline": "skyline loss"}


class Prediction(NamedTuple):
    """How often the winner is predicted on unseen datasets, and by what questions."""

    n_datasets: int
    accuracy: float
    guessing: float  # the accuracy of the most frequent winner
    rules: list[str]

    @property
    def says(self) -> str:
        """The finding in words."""
        result = (
            f"A tree of two questions about n, d, K and the skyline loss names the "
            f"algorithm with the lowest loss on {self.accuracy:.0%} of "
            f"{counted(self.n_datasets, 'dataset')} it has not seen; always naming the "
            f"most frequent one is right on {self.guessing:.0%}."
        )
        if self.accuracy <= self.guessing:
            return f"{result} So these facts do not predict the winner."
        return f"{result} The tree: {'; '.join(self.rules)}."


def predicted_winners(contest: Contest) -> Prediction | None:
    """A tree for the winners of a contest; None if there is too little to learn from.

    Datasets count on which all algorithms were played and one of them is alone first.
    """
    losses = contest.losses
    if losses.shape[1] < 2:
        return None
    is_best = regrets_of(losses) == 0
    usable = contest.is_common & (is_best.sum(axis=1) == 1)
    facts, winners = _facts(contest)[usable], is_best[usable].argmax(axis=1)
    if len(winners) < LEAST or len(set(winners.tolist())) < 2:
        return None
    tree = DecisionTreeClassifier(
        max_depth=2, min_samples_leaf=max(3, len(winners) // 20), random_state=0
    )
    folds = KFold(FOLDS, shuffle=True, random_state=0)
    named = cross_val_predict(tree, facts, winners, cv=folds)
    accuracy = float(np.mean(named == winners))
    guessing = float(np.bincount(winners).max() / len(winners))
    names = [NAMES.get(label, label) for label in contest.labels]
    rules = _rules(tree.fit(facts, winners), names)
    return Prediction(len(winners), accuracy, guessing, rules)


def _facts(contest: Contest) -> Numbers:
    table = contest.problems.select(pl.col(list(FACTS)).cast(pl.Float64))
    return table.fill_null(-1).to_numpy()  # a skyline that was not played


def _rules(tree: DecisionTreeClassifier, names: list[str]) -> list[str]:
    """The leaves of a tree, as "K <= 2: Greedy"."""
    parts, facts, result = tree.tree_, list(FACTS.values()), []
    stack: list[tuple[int, list[str]]] = [(0, [])]
    while stack:
        node, questions = stack.pop()
        left, right = parts.children_left[node], parts.children_right[node]
        if left == right:
            winner = names[tree.classes_[parts.value[node][0].argmax()]]
            result.append(f"{' and '.join(questions) or 'always'}: {winner}")
            continue
        fact, limit = facts[parts.feature[node]], f"{parts.threshold[node]:.3g}"
        stack += [
            (right, [*questions, f"{fact} > {limit}"]),
            (left, [*questions, f"{fact} <= {limit}"]),
        ]
    return result
