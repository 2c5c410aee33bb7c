"""What a learner has learned of a log.

A learner must not be judged by events that it has learned from: it remembers their rewards. It
knows the ids of the latest decisions that it learned from, and the sessions whose ids it gave.
"""

import numpy as np

from bakeoff.core.types import Bools
from bakeoff.data import Log
from bakeoff.live.engine import NONE
from bakeoff.live.feedback import LEARNED
from bakeoff.live.learner import Learner


def events_learned(learner: Learner, log: Log) -> int:
    """How many events, from the beginning of a log, hold all that the learner learned of it.

    Events after these are fair to judge it by.
    """
    if learner.version == 0:
        return 0
    with learner.steps.lock:
        learner.steps.settle()
        warm = max((start.events_in(log) for start in learner.ledger.warm_starts), default=0)
        learned = NONE if log.origin is None else np.flatnonzero(_learned(learner, log))
    return max(warm, int(learned[-1]) + 1 if len(learned) else 0)


def _learned(learner: Learner, log: Log) -> Bools:
    """Whether the learner has learned from each event of a log, or may have."""
    assert log.origin is not None
    ledger, ids = learner.ledger, log.origin.ids
    waiting, ended = ledger.pending.waiting, ledger.pending.ended
    sessions = ledger.all_sessions()
    if sessions is None and not ended:  # a file of version 0.2 whose learner decided in batches
        same = log.origin.spec == str(learner.run)
        is_own = (log.origin.seeds == learner.seed) & (log.origin.rounds >= 1)
        return np.asarray(same & is_own & (log.origin.rounds <= learner.t))
    known = sessions or {}
    mask = np.zeros(log.n, np.bool_)
    for e, id in enumerate(ids):
        session, _, t = id.rpartition("-")
        in_time = session in known and t.isdecimal() and int(t) <= known[session]
        mask[e] = ended.get(id) == LEARNED or (in_time and id not in waiting and id not in ended)
    return mask
