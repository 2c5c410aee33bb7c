"""Learning: what came of decisions, late, once, or in batches."""

from numbers import Real
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles
from bakeoff.live.batch import Batch, costs_of
from bakeoff.live.contexts import plain_rows
from bakeoff.live.deciding import Deciding
from bakeoff.live.decision import Decision, check_probability
from bakeoff.live.feedback import Waiting
from bakeoff.live.log_writer import Lines


class Learning(Deciding):
    """A learner that learns; see `Learner`."""

    def learn(
        self,
        decision: Decision | str,
        loss: float | None = None,
        *,
        cost: float | None = None,
        reward: float | None = None,
    ) -> bool:
        """Learn what came of a decision, given by itself or by its id.

        Give a cost in [0, 1], a reward in [0, 1], or a loss: cost + offset, or the cost
        if the learner was made without an offset. Feedback may come late, in any order.
        A second outcome teaches nothing: the result says whether one was learned.
        """
        cost = self._cost(loss, cost, reward)
        steps = self._steps
        with steps.lock:
            if steps.under_way is not None:
                steps.settle()
            self._forget_overdue()
            id = _id_of(decision)
            waiting = self._pending.waiting.get(id)
            if waiting is None:
                self._check_learns()
                self._pending.refuse(id)
                return False
            if isinstance(decision, Decision):
                _check_same(decision, waiting)
            self._teach(id, waiting, cost, reward)
            return True

    def _cost(self, loss: Any, cost: Any, reward: Any) -> float:
        """The cost, checked, from whichever was given."""
        if loss is None and reward is None and type(cost) is float and 0 <= cost <= 1:
            return cost
        names = ("loss", "cost", "reward")
        given = [(n, v) for n, v in zip(names, (loss, cost, reward), strict=True) if v is not None]
        if len(given) != 1:
            raise DataError("learn takes one of loss, cost and reward")
        [(what, value)] = given
        if not isinstance(value, Real | np.bool_):
            raise DataError(f"{what} must be a number, got {value!r:.80}")
        low = self._least_loss if what == "loss" else 0.0
        try:
            number = float(value)
        except (OverflowError, ValueError, TypeError):
            raise DataError(f"{what} must be a number, got {value!r:.80}") from None
        if not low <= number <= low + 1:
            why = " (offset to offset + 1)" if what == "loss" else ""
            raise DataError(f"{what} must lie between {low:g} and {low + 1:g}{why}, got {number}")
        return 1.0 - number if what == "reward" else number - low

    def _check_learns(self) -> None:
        if not self._learns:
            raise DataError(
                "this learner was loaded to decide only: let the process that learns do so"
            )

    def activate(self, decision: Decision | str) -> None:
        """Say that a decision was shown after all."""
        id = _id_of(decision)
        with self._steps.lock:
            self._steps.settle()
            if id not in self._pending.waiting:
                raise DataError(f"no decision {id!r} waits for an outcome")
            self._pending.waiting[id].is_active = True

    def admit(self, decision: Decision) -> None:
        """Let a decision of another process wait here for its outcome.

        One process learns; others decide by its saved models (`reload`), and send it
        their decisions.
        """
        with self._steps.lock:
            self._steps.settle()
            self._check_learns()
            id = self._checked_id(decision.id)
            given, numbers = self._event(decision.context, decision.available, None)
            p, position = decision.probabilities, decision.action
            if numbers is not None:
                position = int(np.searchsorted(numbers, decision.action))
                p = p[numbers[numbers < len(p)]]
            K = given.first.item(1) if len(given.first) else self._actions.count
            if (
                len(p) != K
                or position >= K
                or p[position] != decision.probability
                or (numbers is not None and numbers[position] != decision.action)
            ):
                raise DataError(f"decision {decision.id!r} does not fit this learner")
            check_probability(p[position], f"the probability of decision {decision.id!r}")
            self._engine.make_room_for(given)
            now = self._clock()
            lines = None
            if self._log is not None:
                features = self._actions.features
                line = self._log.decision(decision, position, now, None, features, True)
                lines = Lines(line)
            waiting = Waiting(given, decision.t, position, p, decision.action, now)
            self._steps.do(self._let_wait, id, waiting, lines)

    def _let_wait(self, id: str, waiting: Waiting, lines: Lines | None) -> None:
        """The step of a decision that was made elsewhere."""
        if lines is not None and self._log is not None:
            self._log.put(lines)
        sums = self._monitor.sums(waiting.number)
        if id not in self._pending.waiting:
            self._pending.waiting[id] = waiting  # no call from here on
            sums.decisions += 1

    def watch(
        self,
        x: Any,
        action: int | str,
        probability: float,
        *,
        reward: float | None = None,
        cost: float | None = None,
        available: Any = None,
    ) -> tuple[int, float, Doubles]:
        """Learn from what another policy did, drawn with `probability`.

        Gives the number of the action, its cost, and the probabilities of all actions
        by this learner just before. See `Shadow`. Nothing is logged.
        """
        cost = self._cost(None, cost, reward)
        if not isinstance(probability, Real):
            raise DataError(f"probability must be a number, got {probability!r:.80}")
        check_probability(probability)
        with self._steps.lock:
            self._steps.settle()
            self._check_learns()
            self._check_own_actions()
            number = self._actions.number(action)
            given, numbers = self._event(x, available, None)
            p, _ = self._draw(given, numbers, self.t + 1)
            before = self._spread(p, numbers)
            position = number
            if numbers is not None:
                if number not in numbers:
                    raise DataError(f"action {action!r} was not available")
                position = int(np.searchsorted(numbers, number))
            others = (1.0 - float(probability)) / max(1, len(p) - 1)
            theirs = np.full(len(p), others)
            theirs[position] = probability
            waiting = Waiting(given, self.t + 1, position, theirs, number, 0.0)
            self._steps.do(self._imitate, waiting, cost, self.version + 1)
            return number, cost, before

    def _imitate(self, waiting: Waiting, cost: float, version: int) -> None:
        """The step of what another policy did."""
        if not waiting.is_prepared:
            self._engine.prepare(waiting.t, waiting.action, cost + self.run.offset)
            waiting.is_prepared = True
        self._engine.learn_prepared(waiting.given, waiting.p)
        self.t, self.version, self._monitor.version = waiting.t, version, version

    def choose_batch(self, X: Any) -> Batch:
        """Actions for many contexts at once: a matrix, a frame, or dictionaries.

        For learners whose actions have numbers or names, and are all available.
        """
        with self._steps.lock:
            self._steps.settle()
            mine, engine = self._actions, self._engine
            if mine.count == 0 or mine.features is not None or engine.room.apart:
                raise DataError(
                    "choose_batch needs actions without features of their own that "
                    "do not come and go: use choose"
                )
            X = plain_rows(X)
            if isinstance(X, list) and not X:
                raise DataError("a batch must have at least one context, got none")
            given = self._fit(self._encoder.batch(X))
            n = len(given.start) - 1
            actions, p = np.empty(n, np.int64), np.empty((n, mine.count))
            engine.choose_all(given, self.t + 1, actions, p.reshape(-1))
            batch = Batch(given, self.t + 1, actions, p, self._session)
            lines = self._lines_of_batch(X, batch)
            self._steps.do(self._decide_batch, batch, lines)
            return batch

    def _decide_batch(self, batch: Batch, lines: Lines | None) -> None:
        """The step of a batch of decisions."""
        if lines is not None and self._log is not None:
            self._log.put(lines)
        if self.t < batch.t:
            by_action, t = self._monitor.decided_all(batch.actions), batch.rounds[-1]
            last = t.item()
            self._monitor.by_action, self.t = by_action, last

    def learn_batch(
        self, batch: Batch, loss: Any = None, *, cost: Any = None, reward: Any = None
    ) -> int:
        """Learn what came of a batch, in order; how many outcomes were learned.

        Outcomes that are not a number teach nothing, and never will.
        """
        if sum(value is not None for value in (loss, cost, reward)) != 1:
            raise DataError("learn_batch takes one of loss, cost and reward")
        costs, what, low = costs_of(loss, cost, reward, self._least_loss)
        if costs.shape != (len(batch),):
            raise DataError(f"{what} must have {len(batch)} entries, got {costs.shape}")
        if ((costs < 0) | (costs > 1)).any():
            raise DataError(f"{what} must lie between {low:g} and {low + 1:g}")
        with self._steps.lock:
            self._steps.settle()
            self._check_learns()
            if batch.session != self._session:
                raise DataError("the batch is another learner's, or from before a load")
            if batch.is_learned:
                self._pending.repeat("the batch was learned before")
                return 0
            if not self._fits_batch(batch):
                raise DataError("the batch does not fit this learner's actions any more")
            return self._teach_batch(batch, costs)

    def _fits_batch(self, batch: Batch) -> bool:
        """Whether weights are there for a batch; laid out as they are by now."""
        room, (n, K) = self._engine.room, batch.probabilities.shape
        if room.apart:
            everyone = np.tile(np.arange(K), n)
            first = np.arange(n + 1) * K
            batch.given = batch.given._replace(first=first, actions=everyone)
        return not room.shared and (room.n_actions >= K if room.apart else room.n_actions == K)

    def _teach_batch(self, batch: Batch, costs: Doubles) -> int:
        there = ~np.isnan(costs)
        lines = None
        if self._log is not None and there.any():
            now, ids = self._clock(), batch.ids
            outcomes = (
                self._log.outcome(ids[i], costs.item(i), now)
                for i in np.flatnonzero(there).tolist()
            )
            lines = Lines(b"".join(outcomes))
        n = int(there.sum())
        losses = costs + self.run.offset
        self._steps.do(self._learn_batch, batch, costs, losses, lines, self.version + n)
        return n

    def _learn_batch(
        self, batch: Batch, costs: Doubles, losses: Doubles, lines: Lines | None, version: int
    ) -> None:
        """The step of the outcomes of a batch."""
        if lines is not None and self._log is not None:
            self._log.put(lines)
        p = batch.probabilities.reshape(-1)
        self._engine.learn_all(batch.given, batch.rounds, batch.actions, p, losses)
        there = ~np.isnan(costs)
        probability = batch.probability[there]
        self._monitor.learned_all(batch.actions[there], costs[there], probability, version)
        self.version, batch.is_learned = version, True

    def _lines_of_batch(self, X: Any, batch: Batch) -> Lines | None:
        """The decisions of a batch, one by one; they are written together."""
        if self._log is None:
            return None
        now, ids = self._clock(), batch.ids
        rows = X if isinstance(X, list) else [X[[i]] for i in range(len(batch))]
        found = []
        for i, (x, action) in enumerate(zip(rows, batch.actions.tolist(), strict=True)):
            p = batch.probabilities[i]
            decision = Decision(
                action, p, context=x, id=ids[i], name=self._actions.name(action),
                seed=self.run.seed, version=self.version, t=batch.t + i,
            )  # fmt: skip
            found.append(self._log.decision(decision, action, now, None, None))
        return Lines(b"".join(found))


def _id_of(decision: Any) -> str:
    """The id of a decision, which may be given by itself."""
    id = decision.id if isinstance(decision, Decision) else decision
    if not isinstance(id, str):
        raise DataError(f"learn takes a decision or its id, got {decision!r:.80}")
    return id


def _check_same(decision: Decision, waiting: Waiting) -> None:
    """Refuse a decision that is not as it was made."""
    action, probability = waiting.number, waiting.p.item(waiting.action)
    if decision.action != action or decision.probability != probability:
        raise DataError(
            f"decision {decision.id!r} was action {action} with probability "
            f"{probability}, not action {decision.action} with probability "
            f"{decision.probability}"
        )
