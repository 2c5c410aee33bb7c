"""Pages that the sources write themselves: the command line, how to contribute, and llms.txt."""

import inspect
import json
import os.path
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from bakeoff.cli import app as commands

REPORT = "<!-- the live report, where `make docs` made it -->"
LIVE_REPORT = (
    '<p>See <a href="report.html">a live report</a>: all algorithms of the paper on the '
    "embedded suite, in one page that works offline.</p>"
)

PARTS = {  # of llms.txt
    "guide": "Guide",
    "notebooks": "Notebooks",
    "evidence": "Evidence",
    "reference": "Reference",
    "reference/api": "Names in Python",
    ".": "Contributing",
    "design": "Design",
}


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx what to call and when."""
    app.connect("builder-inited", write_command_line)
    app.connect("builder-inited", write_contributing)
    app.connect("source-read", keep_links_inside)
    app.connect("build-finished", write_llms)
    return {"parallel_read_safe": True}


def write_command_line(app: Any) -> None:
    """reference/commands.md: a section for each command."""
    group = typer.main.get_command(commands)
    parts = [
        "# The command line",
        "Generated from the commands themselves; `bakeoff COMMAND --help` shows the same.",
    ]
    for name, command in sorted(group.commands.items()):
        if not command.hidden:
            parts += _sections(name, command)
    _write(Path(app.srcdir) / "reference" / "commands.md", "\n\n".join(parts) + "\n")


def write_contributing(app: Any) -> None:
    """contributing.md: CONTRIBUTING.md with links as the site has them."""
    text = (Path(app.srcdir).parent / "CONTRIBUTING.md").read_text()
    _write(Path(app.srcdir) / "contributing.md", _linked_inside(text, ""))


def keep_links_inside(app: Any, page: str, source: list[str]) -> None:
    """Links to files of the repository that are no pages of the site become plain text."""
    if page == "index" and (Path(app.srcdir) / "_build/extra/report.html").exists():
        source[0] = source[0].replace(REPORT, LIVE_REPORT)
    if page != "contributing":
        source[0] = _linked_inside(source[0], str(Path("docs", page).parent))


def _linked_inside(text: str, folder: str) -> str:
    """A text whose links lead to pages of the site only."""

    def link(match: "re.Match[str]") -> str:
        shown, file, heading = match.groups()
        target = os.path.normpath(Path(folder, file))
        if "://" in file or not file:
            return match[0]
        if not folder and not target.startswith("docs/"):
            return shown
        if not folder:
            return f"[{shown}]({target.removeprefix('docs/')}{heading or ''})"
        if target == "CONTRIBUTING.md":
            return f"[{shown}](/contributing.md{heading or ''})"
        return match[0] if target.startswith("docs/") or "examples/" in target else shown

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)


def _sections(name: str, command: Any) -> list[str]:
    """A command, and those below it."""
    context = command.make_context(f"bakeoff {name}", [], resilient_parsing=True)
    command.get_help(context)  # in which some commands fill in names, such as those of estimators
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts = [f"## bakeoff {name}", _plain(command.help or ""), f"```console\n{usage}\n```"]
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    rows = [_row(*record) for record in records if record and "--help" not in record[0]]
    if rows:
        parts.append("\n".join(["| option | meaning |", "| --- | --- |", *rows]))
    for inner, below in sorted(getattr(command, "commands", {}).items()):
        parts += _sections(f"{name} {inner}", below)
    return parts


def _row(names: str, text: str) -> str:
    """A line of the table of options."""
    cells = [f"`{' '.join(names.split())}`", _plain(text)]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _plain(text: str) -> str:
    """Help without the marks of the terminal."""
    return re.sub(r"\[/?(bold|dim|italic)\]", "", text).replace("\b\n", "").strip()


def write_llms(app: Any, exception: Exception | None) -> None:
    """llms.txt: every page with its first sentence, for programs that read documentation."""
    if exception is not None or app.builder.name != "html":
        return
    lines = [
        f"# {app.config.project}",
        "",
        "> Contextual bandits in Python: compare them, run them, evaluate them.",
    ]
    listed = app.env.toctree_includes
    for folder, title in PARTS.items():
        lines += ["", f"## {title}", ""]
        for page in [*listed["index"], *listed["reference/api"]]:
            if Path(page).parent == Path(folder):
                title = app.env.titles[page].astext()
                sentence = _first_sentence(Path(app.env.doc2path(page)))
                lines.append(f"- [{title}]({page}.html): {sentence}".removesuffix(": "))
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines) + "\n")


def _first_sentence(page: Path) -> str:
    """How a page begins, without its links."""
    if page.suffix == ".rst":  # the page of a public name
        module, _, name = page.stem.rpartition(".")
        return (inspect.getdoc(getattr(import_module(module), name)) or "").split("\n")[0]
    text = page.read_text()
    if page.suffix == ".ipynb":
        cells = [cell["source"] for cell in json.loads(text)["cells"]]
        text = "\n\n".join("".join(source) for source in cells)
    for block in text.split("\n\n"):
        if block.strip() and not re.match(r"```|[#|!<:*\-(]", block.strip()):
            words = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", " ".join(block.split()))
            return re.split(r"(?<=[.!?])\s", words)[0]
    return ""


def _write(path: Path, text: str) -> None:
    """Write a file if it changes: Sphinx reads again only what is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
