"""Core: the kernels, which read like the paper's boxes.

An explorer is one file of `explorers`; oracles and reductions (IPS, DR, IWR) have folders of their
own. `rounds` is the loop of a simulation, `live` one decision and one update of a live learner.
`pairs` works on products of features that are never written down.
`safeguards` puts forgetting, a uniform share and restarts around any explorer.
Kernels are plain functions; numba is imported when the first loop is bound (jit.py).

Imports: nothing of ours.
Doors: bandit, code_hash, explorers, gaps, inputs, jit, live, own_explorers, pairs, random, rounds,
rules, safeguards, types, waiting.
"""
