"""Mutations of the explorers and of how votes, actions and losses come about."""

from tests.mutations.mutation import Mutation

CSC, REGRESSION = "core/oracles/csc.py", "core/oracles/regression.py"
ACTIVE, BAG, COVER, REGCB, SKYLINE = (
    f"core/explorers/{name}.py" for name in ("active", "bag", "cover", "regcb", "supervised")
)

EPSILON_GREEDY, FIRST, RANDREGCB, SOFTMAX, SQUARECB, SYNTHCOVER = (
    f"core/explorers/{name}.py"
    for name in ("epsilon_greedy", "first", "randregcb", "softmax", "squarecb", "synthcover")
)

FASTCB, LINEAR = "core/explorers/fastcb.py", "core/explorers/lin"

EXPLORERS = [
    # Sensitivity and RegCB, D6 and D7
    Mutation(
        "D6 sensitivity without 2 |f - y|",
        REGRESSION,
        "out[first + k, c] = 2.0 * error * np.float64(f.eta[c]) * kappa",
        "out[first + k, c] = np.float64(f.eta[c]) * kappa",
    ),
    Mutation(
        "D6 sensitivity at T instead of T + 1",
        REGRESSION,
        "T, S = f.T[0, c] + 1.0, f.S[0, c]",
        "T, S = max(f.T[0, c], 1.0), f.S[0, c]",
    ),
    Mutation("D7 width of another equation", REGCB, "D / (F * F * F)", "D / (F * F)"),
    Mutation("D7 width from one Newton step", REGCB, "range(4)", "range(1)"),
    Mutation("D7 Delta without K", REGCB, "math.log(event.K * event.t)", "math.log(event.t)"),
    Mutation(
        "D7 Delta of the round before",
        REGCB,
        "math.log(event.K * event.t)",
        "math.log(event.K * max(1, event.t - 1))",
    ),
    Mutation(
        "D7 lower bounds not clipped",
        REGCB,
        "state.lower[k, lane] = min(max(bound, c_min), c_max)",
        "state.lower[k, lane] = bound",
    ),
    Mutation(
        "D7 upper bounds not clipped",
        REGCB,
        "state.upper[k, lane] = min(max(bound, c_min), c_max)",
        "state.upper[k, lane] = bound",
    ),
    Mutation(
        "D7 lower bound by the label c_min",
        REGCB,
        "np.float32(bandit.c_min[lane] - np.float32(1))",
        "bandit.c_min[lane]",
    ),
    # Inverse gap weighting, softmax, synthetic cover, randomised RegCB
    Mutation(
        "SquareCB: gamma of the next round",
        SQUARECB,
        "np.float64(event.t - 1)",
        "np.float64(event.t)",
    ),
    Mutation(
        "SquareCB-elim counts all actions, as VW does",
        SQUARECB,
        "p = 1.0 / (m + gamma * gap)",
        "p = 1.0 / (K + gamma * gap)",
    ),
    Mutation("SquareCB: the tied best do not share", SQUARECB, "= rest / n_tied", "= rest"),
    Mutation(
        "SquareCB: the loss is taken for the cost",
        SQUARECB,
        "np.float64(bandit.loss[lane]) - np.float64(bandit.c_min[lane])",
        "np.float64(bandit.loss[lane])",
    ),
    Mutation("softmax prefers what is worse", SOFTMAX, "-sharpness * gap", "sharpness * gap"),
    Mutation("explore-first ends a round early", FIRST, "event.t <= state", "event.t < state"),
    Mutation(
        "synthetic cover: scores beyond the range",
        SYNTHCOVER,
        "min(max(0.0, (level - f) / psi), 1.0)",
        "min((level - f) / psi, 1.0)",
    ),
    Mutation(
        "randomised RegCB: equal lines do not share",
        RANDREGCB,
        "mass(z, crossing, symmetric) / n_same",
        "mass(z, crossing, symmetric)",
    ),
    Mutation(
        "randomised RegCB: half the mass of one side",
        RANDREGCB,
        "(1.0 if symmetric else 2.0)",
        "1.0",
    ),
    Mutation(
        "epsilon-greedy: epsilon grows", EPSILON_GREEDY, "-state.decay[lane]", "state.decay[lane]"
    ),
    Mutation(
        "FastCB: gaps as SquareCB has them",
        FASTCB,
        "best / (K * best + gamma * gap)",
        "1.0 / (K + gamma * gap)",
    ),
    Mutation("FastCB: the tied best do not share", FASTCB, "= rest / n_tied", "= rest"),
    Mutation(
        "bag: exponential weights of mean two",
        BAG,
        "-math.log(1.0 - u)",
        "-2.0 * math.log(1.0 - u)",
    ),
    Mutation(
        "bag-greedy: the first policy has a weight",
        BAG,
        "            if i > 0 or not state.greedy[lane]:\n",
        "            if i > 0 or state.exponential[lane] or not state.greedy[lane]:\n",
    ),
    # LinUCB, LinTS, LinMED
    Mutation("LinUCB: pessimism", f"{LINEAR}ucb.py", "lane) - state.alpha", "lane) + state.alpha"),
    Mutation(
        "LinTS: a rule of eight intervals",
        f"{LINEAR}ts.py",
        "_MOST_INTERVALS = 64",
        "_MOST_INTERVALS = 8",
    ),
    Mutation(
        "LinMED: widths of disjoint actions are not added",
        f"{LINEAR}med.py",
        "block, lane) + own",
        "block, lane)",
    ),
    # Cover, D8
    Mutation("D8 mu without K", COVER, "1.0 / math.sqrt(K * t)", "1.0 / math.sqrt(t)"),
    Mutation("D8 t off by one", COVER, "1.0 / math.sqrt(K * t)", "1.0 / math.sqrt(K * (t + 1))"),
    Mutation("D8 p does not add up", COVER, "mu + (1.0 - K * mu) * q", "mu + (1.0 - mu) * q"),
    Mutation(
        "D8 bonus with 1 - K mu",
        COVER,
        "psi_mu / (mu + (1.0 - mu) *",
        "psi_mu / (mu + (1.0 - K * mu) *",
    ),
    Mutation(
        "D8 q over all policies",
        COVER,
        "(state.votes[k, lane] / i)",
        "(state.votes[k, lane] / (bandit.scores.shape[1] // L))",
    ),
    Mutation(
        "D8 q counts the policy itself",
        COVER,
        "add_votes(bandit, K, i - 1, state.votes)",
        "add_votes(bandit, K, i, state.votes)",
    ),
    Mutation(
        "D8 q from after the update",
        COVER,
        "add_votes(bandit, K, i - 1, state.votes)",
        "if i == 1:\n"
        "            import copy\n"
        "            from bakeoff.core.oracles.regression import predict\n"
        "            N = bandit.scores.shape[1] // L\n"
        "            f = copy.deepcopy(bandit.policies)\n"
        "            later = copy.deepcopy(bandit)\n"
        "            plain = np.tile(bandit.estimates, (1, N))\n"
        "            csc_update(f, x, event, later.scores, plain, bandit.repeats)\n"
        "            predict(f, x, event, later.scores)\n"
        "            best_scores(later, K)\n"
        "        add_votes(later, K, i - 1, state.votes)",
    ),
    Mutation(
        "D8 the first policy gets a bonus too",
        COVER,
        "bandit.targets[k, lane] = bandit.estimates[k, lane]",
        "bonus = np.float32(state.psi[lane] * mu)\n"
        "            bandit.targets[k, lane] = bandit.estimates[k, lane] - bonus",
    ),
    # Ties and Bag, D9 and D10
    Mutation("D9 ties are not counted", CSC, "n_tied += 1", "n_tied += 0"),
    Mutation(
        "D9 the first of tied actions gets the whole vote",
        CSC,
        "            votes[k, lane] = votes[k, lane] + (share[lane] if is_best else 0.0)\n",
        "            if is_best and share[lane] > 0.0:\n"
        "                votes[k, lane] = votes[k, lane] + 1.0\n"
        "                share[lane] = 0.0\n",
    ),
    Mutation("D10 every policy learns once", BAG, "tau = poisson(u)", "tau = 1"),
    Mutation(
        "D10 one draw for all policies",
        BAG,
        "uniform(bandit.key[lane], event.t, POLICY + i)",
        "uniform(bandit.key[lane], event.t, 1)",
    ),
    Mutation(
        "D10 tau drawn with the number that draws the action",
        BAG,
        "uniform(bandit.key[lane], event.t, POLICY + i)",
        "uniform(bandit.key[lane], event.t, i)",
    ),
    Mutation(
        "D10 bag-greedy draws for its first policy",
        BAG,
        "if i > 0 or not state.greedy[lane]:",
        "if i >= 0:",
    ),
    Mutation(
        "D10 uniform over what any policy chooses",
        BAG,
        "bandit.p[k, lane] = bandit.p[k, lane] / N",
        "n_chosen = np.count_nonzero(bandit.p[: event.K, lane])\n"
        "            bandit.p[k, lane] = (bandit.p[k, lane] > 0.0) / n_chosen",
    ),
    # Active epsilon-greedy, D11
    Mutation(
        "D11 threshold sqrt(e)", ACTIVE, "threshold = math.sqrt(e) + e", "threshold = math.sqrt(e)"
    ),
    Mutation(
        "D11 threshold without K", ACTIVE, "state.c0[lane] * K * log_t", "state.c0[lane] * log_t"
    ),
    Mutation(
        "D11 threshold with log(t + 1)", ACTIVE, "log_t = math.log(t)", "log_t = math.log(t + 1)"
    ),
    Mutation(
        "D11 tau not divided by t",
        ACTIVE,
        "state.difference[k, lane] / t <= threshold",
        "state.difference[k, lane] <= threshold",
    ),
    Mutation(
        "D11 IWR: distance to c_min",
        ACTIVE,
        "tau = (np.float64(f) - np.float64(bandit.best[lane])) / s",
        "tau = (np.float64(f) - np.float64(bandit.c_min[lane])) / s",
    ),
    Mutation(
        "D11 IWR: tau of scores below c_min",
        ACTIVE,
        "(f > bandit.c_min[lane])",
        "(f != bandit.c_min[lane])",
    ),
    Mutation(
        "D11 IPS, DR: scores not clipped",
        ACTIVE,
        "f[k, lane] = clip(bandit.scores[k, lane], bandit.c_min[lane], bandit.c_max[lane])\n",
        "f[k, lane] = bandit.scores[k, lane]\n",
    ),
    Mutation(
        "D11 IPS, DR: others stay where they are",
        ACTIVE,
        "s = s + state.up[b, lane]",
        "s = s + 0.0",
    ),
    Mutation(
        "D11 IPS, DR: tau by the nearest action",
        ACTIVE,
        "tau = max(tau, gap / s if s > 0.0 else math.inf)",
        "tau = min(tau or math.inf, gap / s if s > 0.0 else math.inf)",
    ),
    Mutation(
        "D11 IPS, DR: actions left out keep their estimate",
        ACTIVE,
        "bandit.estimates[k, lane] = bandit.c_max[lane]",
        "pass",
    ),
    Mutation(
        "D11 what is left over is lost",
        ACTIVE,
        "rest = (1.0 - epsilon * n_allowed / K) / n_tied",
        "rest = (1.0 - epsilon) / n_tied",
    ),
    # The skyline, D17
    Mutation(
        "D17 one against all by raw scores",
        SKYLINE,
        "ours = -clip(ours, f.lo[lane], f.hi[lane])\n"
        "                best = -clip(best, f.lo[lane], f.hi[lane])",
        "ours = -ours\n                best = -best",
    ),
    Mutation("D17 the last of tied actions", SKYLINE, "if ours < best:", "if ours <= best:"),
    Mutation(
        "D17 one pair of clocks",
        "simulation/lanes.py",
        "clock_per_block=explorer.sees_all_costs",
        "clock_per_block=False",
    ),
    # Draws and losses
    Mutation(
        "draws do not depend on the round",
        "core/bandit.py",
        "    u = uniform(bandit.key[lane], event.t, ACTION)",
        "    u = uniform(bandit.key[lane], 1, ACTION)",
    ),
    Mutation(
        "loss without offset",
        "core/rounds.py",
        "np.float32(cost + bandit.offset[lane])",
        "np.float32(cost)",
    ),
]
