"""Mutations of decision logs and of what evaluation makes of them."""

from tests.mutations.mutation import Mutation

ENCODED = "evaluation/encoded.py"
PROPENSITIES = "evaluation/propensities.py"

LOGS = [
    Mutation(
        "log: later files begin with the first header",
        "live/log_writer.py",
        "        self.put(lines)\n        self._first = self.line(header)\n",
        "        self.put(lines)\n",
    ),
    Mutation(
        "log: actions that come back are not written",
        "live/decision_log.py",
        "sorted(was - is_now),",
        "[],",
    ),
    Mutation(
        "log: new actions are added twice", "live/replay.py", "new[mine.count - first :]", "new"
    ),
    Mutation(
        "encoded: everybody's learner has the default space",
        ENCODED,
        "encoder = Encoder.restored(settings)",
        "encoder = Encoder(Space())",
    ),
    Mutation(
        "encoded: rows have the products of the first action",
        ENCODED,
        "self.pairs[e].row(k) for e, k",
        "self.pairs[e].row(0) for e, k",
    ),
    Mutation(
        "propensities: unlikely actions count as others",
        PROPENSITIES,
        "won = np.log1p(b * f * (w - 1.0)) - lost",
        "won = np.log1p(b * f) - lost",
    ),
    Mutation(
        "propensities: contexts are not looked at",
        PROPENSITIES,
        "    if not check.fails and not log.is_estimated:\n",
        "    if False:\n",
    ),
    Mutation(
        "propensities: a piece forgets the actions that it lacks",
        PROPENSITIES,
        "np.concatenate((self.wealth, np.tile(lost, (more, 1))))",
        "np.concatenate((self.wealth, np.tile(0.0 * lost, (more, 1))))",
    ),
]
