"""Mutations of the live learner."""

from tests.mutations.mutation import Mutation

FILE = "learner.py"

LEARNER = [
    Mutation(
        "learner: the round does not move on",
        FILE,
        "        self.t = event.t\n",
        "",
    ),
    Mutation(
        "learner: feedback counts as of now, not of its decision",
        FILE,
        "event = Event(0, K, decision.t)",
        "event = Event(0, K, self.t)",
    ),
    Mutation(
        "learner: feedback forgets the probability of its decision",
        FILE,
        "        bandit.probability[0] = decision.probability\n",
        "",
    ),
    Mutation(
        "learner: feedback forgets the distribution of its decision",
        FILE,
        "        bandit.p[:K, 0] = decision.probabilities\n",
        "",
    ),
    Mutation(
        "learner: a cost is taken for a loss",
        FILE,
        "float(given) + low",
        "float(given)",
    ),
    Mutation(
        "learner: losses out of range are accepted",
        FILE,
        "if not low <= value <= low + 1:",
        "if not low - 1 <= value <= low + 2:",
    ),
    Mutation(
        "learner: new features forget the clocks",
        FILE,
        "new._replace(T=old.T, S=old.S, ",
        "new._replace(",
    ),
    Mutation(
        "learner: new features forget the estimator",
        FILE,
        "            estimator=_moved(self._bandit.estimator, fresh.estimator),\n",
        "",
    ),
    Mutation(
        "learner: no bias",
        FILE,
        "biased = np.ones(",
        "biased = np.zeros(",
    ),
]
