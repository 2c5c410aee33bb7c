"""Mutations of updates that go across columns."""

from tests.mutations.mutation import Mutation

CHOSEN = "core/oracles/chosen.py"

LANES = [
    Mutation(
        "lanes: gradient at the raw score",
        CHOSEN,
        "gap = y - clip(scores[action[at], c], f.lo[c], f.hi[c])",
        "gap = y - scores[action[at], c]",
    ),
    Mutation(
        "lanes: A is not put back",
        CHOSEN,
        "            _put_back(f, x.feature[i], f.A_taken[i - first], size)\n",
        "            pass\n",
    ),
    Mutation(
        "lanes: weights not rescaled",
        CHOSEN,
        "                f.w[j, cell[s]] = f.w[j, cell[s]] * (N[s] / magnitude)\n",
        "",
    ),
    Mutation(
        "lanes: N does not grow",
        CHOSEN,
        "                f.N[j, cell[s]] = magnitude\n",
        "",
    ),
    Mutation(
        "lanes: S without importance",
        CHOSEN,
        "f.S[0, c] + weight * np.float64(n[s])",
        "f.S[0, c] + np.float64(n[s])",
    ),
    Mutation(
        "lanes: repeats do not score again",
        CHOSEN,
        "        scores[lane[s], column[s]] = r[s]\n",
        "        pass\n",
    ),
    Mutation(
        "lanes: scored again without the baseline",
        CHOSEN,
        "                r[size] = clip(f.w0[c], f.lo[c], f.hi[c])\n",
        "                r[size] = ZERO\n",
    ),
    Mutation(
        "lanes: the importance of the first lane for all",
        CHOSEN,
        "np.float64(importance[lane[s]])",
        "np.float64(importance[0])",
    ),
    Mutation(
        "lanes: columns that do not change take a place",
        CHOSEN,
        "if gradient != ZERO:",
        "if gradient >= ZERO:",
    ),
]
