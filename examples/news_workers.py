"""The news site in several processes: one learns, the others decide.

    pip install fastapi uvicorn
    uvicorn --factory examples.news_workers:writer --port 8001
    uvicorn --factory examples.news_workers:site --port 8000 --workers 4

Users talk to the site as to `news.py`. Its workers decide by the model that the writer
saved last, and send the writer their decisions, and rewards as they come. NEWS_FOLDER
is where model and log are; NEWS_WRITER is where the site finds the writer.
"""

import json
import os
import secrets
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException

from bakeoff import BakeoffError, Decision, Learner
from examples.news import News

SAVE_EVERY = 100  # outcomes: so much may the workers' model be behind


def folder() -> Path:
    """Where model and log are."""
    return Path(os.environ.get("NEWS_FOLDER", "news-data"))


def writer() -> FastAPI:
    """The application that learns: run it in one process."""
    app, news = FastAPI(), News(folder(), SAVE_EVERY)

    @app.post("/admit")
    def admit(decision: dict[str, Any]) -> dict[str, Any]:
        try:
            news.learner.admit(Decision.from_json(json.dumps(decision)))
        except BakeoffError as error:
            raise HTTPException(400, str(error)) from None
        return {"version": news.learner.version}

    @app.post("/reward")
    def reward(request: dict[str, Any]) -> Any:
        try:
            return news.reward(request)
        except (BakeoffError, KeyError) as error:
            raise HTTPException(400, str(error)) from None

    return app


def site() -> FastAPI:
    """The application that users see: run it in as many processes as you like."""
    app, model = FastAPI(), folder() / "model"
    seed = secrets.randbits(53)  # each worker explores in its own way
    learner = Learner.load(model, seed=seed, learns=False)

    @app.post("/choose")
    def choose(request: dict[str, Any]) -> dict[str, Any]:
        learner.reload(model)  # looks whether the file is new
        try:
            decision = learner.choose(request["user"])
        except (BakeoffError, KeyError) as error:
            raise HTTPException(400, str(error)) from None
        tell_writer("/admit", decision.to_json())
        return {"id": decision.id, "article": decision.name}

    @app.post("/reward")
    def reward(request: dict[str, Any]) -> Any:
        return tell_writer("/reward", json.dumps(request))

    return app


def tell_writer(path: str, body: str) -> Any:
    """Send the writer a message; its answer, or its error."""
    host = os.environ.get("NEWS_WRITER", "127.0.0.1:8001")
    connection = HTTPConnection(host, timeout=10)
    try:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
    except OSError as error:
        raise HTTPException(503, f"the writer does not answer: {error}") from None
    finally:
        connection.close()
    if response.status != 200:
        raise HTTPException(response.status, answer["detail"])
    return answer
