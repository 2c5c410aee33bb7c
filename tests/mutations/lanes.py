"""Mutations of updates that go across columns."""

from tests.mutations.mutation import Mutation

BANDIT = "core/bandit.py"
CHOSEN, CSC = "core/oracles/chosen.py", "core/oracles/csc.py"

LANES = [
    Mutation(
        "lanes: gradient at the raw score",
        CHOSEN,
        "gap = y - clip(scores[a, c], f.lo[c], f.hi[c])",
        "gap = y - scores[a, c]",
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
    Mutation("lanes: N does not grow", CHOSEN, "                f.N[j, cell[s]] = magnitude\n", ""),
    Mutation(
        "lanes: S without importance",
        CHOSEN,
        "f.S[0, c] + weight * np.float64(n[s])",
        "f.S[0, c] + np.float64(n[s])",
    ),
    Mutation(
        "lanes: repeats do not score again",
        CHOSEN,
        "        scores[action[lane[s]], column[s]] = r[s]\n",
        "        pass\n",
    ),
    Mutation(
        "lanes: scored again without the baseline",
        CHOSEN,
        "            r[s] = clip(f.w0[c], f.lo[c], f.hi[c])\n",
        "            r[s] = ZERO\n",
    ),
    Mutation(
        "lanes: the importance of the first lane for all",
        CHOSEN,
        "np.float64(importance[c])",
        "np.float64(importance[0])",
    ),
    Mutation(
        "lanes: columns that do not change take a place",
        CHOSEN,
        "if gradient != ZERO:",
        "if gradient >= ZERO:",
    ),
    Mutation(
        "lanes: the last repeat is forgotten",
        CHOSEN,
        "if turn < repeats[column[s]]:",
        "if turn + 1 < repeats[column[s]]:",
    ),
    Mutation("lanes: ties are not counted", CSC, "(ONE if score == best[c] else ZERO)", "ZERO"),
    Mutation(
        "lanes: a better action keeps the ties of the one before",
        CSC,
        "n_tied[c] = ONE if score < best[c] else tied",
        "n_tied[c] = tied",
    ),
    Mutation(
        "lanes: the last possible action is drawn",
        BANDIT,
        "(p[k, lane] > 0.0) & (u[lane] >= total[lane])",
        "p[k, lane] > 0.0",
    ),
    Mutation(
        "lanes: draws do not depend on the round",
        BANDIT,
        "u[lane] = uniform(bandit.key[lane], event.t, ACTION)",
        "u[lane] = uniform(bandit.key[lane], 1, ACTION)",
    ),
]
