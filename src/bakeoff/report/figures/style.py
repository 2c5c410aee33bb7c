"""Figure style: one look for all figures, and files that are equal from run to run."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Canvas

from bakeoff.basics.files import whole

FONT = "DejaVu Sans"  # comes with matplotlib
DPI = 220
SCREEN_DPI = 144
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

SIGNIFICANT, OTHERS, GREY, BLUE = "#D55E00", "#8FA3B5", "#777777", "#0072B2"


class ReportFigure(Canvas):
    """A figure that a notebook shows as the value of a line, even without pyplot."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=SCREEN_DPI)
        return file.getvalue()


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
        with whole(path) as file:
            WRITERS[ending](canvas, file)
        files.append(path)
    return files


def _write_svg(canvas: Canvas, file: IO[bytes]) -> None:
    FigureCanvasSVG(canvas).print_svg(file, metadata={"Date": None})


def _write_png(canvas: Canvas, file: IO[bytes]) -> None:
    FigureCanvasAgg(canvas).print_png(file, metadata={"Software": None})


def _write_pdf(canvas: Canvas, file: IO[bytes]) -> None:
    FigureCanvasPdf(canvas).print_pdf(file, metadata={"CreationDate": None})


WRITERS = {"svg": _write_svg, "png": _write_png, "pdf": _write_pdf}
