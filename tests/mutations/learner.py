"""Mutations of the live learner."""

from tests.mutations.mutation import Mutation

STEPS = "live/steps.py"
LEDGER = "live/ledger.py"
ENGINE = "live/engine.py"
ROUNDS = "core/live.py"
PAIRS = "core/pairs.py"

LEARNER = [
    Mutation(
        "learner: the round does not move on",
        LEDGER,
        "sums.decisions + 1, waiting.t\n",
        "sums.decisions + 1, self.t\n",
    ),
    Mutation(
        "learner: feedback counts as of now, not of its decision",
        LEDGER,
        "engine.prepare(waiting.t, action,",
        "engine.prepare(self.t, action,",
    ),
    Mutation(
        "learner: feedback forgets the probability of its decision",
        ROUNDS,
        "bandit.probability[lane] = p[top + action[e]]",
        "bandit.probability[lane] = 1.0",
    ),
    Mutation(
        "learner: feedback forgets the distribution of its decision",
        ROUNDS,
        "                bandit.p[k, lane] = p[top + k]\n",
        "                bandit.p[k, lane] = 1.0\n",
    ),
    Mutation(
        "learner: a cost is taken for a loss",
        LEDGER,
        "engine.prepare(waiting.t, action, cost + model.run.offset)",
        "engine.prepare(waiting.t, action, cost)",
    ),
    Mutation(
        "learner: losses out of range are accepted",
        "live/costs.py",
        "if not low <= number <= high:",
        "if not low - 1 <= number <= high + 1:",
    ),
    Mutation(
        "learner: feedback that comes twice is learned twice",
        LEDGER,
        "        self.pending.end(id, LEARNED)\n",
        "",
    ),
    Mutation(
        "learner: a decision may come back as another",
        "live/learner.py",
        "                waiting.check_same(decision)\n",
        "                pass\n",
    ),
    Mutation(
        "learner: an array that is the caller's is kept",
        "live/encoder.py",
        "return NONE, x.copy()",
        "return NONE, x",
    ),
    Mutation(
        "learner: new features forget the clocks",
        ENGINE,
        '("T", "S", "lo", "hi", "w0", "A0")',
        '("lo", "hi", "w0", "A0")',
    ),
    Mutation(
        "learner: new features forget the estimator",
        ENGINE,
        "            (new.bandit.estimator, old.bandit.estimator),\n",
        "",
    ),
    Mutation(
        "learner: an interrupted outcome is learned again", ROUNDS, "        loss[e] = np.nan\n", ""
    ),
    Mutation(
        "learner: an interrupted step is dropped",
        STEPS,
        "                act(*arguments)\n            self.under_way = None",
        "                pass\n            self.under_way = None",
    ),
    Mutation(
        "learner: a fork draws as its parent does",
        "live/model.py",
        "        self.engine.reseed(self.run.seed)\n",
        "",
    ),
    Mutation(
        "learner: no bias",
        ROUNDS,
        "    to_value[n - zeros] = np.float32(1)\n",
        "    to_value[n - zeros] = np.float32(0)\n",
    ),
    Mutation(
        "learner: zeros stay in a row",
        ROUNDS,
        "            top += np.float32(value[i]) != np.float32(0)\n",
        "            top += 1\n",
    ),
    Mutation(
        "learner: names are told apart by their number alone",
        "live/feature_names.py",
        "if plan is None or keys != plan.keys:",
        "if plan is None or len(keys) != len(plan.keys):",
    ),
    Mutation(
        "pairs: an action with fewer features has those of another",
        PAIRS,
        "pairs.value[j * K + k] = slots, 0.0",
        "pairs.value[j * K + k] = 0, 1.0",
    ),
    Mutation(
        "pairs: a place has the slot that it had in an earlier event",
        PAIRS,
        "if pairs.met[place] != event:",
        "if pairs.met[place] == 0:",
    ),
    Mutation(
        "pairs: products count for scores and not for sensitivities",
        PAIRS,
        "        for i in range(-1, _n_factors(x)):\n            factor = _fetch_weights(f.A",
        "        for i in range(-1, 0):\n            factor = _fetch_weights(f.A",
    ),
    Mutation(
        "pairs: an explorer sees the sensitivities of rows that were not written",
        PAIRS,
        "    if explore is sensitivity:\n        return live_sensitivity\n",
        "",
    ),
]
