"""Packing: a decision and what the service must know about it, as the state keeps them."""

import json
import zlib
from typing import Any, NamedTuple

from bakeoff.basics.errors import DataError
from bakeoff.live import Decision
from bakeoff.live.stages import Weights


class Part(NamedTuple):
    """The part of a decision in a rollout."""

    rollout: str
    weights: Weights | None


class Noted(NamedTuple):
    """A decision with the names of its actions."""

    decision: Decision
    names: list[str]  # of the request, in its order
    ids: list[str]  # those to which probabilities belong, in the order of the learner
    part: Part | None = None


def packed(noted: Noted) -> bytes:
    """A decision as bytes."""
    decision, names, ids, part = noted
    record: dict[str, Any] = {"names": names, "ids": ids, "decision": decision.to_json()}
    if part is not None and part.weights is not None:
        record["part"] = [part.rollout, *part.weights]
    return zlib.compress(json.dumps(record).encode(), 1)


def unpacked(body: bytes) -> Noted:
    """What `packed` wrote."""
    try:
        record = json.loads(zlib.decompress(body))
    except (zlib.error, ValueError):
        raise DataError("what the state holds of this decision is damaged") from None
    part = None
    if "part" in record:
        rollout, *weights = record["part"]
        part = Part(rollout, Weights(*weights))
    return Noted(Decision.from_json(record["decision"]), record["names"], record["ids"], part)
