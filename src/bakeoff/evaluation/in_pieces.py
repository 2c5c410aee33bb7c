"""Logs that do not fit into memory: the weights of a policy, piece by piece.

Contexts and distributions are read once and dropped. About a hundred bytes per event stay in
memory, which is all that estimators without a reward model need.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Log
from bakeoff.evaluation.fairness import left_out, unfair
from bakeoff.evaluation.policies import policy_of
from bakeoff.evaluation.propensities import Drawn, drawn_in
from bakeoff.evaluation.repeats import keys_of
from bakeoff.evaluation.weights import Weighted, weigh
from bakeoff.reading.logs import LogPieces


class Gathered(NamedTuple):
    """A log, whole or without contexts and distributions, and the weights of a policy on it."""

    log: Log
    policy: str
    weighted: Weighted
    drawn: Drawn | None
    keys: Ints  # (n,) the same where contexts are
    words: str = ""  # about events that were left out


def gather(pieces: LogPieces, policy: Any) -> Gathered:
    """The weights of a policy, in one pass over the pieces."""
    _check_policy(pieces, policy)
    thin: list[Log] = []
    weighted: list[Weighted] = []
    drawn: list[Drawn | None] = []
    keys: list[Ints] = []
    name, seen, first = "", 0, 0
    for log in pieces:
        if log.is_estimated:
            raise DataError(
                f"{pieces.path}: has no probabilities, and estimating them needs the whole log"
            )
        parsed = policy_of(policy, log)
        name, learned = parsed.name, 0 if parsed.learned is None else parsed.learned(log)
        if learned:  # earlier events are not fair, either
            first = seen + learned
            thin, weighted, drawn, keys = [], [], [], []
        seen += log.n
        if learned == log.n:
            continue
        if learned:
            log, parsed = log.part(slice(learned, None)), parsed.after(log, learned)
        weighted.append(weigh(log, parsed))
        drawn.append(drawn_in(log))
        keys.append(keys_of(log))
        thin.append(_thin(log))
    if not seen:
        raise DataError(f"{pieces.path}: a log needs at least one event, got none")
    if not thin:
        raise unfair(name, str(pieces.path), seen)
    log = _joined(thin)
    words = left_out(name, first, log.n) if first else ""
    sums = _drawn(drawn, log.n_actions)
    return Gathered(log, name, _added(weighted, log), sums, np.concatenate(keys), words)


def _check_policy(pieces: LogPieces, policy: Any) -> None:
    """Refuse policies that need contexts where pieces have none, or the whole log."""
    if isinstance(policy, str) and policy.startswith("progressive:"):
        raise SpecError(f"{policy!r} needs the whole log, not its pieces")
    is_plain = isinstance(policy, str) and (
        policy in ("uniform", "logged") or policy.startswith(("constant:", "column:"))
    )
    if not (is_plain or pieces.has_contexts):
        raise SpecError(
            f"{pieces.path}: a table in pieces is read without its features; the policy "
            f"must be uniform, logged, constant:ACTION or column:NAME"
        )


def _thin(log: Log) -> Log:
    return replace(
        log, X=np.zeros((log.n, 0)), first_row=None, available=None,
        probabilities=None, time=None, columns=None, raw=None, origin=None,
    )  # fmt: skip


def _joined(logs: list[Log]) -> Log:
    """Concatenate thin logs."""
    return replace(
        logs[0],
        X=np.zeros((sum(log.n for log in logs), 0)),
        action=np.concatenate([log.action for log in logs]),
        probability=np.concatenate([log.probability for log in logs]),
        reward=np.concatenate([log.reward for log in logs]),
        n_actions=max(log.n_actions for log in logs),
        notes=tuple(note for log in logs for note in log.notes),
    )


def _added(parts: list[Weighted], log: Log) -> Weighted:
    """Concatenate weights, and average shares over all events."""
    size = np.array([len(part.weight) for part in parts])
    mass = np.stack([_widened(part.mass, log.n_actions) for part in parts])
    squares = [part.squares for part in parts if part.squares is not None]
    fourths = [part.fourths for part in parts if part.fourths is not None]
    surpluses = [part.surplus for part in parts if part.surplus is not None]
    known = len(squares) == len(parts)
    return Weighted(
        weight=np.concatenate([part.weight for part in parts]),
        taken=np.concatenate([part.taken for part in parts]),
        mass=size @ mass / log.n,
        unseen=_unseen(parts, size, log),
        truth=None,
        favourites=np.concatenate([part.favourites for part in parts]),
        squares=np.concatenate(squares) if known else None,
        surplus=sum(surpluses[1:], surpluses[0]) if known else None,
        fourths=np.concatenate(fourths) if known else None,
    )


def _unseen(parts: list[Weighted], size: Any, log: Log) -> float:
    """The share of the policy's mass that is never tried.

    Without the logger's distributions, that is the mass of the actions that occur in no piece
    (a single piece may lack some actions by chance), and of others where an action was certain.
    """
    if all(part.expected_square is not None for part in parts):
        return float(size @ [part.unseen for part in parts]) / log.n
    never = np.bincount(log.action, minlength=log.n_actions) == 0
    unseen = []
    for part in parts:
        beside = np.zeros(0) if part.certain is None else part.certain
        shares = np.where(never, *(_widened(x, log.n_actions) for x in (part.mass, beside)))
        unseen.append(shares.sum())
    return float(size @ unseen) / log.n


def _widened(values: Doubles, K: int) -> Doubles:
    return np.concatenate((values, np.zeros(K - len(values))))


def _drawn(parts: list[Drawn | None], K: int) -> Drawn | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or len({part.wealth.shape[1] for part in known}) > 1:
        return None
    columns = zip(*(part.widened(K) for part in known), strict=True)
    return Drawn(*(np.sum(each, axis=0) for each in columns))
