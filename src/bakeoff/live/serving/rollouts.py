"""Rollouts of a service: the process that learns moves the share, the others draw by it."""

import hashlib
import json
import secrets
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.live import Learner
from bakeoff.live.rollout import Mixture
from bakeoff.live.serving.config import Config
from bakeoff.live.serving.packing import Noted, Part
from bakeoff.live.serving.state import Outcome, State
from bakeoff.live.stages import Stages

CANDIDATE = "candidate"  # the file of its model
FACT = "rollout"


class Trial:
    """A candidate and its stages, in the process that learns.

    Model and stages are saved one after the other. Each knows the version of the last outcome
    it has learned, so that after a crash it learns those again that it lacks.
    """

    def __init__(self, config: Config, state: State, incumbent: Learner) -> None:
        settings = config.rollout
        assert settings is not None
        self.state, self.path = state, config.folder / CANDIDATE
        self.stages = Stages(settings.holdback, alpha=settings.alpha, margin=settings.margin,
                             least=settings.least)  # fmt: skip
        self._of = hashlib.blake2b(repr(settings).encode(), digest_size=16).hexdigest()
        told = _told(state)
        if told and told["of"] == self._of and self.path.exists():
            self.id, self.version = told["id"], told["version"]
            self.stages.restore(told["stages"])
            self.candidate = Learner.load(self.path)
        else:
            self.id, self.version = secrets.token_hex(5), incumbent.version
            self.candidate = _new_candidate(config, incumbent)
            ledger = self.candidate.ledger
            ledger.version = ledger.monitor.version = incumbent.version
        for id in self.candidate.pending:
            self.candidate.give_up(id)

    @property
    def least_version(self) -> int:
        """The version of the last outcome that model and stages have both learned."""
        return min(self.version, self.candidate.version)

    def learn(self, outcome: Outcome, noted: Noted) -> None:
        """Learn an outcome, unless that was done before."""
        candidate, reward = self.candidate, outcome.reward
        assert reward is not None
        if outcome.version > self.version:
            part = noted.part
            weights = part.weights if part is not None and part.rollout == self.id else None
            self.stages.add(weights, 1.0 - candidate.model.rewards.cost_of(reward))
            self.version = outcome.version
        if outcome.version > candidate.version:
            try:
                candidate.admit(noted.decision)
                candidate.learn(outcome.id, reward=reward)
            finally:
                candidate.give_up(outcome.id)
                candidate.ledger.version = max(candidate.version, outcome.version)

    def save(self, t: int) -> None:
        """Save model and stages, from which the other processes decide."""
        self.candidate.ledger.t = max(self.candidate.ledger.t, t)
        self.candidate.save(self.path)
        told = {
            "of": self._of, "id": self.id, "version": self.version,
            "stages": self.stages.state(), "report": self.stages.report(),
        }  # fmt: skip
        self.state.set_fact(FACT, json.dumps(told))


def _new_candidate(config: Config, incumbent: Learner) -> Learner:
    """The candidate at the beginning of a rollout."""
    settings = config.rollout
    assert settings is not None
    rewards = (config.rewards.low, config.rewards.high)
    if settings.candidate is not None:
        candidate = Learner.load(Path(settings.candidate))
    else:
        candidate = Learner(**{**config.learner, **settings.learner}, reward_range=rewards)
    mine, theirs = (one.actions or one.n_actions for one in (incumbent, candidate))
    if mine != theirs:
        raise SpecError(
            f"[rollout] the candidate's actions are {theirs!s:.100}, but the service has "
            f"{mine!s:.100}"
        )
    if candidate.reward_range != rewards:
        raise SpecError(
            f"[rollout] the candidate's rewards lie in {candidate.reward_range}, not {rewards}"
        )
    return candidate


def report_of(state: State) -> dict[str, Any] | None:
    """Where the rollout is, if there is one."""
    told = _told(state)
    return None if told is None else told["report"]


def _told(state: State) -> dict[str, Any] | None:
    """What `Trial.save` has told last; a `ResultsError` if it is damaged."""
    text = state.fact(FACT)
    if text is None:
        return None
    try:
        told = json.loads(text)
        known = {name: told[name] for name in ("of", "id", "version", "report")}
        known["version"], known["share"] = int(told["version"]), float(told["report"]["share"])
        Stages().restore(told["stages"])
        return {**known, "stages": told["stages"]}
    except (ValueError, TypeError, KeyError):
        raise ResultsError(
            f"{state.path}: what it holds of the rollout is damaged; start once without "
            f"[rollout], which ends it"
        ) from None


class Share:
    """A candidate and its share, in a process that decides."""

    def __init__(self, folder: Path, state: State, incumbent: Learner) -> None:
        self._path = folder / CANDIDATE
        self.candidate = Learner.load(self._path, seed=secrets.randbits(53), learns=False)
        self._mixture = Mixture(incumbent, self.candidate, secrets.randbits(53))
        self.id, self.share = "", 0.0
        self.refresh(state)

    def refresh(self, state: State) -> None:
        """Take the newest model and share."""
        self.candidate.reload(self._path)
        told = _told(state)
        if told is not None:
            self.id, self.share = told["id"], told["share"]

    def draw(self, context: Any, among: dict[str, Any]) -> tuple[int, Any, Part]:
        """An action, the probabilities of all, and both policies' parts in it."""
        id, share = self.id, self.share
        action, p, weights = self._mixture.draw(share, context, **among)
        return action, p, Part(id, weights)
