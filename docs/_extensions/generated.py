"""Pages that the sources write themselves: the command line, how to contribute, and llms.txt."""

import os.path
import re
from pathlib import Path
from typing import Any

import typer

from bakeoff.cli import app as commands

REPORT = "<!-- the live report, where `make docs` made it -->"
LIVE_REPORT = (
    '<p>See <a href="report.html">a live report</a>: all algorithms of the paper on the '
    "embedded suite, in one page that works offline.</p>"
)


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
    parts = [f"## bakeoff {name}", _plain(command.help or "")]
    rows = [
        _row(parameter) for parameter in command.params if not getattr(parameter, "hidden", False)
    ]
    rows = [row for row in rows if row]
    if rows:
        parts.append("\n".join(["| option | meaning |", "| --- | --- |", *rows]))
    for inner, below in sorted(getattr(command, "commands", {}).items()):
        parts += _sections(f"{name} {inner}", below)
    return parts


def _row(parameter: Any) -> str:
    """A line of the table of options."""
    if parameter.name == "help":
        return ""
    is_option = parameter.param_type_name == "option"
    names = ", ".join(f"`{n}`" for n in [*parameter.opts, *parameter.secondary_opts])
    names = names if is_option else f"`{(parameter.name or '').upper()}`"
    text = _plain(getattr(parameter, "help", None) or "").replace("|", "\\|").replace("\n", " ")
    return f"| {names} | {text} |"


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
        "",
    ]
    for page in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(page))
        if path.suffix != ".md":
            continue
        title, sentence = _opening(path.read_text())
        lines.append(f"- [{title}]({page}.html): {sentence}")
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines) + "\n")


def _opening(text: str) -> tuple[str, str]:
    """The title of a page, and its first sentence."""
    title = re.search(r"^# (.+)$", text, flags=re.MULTILINE)
    prose = [
        block
        for block in text.split("\n\n")
        if block.strip() and not re.match(r"[#`|!<:*\-(]", block.strip())
    ]
    first = " ".join(prose[0].split()) if prose else ""
    return (title[1] if title else "Untitled", re.split(r"(?<=[.!?])\s", first)[0])


def _write(path: Path, text: str) -> None:
    """Write a file if it changes: Sphinx reads again only what is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
