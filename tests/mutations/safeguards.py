"""Mutations of forgetting, uniform shares and restarts."""

from tests.mutations.mutation import Mutation

FILE = "core/safeguards.py"

SAFEGUARDS = [
    Mutation(
        "safeguards: the explorer keeps all its probability",
        FILE,
        "(1.0 - share) * bandit.p[k, lane] + share / event.K",
        "bandit.p[k, lane] + share / event.K",
    ),
    Mutation(
        "safeguards: fading one outcome late",
        FILE,
        "state.outcomes[lane] % state.step[lane] == 0",
        "state.outcomes[lane] % state.step[lane] == 1 % state.step[lane]",
    ),
    Mutation("safeguards: a memory of other steps", FILE, "STEPS = 50", "STEPS = 10"),
    Mutation("safeguards: more slack", FILE, "SLACK = 0.05", "SLACK = 0.1"),
    Mutation(
        "safeguards: a rise that falls below zero",
        FILE,
        "state.rise[lane] = max(0.0, state.rise[lane] + above)",
        "state.rise[lane] = state.rise[lane] + above",
    ),
    Mutation(
        "safeguards: the mean is not forgotten at a restart",
        FILE,
        "state.since[lane], state.total[lane], state.rise[lane] = 0.0, 0.0, 0.0",
        "state.rise[lane] = 0.0",
    ),
    Mutation(
        "safeguards: sums of the neighbouring lane",
        FILE,
        "if f.A[j, c] > TINY:\n                f.A[j, c] = f.A[j, c] * left",
        "if f.A[j, c] > TINY:\n                f.A[j, lane] = f.A[j, lane] * left",
    ),
    Mutation(
        "safeguards: the estimator of DR does not forget",
        FILE,
        "    _fade(bandit.estimator, lane, n_lanes(bandit), np.float32(state.fade[lane]))\n",
        "",
    ),
    Mutation(
        "safeguards: clocks go on at a restart",
        FILE,
        "            f.T[b, c], f.S[b, c] = 0.0, 0.0\n",
        "            f.T[b, c] = f.T[b, c]\n",
    ),
    Mutation(
        "safeguards: ridge variances grow without end",
        FILE,
        "min(before / state.fade[lane], state.prior[lane])",
        "before / state.fade[lane]",
    ),
    Mutation(
        "safeguards: the determinant is not forgotten",
        FILE,
        "                r.log_det[lane] = r.log_det[lane] - math.log(after / before)\n",
        "",
    ),
    Mutation(
        "safeguards: schedules go on at a restart",
        FILE,
        "            clocks.start[lane] = max(clocks.start[lane], event.t)\n",
        "",
    ),
    Mutation(
        "safeguards: the costs of gamma go on at a restart",
        FILE,
        "    clear_regressors(state, bandit, lane)\n    state.own.cost[lane] = 0.0\n",
        "    clear_regressors(state, bandit, lane)\n",
    ),
    Mutation(
        "clocks: a memory that holds no schedule",
        "core/clocks.py",
        "min(t, clocks.memory[lane]) if clocks.memory[lane] > 0 else t",
        "t",
    ),
    Mutation(
        "clocks: lanes that are done learn again",
        "core/clocks.py",
        "learns = 1 if t == 0 or time_of(clocks, event, lane) == t else 0",
        "learns = 1",
    ),
    Mutation(
        "clocks: probabilities of the last clock for all",
        "core/clocks.py",
        "bandit.p[k, lane] = clocks.p[k, lane]",
        "bandit.p[k, lane] = bandit.p[k, lane]",
    ),
]
