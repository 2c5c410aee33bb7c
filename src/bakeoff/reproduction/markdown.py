"""Tables in Markdown."""

import re
from collections.abc import Iterable, Sequence

from bakeoff.report import marked_down


def pipes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; **bold** stays."""
    lines = [[_cell(cell) for cell in line] for line in (head, *rows)]
    lines.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def fold(title: str, text: str) -> str:
    """A text that opens by a click on its title."""
    return f"<details><summary>{title}</summary>\n\n{text.rstrip()}\n\n</details>"


def folded(document: str, most: int = 12) -> str:
    """A document whose tables of more than `most` rows open by a click."""

    def fold_long(table: re.Match[str]) -> str:
        rows = table[0].count("\n") - 2
        if rows <= most:
            return table[0]
        return f"{fold(f'The table ({rows} rows)', table[0])}\n"

    return re.sub(r"^\|.*\n\|[-| :]+\|\n(?:\|.*\n)+", fold_long, document, flags=re.MULTILINE)


def lined(document: str) -> str:
    """A document with one sentence a line, so that versions differ by whole sentences."""
    parts = re.split(r"(^```.*?^```$)", document, flags=re.MULTILINE | re.DOTALL)
    paragraph = re.compile(r"^[^|<#!\s].*(?:\n.+)*", flags=re.MULTILINE)
    return "".join(
        part if part.startswith("```") else paragraph.sub(_paragraph_lined, part) for part in parts
    )


def _paragraph_lined(paragraph: re.Match[str]) -> str:
    items = re.findall(r"^( *(?:- |\d+\. )?)(.+(?:\n(?! *(?:- |\d+\. )).+)*)", paragraph[0], re.M)
    return "\n".join(mark + _sentences(text, " " * len(mark)) for mark, text in items)


def _sentences(text: str, indent: str) -> str:
    """A line for each sentence of a paragraph, or of an item of a list."""
    end = r"(?<!\bEq\.)(?<=[.!?]) (?=[A-Z\d*\"`(\[])"  # outside of code
    return re.sub(rf"(`[^`]*`)|{end}", lambda m: m[1] or f"\n{indent}", " ".join(text.split()))


def _cell(text: str) -> str:
    if text.startswith("**") and text.endswith("**"):
        return f"**{marked_down(text.strip('*'))}**"
    return marked_down(text)
