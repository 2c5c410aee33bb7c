"""OpenAPI: the description of the service, and a page that shows it."""

import html
import json
from typing import Any

import msgspec

from bakeoff.live.serving import messages

_REF = "#/components/schemas/{name}"


def openapi(version: str) -> dict[str, Any]:
    """The description, made of the types of the messages."""
    posts: dict[str, tuple[str, Any, int, Any]] = {
        "/v1/decide": ("Decide", messages.DecideRequest, 200, messages.DecideAnswer),
        "/v1/decide/batch": (
            "Decide many times", messages.DecideBatch, 200, messages.DecideBatchAnswer),
        "/v1/reward": ("Tell what came of a decision", messages.RewardRequest, 200,
                       messages.Receipt),
        "/v1/reward/batch": ("Tell what came of many decisions", messages.RewardBatch, 200,
                             messages.RewardBatchAnswer),
        "/v1/activate": ("Tell that a decision was shown", messages.ActivateRequest, 200,
                         messages.Receipt),
        "/personalizer/v1.0/rank": ("Decide, as Azure Personalizer", messages.RankRequest, 201,
                                    messages.RankResponse),
        "/personalizer/v1.0/events/{eventId}/reward": (
            "Reward, as Azure Personalizer", messages.PersonalizerReward, 204, None),
        "/personalizer/v1.0/events/{eventId}/activate": (
            "Activate, as Azure Personalizer", None, 204, None),
    }  # fmt: skip
    gets = {
        "/health": "Whether the process is alive",
        "/ready": "Whether it can decide",
        "/metrics": "Numbers for Prometheus",
        "/monitor": "A page about the learner",
        "/openapi.json": "This description",
        "/docs": "This description as a page",
    }
    kinds = [kind for post in posts.values() for kind in (post[1], post[3]) if kind is not None]
    kinds.append(messages.ErrorAnswer)
    _, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    paths: dict[str, Any] = {path: {"post": _post(path, *post)} for path, post in posts.items()}
    for path, summary in gets.items():
        paths[path] = {"get": {"summary": summary, "responses": {"200": {"description": "OK"}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "bakeoff", "version": version},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
        },
        "security": [{"key": []}],
    }


def _post(path: str, summary: str, request: Any, status: int, answer: Any) -> dict[str, Any]:
    success: dict[str, Any] = {"description": summary}
    if answer is not None:
        success["content"] = _content(answer)
    post: dict[str, Any] = {
        "summary": summary,
        "responses": {
            str(status): success,
            "4XX": {"description": "What was wrong", "content": _content(messages.ErrorAnswer)},
        },
    }
    if request is not None:
        post["requestBody"] = {"required": True, "content": _content(request)}
    if "{eventId}" in path:
        event = {"name": "eventId", "in": "path", "required": True, "schema": {"type": "string"}}
        post["parameters"] = [event]
    return post


def _content(kind: Any) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(name=kind.__name__)}}}


def page(description: dict[str, Any]) -> str:
    """The description as a page that loads nothing."""
    rows = "".join(
        f"<tr><td>{verb.upper()}</td><td><code>{html.escape(path)}</code></td>"
        f"<td>{html.escape(operation['summary'])}</td></tr>"
        for path, operations in description["paths"].items()
        for verb, operation in operations.items()
    )
    schemas = "".join(
        f"<h3 id={name}>{name}</h3><pre>{html.escape(json.dumps(schema, indent=1))}</pre>"
        for name, schema in description["components"]["schemas"].items()
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>bakeoff: service</title>"
        "<style>body{font:15px sans-serif;margin:2em}td{padding:.2em .8em;border-bottom:"
        "1px solid #ddd}</style><h1>bakeoff: service</h1><p>The whole description: "
        f"<a href=/openapi.json>openapi.json</a></p><table>{rows}</table><h2>Messages</h2>"
        f"{schemas}</html>"
    )
