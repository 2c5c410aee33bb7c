"""Mutations of centred inputs."""

from tests.mutations.mutation import Mutation

INPUTS = "core/inputs.py"
LIVE = "live/inputs.py"

CENTRING = [
    Mutation(
        "inputs: the first row is seen as it is",
        INPUTS,
        "    if means.rows[0] == 0:\n        return 0\n",
        "",
    ),
    Mutation(
        "inputs: the mean of all rows, also before a column starts",
        INPUTS,
        "return means.total[j] / (np.float64(means.rows[0]) - means.first[j])",
        "return means.total[j] / np.float64(means.rows[0])",
    ),
    Mutation(
        "inputs: what a row lacks is not centred",
        INPUTS,
        "    while c < n:\n        k = means.centred[c]\n",
        "    while c < n and n < 0:\n        k = means.centred[c]\n",
    ),
    Mutation(
        "inputs: rare features are centred",
        INPUTS,
        "means.nonzero[j] * START >= rows",
        "means.nonzero[j] >= 0",
    ),
    Mutation(
        "inputs: a feature that becomes rare stays centred",
        INPUTS,
        "if means.nonzero[j] * STOP < rows:",
        "if means.nonzero[j] < 0:",
    ),
    Mutation(
        "inputs: rows of an event count one after the other",
        INPUTS,
        "_count_row(means, x.feature[low:high], x.value[low:high], 1, before)",
        "_count_row(means, x.feature[low:high], x.value[low:high], 1, means.rows[0])",
    ),
    Mutation(
        "inputs: an event that failed counts",
        INPUTS,
        "    if 0 < seen.t[0] < t:\n",
        "    if 0 < seen.t[0]:\n",
    ),
    Mutation(
        "inputs: a batch that failed counts",
        LIVE,
        "        if t <= first:\n",
        "        if t < first:\n",
    ),
    Mutation(
        "inputs: probabilities that were only looked at count",
        LIVE,
        "        self.seen.t[0] = 0\n\n    def arrived",
        "        pass\n\n    def arrived",
    ),
]
