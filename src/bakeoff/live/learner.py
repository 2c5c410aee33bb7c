"""Learner: one algorithm in an application, one event at a time.

It runs the kernels of a simulation with one lane: given the events of a simulated run,
it takes the same actions to the last bit. Many threads may use one learner: each call
is one step, and the result depends only on the order of the steps.

A learner has two parts: `model` is what it decides by, and `ledger` is what it has done
so far. The `steps` of the ledger make each call happen completely or not at all.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles
from bakeoff.data import Features, Log, Problem
from bakeoff.live import learner_page, snapshot
from bakeoff.live.actions import Actions, Prior
from bakeoff.live.batch import Batch
from bakeoff.live.contexts import plain, plain_rows
from bakeoff.live.costs import checked_default, checked_range, cost_of, costs_of
from bakeoff.live.decision import Decision, check_probability, id_of
from bakeoff.live.decision_log import DecisionLog
from bakeoff.live.described import of_events, of_files
from bakeoff.live.encoder import Space
from bakeoff.live.explain import explain
from bakeoff.live.feedback import GIVEN_UP, Feedback, Pending, Waiting
from bakeoff.live.ledger import Ledger
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.model import Model
from bakeoff.live.model_file import write_model
from bakeoff.live.monitor import Monitor
from bakeoff.live.reloader import Reloader
from bakeoff.live.warm_start import WarmStart, repeats, taught
from bakeoff.live.why import Why
from bakeoff.reading.logs import blaming, read_log
from bakeoff.runs import Run

__all__ = ["Decision", "Learner"]

NO_LOSSES = np.zeros(0)


class Learner:
    """A contextual bandit to run: `choose` an action, `learn` what came of it.

    `explorer` is a spec, a `Run` or its text. Actions have numbers (`n_actions`), names
    (`actions=["sport", "news"]`) or names and features (`actions={"sport": {...}}`);
    with neither, every event brings rows of features of its own actions. `reduction`,
    `learning_rate`, `offset`, `baseline` and `inputs` are those of `Run`. A seed is
    drawn unless one is given. `floor` is the least probability of any action.
    `reward_range` is where rewards lie.

    Parameters
    ----------
    explorer
        A spec, a `Run` or its text, or a rule or an explorer of your own; RegCB-opt on
        centred inputs if not given.
    n_actions
        How many actions there are, if they have no names.
    actions
        The names of the actions, or names and features.
    seed
        The seed of all draws; one is drawn if not given.
    n_features
        The length of contexts that are arrays.
    bits
        Named features are hashed into 2^bits places; None gives each its own.
    interactions
        Whether features of contexts and actions are multiplied.
    floor
        The least probability of any action.
    feedback
        How long decisions wait for their outcomes.
    log
        The path of a decision log, or a `LogWriter`.
    columns
        The features of a problem, whose rows come later.
    reward_range
        Where rewards lie.
    warm_up
        Whether to compile the kernels now.
    **settings
        Settings of `Run`, such as `learning_rate`.

    Raises
    ------
    SpecError
        If a setting is not valid.
    ResultsError
        If the log cannot be written.

    Examples
    --------
    >>> learner = bakeoff.Learner("greedy", actions=["sport", "news"], seed=1)
    >>> decision = learner.choose({"age": 31})
    >>> learner.learn(decision.id, reward=1.0)
    True
    """

    def __init__(
        self,
        explorer: Any = None,
        n_actions: int | None = None,
        *,
        actions: Any = None,
        seed: int | None = None,
        n_features: int | None = None,
        bits: int | None = 18,
        interactions: bool = True,
        floor: float = 0.0,
        feedback: Feedback | None = None,
        log: str | Path | LogWriter | None = None,
        columns: Features | None = None,
        reward_range: tuple[float, float] = (0.0, 1.0),
        warm_up: bool = True,
        **settings: Any,
    ) -> None:
        rewards = checked_range(reward_range)
        feedback = feedback or Feedback()
        checked_default(feedback.default_reward, rewards)
        model = Model.from_settings(
            explorer,
            Actions(n_actions, actions),
            Space(n_features, bits, interactions),
            seed=seed,
            floor=floor,
            columns=columns,
            rewards=rewards,
            settings=settings,
        )
        self._start(model, Ledger(Pending(feedback), Monitor()), log)
        if warm_up:
            self.warm_up()

    def _start(self, model: Model, ledger: Ledger, log: str | Path | LogWriter | None) -> None:
        self.model, self.ledger = model, ledger
        self._reloader = Reloader()
        if log is not None:
            ledger.log = DecisionLog(log, lambda: snapshot.log_header(self.model, ledger))
        self.steps = ledger.steps
        self.steps.call_after_fork(self._after_fork)

    def _after_fork(self) -> None:
        """Use ids, draws and a lock of our own in a child process, and no log."""
        self._reloader = Reloader()
        self.model.reseed()
        self.ledger.after_fork()

    @classmethod
    def for_problem(cls, problem: Problem, explorer: Any = None, **settings: Any) -> "Learner":
        """A learner for events like those of a problem: its features, its actions.

        If the problem was read from a table, the learner takes later rows of the same
        columns, such as `{"age": 41, "color": "red"}`.

        Parameters
        ----------
        problem
            The problem.
        explorer
            As for `Learner`.
        **settings
            As for `Learner`.

        Returns
        -------
        Learner
            The learner.

        Raises
        ------
        SpecError
            If a setting is not valid.
        """
        if problem.shares_weights:
            return cls(explorer, n_features=problem.n_features, **settings)
        names = problem.class_names
        if names is not None and len(set(names)) == len(names):
            settings = {"actions": list(names), **settings}
        columns = problem.features if problem.features.columns else None
        width = None if columns else problem.n_features
        return cls(explorer, problem.n_actions, columns=columns, n_features=width, **settings)

    def __repr__(self) -> str:
        return (
            f"Learner({self.run}, n_actions={self.n_actions}, t={self.t}, version={self.version})"
        )

    def _repr_html_(self) -> str:
        """The monitor page, for notebooks."""
        return learner_page.part(self.monitor())

    @property
    def run(self) -> Run:
        """The algorithm and its settings."""
        return self.model.run

    @property
    def t(self) -> int:
        """The number of rounds so far."""
        return self.ledger.t

    @property
    def version(self) -> int:
        """The number of outcomes learned so far."""
        return self.ledger.version

    @property
    def n_actions(self) -> int | None:
        """The number of actions; None if each event brings its own."""
        return self.model.actions.count or None

    @property
    def actions(self) -> list[str] | None:
        """Names of the actions, if they have names."""
        names = self.model.actions.names
        return None if names is None else list(names)

    @property
    def n_features(self) -> int | None:
        """Length of contexts that are arrays, once it is known."""
        return self.model.encoder.n_features

    @property
    def seed(self) -> int:
        """The seed of all draws."""
        return self.run.seed

    @property
    def reward_range(self) -> tuple[float, float]:
        """Where rewards lie."""
        low, high = self.model.rewards
        return low, high

    @property
    def learning_rate(self) -> float:
        """The learning rate it decides by; with "auto", the best so far."""
        return self.model.learning_rate

    @property
    def pending(self) -> list[str]:
        """Ids of the decisions that wait for an outcome, oldest first."""
        with self.steps.lock:
            self.steps.settle()
            return list(self.ledger.pending.waiting)

    def warm_up(self) -> None:
        """Compile the kernels: 10 to 30 seconds, once per machine."""
        self.model.engine.warm_up()

    # Deciding

    @of_events
    def choose(
        self,
        x: Any,
        *,
        available: Any = None,
        actions: Sequence[Any] | None = None,
        id: str | None = None,
        active: bool = True,
    ) -> Decision:
        """An action for context `x`, drawn with the probability it reports.

        `available` are the names or numbers of the available actions, or a mask of
        flags; `actions` are the features of the event's own actions. `id` names the
        decision; by default an id is made up. With `active=False` the decision counts
        as not shown until `activate` is called.

        Parameters
        ----------
        active
            Whether the decision is shown at once.

        Returns
        -------
        Decision
            A `Decision`.

        Raises
        ------
        DataError
            If the context or the actions do not fit.
        """
        steps = self.steps
        with steps.lock:
            if steps.under_way is not None:
                steps.settle()
            model, ledger = self.model, self.ledger
            t = ledger.t + 1
            id = f"{ledger.session}-{t}" if id is None else ledger.pending.new_id(id)
            if type(x) is not np.ndarray and type(x) is not dict:
                x = plain(x)
            event, numbers = model.event(x, available, actions)
            event, p, position = model.draw(event, t)
            decision = model.decision(x, event, numbers, p, position, id, t, ledger.version)
            decision._explain = self._explain
            if actions is not None:
                decision.actions = list(actions)
            waiting = Waiting(event, t, position, p, decision.action, ledger.clock())
            waiting.is_active = active
            ledger.decide(model, decision, waiting, actions)
            ledger.forget_overdue(model)
            return decision

    def _explain(self, decision: Decision) -> Why:
        with self.steps.lock:
            self.steps.settle()
            if (decision.version, decision.seed) != (self.version, self.seed):
                raise DataError(
                    f"decision {decision.id!r} was made by version {decision.version} of the "
                    f"learner, which is at version {self.version}: ask why before it learns"
                )
            return explain(self.model, decision)

    @of_events
    def probabilities(
        self, x: Any, *, available: Any = None, actions: Sequence[Any] | None = None
    ) -> Doubles:
        """How likely each action would be now; nothing changes.

        A learner whose actions have features takes other `actions`, too, as in its log.

        Returns
        -------
        Doubles
            A probability for each action.

        Raises
        ------
        DataError
            If the context or the actions do not fit.
        """
        with self.steps.lock:
            self.steps.settle()
            event, numbers = self.model.event_to_judge(x, available, actions)
            _, p, _ = self.model.draw(event, self.ledger.t + 1)
            if self.model.engine.inputs is not None:
                self.model.engine.inputs.forget()
            return self.model.spread(p, numbers)

    @of_events
    def choose_batch(self, X: Any) -> Batch:
        """Actions for many contexts at once: a matrix, a frame, or dictionaries.

        For learners whose actions have numbers or names, and are all available.

        Returns
        -------
        Batch
            A batch, for `learn_batch`.

        Raises
        ------
        DataError
            If the contexts do not fit.
        """
        with self.steps.lock:
            self.steps.settle()
            model, ledger = self.model, self.ledger
            X = plain_rows(X)
            event, actions, p = model.draw_batch(model.batch_event(X), ledger.t + 1)
            batch = Batch(event, ledger.t + 1, actions, p, ledger.session)
            ledger.decide_batch(model, batch, X)
            return batch

    # Learning

    @of_events
    def learn(
        self,
        decision: Decision | str,
        loss: float | None = None,
        *,
        cost: float | None = None,
        reward: float | None = None,
    ) -> bool:
        """Learn the outcome of a decision; `decision` may be its id.

        Give a reward in `reward_range`, a cost in [0, 1], or a loss: cost + offset, or the
        cost if the learner was made without an offset. Outcomes may come late, in any order.
        A second outcome teaches nothing. Returns whether the outcome was learned.

        Parameters
        ----------
        loss
            cost + offset.
        cost
            From 0 (best) to 1.

        Returns
        -------
        bool
            Whether the outcome was learned.

        Raises
        ------
        DataError
            If the outcome is out of range, or nobody knows the decision.
        """
        cost = cost_of(loss, cost, reward, self.model.least_loss, self.model.rewards)
        steps = self.steps
        with steps.lock:
            if steps.under_way is not None:
                steps.settle()
            model, ledger = self.model, self.ledger
            ledger.forget_overdue(model)
            id = id_of(decision)
            waiting = ledger.pending.waiting.get(id)
            if waiting is None:
                ledger.check_learns()
                ledger.pending.refuse(id)
                return False
            if isinstance(decision, Decision):
                waiting.check_same(decision)
            ledger.learn(model, id, waiting, cost, reward)
            return True

    def learn_batch(
        self, batch: Batch, loss: Any = None, *, cost: Any = None, reward: Any = None
    ) -> int:
        """Learn the outcomes of a batch, in order; returns how many were learned.

        Outcomes that are NaN teach nothing, and cannot be given later.

        Parameters
        ----------
        batch
            What `choose_batch` returned.
        loss
            Losses as for `learn`, one for each decision.
        cost
            Costs, one for each decision.
        reward
            Rewards, one for each decision.

        Returns
        -------
        int
            How many outcomes were learned.

        Raises
        ------
        DataError
            If an outcome is out of range.
        """
        model = self.model
        costs = costs_of(loss, cost, reward, model.least_loss, model.rewards, len(batch))
        with self.steps.lock:
            self.steps.settle()
            self.ledger.check_learns()
            model, ledger = self.model, self.ledger
            batch.check_session(ledger.session)
            if batch.is_learned:
                ledger.pending.repeat("the batch was learned before")
                return 0
            batch.check_actions(model.engine.room)
            return ledger.learn_batch(model, batch, costs)

    @of_events
    def watch(
        self,
        x: Any,
        action: int | str,
        probability: float,
        *,
        reward: float | None = None,
        cost: float | None = None,
        available: Any = None,
        actions: Sequence[Any] | None = None,
    ) -> tuple[int, float, Doubles]:
        """Learn from what another policy did, drawn with `probability`.

        If each event brings its own `actions`, `action` is a position among them.

        Returns the number of the action, its cost, and the probabilities that this
        learner gave to all actions just before. Nothing is logged. See `Shadow`.

        Returns
        -------
        tuple[int, float, Doubles]
            Number, cost and probabilities.

        Raises
        ------
        DataError
            If the event does not fit this learner.
        """
        cost = cost_of(None, cost, reward, self.model.least_loss, self.model.rewards)
        check_probability(probability)
        with self.steps.lock:
            self.steps.settle()
            self.ledger.check_learns()
            model, ledger = self.model, self.ledger
            t = ledger.t + 1
            waiting, mine = model.watched(x, action, probability, available, actions, t)
            ledger.imitate(model, waiting, cost)
            return waiting.number, cost, mine

    def learn_log(self, log: Any, *, weight: float = 1.0) -> int:
        """Learn from the decisions of a log, whoever made them; returns how many.

        `log` is a `Log` or the path of one. Each event counts `weight` times: with 2 it is
        learned twice in a row, with 0.1 every tenth is learned. Without logged
        probabilities, events are learned with importance 1. See docs/guide/live.md.

        Parameters
        ----------
        log
            A `Log` or the path of one.
        weight
            How often each event counts.

        Returns
        -------
        int
            How many events were learned.

        Raises
        ------
        DataError
            If actions or rewards of the log do not fit.
        """
        log = log if isinstance(log, Log) else read_log(log)
        times, total = repeats(log.n, weight), 0
        for worst in (log.reward.min(), log.reward.max()):
            cost_of(None, None, log.in_units(float(worst)), 0.0, self.model.rewards)
        with self.steps.lock:
            self.steps.settle()
            self.ledger.check_learns()
            model, ledger = self.model, self.ledger
            events = taught(model, log)
            for e, (event, n) in enumerate(zip(events, times.tolist(), strict=True)):
                for _ in range(n):
                    with blaming(f"event {e} of {log.name}"):
                        cost = cost_of(None, None, event.reward, 0.0, model.rewards)
                        check_probability(event.probability)
                        waiting, _ = model.watched(
                            event.x, event.action, event.probability, event.available,
                            event.actions, ledger.t + 1, event.p,
                        )  # fmt: skip
                    if not total:
                        ledger.warm_starts = (*ledger.warm_starts, WarmStart.of(log))
                        self._renew_log_header()
                    ledger.imitate(model, waiting, cost)
                    total += 1
        return total

    # Pending decisions

    @of_events
    def activate(self, decision: Decision | str) -> None:
        """Mark a decision as shown."""
        id = id_of(decision)
        with self.steps.lock:
            self.steps.settle()
            waiting = self.ledger.pending.waiting.get(id)
            if waiting is None:
                raise DataError(f"no decision {id!r} waits for an outcome")
            self.ledger.activate(id, waiting)

    def admit(self, decision: Decision) -> None:
        """Let a decision of another process wait here for its outcome.

        One process learns; others decide by its saved models (`reload`), and send it
        their decisions.

        Parameters
        ----------
        decision
            The decision.

        Raises
        ------
        DataError
            If it does not fit this learner.
        """
        with self.steps.lock:
            self.steps.settle()
            self.ledger.check_learns()
            model, ledger = self.model, self.ledger
            id = ledger.pending.new_id(decision.id)
            waiting, count = model.admitted(decision, ledger.t, ledger.clock())
            ledger.admit(model, id, decision, waiting, count)

    @of_events
    def give_up(self, decision: Decision | str) -> bool:
        """Let a decision wait no longer and teach nothing; returns whether it waited.

        Returns
        -------
        bool
            Whether it waited.
        """
        id = id_of(decision)
        with self.steps.lock:
            self.steps.settle()
            if id not in self.ledger.pending.waiting:
                return False
            self.ledger.pending.end(id, GIVEN_UP)
            return True

    def forget_overdue(self) -> int:
        """End the decisions that have waited too long; returns how many.

        `choose` and `learn` do so, too.

        Returns
        -------
        int
            How many decisions ended.
        """
        with self.steps.lock:
            self.steps.settle()
            waiting = self.ledger.pending.waiting
            before = len(waiting)
            self.ledger.forget_overdue(self.model)
            return before - len(waiting)

    # Actions that come and go

    def add_action(
        self,
        name: str | None = None,
        features: Any = None,
        *,
        prior: float | None = None,
        prior_events: int = 10,
    ) -> int:
        """Add an action, or bring back a retired one; returns its number.

        With `prior`, the reward that is expected of it, the new action begins as if so many
        events without features had paid that much.

        Parameters
        ----------
        name
            The name of the action; None if actions have numbers.
        features
            The features of the action, if actions have features.
        prior
            The reward that is expected of it.
        prior_events
            How many events that expectation is worth.

        Returns
        -------
        int
            The number of the action.

        Raises
        ------
        DataError
            If the action is there already, or its features do not fit.
        """
        with self.steps.lock:
            self.steps.settle()
            model, known = self.model, self.model.actions.count
            expected = None if prior is None else Prior(prior, prior_events).checked(model.rewards)
            actions, number = model.with_action(name, features)
            if expected is not None:
                if number < known or actions.features is not None:
                    why = "it knows what it knew" if number < known else "its features tell"
                    raise DataError(f"action {name!r} needs no prior: {why}")
                actions.priors[number] = expected
            self._renew_log_header(only_actions=True)
            losses = NO_LOSSES if expected is None else model.losses_of(expected)
            self.steps.do(self._add, actions, number, expected, losses)
            return number

    def _add(self, actions: Actions, number: int, prior: Prior | None, losses: Doubles) -> None:
        """The step of `add_action`."""
        if prior is not None:
            self.model.expect(number, prior, self.ledger.t, losses)
        self.model.actions = actions

    def retire_action(self, action: Any) -> None:
        """Stop choosing an action; what was learned about it stays.

        Parameters
        ----------
        action
            The name or number of the action.

        Raises
        ------
        DataError
            If there is no such action.
        """
        with self.steps.lock:
            self.steps.settle()
            actions = self.model.without_action(action)
            self._renew_log_header(only_actions=True)
            self.model.actions = actions

    def _renew_log_header(self, only_actions: bool = False) -> None:
        if self.ledger.log is not None:
            self.ledger.log.restart(only_actions)

    # The whole learner

    def monitor(self) -> dict[str, Any]:
        """Counts, rewards by action, whether the cost drifts, and advice (see monitor.py).

        Returns
        -------
        dict[str, Any]
            A dictionary for `monitor_page`, or for JSON.
        """
        with self.steps.lock:
            self.steps.settle()
            return self.ledger.summary(self.model)

    @of_files
    def save(self, path: str | Path) -> None:
        """Write the learner to a file, which appears completely or not at all.

        Pending decisions are part of it.

        Raises
        ------
        ResultsError
            If the file cannot be written.
        """
        with self.steps.lock:
            self.steps.settle()
            self.ledger.check_learns()
            header, arrays = snapshot.take(self.model, self.ledger)
        write_model(Path(path), header, arrays)

    @classmethod
    @of_files
    def load(
        cls,
        path: str | Path,
        *,
        seed: int | None = None,
        log: str | Path | LogWriter | None = None,
        learns: bool = True,
        warm_up: bool = True,
    ) -> "Learner":
        """The learner in a file: it continues as if it had never stopped, bit for bit.

        Copies that should explore differently each need a `seed` of their own. With
        `learns=False` a copy only decides: its decisions wait in another process.

        Parameters
        ----------
        seed
            A seed in place of the saved one.
        learns
            Whether this copy learns, or only decides.

        Returns
        -------
        Learner
            The learner.

        Raises
        ------
        DataError
            If the file is damaged, foreign or newer.
        """
        model, ledger = snapshot.load(Path(path), seed)
        if not learns:
            ledger.learns = False
            ledger.pending.waiting.clear()
        learner = cls.__new__(cls)
        learner._start(model, ledger, log)
        if warm_up:
            learner.warm_up()
        return learner

    @of_files
    def reload(self, path: str | Path) -> bool:
        """Decide by the model in a file from now on, if it is new; returns whether it is.

        Everything is replaced except the seed. Pending decisions keep waiting if the
        new model has the same actions and features; otherwise they are given up. While
        one thread reloads, others continue with the old model.

        Returns
        -------
        bool
            Whether the file was newer.

        Raises
        ------
        DataError
            If the file is damaged, foreign or newer than this version.
        """
        return self._reloader.reload(Path(path), self._read_newer)

    def _read_newer(self, path: Path) -> None:
        model, newer = snapshot.load(path, self.run.seed)
        with self.steps.lock:
            self.steps.settle()
            fits = self.model.can_continue_in(model)
            if fits:
                for waiting in self.ledger.pending.waiting.values():
                    model.engine.make_room_for(waiting.event)
            self._renew_log_header()
            self.steps.do(self._switch_to, model, newer, fits)

    def _switch_to(self, model: Model, newer: Ledger, keeps_pending: bool) -> None:
        """The step of `reload`."""
        self.ledger.continue_from(newer, keeps_pending)
        self.model = model

    def close(self) -> None:
        """Close the log, if there is one."""
        with self.steps.lock:
            self.steps.settle()
            if self.ledger.log is not None:
                self.ledger.log.writer.close()
