"""State: what waits, in a SQLite file that all processes of a service share.

    decide    a row of `pending`
    reward    is noted in that row, which goes to the `queue` once it is active
    learn     takes rows from the queue, and moves them to `outcomes`, in order
    give up   moves rows that wait too long to `given_up`

What a call has committed survives the death of any process. The learning process gives
each outcome the version that the model has after it, so that after a crash it learns
those again that are newer than the saved model. Decisions that were given up stay until
then, too, because the log must have them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.basics.errors import ResultsError

ACCEPTED, REPEATED, UNKNOWN = "accepted", "repeated", "unknown"
_REMEMBERED = 1_000_000  # decisions that have ended
_TABLES = """
CREATE TABLE IF NOT EXISTS pending (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, time REAL NOT NULL,
    active INTEGER NOT NULL, reward REAL, body BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS queue (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS outcomes (
    version INTEGER PRIMARY KEY, id TEXT NOT NULL, decided REAL NOT NULL, time REAL NOT NULL,
    reward REAL NOT NULL, is_default INTEGER NOT NULL, body BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS given_up (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, decided REAL NOT NULL,
    time REAL NOT NULL, body BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS ended (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, how TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value REAL NOT NULL);
"""


class Outcome(NamedTuple):
    """A decision that has ended; its reward is None if it teaches nothing."""

    version: int  # of the model after it; 0 if it teaches nothing
    id: str
    decided: float
    time: float
    reward: float | None
    is_default: bool
    body: bytes


class State:
    """One connection to the state; each thread has its own."""

    def __init__(self, path: Path, *, sync: bool = False) -> None:
        self.path = path
        with self._errors():
            self._db = sqlite3.connect(path, timeout=10.0, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute(f"PRAGMA synchronous = {'FULL' if sync else 'NORMAL'}")
            self._db.executescript(_TABLES)

    def check(self) -> None:
        """Refuse a damaged file."""
        [(found,)] = self._rows("PRAGMA quick_check(1)")
        if found != "ok":
            reason = " ".join(str(found).split())
            raise ResultsError(f"{self.path} is damaged ({reason}): move it away to begin anew")

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise ResultsError(f"{self.path} cannot be used: {error}") from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all of what follows, or nothing."""
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk has ended it already
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._errors():
            return self._db.execute(query, values).fetchall()

    def _change(self, query: str, *values: Any) -> int:
        with self._errors():
            return self._db.execute(query, values).rowcount

    # Deciding

    def known(self, id: str) -> bytes | str | None:
        """The body of a decision that waits, how it ended, or None if it is unknown."""
        for (body,) in self._rows("SELECT body FROM pending WHERE id = ?", id):
            return bytes(body)
        for (how,) in self._rows("SELECT how FROM ended WHERE id = ?", id):
            return str(how)
        return None

    def add(self, id: str, time: float, active: bool, body: bytes) -> bool:
        """Let a decision wait; returns whether its id is new."""
        return bool(
            self._change(
                "INSERT INTO pending (id, time, active, body) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING", id, time, active, body,
            )
        )  # fmt: skip

    # Rewards

    def reward(self, id: str, reward: float) -> str:
        """Note a reward; the caller has begun a transaction."""
        for active, earlier in self._rows("SELECT active, reward FROM pending WHERE id = ?", id):
            if earlier is not None:
                return REPEATED
            self._change("UPDATE pending SET reward = ? WHERE id = ?", reward, id)
            if active:
                self._change("INSERT INTO queue (id) VALUES (?)", id)
            return ACCEPTED
        return REPEATED if self._rows("SELECT 1 FROM ended WHERE id = ?", id) else UNKNOWN

    def activate(self, id: str) -> str:
        """Mark a decision as shown; the caller has begun a transaction."""
        for active, reward in self._rows("SELECT active, reward FROM pending WHERE id = ?", id):
            if active:
                return REPEATED
            self._change("UPDATE pending SET active = 1 WHERE id = ?", id)
            if reward is not None:
                self._change("INSERT INTO queue (id) VALUES (?)", id)
            return ACCEPTED
        return REPEATED if self._rows("SELECT 1 FROM ended WHERE id = ?", id) else UNKNOWN

    # Learning

    def take(self, version: int, now: float, most: int) -> list[Outcome]:
        """Move rewarded decisions to the outcomes, which begin after `version`."""
        with self.transaction():
            rows = self._rows(
                "SELECT queue.n, pending.id, time, reward, body FROM queue "
                "JOIN pending ON pending.id = queue.id ORDER BY queue.n LIMIT ?", most,
            )  # fmt: skip
            taken = []
            for n, id, decided, reward, body in rows:
                version += 1
                taken.append(Outcome(version, id, decided, now, reward, False, bytes(body)))
                self._end(taken[-1], "learned")
                self._change("DELETE FROM queue WHERE n = ?", n)
            return taken

    def take_overdue(
        self, version: int, now: float, before: float | None, limit: int,
        default: float | None, most: int,
    ) -> list[Outcome]:  # fmt: skip
        """Move decisions that wait since `before`, or are too many, to the outcomes."""
        oldest = self._rows("SELECT time FROM pending ORDER BY n LIMIT 1")
        is_late = bool(oldest) and before is not None and oldest[0][0] < before
        if not is_late and self.count("pending") <= limit:
            return []
        with self.transaction():
            excess = max(0, self.count("pending") - limit)
            rows = self._rows(
                "SELECT id, time, active, body FROM pending WHERE reward IS NULL OR active = 0 "
                "ORDER BY n LIMIT ?", most,
            )  # fmt: skip
            taken = []
            for i, (id, decided, active, body) in enumerate(rows):
                if i >= excess and (before is None or decided >= before):
                    break
                reward = default if active else None
                teaches = reward is not None
                version += teaches
                outcome = Outcome(
                    version if teaches else 0, id, decided, now, reward, teaches, bytes(body)
                )
                taken.append(outcome)
                self._end(outcome, "learned" if teaches else "given up")
            return taken

    def _end(self, outcome: Outcome, how: str) -> None:
        if outcome.reward is not None:
            self._change("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)", *outcome)
        else:
            self._change(
                "INSERT INTO given_up (id, decided, time, body) VALUES (?, ?, ?, ?)",
                outcome.id, outcome.decided, outcome.time, outcome.body,
            )  # fmt: skip
        self._change("DELETE FROM pending WHERE id = ?", outcome.id)
        self._change("INSERT OR IGNORE INTO ended (id, how) VALUES (?, ?)", outcome.id, how)

    def outcomes_after(self, version: int) -> Iterator[Outcome]:
        """Outcomes that a model of this version has not learned, in order."""
        query = "SELECT * FROM outcomes WHERE version > ? ORDER BY version LIMIT 1000"
        while rows := self._rows(query, version):
            for row in rows:
                yield Outcome._make([*row[:5], bool(row[5]), bytes(row[6])])
            version = rows[-1][0]

    def given_up(self) -> list[Outcome]:
        """Decisions that were given up, which the log may lack."""
        rows = self._rows("SELECT id, decided, time, body FROM given_up ORDER BY n")
        return [
            Outcome(0, id, decided, time, None, False, bytes(body))
            for id, decided, time, body in rows
        ]

    def forget_outcomes(self, version: int) -> None:
        """Forget outcomes that a saved model of this version has learned, and what was logged."""
        self._change("DELETE FROM outcomes WHERE version <= ?", version)
        self._change("DELETE FROM given_up")
        self._change("DELETE FROM ended WHERE n <= (SELECT max(n) FROM ended) - ?", _REMEMBERED)

    # Numbers

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return int(self._rows(f"SELECT count(*) FROM {table}")[0][0])

    def decisions(self) -> int:
        """How many decisions there have been."""
        rows = self._rows("SELECT seq FROM sqlite_sequence WHERE name = 'pending'")
        return int(rows[0][0]) if rows else 0

    def set_fact(self, name: str, value: str) -> None:
        """Tell the other processes something."""
        self._change(
            "INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            name, value,
        )  # fmt: skip

    def forget_fact(self, name: str) -> None:
        """Take back what was told."""
        self._change("DELETE FROM facts WHERE name = ?", name)

    def fact(self, name: str) -> str | None:
        """What a process told the others last."""
        rows = self._rows("SELECT value FROM facts WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def add_counts(self, counts: dict[str, float]) -> None:
        """Add to the counters of all processes."""
        with self.transaction():
            for name, value in counts.items():
                self._change(
                    "INSERT INTO counters VALUES (?, ?) "
                    "ON CONFLICT DO UPDATE SET value = value + excluded.value", name, value,
                )  # fmt: skip

    def counters(self) -> dict[str, float]:
        """The counters of all processes."""
        return dict(self._rows("SELECT name, value FROM counters ORDER BY name"))
