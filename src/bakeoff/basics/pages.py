"""Pages: small HTML pages that load nothing, readable on phones and in the dark."""

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

STYLE = """
.bakeoff{--ink:#1f2328;--faint:#59636e;--line:#d1d9e0;--paper:#fff;--blue:#0072b2;--green:#00795a;
--red:#b34700;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);
max-width:60rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
.bakeoff h1{font-size:1.4rem;margin:.2rem 0}.bakeoff h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
.bakeoff table{border-collapse:collapse;color:inherit;background:none}
.bakeoff td,.bakeoff th{padding:.25rem .7rem .25rem 0;text-align:right;color:inherit;
border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;background:none;
overflow-wrap:normal}
.bakeoff td:first-child,.bakeoff th:first-child{text-align:left}.bakeoff th{font-weight:600}
.bakeoff .wide{overflow-x:auto}.bakeoff td+td+td{white-space:nowrap}
.bakeoff .faint{color:var(--faint);font-size:.9rem}
.bakeoff .status{border-left:.35rem solid var(--green);padding:.2rem 0 .2rem .8rem;font-size:1.1rem}
.bakeoff .status.check{border-color:var(--red)}.bakeoff .status.new{border-color:var(--line)}
.bakeoff .fine{color:var(--green)}.bakeoff .fails{color:var(--red);font-weight:600}
.bakeoff figure{margin:1rem 0}.bakeoff .checks{list-style:none;padding:0}
.bakeoff ul{padding-left:1.2rem;margin:.4rem 0}.bakeoff details{margin:.8rem 0}
.bakeoff summary{cursor:pointer}
.bakeoff .forest{width:100%}.bakeoff .forest .plot{width:42%;min-width:6.5rem}
.bakeoff .forest th:nth-child(2){text-align:left}
.bakeoff .forest svg{height:1.4rem;max-width:none;overflow:visible}
.bakeoff .forest tr:last-child td{border:0}
.bakeoff .range{stroke:var(--blue);stroke-width:6;opacity:.3}
.bakeoff .dot{fill:var(--blue)}.bakeoff .other{fill:none;stroke:var(--faint);stroke-width:2}
.bakeoff .mark{stroke:var(--faint);stroke-dasharray:3 2}.bakeoff .same{fill:var(--blue);opacity:.08}
.bakeoff .good .dot{fill:var(--green)}.bakeoff .good .range{stroke:var(--green)}
.bakeoff .bad .dot{fill:var(--red)}.bakeoff .bad .range{stroke:var(--red)}
.bakeoff svg{display:block;width:100%;height:auto;max-width:44rem}
.bakeoff svg text{font:12px system-ui,sans-serif;fill:var(--faint)}
.bakeoff svg .line{fill:none;stroke:var(--blue);stroke-width:2}
.bakeoff svg .band{fill:var(--blue);opacity:.18}.bakeoff svg .grid{stroke:var(--line)}
.bakeoff .forest svg text{font-size:12px}
@media (max-width:480px){.bakeoff svg text{font-size:20px}.bakeoff .forest{font-size:13px}
.bakeoff .forest td,.bakeoff .forest th{padding-right:.4rem}}
@media (prefers-color-scheme:dark){.bakeoff{--ink:#e6edf3;--faint:#9198a1;--line:#3d444d;
--paper:#0d1117;--blue:#58a6ff;--green:#3fb950;--red:#f0883e}html:has(>body>.bakeoff){background:#0d1117}}
"""


def document(title: str, body: str) -> str:
    """A page of its own."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title)}</title><body style='margin:0'>{fragment(body)}</html>"
    )


def fragment(body: str) -> str:
    """A part of another page, such as a notebook."""
    return f"<style>{STYLE}</style><main class=bakeoff>{body}</main>"


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows of text and numbers; None is a dash."""
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(shown(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<div class=wide><table><tr>{top}</tr>{body}</table></div>"


def shown(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool | str):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def status(kind: str, sentence: str) -> str:
    """A sentence that says how things are: "healthy", "check" or "new"."""
    return f"<p class='status {kind}'>{html.escape(sentence)}</p>"


def lines(texts: Iterable[str]) -> str:
    """Sentences, one below the other."""
    items = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
    return f"<ul class=faint>{items}</ul>" if items else ""


class Dot(NamedTuple):
    """A row of a forest plot: a value with its interval, and cells of text beside it."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    cells: Sequence[str] = ()
    kind: str = ""  # "good" and "bad" have colours of their own
    other: float | None = None  # a second value, drawn as a ring


def forest(
    head: Sequence[str],
    dots: Sequence[Dot],
    *,
    mark: float | None = None,
    same: float | None = None,
    least: float | None = None,
    decimals: int = 2,
) -> str:
    """A table whose second column draws values and intervals on one axis.

    `mark` is a value to compare with, `same` a width beside it that does not matter, and
    `least` where the axis begins unless a value is smaller.
    """
    known = [mark, least, None if same is None or mark is None else mark + same]
    known += [x for dot in dots for x in (dot.value, dot.low, dot.high, dot.other)]
    drawn = [x for x in known if x is not None and math.isfinite(x)] or [0.0]
    low, high = min(drawn), max(drawn)
    width = high - low or 1.0

    def at(x: float) -> str:
        return f"{3 + 94 * (x - low) / width:.2f}%"

    behind = "" if mark is None else f"<line class=mark x1={at(mark)} x2={at(mark)} y1=0 y2=100% />"
    if same is not None and mark is not None:
        share = f"{94 * same / width:.2f}%"
        behind = f"<rect class=same x={at(mark)} width={share} y=0 height=100% />{behind}"
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join(
        f"<tr><td>{html.escape(dot.name)}</td><td class=plot>"
        f"<svg class='{dot.kind}' aria-hidden=true>{behind}{_drawn(dot, at)}</svg></td>"
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in dot.cells)
        + "</tr>"
        for dot in dots
    )
    ends = "".join(
        f"<text x={at(x)} y=12 text-anchor={anchor}>{x:.{decimals}f}</text>"
        for x, anchor in ((low, "start"), (high, "end"))
    )
    axis = f"<tr><td></td><td class=plot><svg aria-hidden=true>{ends}</svg></td></tr>"
    return (
        f"<div class=wide tabindex=0><table class=forest><thead><tr>{top}</tr></thead>"
        f"<tbody>{body}{axis}</tbody></table></div>"
    )


def _drawn(dot: Dot, at: Any) -> str:
    """The interval, the ring and the dot of a row, as far as they are known."""
    parts = []
    if dot.low is not None and dot.high is not None and math.isfinite(dot.low + dot.high):
        parts.append(f"<line class=range x1={at(dot.low)} x2={at(dot.high)} y1=50% y2=50% />")
    if dot.other is not None:
        parts.append(f"<circle class=other cx={at(dot.other)} cy=50% r=4 />")
    if dot.value is not None and math.isfinite(dot.value):
        parts.append(f"<circle class=dot cx={at(dot.value)} cy=50% r=5 />")
    return "".join(parts)


def band_chart(
    points: Sequence[tuple[float, float, float, float]], label: str, width: int = 640
) -> str:
    """A line with a band around it: x, low, middle, high of each point, x ascending."""
    height, left, right, top, bottom = 200, 64, 12, 10, 26
    xs = [point[0] for point in points]
    lows, highs = min(point[1] for point in points), max(point[3] for point in points)
    pad = 0.05 * (highs - lows) or 0.5
    y0, y1, x0, x1 = lows - pad, highs + pad, min(xs), max(xs)

    def at(x: float, y: float) -> str:
        across = (x - x0) / (x1 - x0) if x1 > x0 else 0.5
        up = (y - y0) / (y1 - y0)
        return (
            f"{left + across * (width - left - right):.1f},"
            f"{height - bottom - up * (height - top - bottom):.1f}"
        )

    band = [at(x, low) for x, low, _, _ in points]
    band += [at(x, high) for x, _, _, high in reversed(points)]
    parts = [f"<polygon class=band points='{' '.join(band)}'/>"]
    parts.append(f"<polyline class=line points='{' '.join(at(p[0], p[2]) for p in points)}'/>")
    decimals = max(0, 1 - math.floor(math.log10(highs - lows))) if highs > lows else 2
    for share in (0.0, 0.5, 1.0):
        y = y0 + pad + share * (highs - lows)
        level = at(x0, y).partition(",")[2]
        parts.append(f"<line class=grid x1={left} x2={width - right} y1={level} y2={level} />")
        parts.append(f"<text x={left - 6} y={level} text-anchor=end dy=4>{y:,.{decimals}f}</text>")
    parts.append(f"<text x={left} y={height - 8}>{x0:,.0f}</text>")
    parts.append(f"<text x={width - right} y={height - 8} text-anchor=end>{x1:,.0f}</text>")
    name = html.escape(label, quote=True)
    return (
        f'<svg viewBox="0 0 {width} {height}" role=img aria-label="{name}">{"".join(parts)}</svg>'
    )
