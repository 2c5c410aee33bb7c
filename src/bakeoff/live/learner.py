"""Learner: one algorithm in an application, one event at a time.

The same kernels as a simulation, with one lane: fed the events of a simulated run, it
takes the same actions to the last bit. Many threads may use one learner: each call is
one step, and what happens depends only on the order of the steps.
"""

from pathlib import Path
from typing import Any

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.data import Problem
from bakeoff.live import snapshot
from bakeoff.live.deciding import check_floor
from bakeoff.live.decision import Decision
from bakeoff.live.feedback import GIVEN_UP
from bakeoff.live.learning import Learning
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.model_file import Arrays, read_model, write_model
from bakeoff.live.monitor import Monitor
from bakeoff.live.settings import run_of
from bakeoff.reading.files import check_name
from bakeoff.runs import Run

__all__ = ["Decision", "Learner"]


class Learner(Learning):
    """A contextual bandit to run: `choose` an action, `learn` what came of it.

    `explorer` is a spec, a `Run` or its text. Actions have numbers (`n_actions`), names
    (`actions=["sport", "news"]`) or names and features (`actions={"sport": {...}}`);
    with neither, every event brings rows of features of its own actions. `reduction`,
    `learning_rate`, `offset` and `baseline` are those of `Run`. A seed is drawn unless
    one is given. `floor` is the least probability of any action.
    """

    @classmethod
    def for_problem(cls, problem: Problem, explorer: Any = None, **settings: Any) -> "Learner":
        """A learner for events like those of a problem: its features, its actions.

        What was read from a table understands later rows of the same columns, such as
        `{"age": 41, "color": "red"}`.
        """
        if problem.shares_weights:
            return cls(explorer, n_features=problem.n_features, **settings)
        names = problem.class_names
        if names is not None and len(set(names)) == len(names):
            settings = {"actions": list(names), **settings}
        columns = problem.features if problem.features.columns else None
        width = None if columns else problem.n_features
        return cls(explorer, problem.n_actions, columns=columns, n_features=width, **settings)

    def monitor(self) -> dict[str, Any]:
        """Counts, rewards by action, and whether the cost drifts (see monitor.py)."""
        with self._steps.lock:
            self._steps.settle()
            pending, names = self._pending, self._encoder.names
            return {
                "run": str(self.run),
                "learning_rate": self.learning_rate,
                "decisions": self.t,
                "outcomes": self.version,
                "pending": len(pending.waiting),
                "repeated": pending.repeated,
                "given_up": pending.given_up,
                "defaulted": pending.defaulted,
                "collisions": 0 if names is None else names.collisions,
                "drift": self._monitor.drift(),
                "actions": self._monitor.actions(self._actions),
            }

    def save(self, path: str | Path) -> None:
        """Write all that this learner is to a file; it appears at once, or not at all.

        Decisions that wait for an outcome are part of it.
        """
        with self._steps.lock:
            self._steps.settle()
            self._check_learns()
            header, arrays = self._snapshot()
        write_model(Path(path), header, arrays)

    def _snapshot(self) -> tuple[dict[str, Any], Arrays]:
        header = {
            "run": str(self.run),
            "least_loss": self._least_loss,
            "t": self.t,
            "version": self.version,
            "actions": snapshot.actions_header(self._actions),
            "encoder": snapshot.encoder_header(self._encoder),
            "engine": snapshot.engine_header(self._engine),
            "pending": snapshot.feedback_header(self._pending),
            "monitor": self._monitor.state(),
        }
        arrays = snapshot.engine_arrays(self._engine)
        return header, arrays | snapshot.pending_arrays(self._pending)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        seed: int | None = None,
        log: str | Path | LogWriter | None = None,
        learns: bool = True,
        warm_up: bool = True,
    ) -> "Learner":
        """The learner in a file: it goes on as if it had never stopped, bit for bit.

        Copies that should explore differently each get a `seed`. With `learns=False` a
        copy decides only: its decisions wait for their outcomes in another process.
        """
        header, arrays = read_model(Path(path))
        try:
            learner = cls.__new__(cls)
            learner._restore(header, arrays, seed)
            learner._start_session(log)
            if not learns:
                learner._learns = False
                learner._pending.waiting.clear()
        except _DAMAGE as error:
            if isinstance(error, BakeoffError) and not isinstance(error, DataError):
                raise
            raise DataError(
                f"{path} is damaged or not a learner: {error!s:.100}; load an earlier copy"
            ) from None
        if warm_up:
            learner.warm_up()
        return learner

    def _restore(self, header: dict[str, Any], arrays: Arrays, seed: int | None) -> None:
        self.run = run_of(Run.from_text(header["run"]), seed, {})
        self._least_loss = float(header["least_loss"])
        self.t, self.version = (snapshot.count_of(header[k]) for k in ("t", "version"))
        self._engine = snapshot.restored_engine(header["engine"], arrays, self.run)
        snapshot.check_count(header["actions"], self._engine.room)
        self._actions = snapshot.restored_actions(header["actions"])
        check_floor(self._engine.floor, self._actions.count)
        self._encoder = snapshot.restored_encoder(header["encoder"], self._actions)
        self._pending = snapshot.restored_pending(
            header["pending"], arrays, self._engine.room, self._actions.count
        )
        self._monitor = Monitor.restored(header["monitor"], self.version)

    def reload(self, path: str | Path) -> bool:
        """Decide by a newer model in a file from now on; whether there was one.

        Everything is the newer model's but the seed. Decisions that wait go on waiting
        if it has the same actions and features; if not, they are given up. While one
        thread reloads, others go on with the older model.
        """
        taken: list[bool] = []
        try:
            taken.extend(map(self._reloading.acquire, (False,)))
            return taken[0] and self._reload(Path(path))
        finally:
            if taken and taken[0]:
                self._reloading.release()

    def _reload(self, path: Path) -> bool:
        check_name(path)
        try:
            status = path.stat()
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror}") from None
        stamp = (status.st_mtime_ns, status.st_ino, status.st_size)
        if stamp == self._stamp:
            return False
        newer = Learner.load(path, seed=self.run.seed, warm_up=False)
        with self._steps.lock:
            self._steps.settle()
            waiting = self._pending.waiting
            if self._goes_on_in(newer):
                newer._monitor = self._monitor
                for one in waiting.values():
                    newer._engine.make_room_for(one.given)
            else:
                newer._monitor = Monitor()
                for id in list(waiting):
                    self._pending.end(id, GIVEN_UP)
            newer._monitor.version = newer.version
            if self._log is not None:
                self._log.restart()
            t = max(self.t, newer.t)
            self.run, self._least_loss = newer.run, newer._least_loss
            self._actions, self._encoder = newer._actions, newer._encoder
            self._engine, self._monitor = newer._engine, newer._monitor
            self._pending.feedback = newer._pending.feedback
            self.t, self.version = t, newer.version
            self._stamp, self._fits, self._is_plain = stamp, False, False
        return True

    def _goes_on_in(self, newer: "Learner") -> bool:
        """Whether decisions that wait mean the same to a newer model."""
        mine, theirs = self._engine.room, newer._engine.room
        n = self._actions.count
        same_layout = (mine.apart, mine.shared) == (theirs.apart, theirs.shared)
        same_actions = n == newer._actions.count or (mine.apart and n < newer._actions.count)
        names, more = self._actions.names or [], newer._actions.names or []
        return (
            same_layout
            and same_actions
            and names == more[:n]
            and self._encoder.goes_on_in(newer._encoder)
        )


_DAMAGE = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What a file that is not as we write them leads to."""
