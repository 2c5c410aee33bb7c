"""A witness: what calls have acknowledged, which a log must then hold."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bakeoff import DataError, Decision, Learner, evaluate, read_log
from bakeoff.live.verify import verify
from bakeoff.reading.logs.schema import DECISION, OUTCOME
from benchmarks.hostile.commands import BadError


class Witness:
    """Decisions and outcomes that were acknowledged by a call that returned."""

    def __init__(self) -> None:
        self.decisions: dict[str, int] = {}  # actions by id
        self.outcomes: dict[str, float] = {}  # rewards by id

    def decided(self, *decisions: Decision) -> None:
        """Note decisions; no two may have the same id."""
        for one in decisions:
            self.note(one.id, one.action)

    def note(self, id: str, action: int) -> None:
        """Note a decision by its id."""
        if id in self.decisions:
            raise BadError("silent", f"two decisions have the id {id!r}")
        self.decisions[id] = action

    def check(self, records: list[dict[str, Any]]) -> None:
        """Compare with the lines of logs."""
        decided = [line for line in records if line["kind"] == DECISION]
        learned = [line for line in records if line["kind"] == OUTCOME]
        _once("decision", [line["id"] for line in decided])
        _once("outcome", [line["id"] for line in learned])
        actions = {line["id"]: line["action"] for line in decided}
        rewards = {line["id"]: line["reward"] for line in learned}
        for what, known, found in (
            ("decisions", self.decisions, actions),
            ("outcomes", self.outcomes, rewards),
        ):
            lost = [id for id in known if id not in found]
            if lost:
                raise BadError("lost", f"{len(lost)} of {len(known)} {what}: {lost[:3]}")
            other = [id for id in known if known[id] != found[id]]
            if other:
                raise BadError("silent", f"{what} differ: {other[:3]}")


def _once(what: str, ids: list[str]) -> None:
    twice = [id for id, count in Counter(ids).items() if count > 1]
    if twice:
        raise BadError("silent", f"{what}s that are logged twice: {twice[:3]}")


def records_in(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """All lines of some logs, each of which must be whole."""
    found = []
    for path in sorted(paths):
        for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("it has no end")
                found.append(json.loads(line))
            except ValueError as error:
                raise BadError("silent", f"{path}:{number}: torn: {error}") from None
    return found


def check_uses(path: Path, model: Path | None = None) -> None:
    """A log is what its learner did, and can be evaluated.

    `model` is the learner before its first decision, if it had learned by then.
    """
    verdict = verify(path, model)
    replay = verdict.replay
    if not verdict.is_fine or replay is None or verdict.why_not:
        raise BadError("silent", f"verify: {replay}, {verdict.why_not}")
    try:
        evaluate(read_log(path), "uniform", estimators=["ips"])
    except DataError as error:
        if "one action only" not in str(error):  # all others may have been retired
            raise


def check_saving(learner: Learner, path: Path) -> None:
    """A learner is saved and loaded with everything that waits."""
    learner.save(path)
    again = Learner.load(path)
    if (again.t, again.version, again.pending) != (learner.t, learner.version, learner.pending):
        raise BadError("silent", "a saved learner is another one")
