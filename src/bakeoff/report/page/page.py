"""The page: report.html, one file without dependencies, which works offline."""

import html
import json
import re
from importlib import resources

from bakeoff.report.page.schema import PageData

SCRIPTS = (
    "data", "statistics", "measures", "elements", "svg", "downloads", "drawing",
    "state", "verdict", "distance", "use", "filters", "ways", "cost", "sure", "standings",
    "main_table", "scatter", "kinds", "curves", "rates", "hyperparameters", "datasets",
    "dataset", "ips", "made", "voting", "paper_tables", "start",
)  # fmt: skip

COMMENT = re.compile(r"(^|\s)// .*")  # no text of the page has two slashes between spaces


def page(data: PageData) -> str:
    """The page that shows some data (`page_data`)."""
    parts = {
        "title": html.escape(data["title"]),
        "style": _lean(asset("page.css")),
        "data": _json(data),
        "script": "\n".join(_lean(asset(f"{name}.js")) for name in SCRIPTS),
    }
    pieces = asset("page.html").split("{{")
    text = [pieces[0]]
    for piece in pieces[1:]:  # what is put in is never searched for places itself
        name, _, rest = piece.partition("}}")
        text += [parts[name], rest]
    return "".join(text)


def asset(name: str) -> str:
    """A file of the page."""
    return (resources.files("bakeoff.report.page") / "assets" / name).read_text("utf-8")


def _lean(text: str) -> str:
    """A script or style without indents, empty lines and comments behind two slashes."""
    lines = (COMMENT.sub("", line).strip() for line in text.splitlines())
    return "\n".join(filter(None, lines))


def _json(data: PageData) -> str:
    """JSON that cannot end its script element, whatever names it contains."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
