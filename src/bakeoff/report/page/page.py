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

STRICT = '"use strict";\n'
COMMENT = re.compile(r"(^|\s)// .*")  # no text of the page has two slashes between spaces


def page(data: PageData) -> str:
    """The page that shows some data (`page_data`)."""
    parts = {
        "title": html.escape(data["title"]),
        "style": _tight(asset("page.css")),
        "data": _json(data),
        "script": STRICT + "".join(_lean(asset(f"{name}.js")) for name in SCRIPTS),
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


def _lean(script: str) -> str:
    """A script without indents, empty lines and comments; they are strict together."""
    lines = (COMMENT.sub("", line).strip() for line in script.removeprefix(STRICT).splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def _tight(style: str) -> str:
    """A style without comments and the blanks that it does not need."""
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return re.sub(r";?\s*([{};,>])\s*|(:)\s+", r"\1\2", bare).strip()


def _json(data: PageData) -> str:
    """JSON that cannot end its script element, whatever names it contains."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
