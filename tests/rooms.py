"""The rooms of the package, as their docstrings describe them.

`python -m tests.rooms` writes the map of rooms into CONTRIBUTING.md.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "bakeoff"
GUIDE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- rooms: python -m tests.rooms -->", "<!-- end of rooms -->"
ALL = "every other room"


class Room(NamedTuple):
    """A folder of the package."""

    name: str
    title: str
    about: str
    imports: tuple[str, ...]
    doors: tuple[str, ...]  # modules for other rooms; "" is the room itself

    def lets_in(self, module: str) -> bool:
        """Whether other rooms may import a module of this one."""
        inner = module.removeprefix(f"bakeoff.{self.name}").removeprefix(".")
        return inner in self.doors


def room_of(folder: Path) -> Room:
    """What the docstring of a folder says."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    title, about, rules = text.split("\n\n")
    imports = re.search(r"^Imports: (.*?)\.$", rules, re.MULTILINE | re.DOTALL)
    doors = re.search(r"^Doors: (.*?)\.$", rules, re.MULTILINE | re.DOTALL)
    assert imports is not None, folder
    assert doors is not None or "Door: this module" in rules, folder
    return Room(
        folder.name,
        _capital(title.partition(": ")[2].rstrip(".")),
        " ".join(about.split()),
        tuple(_listed(imports[1])),
        tuple(_listed(doors[1])) if doors else ("",),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(text: str) -> Iterator[str]:
    """Names in a sentence; the room itself is an empty one."""
    if text != "nothing of ours":
        names = (name.strip() for name in text.split(","))
        yield from ("" if name == "this module" else name for name in names)


def rooms() -> dict[str, Room]:
    """All rooms, the lowest first: each imports only those before it."""
    found = {
        path.parent.name: room_of(path.parent) for path in sorted(PACKAGE.glob("*/__init__.py"))
    }
    order: dict[str, Room] = {}
    while len(order) < len(found):
        ready = [
            room
            for name, room in found.items()
            if name not in order and (room.imports == (ALL,) or {*room.imports} <= {*order})
        ]
        ready = [room for room in ready if room.imports != (ALL,)] or ready
        assert ready, "rooms import each other"
        order |= {room.name: room for room in ready}
    return order


def room_map() -> str:
    """The table of CONTRIBUTING.md."""
    lines = ["| room | what it is for | other rooms import |", "| --- | --- | --- |"]
    for room in rooms().values():
        itself = f"`bakeoff.{room.name}` itself"
        doors = ", ".join(f"`{door}`" if door else itself for door in room.doors)
        about = room.about
        lines.append(
            f"| [`{room.name}`](src/bakeoff/{room.name}) | {room.title}. {about} | {doors} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Write the map."""
    before, _, rest = GUIDE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    GUIDE.write_text(f"{before}{BEGIN}\n\n{room_map()}\n\n{END}{after}")


if __name__ == "__main__":
    main()
