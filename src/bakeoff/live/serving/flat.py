"""Flat: nested features, as Personalizer's clients send them, as one dictionary."""

from typing import Any

from bakeoff.basics.errors import DataError

_DEEPEST = 10
_MOST = 10_000  # features of a context or an action


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
