"""Messages: the JSON of requests and answers, as types that are checked and documented."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from bakeoff.basics.errors import DataError

LONGEST_ID = 256
_DEEPEST = 10
_MOST = 10_000  # features of a context or an action
Id = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
Features = dict[str, Any]
T = TypeVar("T")


class Action(Struct, forbid_unknown_fields=True):
    """An action of a request, with its features."""

    id: Id
    features: Features = {}


class DecideRequest(Struct, forbid_unknown_fields=True):
    """Whom to decide about, and among which actions.

    `actions` are needed if the service has no list of its own; if it has one, they may
    be left out, or be the ids of those that are available.
    """

    context: Features = {}
    actions: list[Action | Id] | None = None
    exclude: list[Id] = []
    id: Id | None = None
    active: bool = True
    explain: bool = False


class DecideAnswer(Struct):
    """The action to show. Its `id` is needed for the reward."""

    id: str
    action: str
    probability: float
    probabilities: dict[str, float]
    version: int
    why: dict[str, Any] | None = None


class RewardRequest(Struct, forbid_unknown_fields=True):
    """What came of a decision."""

    id: Id
    reward: float


class ActivateRequest(Struct, forbid_unknown_fields=True):
    """A decision with `active: false` that was shown after all."""

    id: Id


class Receipt(Struct):
    """Whether a message counts: accepted, repeated, or about an unknown decision."""

    id: str
    result: str


class DecideBatch(Struct, forbid_unknown_fields=True):
    """Many decisions."""

    requests: list[DecideRequest]


class DecideBatchAnswer(Struct):
    """The answers in the order of the requests: a decision, or an error."""

    answers: list[Any]


class RewardBatch(Struct, forbid_unknown_fields=True):
    """Many rewards."""

    requests: list[RewardRequest]


class RewardBatchAnswer(Struct):
    """The receipts, in the order of the requests."""

    answers: list[Receipt]


class Error(Struct):
    """What was wrong."""

    code: str
    message: str


class ErrorAnswer(Struct):
    """An answer with a status from 400."""

    error: Error


# ---- Azure Personalizer's names


class RankableAction(Struct):
    """An action of a rank request."""

    id: Id
    features: list[Any] = []


class RankRequest(Struct, rename="camel"):
    """Personalizer's rank request; fields that it does not have are ignored."""

    actions: list[RankableAction]
    context_features: list[Any] | None = None
    excluded_actions: list[Id] | None = None
    event_id: Id | None = None
    defer_activation: bool | None = False


class RankedAction(Struct):
    """An action and its probability."""

    id: str
    probability: float


class RankResponse(Struct, rename="camel"):
    """Personalizer's rank response."""

    ranking: list[RankedAction]
    event_id: str
    reward_action_id: str


class PersonalizerReward(Struct):
    """Personalizer's reward."""

    value: float


def decoded(body: bytes, kind: type[T]) -> T:
    """The message in a body; an error says where it is wrong."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise DataError(f"the request does not fit: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"the body is not JSON: {error}") from None
    except RecursionError:
        raise DataError("the body is nested too deeply") from None


def check_id(id: str, what: str = "id") -> str:
    """Refuse ids that would break lines or cannot be printed."""
    if not 1 <= len(id) <= LONGEST_ID or not id.isprintable():
        raise DataError(f"{what} must have 1 to {LONGEST_ID} printable characters, got {id!r:.80}")
    return id


def flat(features: Any) -> dict[str, Any]:
    """Features by name: {"user": {"age": 3}} becomes {"user.age": 3}.

    Lists of objects are merged, lists of texts stay, and numbers in lists are named by
    their position.
    """
    result: dict[str, Any] = {}
    if isinstance(features, list):
        for part in features:
            if not isinstance(part, dict):
                raise DataError(f"features must be a list of objects, got {part!r:.80}")
            _add(part, "", result, 0)
    else:
        _add(features, "", result, 0)
    return result


def _add(value: Any, name: str, result: dict[str, Any], depth: int) -> None:
    if depth > _DEEPEST:
        raise DataError(f"features are nested too deeply at {name!r:.80}")
    if len(result) > _MOST:
        raise DataError(f"there are too many features: at most {_MOST:,} can be used")
    if isinstance(value, dict):
        for key, inner in value.items():
            _add(inner, f"{name}.{key}" if name else key, result, depth + 1)
    elif isinstance(value, list):
        _add_list(value, name, result, depth)
    elif value is not None:
        result[name] = value


def _add_list(values: list[Any], name: str, result: dict[str, Any], depth: int) -> None:
    if all(isinstance(value, str) for value in values):
        earlier = result.get(name, [])
        result[name] = (earlier if isinstance(earlier, list) else [earlier]) + values
        return
    for i, value in enumerate(values):
        inside = isinstance(value, dict)
        _add(value, name if inside else f"{name}.{i}", result, depth + 1)
