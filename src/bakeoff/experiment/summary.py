"""Summary: what became of an experiment, and why runs ended in an error."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bakeoff.basics.text import counted

MOST_REASONS = 10  # lines about runs that ended in an error
MOST_ALIKE = 3  # names of what failed in the same way


class Reason(NamedTuple):
    """Runs of one algorithm on one problem that ended alike."""

    n_runs: int
    algorithm: str
    problem: str
    error: str

    def __str__(self) -> str:
        runs = counted(self.n_runs, "run")
        return f"{runs} of {self.algorithm} on {self.problem}: {self.error}"


@dataclass(eq=False)
class Summary:
    """What became of an experiment."""

    folder: Path
    n_runs: int  # in all
    n_computed: int  # this time
    reasons: list[Reason]  # of all, why runs ended in an error
    failures: list[tuple[str, str]]  # what failed as a whole, and why

    @property
    def n_errors(self) -> int:
        """How many runs ended in an error."""
        return sum(reason.n_runs for reason in self.reasons)

    def in_words(self) -> list[str]:
        """What failed, a line each; what failed alike in one, if it is much."""
        lines = [f"failed: {text}" for text in _in_groups(self.failures)]
        lines += [f"failed: {alike}" for alike in self.reasons[:MOST_REASONS]]
        n_more = sum(alike.n_runs for alike in self.reasons[MOST_REASONS:])
        if n_more:
            lines.append(f"and {n_more:,} more; see the column `error` of the results")
        return lines

    @property
    def is_complete(self) -> bool:
        """Whether every run has a result that is not an error."""
        return not self.failures and not self.reasons


def _in_groups(failures: Iterable[tuple[str, str]]) -> list[str]:
    """Failures in words; many that differ in names and numbers only are one."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for what, why in failures:
        groups[_without_numbers(why.replace(what, ""))].append((what, why))
    texts = []
    for alike in groups.values():
        if len(alike) <= MOST_ALIKE:
            texts += [f"{what}: {why}" for what, why in alike]
        else:
            different = list(dict.fromkeys(what for what, _ in alike))
            names = ", ".join(different[:MOST_ALIKE])
            n_more = len(alike) - MOST_ALIKE
            example = f"{alike[0][1]} (for instance)"
            texts.append(f"{names} and {n_more:,} more: {example}")
    return texts


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def reasons_of(rows: pl.DataFrame) -> list[Reason]:
    """The reasons in the column `error` of result rows; the most frequent first.

    Reasons that differ in numbers only, such as the round, are alike.
    """
    errors_by_kind: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for algorithm, problem, error in rows["algorithm", "problem", "error"].iter_rows():
        errors_by_kind[algorithm, problem, _without_numbers(error)].append(error)
    reasons = [
        Reason(len(errors), algorithm, problem, _one_for_all(errors))
        for (algorithm, problem, _), errors in errors_by_kind.items()
    ]
    return sorted(reasons, key=lambda reason: (-reason.n_runs, *reason[1:]))


def _one_for_all(errors: list[str]) -> str:
    return errors[0] if len(set(errors)) == 1 else f"{min(errors)} (for instance)"
