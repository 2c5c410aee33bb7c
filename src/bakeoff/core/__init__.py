"""Core: the kernels, which read like the paper's boxes.

An explorer is one file of `explorers`; oracles and reductions have folders of their own.
Kernels are plain functions; numba is imported when the first loop is bound (jit.py).

Imports: nothing of ours.
Doors: bandit, explorers, jit, live, random, rounds, rules, sources, types.
"""
