"""Mistakes with the explorers of users."""

from tests.mutations.mutation import Mutation

OWN_EXPLORERS = [
    Mutation(
        "what a user's explorer writes is believed",
        "core/own_explorers.py",
        "        if wrong > 0 or not abs(total - 1.0) <= ROUNDING:",
        "        if wrong > K:",
    ),
    Mutation(
        "old runs of a user's explorer are played with new code",
        "core/own_explorers.py",
        "            if getattr(one, CODE) != code:",
        "            if False:",
    ),
    Mutation(
        "helpers of a user's explorer are not followed",
        "core/own_explorers.py",
        "                names[name] = _copied(used, taken)",
        "                pass",
    ),
    Mutation(
        "the code of a user's explorer without a file is not followed",
        "core/code_hash.py",
        "            _note_bare(used, texts, todo, seen)",
        "            pass",
    ),
]
