"""Pages: small HTML pages that load nothing, readable on phones and in the dark."""

import html
from collections.abc import Sequence
from typing import Any

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
.bakeoff svg{display:block;width:100%;height:auto;max-width:44rem}
.bakeoff svg text{font:12px system-ui,sans-serif;fill:var(--faint)}
.bakeoff svg .line{fill:none;stroke:var(--blue);stroke-width:2}
.bakeoff svg .band{fill:var(--blue);opacity:.18}.bakeoff svg .grid{stroke:var(--line)}
@media (max-width:480px){.bakeoff svg text{font-size:20px}}
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
    for share in (0.0, 0.5, 1.0):
        y = y0 + pad + share * (highs - lows)
        level = at(x0, y).partition(",")[2]
        parts.append(f"<line class=grid x1={left} x2={width - right} y1={level} y2={level} />")
        parts.append(f"<text x={left - 6} y={level} text-anchor=end dy=4>{y:.3g}</text>")
    parts.append(f"<text x={left} y={height - 8}>{x0:,.0f}</text>")
    parts.append(f"<text x={width - right} y={height - 8} text-anchor=end>{x1:,.0f}</text>")
    name = html.escape(label, quote=True)
    return (
        f'<svg viewBox="0 0 {width} {height}" role=img aria-label="{name}">{"".join(parts)}</svg>'
    )
