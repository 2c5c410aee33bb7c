"""Mutations of the oracles, the reductions and the baseline."""

from tests.mutations.mutation import Mutation

CSC, REGRESSION = "core/oracles/csc.py", "core/oracles/regression.py"
CHOSEN = "core/oracles/chosen.py"
DR, IPS, IWR = (f"core/reductions/{name}.py" for name in ("dr", "ips", "iwr"))
REGCB = "core/explorers/regcb.py"

LOGISTIC, RIDGE = "core/oracles/logistic.py", "core/oracles/ridge.py"

ORACLES = [
    # The log loss
    Mutation("log loss: one Newton step", LOGISTIC, "range(6)", "range(1)"),
    Mutation(
        "log loss: costs in between count as one",
        LOGISTIC,
        "(1.0 - cost) * rise(-r, z)",
        "(cost < 1.0) * rise(-r, z)",
    ),
    Mutation(
        "log loss: twice the slope", REGRESSION, "np.float32(0.5 * slope)", "np.float32(slope)"
    ),
    Mutation(
        "log loss: the loss is taken for the cost",
        REGRESSION,
        "np.float64(y) - np.float64(f.least[c])",
        "np.float64(y)",
    ),
    # Ridge regression
    Mutation("ridge: the penalty is inverted", RIDGE, "= 1.0 / ridge[:, None", "= ridge[:, None"),
    Mutation("ridge: updates are forgotten", RIDGE, "U[j] = u + turn[j] * g", "U[j] = u"),
    Mutation("ridge: widths stay", RIDGE, " * (before / growth)", ""),
    Mutation("ridge: steps as if nothing were known", RIDGE, "error / growth", "error"),
    Mutation("ridge: the gain of independent features", RIDGE, "g = g + gain[j] * u", "g = g"),
    Mutation(
        "ridge: a row ends after whole fours",
        RIDGE,
        "    if i < end:\n",
        "    if i < end - end % 4:\n",
    ),
    Mutation(
        "ridge: the difference of rows is their sum",
        RIDGE,
        "_add_image(r, x, other, block, lane, -1.0)",
        "_add_image(r, x, other, block, lane, 1.0)",
    ),
    Mutation(
        "ridge: a diagonal forgets as if features were alone",
        RIDGE,
        "* ((1.0 + others) / (1.0 + v))",
        "/ (1.0 + v)",
    ),
    # The regression, D1
    Mutation(
        "D1 gradient at the raw score, one action",
        REGRESSION,
        "error = y - clip(r, f.lo[c], f.hi[c])",
        "error = y - r",
    ),
    Mutation(
        "D1 gradient at the raw score, all actions",
        CSC,
        "gap = y - clip(scores[first + k, c], f.lo[c], f.hi[c])",
        "gap = y - scores[first + k, c]",
    ),
    Mutation(
        "D1 label range widened after the gradient, one action",
        REGRESSION,
        "    widen(f, c, y)\n    error = y - clip(r, f.lo[c], f.hi[c])\n",
        "    error = y - clip(r, f.lo[c], f.hi[c])\n    widen(f, c, y)\n",
    ),
    Mutation(
        "D1 label range widened after the gradient, all actions",
        CSC,
        "                f.lo[c] = y if y < f.lo[c] else f.lo[c]\n"
        "                f.hi[c] = y if y > f.hi[c] else f.hi[c]\n"
        "                gap = y - clip(scores[first + k, c], f.lo[c], f.hi[c])\n",
        "                gap = y - clip(scores[first + k, c], f.lo[c], f.hi[c])\n"
        "                f.lo[c] = y if y < f.lo[c] else f.lo[c]\n"
        "                f.hi[c] = y if y > f.hi[c] else f.hi[c]\n",
    ),
    Mutation(
        "D1 weights rescaled before the prediction, one action",
        REGRESSION,
        "    if f.w0.shape[0] > 0:\n        update_baseline(f, c, y, omega)\n",
        "    for i in range(x.start[row], x.start[row + 1]):\n"
        "        cell, size = block * f.eta.shape[0] + c, abs(x.value[i])\n"
        "        if size > f.N[x.feature[i], cell]:\n"
        "            f.w[x.feature[i], cell] *= f.N[x.feature[i], cell] / size\n"
        "            f.N[x.feature[i], cell] = size\n"
        "    r = score(f, x, row, block, c)\n"
        "    if f.w0.shape[0] > 0:\n        update_baseline(f, c, y, omega)\n",
    ),
    Mutation(
        "D1 weights not rescaled, one action",
        REGRESSION,
        "            f.w[j, cell] = f.w[j, cell] * (N / size)\n",
        "",
    ),
    Mutation(
        "D1 weights not rescaled, all actions",
        CSC,
        "                f.w[j, c] = f.w[j, c] * (f.N[j, c] / size)\n",
        "",
    ),
    Mutation(
        "D1 N updated after rho, one action",
        REGRESSION,
        "            N = size\n        rho = step_size(A, N)",
        "            N = N if N > ZERO else size\n        rho = step_size(A, N)",
    ),
    Mutation(
        "D1 N updated after rho, all actions",
        CSC,
        "        _rescale(f, j, abs(xi), cells, active)\n"
        "        for c in range(cells):\n"
        "            A = f.A[j, c] + g2[c] * x2\n"
        "            f.A[j, c] = A\n"
        "            rho = step_size(A, f.N[j, c])\n",
        "        before = f.N[j].copy()\n"
        "        _rescale(f, j, abs(xi), cells, active)\n"
        "        for c in range(cells):\n"
        "            A = f.A[j, c] + g2[c] * x2\n"
        "            f.A[j, c] = A\n"
        "            N = before[c] if before[c] > ZERO else f.N[j, c]\n"
        "            rho = step_size(A, N)\n",
    ),
    Mutation(
        "D1 N also grows where nothing is learned",
        CSC,
        "        n_larger += size * active[c] > f.N[j, c]\n"
        "    if n_larger > 0:\n"
        "        for c in range(cells):\n"
        "            if size * active[c] > f.N[j, c]:\n",
        "        n_larger += size > f.N[j, c]\n"
        "    if n_larger > 0:\n"
        "        for c in range(cells):\n"
        "            if size > f.N[j, c]:\n",
    ),
    Mutation(
        "D1 A updated after rho",
        REGRESSION,
        "        f.A[j, cell] = A\n",
        "        f.A[j, cell], A = A, f.A[j, cell] if f.A[j, cell] > 0 else A\n",
    ),
    Mutation(
        "D1 A sums squared importance",
        REGRESSION,
        "g2 = omega * (FOUR * (error * error))\n    if g2 == ZERO:\n        return\n    cell",
        "g2 = omega * omega * (FOUR * (error * error))\n    if g2 == ZERO:\n"
        "        return\n    cell",
    ),
    Mutation(
        "D1 S without importance",
        REGRESSION,
        "f.S[0, c] + weight * np.float64(n)",
        "f.S[0, c] + np.float64(n)",
    ),
    Mutation(
        "D1 plain gradient steps",
        REGRESSION,
        "return small if s * kappa < 1e-6 else full",
        "return small",
    ),
    Mutation(
        "D1 T and S per action",
        "simulation/lanes.py",
        "clock_per_block=explorer.sees_all_costs",
        "clock_per_block=True",
    ),
    Mutation(
        "D1 T and S shared by the policies, one action",
        REGRESSION,
        "    f.T[0, c] = f.T[0, c] + weight\n"
        "    f.S[0, c] = f.S[0, c] + weight * np.float64(n)\n"
        "    m = math.sqrt(f.T[0, c] / f.S[0, c])\n",
        "    f.T[0, 0] = f.T[0, 0] + weight\n"
        "    f.S[0, 0] = f.S[0, 0] + weight * np.float64(n)\n"
        "    m = math.sqrt(f.T[0, 0] / f.S[0, 0])\n",
    ),
    Mutation(
        "D1 T and S shared by the policies, all actions",
        CSC,
        "        f.T[clock, c] = T\n        f.S[clock, c] = S\n",
        "        f.T[clock, :] = T\n        f.S[clock, :] = S\n",
    ),
    # Reductions, D2 to D5 and D14 to D16
    Mutation(
        "D2 importance 1 / (p K)",
        IWR,
        "np.float32(1.0 / bandit.probability[lane])",
        "np.float32(1.0 / (bandit.probability[lane] * event.K))",
    ),
    Mutation(
        "D2 repeats do not score again",
        CHOSEN,
        "r = scores[a, c] if turn == 0 else score(f, x, row, block, c)",
        "r = scores[a, c]",
    ),
    Mutation(
        "D3 RegCB with importance 1 / p",
        "core/reductions/direct.py",
        "bandit.importance[lane] = np.float32(1)",
        "bandit.importance[lane] = np.float32(1.0 / bandit.probability[lane])",
    ),
    Mutation(
        "D4 DR estimator with importance 1",
        DR,
        "bandit.importance[lane] = np.float32(1.0 / bandit.probability[lane])",
        "bandit.importance[lane] = ONE",
    ),
    Mutation(
        "D4 unweighted DR with importance 1 / p",
        DR,
        "bandit.importance[lane] = ONE  # the paper's text (deviation 4)",
        "bandit.importance[lane] = np.float32(1.0 / bandit.probability[lane])",
    ),
    Mutation(
        "D5 DR estimates before the update",
        DR,
        "    predict(f, x, event, bandit.expected)  # from after its update (deviation 5)\n",
        "",
    ),
    Mutation(
        "D14 IPS leaves other actions at the smallest loss",
        IPS,
        "bandit.estimates[k, lane] = np.float32(0)",
        "bandit.estimates[k, lane] = bandit.c_min[lane]",
    ),
    Mutation(
        "D15 DR estimates of other actions are not clipped",
        DR,
        "clip(bandit.expected[k, lane], f.lo[lane], high)",
        "bandit.expected[k, lane]",
    ),
    Mutation(
        "D15 DR estimates of other actions are clipped at 0",
        DR,
        "high = f.hi[lane] if f.hi[lane] > ZERO else NO_BOUND",
        "high = f.hi[lane]",
    ),
    Mutation(
        "D15 DR estimates of other actions have no upper bound",
        DR,
        "high = f.hi[lane] if f.hi[lane] > ZERO else NO_BOUND",
        "high = NO_BOUND",
    ),
    Mutation(
        "D15 DR estimate of the action taken is not clipped",
        DR,
        "expected = clip(bandit.expected[a, lane], f.lo[lane], f.hi[lane])",
        "expected = bandit.expected[a, lane]",
    ),
    Mutation(
        "D16 ranking: no new scores after earlier actions' updates",
        CSC,
        "if turn + k > 0:",
        "if turn > 0:",
    ),
    Mutation(
        "D16 IPS estimate by the most actions of an event",
        "core/rounds.py",
        "sums.ips_loss[lane] += cost / (event.K * p)",
        "sums.ips_loss[lane] += cost / (bandit.p.shape[0] * p)",
    ),
    # The baseline, D12
    Mutation(
        "D12 baseline not clipped in scores",
        REGRESSION,
        "out[k * columns + c] = clip(f.w0[c], f.lo[c], f.hi[c])",
        "out[k * columns + c] = f.w0[c]",
    ),
    Mutation(
        "D12 baseline not clipped when scored again",
        REGRESSION,
        "r = clip(f.w0[c], f.lo[c], f.hi[c])",
        "r = f.w0[c]",
    ),
    Mutation(
        "D12 baseline not clipped in its gradient",
        REGRESSION,
        "error = y - clip(f.w0[c], f.lo[c], f.hi[c])",
        "error = y - f.w0[c]",
    ),
    Mutation(
        "D12 baseline steps of the plain learning rate",
        REGRESSION,
        "return max(-np.float64(f.lo[c]), np.float64(f.hi[c]), 1e-4)",
        "return 1.0",
    ),
    Mutation(
        "D12 baseline scaled by the range of labels",
        REGRESSION,
        "return max(-np.float64(f.lo[c]), np.float64(f.hi[c]), 1e-4)",
        "return max(np.float64(f.hi[c]) - np.float64(f.lo[c]), 1e-4)",
    ),
    Mutation(
        "D12 baseline with clocks of its own",
        REGRESSION,
        "    f.T[0, c] = f.T[0, c] + weight\n"
        "    f.S[0, c] = f.S[0, c] + weight\n"
        "    m = math.sqrt(f.T[0, c] / f.S[0, c])\n",
        "    m = 1.0\n",
    ),
    Mutation(
        "D12 weights learn from the baseline's new value",
        REGRESSION,
        "        update_baseline(f, c, y, omega)\n",
        "        update_baseline(f, c, y, omega)\n        r = score(f, x, row, block, c)\n",
    ),
    Mutation(
        "D12 sensitivity without the baseline",
        REGRESSION,
        "kappa = kappa + baseline_scale(f, c) * slope",
        "kappa = kappa + 0.0",
    ),
    Mutation(
        "D12 with DR the policies have the baseline",
        "simulation/lanes.py",
        "baseline=structure.baseline and not is_dr,",
        "baseline=structure.baseline,",
    ),
]
