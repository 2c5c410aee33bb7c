"""Learner: one algorithm in an application, one event at a time.

The same kernels as a simulation, with one lane: fed the events of a simulated run, it
takes the same actions to the last bit. Many threads may use one learner: each call is
one step, and what happens depends only on the order of the steps.
"""

from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError, DataError
from bakeoff.live import snapshot
from bakeoff.live.deciding import check_floor
from bakeoff.live.feedback import GIVEN_UP
from bakeoff.live.learning import Learning
from bakeoff.live.model_file import Arrays, read_model, write_model
from bakeoff.live.monitor import Monitor
from bakeoff.live.settings import run_of
from bakeoff.logs.writer import LogWriter
from bakeoff.problems.problem import Problem
from bakeoff.runs.run import Run


class Learner(Learning):
    """A contextual bandit to run: `choose` an action, `learn` what came of it.

    `explorer` is a spec, a `Run` or its text. Actions have numbers (`n_actions`), names
    (`actions=["sport", "news"]`) or names and features (`actions={"sport": {...}}`);
    with neither, every event brings rows of features of its own actions. `reduction`,
    `learning_rate`, `offset` and `baseline` are those of `Run`. A seed is drawn unless
    one is given. `floor` is the least probability of any action.
    """

    @classmethod
    def for_problem(
        cls, problem: Problem, explorer: Any = None, **settings: Any
    ) -> "Learner":
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
        return cls(
            explorer, problem.n_actions, columns=columns, n_features=width, **settings
        )

    def monitor(self) -> dict[str, Any]:
        """Counts, rewards by action, and whether the cost drifts (see monitor.py)."""
        with self._lock:
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
        with self._lock:
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
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, BakeoffError) and not isinstance(error, DataError):
                raise
            raise DataError(
                f"{path} is damaged or not a learner: {error!s:.100}; "
                f"load an earlier copy"
            ) from None
        if warm_up:
            learner.warm_up()
        return learner

    def _restore(
        self, header: dict[str, Any], arrays: Arrays, seed: int | None
    ) -> None:
        self.run = run_of(Run.from_text(header["run"]), seed, {})
        self._least_loss = float(header["least_loss"])
        self.t, self.version = int(header["t"]), int(header["version"])
        self._engine = snapshot.restored_engine(header["engine"], arrays, self.run)
        snapshot.check_count(header["actions"], self._engine.room)
        self._actions = snapshot.restored_actions(header["actions"])
        check_floor(self._engine.floor, self._actions.count)
        self._encoder = snapshot.restored_encoder(header["encoder"], self._actions)
        room = self._engine.room
        self._pending = snapshot.restored_pending(header["pending"], arrays, room)
        self._monitor = Monitor.restored(header["monitor"])

    def reload(self, path: str | Path) -> bool:
        """Decide by a newer model in a file from now on; whether there was one.

        The seed stays this learner's own. So do decisions that wait, unless the newer
        model has other actions: then they are given up. While one thread reloads,
        others go on with the older model.
        """
        if not self._reloading.acquire(blocking=False):
            return False
        try:
            return self._reload(Path(path))
        finally:
            self._reloading.release()

    def _reload(self, path: Path) -> bool:
        try:
            status = path.stat()
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror}") from None
        stamp = (status.st_mtime_ns, status.st_ino, status.st_size)
        if stamp == self._stamp:
            return False
        newer = Learner.load(path, seed=self.run.seed, warm_up=False)
        with self._lock:
            if self._layout() != newer._layout():
                for id in list(self._pending.waiting):
                    self._pending.end(id, GIVEN_UP)
                    self._pending.given_up += 1
            self._actions, self._encoder = newer._actions, newer._encoder
            self._engine, self.version = newer._engine, newer.version
            self.t = max(self.t, newer.t)
            self._stamp, self._fits = stamp, False
        return True

    def _layout(self) -> tuple[int, bool, bool]:
        """What waiting decisions must fit."""
        room = self._engine.room
        return self._actions.count, room.apart, room.shared
