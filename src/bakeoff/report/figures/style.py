"""Figure style: one look for all figures, and files that are equal from run to run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas

FONT = "DejaVu Sans"  # comes with matplotlib
DPI = 220
STYLE: dict[Any, Any] = {
    "font.family": FONT,
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 6,
    "ytick.labelsize": 6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "legend.title_fontsize": 7,
    "lines.linewidth": 1.1,
    "figure.dpi": DPI,
    "text.parse_math": False,  # a $ in a name is a $
    "text.usetex": False,
    "axes.unicode_minus": False,
    "axes.formatter.use_mathtext": False,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "bakeoff",
    "pdf.fonttype": 42,
}
WIDTH = 6.9  # inches: both columns of a paper

SIGNIFICANT, OTHERS, GREY = "#D55E00", "#8FA3B5", "#777777"
BLACK, BLUE, SKY, GREEN = "#000000", "#0072B2", "#56B4E9", "#009E73"  # Okabe and Ito
ORANGE, VERMILLION, PURPLE = "#E69F00", "#D55E00", "#CC79A7"


class Look(NamedTuple):
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


LOOKS = {
    "G": Look(BLACK), "RO": Look(BLUE, "-", "s"), "R": Look(SKY, "--", "s"),
    "C-nu": Look(GREEN, "-", "^"), "C-u": Look(GREEN, "--", "^"),
    "B-g": Look(ORANGE, "-", "D"), "B": Look(ORANGE, "--", "D"),
    "eG": Look(PURPLE, "-", "v"), "A": Look(VERMILLION, "--", "v"),
}  # fmt: skip
OWN = [
    Look(colour, dash, marker)
    for dash, marker in (("-.", "P"), ("--", "X"))
    for colour in (GREY, BLUE, PURPLE, BLACK)
]


def looks(labels: Sequence[str]) -> dict[str, Look]:
    """The look of each algorithm; own learners take turns."""
    own = [label for label in labels if label not in LOOKS]
    turns = {label: OWN[i % len(OWN)] for i, label in enumerate(own)}
    return {label: LOOKS.get(label) or turns[label] for label in labels}


class Drawing(NamedTuple):
    """A figure before it is written; without a canvas, what it needs."""

    name: str
    title: str
    caption: str = ""
    canvas: Canvas | None = None
    needs: str = ""


def arrange(canvas: Canvas) -> None:
    """Lay out a figure, once; panels that are to be square become so afterwards.

    The layout would take the room around squares for room that titles may use.
    """
    layout = canvas.get_layout_engine()
    if layout is not None:
        layout.execute(canvas)
        canvas.set_layout_engine("none")


def save(canvas: Canvas, folder: Path, name: str, formats: Sequence[str]) -> list[Path]:
    """Write a figure in some formats, under its name, without a date.

    Backends are called themselves: `savefig` lays out and draws everything twice.
    """
    arrange(canvas)
    files = []
    for ending in formats:
        path = folder / f"{name}.{ending}"
        canvas.dpi = DPI
        WRITERS[ending](canvas, path)
        files.append(path)
    return files


def _write_svg(canvas: Canvas, path: Path) -> None:
    FigureCanvasSVG(canvas).print_svg(path, metadata={"Date": None})


def _write_png(canvas: Canvas, path: Path) -> None:
    FigureCanvasAgg(canvas).print_png(path, metadata={"Software": None})


def _write_pdf(canvas: Canvas, path: Path) -> None:
    FigureCanvasPdf(canvas).print_pdf(path, metadata={"CreationDate": None})


WRITERS = {"svg": _write_svg, "png": _write_png, "pdf": _write_pdf}
