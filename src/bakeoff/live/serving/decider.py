"""Decider: answers requests by a copy of the model, and notes decisions in the state."""

import threading
import time
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.core.types import Doubles
from bakeoff.live import Decision, Learner
from bakeoff.live.serving.config import Config
from bakeoff.live.serving.messages import (
    Action,
    DecideAnswer,
    DecideRequest,
    Receipt,
    check_id,
    flat,
)
from bakeoff.live.serving.packing import Noted, packed, unpacked
from bakeoff.live.serving.rollouts import Share
from bakeoff.live.serving.state import ACCEPTED, UNKNOWN, State

MOST_ACTIONS = 10_000


class ConflictError(BakeoffError):
    """A request about a decision that has ended."""


class NotFoundError(BakeoffError):
    """A request about a decision that nobody knows."""


class Choice(NamedTuple):
    """The actions of a request."""

    names: list[str]  # of the request, in its order
    ids: list[str]  # those to which probabilities belong, in the order of the learner
    allowed: list[str]  # those that are not excluded
    among: dict[str, Any]  # arguments of `Learner.choose`


class Decider:
    """Decides by a learner that learns nothing itself."""

    def __init__(self, config: Config, learner: Learner, state: State) -> None:
        self.config, self.learner, self.state = config, learner, state
        self.share: Share | None = None  # of a candidate, if there is one
        if config.rollout is not None:
            self.share = Share(config.folder, state, learner)
        self._counts: dict[str, float] = {}
        self._lock = threading.Lock()  # of the counts, which two threads use

    def count(self, name: str, value: float = 1.0) -> None:
        """Count something for the metrics."""
        self.count_all({name: value})

    def count_all(self, counts: dict[str, float]) -> None:
        """Count several things."""
        with self._lock:
            for name, value in counts.items():
                self._counts[name] = self._counts.get(name, 0.0) + value

    def taken_counts(self) -> dict[str, float]:
        """What was counted since the last call."""
        with self._lock:
            counts, self._counts = self._counts, {}
            return counts

    def decide(self, request: DecideRequest) -> DecideAnswer:
        """Decide, and note it: the answer may be sent when this returns.

        A request with the id of a decision that waits gets the same answer again.
        """
        if request.id is not None:
            earlier = self.state.known(check_id(request.id))
            if isinstance(earlier, str):
                raise ConflictError(f"decision {request.id!r} was {earlier} before: take a new id")
            if earlier is not None:
                return self._repeated(earlier)
        context = flat(request.context)
        choice = self._choice(request)
        why, part = None, None
        with self.learner.steps.lock:
            if self.config.service.mode == "apprentice":
                decision = self._baseline(request.id, context, choice)
            elif self.share is not None and self.share.share > 0:
                number, p, part = self.share.draw(context, choice.among)
                decision = self._decision(request.id, context, choice, number, p)
            else:
                decision = self.learner.choose(context, id=request.id, **choice.among)
                if request.explain:
                    why = _named(decision.why().as_dict(), choice)
        noted = Noted(decision, choice.names, choice.ids, part)
        answer = _answer(noted)
        answer.why = why
        if not self.state.add(decision.id, time.time(), request.active, packed(noted)):
            earlier = self.state.known(decision.id)
            if isinstance(earlier, bytes):  # another request at the same time was first
                return self._repeated(earlier)
            raise ConflictError(f"decision {decision.id!r} has ended before: take a new id")
        self.count('bakeoff_decisions_total{result="new"}')
        return answer

    def _repeated(self, body: bytes) -> DecideAnswer:
        self.count('bakeoff_decisions_total{result="repeated"}')
        return _answer(unpacked(body))

    def _choice(self, request: DecideRequest) -> Choice:
        """The actions of a request, checked."""
        learner, actions = self.learner, request.actions
        fixed = learner.actions
        if learner.n_actions is not None and fixed is None:
            fixed = [str(number) for number in range(learner.n_actions)]
        if actions is None and fixed is None:
            raise DataError("this service needs the actions of each request, with their features")
        names = fixed if actions is None else [_name_of(action) for action in actions]
        assert names is not None
        _check_names(names, fixed)
        allowed = _without(names, request.exclude)
        if fixed is None:
            assert actions is not None
            rows = [_features_of(action) for action in actions]
            chosen = [row for row, name in zip(rows, names, strict=True) if name in allowed]
            return Choice(names, [n for n in names if n in allowed], list(allowed),
                          {"actions": chosen})  # fmt: skip
        among: dict[str, Any] = {}
        if len(allowed) < len(fixed):
            among["available"] = [fixed.index(name) for name in allowed]
        return Choice(names, fixed, list(allowed), among)

    def _baseline(self, id: str | None, context: Any, choice: Choice) -> Decision:
        """The first action, which the application would have shown; count agreement."""
        learner = self.learner
        p = learner.probabilities(context, **choice.among)
        number = choice.ids.index(choice.allowed[0])
        self.count("bakeoff_apprentice_total")
        self.count("bakeoff_apprentice_agreed_total", float(p[number] == p.max()))
        one = np.zeros(len(p))
        one[number] = 1.0
        return self._decision(id, context, choice, number, one)

    def _decision(
        self, id: str | None, context: Any, choice: Choice, number: int, p: Doubles
    ) -> Decision:
        """A decision that the learner did not draw itself."""
        learner = self.learner
        learner.ledger.t += 1
        t = learner.ledger.t
        available = choice.among.get("available")
        return Decision(
            number, p, context=context, id=id or f"{learner.ledger.session}-{t}",
            name=choice.ids[number] if learner.actions else None, seed=learner.seed,
            version=learner.version, t=t, actions=choice.among.get("actions"),
            available=None if available is None else sorted(available),
        )  # fmt: skip

    def reward(self, id: str, reward: float) -> Receipt:
        """Note a reward; the caller has begun a transaction."""
        check_id(id)
        rewards = self.config.rewards
        if not rewards.low <= reward <= rewards.high:
            raise DataError(
                f"reward must lie between {rewards.low:g} and {rewards.high:g}, got {reward!r}"
            )
        result = self.state.reward(id, reward)
        self.count(f'bakeoff_rewards_total{{result="{result}"}}')
        return Receipt(id, result)

    def activate(self, id: str) -> Receipt:
        """Mark a decision as shown; the caller has begun a transaction."""
        result = self.state.activate(check_id(id))
        if result == UNKNOWN:
            raise NotFoundError(f"no decision {id!r} waits for an outcome")
        self.count("bakeoff_activations_total", float(result == ACCEPTED))
        return Receipt(id, result)


def _name_of(action: Action | str) -> str:
    return check_id(action if isinstance(action, str) else action.id, "the id of an action")


def _features_of(action: Action | str) -> dict[str, Any]:
    """The features of an action; without any, its name is one."""
    features = flat(action.features) if isinstance(action, Action) else {}
    return features or {"id": _name_of(action)}


def _check_names(names: list[str], fixed: list[str] | None) -> None:
    if len(set(names)) < len(names):
        raise DataError("the ids of actions must be different")
    if not 1 <= len(names) <= MOST_ACTIONS:
        raise DataError(f"a request may have 1 to {MOST_ACTIONS:,} actions, got {len(names):,}")
    if fixed is not None:
        unknown = set(names) - set(fixed)
        if unknown:
            raise DataError(f"there is no action {min(unknown)!r:.80}; actions are {fixed!s:.200}")


def _without(names: list[str], excluded: list[str]) -> dict[str, None]:
    """The names that are not excluded, in order, for quick look-ups."""
    unknown = set(excluded) - set(names)
    if unknown:
        raise DataError(f"{min(unknown)!r:.80} is excluded, but is not among the actions")
    allowed = dict.fromkeys(name for name in names if name not in set(excluded))
    if not allowed:
        raise DataError("all actions are excluded")
    return allowed


def _named(why: dict[str, Any], choice: Choice) -> dict[str, Any]:
    """Reasons with the names of actions in place of numbers."""
    runner_up = why.pop("runner_up")
    why["action"] = choice.ids[why["action"]]
    why["runner_up"] = None if runner_up is None else choice.ids[runner_up]
    del why["name"], why["runner_up_name"]
    return why


def _answer(noted: Noted) -> DecideAnswer:
    """A decision as clients get it; excluded actions have probability 0."""
    decision, names, ids, _ = noted
    p = dict.fromkeys(names, 0.0)
    for name, probability in zip(ids, decision.probabilities.tolist(), strict=True):
        if name in p:
            p[name] = probability
    return DecideAnswer(
        decision.id, ids[decision.action], decision.probability, p, decision.version
    )
