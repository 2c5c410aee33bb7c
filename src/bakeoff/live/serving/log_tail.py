"""The tail of a decision log: which lines were written just before a stop."""

from pathlib import Path

from bakeoff.reading.logs import DECISION, OUTCOME, placed_records_of


def logged_since(log: Path, ids: set[str]) -> tuple[set[str], set[str]]:
    """Which of some ids have a decision in the log, and which have an outcome."""
    decided: set[str] = set()
    learned: set[str] = set()
    if not ids or not log.exists():
        return decided, learned
    for _, record in placed_records_of(log):
        if record.get("id") in ids:
            if record["kind"] == DECISION:
                decided.add(record["id"])
            elif record["kind"] == OUTCOME:
                learned.add(record["id"])
    return decided, learned
