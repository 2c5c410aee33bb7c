"""A mutation: one deliberate mistake in the package."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """An edit of one file of the package; `old` must occur in it exactly once."""

    name: str
    file: str
    old: str
    new: str


class Room(NamedTuple):
    """Mutations of one part of the package, and the tests that should notice them."""

    title: str
    suites: dict[str, str]  # what to call a suite, and its path; the quickest first
    mutations: list[Mutation]
