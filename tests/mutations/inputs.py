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
        "inputs: dense rows lose the means of rare features",
        INPUTS,
        "to_value[j] = centred if means.is_centred[j] else x",
        "to_value[j] = centred",
    ),
    Mutation(
        "inputs: after dense rows, a feature that becomes frequent is overlooked",
        INPUTS,
        "else times * START >= rows",
        "else times < 0",
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
    Mutation(
        "inputs: half of the rows are too few",
        INPUTS,
        "means.nonzero[j] * START >= rows",
        "means.nonzero[j] * START > rows",
    ),
    Mutation(
        "inputs: a quarter of the rows is too few",
        INPUTS,
        "if means.nonzero[j] * STOP < rows:",
        "if means.nonzero[j] * STOP <= rows:",
    ),
    Mutation(
        "inputs: means in single precision",
        INPUTS,
        "    return means.total[j] / (np.float64(means.rows[0]) - means.first[j])",
        "    return np.float32(means.total[j] / (np.float64(means.rows[0]) - means.first[j]))",
    ),
    Mutation(
        "inputs: the mean is taken out of every value of a place",
        INPUTS,
        "            x = np.float32(np.float64(x) - _mean(means, j))\n            c += 1\n",
        "            x = np.float32(np.float64(x) - _mean(means, j))\n",
    ),
    Mutation(
        "inputs: every value of a place counts as a row",
        INPUTS,
        "means.nonzero[j] += j != last",
        "means.nonzero[j] += 1",
    ),
    Mutation(
        "inputs: zeros are values",
        INPUTS,
        "        if x != 0:\n            j = place[i] - shift\n",
        "        if x == x:\n            j = place[i] - shift\n",
    ),
    Mutation(
        "inputs: centred places out of order",
        INPUTS,
        "while at > 0 and means.centred[at - 1] > j:",
        "while at > at + 1 and means.centred[at - 1] > j:",
    ),
    Mutation(
        "inputs: a full row does not count",
        INPUTS,
        "        means.nonzero[j] += 1\n    means.rows[0] += 1\n",
        "        means.nonzero[j] += 1\n",
    ),
    Mutation(
        "inputs: a full row counts its values once more",
        INPUTS,
        "        means.total[j] += np.float64(value[j])\n        means.nonzero[j] += 1\n",
        "        means.total[j] += 2 * np.float64(value[j])\n        means.nonzero[j] += 1\n",
    ),
    Mutation(
        "inputs: a dense row keeps its zeros",
        INPUTS,
        "    if zeros > 0:\n        top = 0\n",
        "    if zeros < 0:\n        top = 0\n",
    ),
    Mutation(
        "inputs: a row of all places, in any order, is a full one",
        INPUTS,
        "    return in_order == D\n",
        "    return in_order <= D\n",
    ),
    Mutation(
        "inputs: a live row keeps its means",
        INPUTS,
        "(means.mark[j] != mark)\n        value[i]",
        "(means.mark[j] == mark)\n        value[i]",
    ),
    Mutation(
        "inputs: what a live row lacks is no zero",
        INPUTS,
        "to_place[top], to_value[top] = means.centred[c], 0.0\n            top",
        "to_place[top], to_value[top] = means.centred[c], 1.0\n            top",
    ),
    Mutation(
        "inputs: what a live row lacks comes last",
        INPUTS,
        "    if disorder > 0:\n",
        "    if disorder >= 0:\n",
    ),
    Mutation(
        "inputs: the event of a filled row is the one that came",
        "live/engine.py",
        "                if n:\n                    _, place, value = arrays.filled\n",
        "                if n < 0:\n                    _, place, value = arrays.filled\n",
    ),
    Mutation(
        "inputs: an event of another process counts twice",
        INPUTS,
        "    if means.rows[0] == before:\n",
        "    if means.rows[0] >= before:\n",
    ),
    Mutation(
        "inputs: a model file forgets which places are centred",
        LIVE,
        "        means.is_centred[places] = centred\n",
        "",
    ),
    Mutation(
        "inputs: a model file forgets where columns start",
        LIVE,
        '_SAVED = ("total", "nonzero", "first")',
        '_SAVED = ("total", "nonzero")',
    ),
    Mutation(
        "inputs: a live row loses a mean for every value of its place",
        INPUTS,
        "        value[i] = np.float64(without if is_first else x)\n        means.mark[j] = mark\n",
        "        value[i] = np.float64(without if is_first else x)\n",
    ),
]
