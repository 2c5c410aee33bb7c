"""Personalizer: the calls that Azure Personalizer's clients make, answered by a decider."""

from typing import Any

from bakeoff.live.serving.config import Config
from bakeoff.live.serving.decider import Decider, NotFoundError
from bakeoff.live.serving.messages import (
    Action,
    DecideRequest,
    RankedAction,
    RankRequest,
    RankResponse,
    flat,
)
from bakeoff.live.serving.state import UNKNOWN

PREFIXES = ("/personalizer/v1.0", "/personalizer")  # of the older and the newer client
NOT_OFFERED = {
    "/multislot/{rest:path}": "multi-slot decisions: make one decision for each slot",
    "/evaluations": "evaluations by HTTP: run `bakeoff evaluate` on the decision log",
    "/evaluations/{rest:path}": "evaluations by HTTP: run `bakeoff evaluate` on the decision log",
    "/featureImportances": 'feature importances: ask for reasons with "explain": true',
    "/featureImportances/{rest:path}": "feature importances: ask for reasons with explain",
    "/configurations/service": "settings by HTTP: change the TOML file, and start again",
    "/configurations/policy": "Vowpal Wabbit's arguments: change [learner] of the TOML file",
    "/configurations/applyFromEvaluation": "policies from evaluations by HTTP",
    "/logs": "deleting logs by HTTP: they are files in the folder of the state",
    "/logs/{rest:path}": "properties of logs by HTTP: they are files in the folder of the state",
    "/model": "models by HTTP: the model is a file in the folder of the state",
    "/model/{rest:path}": "models by HTTP: the model is a file in the folder of the state",
}


def rank(decider: Decider, request: RankRequest) -> RankResponse:
    """Rank actions: the one to show first, then by probability."""
    actions: list[Action | str] = [
        Action(action.id, flat(action.features)) for action in request.actions
    ]
    answer = decider.decide(
        DecideRequest(
            context=flat(request.context_features or []),
            actions=actions,
            exclude=request.excluded_actions or [],
            id=request.event_id,
            active=not request.defer_activation,
        )
    )
    p = answer.probabilities
    order = sorted(p, key=lambda name: (name != answer.action, -p[name]))
    ranking = [RankedAction(name, p[name]) for name in order]
    return RankResponse(ranking, answer.id, answer.action)


def reward(decider: Decider, id: str, value: float) -> None:
    """Note a reward: the first one counts."""
    if decider.reward(id, value).result == UNKNOWN:
        raise NotFoundError(f"no event {id!r} waits for a reward")


def configuration(config: Config, counters: dict[str, float]) -> dict[str, Any]:
    """The answer to GET configurations/service: what there is here of it."""
    modes = {"online": "Online", "apprentice": "Apprentice"}
    rewards, service = config.rewards, config.service
    return {
        "rewardWaitTime": _duration(rewards.wait),
        "defaultReward": rewards.low if rewards.default is None else rewards.default,
        "rewardAggregation": "earliest",
        "explorationPercentage": _exploration(str(config.learner.get("explorer", ""))),
        "modelExportFrequency": _duration(service.save_seconds),
        "logRetentionDays": -1,
        "learningMode": modes[service.mode],
        "latestApprenticeModeMetrics": {
            "numberOfEvents": int(counters.get("bakeoff_apprentice_total", 0)),
            "numberOfImitatedEvents": int(counters.get("bakeoff_apprentice_agreed_total", 0)),
        },
    }


def _duration(seconds: float | None) -> str:
    """Seconds as ISO 8601 has it; for ever is a hundred years."""
    return f"PT{100 * 365 * 86400 if seconds is None else seconds:g}S"


def _exploration(explorer: str) -> float:
    """The epsilon of epsilon-greedy; other algorithms have no such number."""
    name, _, rest = explorer.partition(":")
    for part in rest.replace(" ", ",").split(","):
        key, _, value = part.partition("=")
        if name == "epsilon-greedy" and key == "epsilon":
            return float(value)
    return 0.0
