"""Tables in Markdown."""

from collections.abc import Iterable, Sequence

from bakeoff.report import marked_down


def pipes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; **bold** stays."""
    lines = [[_cell(cell) for cell in line] for line in (head, *rows)]
    lines.insert(1, ["---"] * len(head))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    if text.startswith("**") and text.endswith("**"):
        return f"**{marked_down(text.strip('*'))}**"
    return marked_down(text)
