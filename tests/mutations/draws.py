"""Mutations of the random numbers."""

from tests.mutations.mutation import Mutation

RANDOM = "core/random.py"

DRAWS = [
    Mutation(
        "draws: the seed is not mixed",
        RANDOM,
        "return mix(np.uint64(seed) + _GAMMA)",
        "return np.uint64(seed) + _GAMMA",
    ),
    Mutation(
        "draws: streams reach into the next round",
        RANDOM,
        "np.uint64(t) * STREAMS + np.uint64(stream)",
        "np.uint64(t) + np.uint64(stream)",
    ),
    Mutation(
        "draws: 32 bits instead of 53", RANDOM, ">> _11) * 2.0**-53", ">> np.uint64(32)) * 2.0**-32"
    ),
    Mutation(
        "draws: one step of the mixer left out", RANDOM, "    z = (z ^ (z >> _27)) * _SECOND\n", ""
    ),
    Mutation("draws: Poisson(2)", RANDOM, "mass = mass / tau", "mass = 2 * mass / tau"),
    Mutation(
        "draws: the far tail of the normal is the near one",
        RANDOM,
        "_tail(r) if r <= 5.0 else _far_tail(r)",
        "_tail(r)",
    ),
    Mutation("draws: normal numbers of one sign", RANDOM, "if d > 0.0 else -z", ""),
    Mutation("draws: tau stops at 5", RANDOM, "tau < 20", "tau < 5"),
    Mutation(
        "draws: shuffles share draws", RANDOM, '"{seed} {shuffle} {digest}"', '"{seed} {digest}"'
    ),
    Mutation(
        "draws: datasets share draws", RANDOM, '"{seed} {shuffle} {digest}"', '"{seed} {shuffle}"'
    ),
    Mutation(
        "draws: seeds of a job too large for other generators",
        RANDOM,
        ".digest()[:4]",
        ".digest()[:8]",
    ),
    Mutation("draws: seeds of a job by another byte order", RANDOM, '"big"', '"little"'),
]
