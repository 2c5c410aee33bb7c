"""Looks: how an algorithm is drawn, the same in all figures and on the page."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple
from zlib import crc32

from bakeoff.core.explorers import NAMES
from bakeoff.runs import CENTRED, with_inputs


class LineStyle(NamedTuple):
    """How an algorithm's line is drawn; variants of one have dashes."""

    colour: str
    dash: str = "-"
    marker: str = "o"

    @property
    def line(self) -> dict[str, Any]:
        """As arguments of `Axes.plot`."""
        return {"color": self.colour, "linestyle": self.dash}

    @property
    def points(self) -> dict[str, Any]:
        """Markers too, hollow where the line is dashed."""
        fill = self.colour if self.dash == "-" else "white"
        return {**self.line, "marker": self.marker, "markersize": 3,
                "markerfacecolor": fill, "markeredgewidth": 0.8}  # fmt: skip


_RAW = {label: LineStyle(name.colour, name.dash, name.marker) for label, name in NAMES.items()}
LINE_STYLES = _RAW | {
    with_inputs(label, CENTRED): style._replace(dash=":") for label, style in _RAW.items()
}
OWN_COLOURS = ("#A3167E", "#CF3A24", "#7438C7")  # of users' algorithms, which no other has
OWN = [
    LineStyle(colour, dash, marker)
    for marker, dash in product("PXsD^", ("-", "--", "-.", ":"))
    for colour in OWN_COLOURS
]


def line_styles(labels: Sequence[str]) -> dict[str, LineStyle]:
    """The style of each algorithm.

    That of an own learner belongs to its label, whatever is drawn beside it, unless another
    that comes before it in the alphabet has the same.
    """
    taken: dict[str, int] = {}
    for label in sorted(set(labels) - LINE_STYLES.keys()):
        turn = crc32(label.encode(errors="replace"))
        free = (turn + i for i in range(len(OWN)) if (turn + i) % len(OWN) not in taken.values())
        taken[label] = next(free, turn) % len(OWN)
    return {label: OWN[taken[label]] if label in taken else LINE_STYLES[label] for label in labels}
