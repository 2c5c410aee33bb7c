"use strict";
// Plots as SVG: axes, lines, bands, points and boxes. Colours are variables of the page,
// so that plots follow light and dark; downloads get the light ones on a white ground.

const SPACE = "http://www.w3.org/2000/svg";
const FONT = "system-ui, -apple-system, 'Segoe UI', Arial, sans-serif";
const NARROW = 560; // pixels: names stand in a legend, not at the ends of lines
const APART = 15; // pixels between names at the ends of lines
const REACH = 22; // how near a pointer must be to what it points at

function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// The look of an algorithm, the same in all plots and figures; some colours have a lighter
// one in the dark.
const INKS = { "#000000": "var(--text)", "#0072B2": "var(--more-line)", "#332288": "var(--indigo)", "#661100": "var(--brown)",
  "#882255": "var(--wine)", "#117733": "var(--green)", "#A3167E": "var(--own)", "#CF3A24": "var(--own-red)", "#7438C7": "var(--own-violet)" };

function styleOf(label) {
  const { colour, marker, dash } = DATA.looks[label];
  return { colour: INKS[colour] ?? colour, marker, dash };
}

const DASHES = { "-": null, "--": "7 4", "-.": "8 3 2 3", ":": "2 4" };
const SHAPES = {
  o: (r) => `M ${-r} 0 a ${r} ${r} 0 1 0 ${2 * r} 0 a ${r} ${r} 0 1 0 ${-2 * r} 0 Z`,
  s: (r) => `M ${-r} ${-r} H ${r} V ${r} H ${-r} Z`,
  D: (r) => `M 0 ${-1.3 * r} L ${1.3 * r} 0 L 0 ${1.3 * r} L ${-1.3 * r} 0 Z`,
  "^": (r) => `M 0 ${-1.2 * r} L ${1.1 * r} ${0.9 * r} H ${-1.1 * r} Z`,
  v: (r) => `M 0 ${1.2 * r} L ${1.1 * r} ${-0.9 * r} H ${-1.1 * r} Z`,
  P: (r) => `M ${-r} 0 H ${r} M 0 ${-r} V ${r}`,
  X: (r) => `M ${-r} ${-r} L ${r} ${r} M ${-r} ${r} L ${r} ${-r}`,
  "<": (r) => `M ${-1.2 * r} 0 L ${0.9 * r} ${1.1 * r} V ${-1.1 * r} Z`,
  ">": (r) => `M ${1.2 * r} 0 L ${-0.9 * r} ${1.1 * r} V ${-1.1 * r} Z`,
  "*": (r) => `M ${-r} ${-0.6 * r} L ${r} ${0.6 * r} M ${-r} ${0.6 * r} L ${r} ${-0.6 * r} M 0 ${-1.2 * r} V ${1.2 * r}`,
  h: (r) => `M ${-r} ${-0.6 * r} L 0 ${-1.2 * r} L ${r} ${-0.6 * r} V ${0.6 * r} L 0 ${1.2 * r} L ${-r} ${0.6 * r} Z`,
  H: (r) => `M ${-1.2 * r} 0 L ${-0.6 * r} ${-r} H ${0.6 * r} L ${1.2 * r} 0 L ${0.6 * r} ${r} H ${-0.6 * r} Z`,
  d: (r) => `M 0 ${-1.3 * r} L ${0.8 * r} 0 L 0 ${1.3 * r} L ${-0.8 * r} 0 Z`,
};

function markerOf(look, x, y, radius = 4, isHollow = look.dash !== "-") {
  return s("path", {
    d: (SHAPES[look.marker] ?? SHAPES.o)(radius), transform: `translate(${fixed(x)} ${fixed(y)})`,
    fill: look.isRing ? "none" : isHollow ? "var(--page)" : look.colour, stroke: look.colour, "stroke-width": 1.5,
  });
}

function fixed(number) {
  return Number(number.toFixed(2));
}

// How wide a text is in a picture, and as much of it as there is room for.
const RULER = document.createElement("canvas").getContext("2d");

function widthOf(text, { size = 13, weight = 400 } = {}) {
  RULER.font = `${weight} ${size}px ${FONT}`;
  return RULER.measureText(text).width;
}

function widest(texts, look) {
  return Math.max(0, ...texts.map((text) => widthOf(text, look)));
}

function fitted(text, room, look) {
  let fit = text;
  for (let most = text.length; most > 2 && widthOf(fit, look) > room; most--) fit = shortened(text, most - 1);
  return fit;
}

// ---- axes

// A round number that divides a length into about so many.
function stepOf(length, parts = 6) {
  const power = 10 ** Math.floor(Math.log10(length / parts));
  return power * [1, 2, 5, 10].find((times) => times * power >= length / parts);
}

function ticksOf({ type, range: [low, high], ticks }, room) {
  if (ticks) return ticks;
  const parts = Math.max(2, Math.floor(room / 64));
  if (type === "log") {
    const powers = [];
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const skip = Math.ceil((last - first + 1) / parts);
    for (let power = first; power <= last; power += skip) powers.push(10 ** power);
    if (powers.length > 1) return powers;
    const inner = [1, 2, 5].flatMap((times) => [first - 1, first, last].map((p) => times * 10 ** p));
    const found = [...new Set(inner)].filter((one) => one >= low && one <= high).sort((a, b) => a - b);
    if (found.length > 2) return found;
  }
  for (let more = 0; ; more++) { // two at least
    const step = stepOf(high - low || 1, parts + more), found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step);
    if (found.length > 1 || more > 5) return found;
  }
}

const RAISED = { "-": "\u207b", 0: "\u2070", 1: "\u00b9", 2: "\u00b2", 3: "\u00b3", 4: "\u2074",
  5: "\u2075", 6: "\u2076", 7: "\u2077", 8: "\u2078", 9: "\u2079" };

function tickText(value, { type, format }, room) {
  if (format) return format(value, room);
  if (type === "log" && (value >= 1e5 || value <= 1e-4)) {
    return `10${String(Math.round(Math.log10(value))).replace(/./g, (c) => RAISED[c])}`;
  }
  return whole(Number(value.toPrecision(6)));
}

// The same of all ticks, with as many decimals each.
function tickTexts(ticks, axis, room) {
  const texts = ticks.map((tick) => tickText(tick, axis, room));
  const digits = Math.max(0, ...texts.map((text) => text.split(".")[1]?.length ?? 0));
  return axis.type === "log" || axis.format || !digits ? texts : ticks.map((tick) => (tick ? lossText(tick, digits) : "0"));
}

// Ticks of the vertical axis, its title, and how much room both take on the left.
function leftOf(axis, room) {
  const ticks = ticksOf(axis, 1.4 * room); // labels above each other need less room
  return { ticks, left: Math.ceil(widest(tickTexts(ticks, axis)) + 12 + (axis.title ? 20 : 0)) };
}

function placeIn({ type, range: [low, high] }, from, to) {
  const measure = type === "log" ? Math.log10 : (value) => value;
  const start = measure(low), span = measure(high) - start || 1;
  return (value) => from + ((measure(value) - start) / span) * (to - from);
}

function axesOf(box, x, y, place, yTicks) {
  const parts = [];
  const line = (x1, y1, x2, y2, colour) => parts.push(s("line", {
    x1: fixed(x1), y1: fixed(y1), x2: fixed(x2), y2: fixed(y2), stroke: colour }));
  const text = (where, string, more) => parts.push(s("text", { ...where, fill: "var(--quiet)", ...more }, string));
  const yTexts = tickTexts(yTicks, y);
  yTicks.forEach((tick, k) => {
    const at = place.y(tick);
    line(box.left, at, box.right, at, "var(--line)");
    text({ x: box.left - 8, y: fixed(at + 4) }, yTexts[k], { "text-anchor": "end" });
  });
  const wide = box.right - box.left, ticks = ticksOf(x, wide), texts = tickTexts(ticks, x, wide / ticks.length);
  let last = -Infinity;
  for (const [k, tick] of ticks.entries()) {
    const at = place.x(tick), label = texts[k], half = widthOf(label) / 2;
    if (!x.noGrid) line(at, box.top, at, box.bottom, "var(--line)");
    if (at - half < last + 6) continue; // labels must not run into each other
    last = at + half;
    text({ x: fixed(at), y: box.bottom + 18 }, label, { "text-anchor": "middle" });
  }
  line(box.left, box.bottom, box.right, box.bottom, "var(--quiet)");
  if (x.title) {
    text({ x: (box.left + box.right) / 2, y: box.bottom + 38 }, fitted(x.title, wide - 50), { "text-anchor": "middle" });
  }
  if (y.title) {
    const middle = (box.top + box.bottom) / 2;
    text({ x: 13, y: middle, transform: `rotate(-90 13 ${middle})` }, y.title, { "text-anchor": "middle" });
  }
  return parts;
}

// ---- legend

// Names with their looks, in as many rows as it takes; the height they need.
function legendOf(entries, width) {
  const parts = [];
  let x = 4, y = 14;
  for (const { text: whole, look, isPoint } of entries) {
    const text = fitted(whole, width - 40), room = widthOf(text) + 46;
    if (x > 4 && x + room > width) [x, y] = [4, y + 20];
    if (!isPoint) {
      parts.push(s("line", { x1: x, x2: x + 26, y1: y - 4, y2: y - 4, stroke: look.colour,
        "stroke-width": 2, "stroke-dasharray": DASHES[look.dash] }));
    }
    if (look.marker) parts.push(markerOf(look, x + 13, y - 4, 4, look.isHollow));
    parts.push(s("text", { x: x + 32, y, fill: "var(--text)" }, text));
    x += room;
  }
  return { parts, height: entries.length ? y + 10 : 0 };
}

// Names at the right ends of lines, pushed apart where they would overlap; pointing at one
// dims the others.
function endNames(ends, place, box) {
  const rows = ends.map((end) => ({ ...end, at: place.y(end.y) })).sort((a, b) => a.at - b.at);
  rows.forEach((row, k) => { if (k) row.at = Math.max(row.at, rows[k - 1].at + APART); });
  for (let k = rows.length - 1; k >= 0; k--) rows[k].at = Math.min(rows[k].at, k === rows.length - 1 ? box.bottom : rows[k + 1].at - APART);
  return rows.map(({ label, text, look, y, at, isBold }) => {
    const name = s("text", { x: box.right + 16, y: fixed(at + 4), fill: "var(--text)", "font-weight": isBold ? 700 : null, class: "end" }, text);
    const svgOf = () => name.ownerSVGElement.querySelectorAll("[data-line]");
    name.addEventListener("pointerenter", () => svgOf().forEach((one) => {
      one.style.opacity = one.getAttribute("data-line") === label ? "" : "0.12";
    }));
    name.addEventListener("pointerleave", () => svgOf().forEach((one) => { one.style.opacity = ""; }));
    return s("g", { "data-line": label }, s("path", { d: `M ${fixed(box.right)} ${fixed(place.y(y))} L ${fixed(box.right + 12)} ${fixed(at)}`,
      stroke: look.colour, fill: "none", opacity: 0.6 }), name);
  });
}

// ---- marks

const MARKS = {
  line({ points, look, label, width = 2 }, place) {
    if (!points.length) return [];
    const d = points.map(({ x, y }, k) => `${k ? "L" : "M"} ${fixed(place.x(x))} ${fixed(place.y(y))}`);
    return [s("path", { d: d.join(" "), fill: "none", stroke: look.colour, "stroke-width": width,
      "stroke-dasharray": DASHES[look.dash], "stroke-linejoin": "round", "data-line": label })];
  },
  dots({ points, look, radius = 4 }, place) {
    return points.map(({ x, y }) => markerOf(look, place.x(x), place.y(y), radius));
  },
  band({ points, look }, place) {
    const at = (x, y) => `${fixed(place.x(x))} ${fixed(Math.max(place.box.top, Math.min(place.box.bottom, place.y(y))))}`; // not beyond the axes
    const up = points.map(({ x, high }) => at(x, high)), down = points.map(({ x, low }) => at(x, low)).reverse();
    return points.length ? [s("path", { d: `M ${[...up, ...down].join(" L ")} Z`, fill: look.colour,
      opacity: 0.13 })] : [];
  },
  points({ points }, place) {
    return points.map(({ x, y, look, radius }) => {
      const one = markerOf(look, place.x(x), place.y(y), radius ?? 4, look.isHollow);
      one.setAttribute("class", "point");
      return one;
    });
  },
  rule({ from, to, dash = "3 4" }, place) {
    return [s("line", { x1: fixed(place.x(from[0])), y1: fixed(place.y(from[1])),
      x2: fixed(place.x(to[0])), y2: fixed(place.y(to[1])), stroke: "var(--quiet)", "stroke-dasharray": dash })];
  },
  // Names beside points, each where it covers no other: right, left, above or below.
  names({ points }, place) {
    const taken = points.map(({ x, y }) => [place.x(x) - 6, place.y(y) - 6, place.x(x) + 6, place.y(y) + 6]);
    const isFree = (box) => box[0] > place.box.left && box[2] < place.box.right + 16 && taken.every(([l, t, r, b]) => box[2] < l || box[0] > r || box[3] < t || box[1] > b);
    return points.map(({ x, y, text, isBold }) => {
      const [px, py, long] = [place.x(x), place.y(y), widthOf(text, { size: 12, weight: isBold ? 600 : 400 })];
      const at = [[9, 0], [-9 - long, 0], [-long / 2, -15], [-long / 2, 15], [9, -13], [9, 13], [-9 - long, -13], [-9 - long, 13], [-long / 2, -28], [-long / 2, 28],
        [9, -28], [9, 28], [-long / 2, -42]]
        .map(([dx, dy]) => [px + dx, py + dy - 7, px + dx + long, py + dy + 7]);
      const box = at.find(isFree);
      if (!box) return null; // a pointer still reads it
      taken.push(box);
      return s("text", { x: fixed(box[0]), y: fixed(box[1] + 11), fill: "var(--text)", "font-size": 12, "font-weight": isBold ? 600 : null,
        stroke: "var(--page)", "stroke-width": 4, "paint-order": "stroke" }, text);
    }).filter(Boolean);
  },
  area({ from, to }, place) {
    const [x, y] = [place.x(from[0]), place.y(to[1])];
    return [s("rect", { x: fixed(x), y: fixed(y), width: fixed(place.x(to[0]) - x), height: fixed(place.y(from[1]) - y), fill: "var(--band)" })];
  },
  note({ at: [x, y], text, anchor = "end" }, place) {
    return [s("text", { x: fixed(place.x(x)), y: fixed(place.y(y) - 5), "text-anchor": anchor,
      fill: "var(--quiet)" }, text)];
  },
  box({ x, values: [least, low, middle, high, greatest], look }, place) {
    const [at, half] = [place.x(x), Math.min(18, place.x(x + 0.32) - place.x(x))];
    const [y0, y1, y2, y3, y4] = [least, low, middle, high, greatest].map((v) => fixed(place.y(v)));
    const stroke = { stroke: look.colour, "stroke-width": 1.5, fill: "none" };
    return [
      s("path", { d: `M ${at} ${y0} V ${y1} M ${at} ${y3} V ${y4}`, ...stroke }),
      s("rect", { x: fixed(at - half), y: y3, width: fixed(2 * half), height: Math.max(1, fixed(y1 - y3)),
        ...stroke, fill: look.colour, "fill-opacity": 0.12 }),
      s("path", { d: `M ${fixed(at - half)} ${y2} H ${fixed(at + half)}`, ...stroke, "stroke-width": 3 }),
    ];
  },
};

// ---- charts

// A chart of so many pixels: the picture, and what a pointer can meet in it.
function chartOf(spec, width) {
  const ends = width < NARROW ? [] : spec.ends ?? [];
  const legend = legendOf(spec.legend ?? (width < NARROW && spec.ends ? legendFor(spec.ends.map(({ label }) => label)) : []), width);
  const room = ends.length ? 22 + widest(ends.map(({ text }) => text), { weight: 700 }) : 20;
  const top = legend.height + 8, height = Math.max(spec.height ?? 360, APART * ends.length);
  const { ticks, left } = leftOf(spec.y, spec.isSquare ? Math.min(width - 90, 560) : height);
  const side = Math.min(width - left - 20, 560);
  const box = { left, top, right: width - room, bottom: top + height };
  if (spec.isSquare) Object.assign(box, { right: left + side, bottom: top + side });
  const place = { x: placeIn(spec.x, box.left, box.right), y: placeIn(spec.y, box.bottom, box.top), box };
  const marks = spec.marks.flatMap((mark) => MARKS[mark.kind](mark, place));
  const targets = (spec.targets ?? []).map((one) => ({ ...one, px: place.x(one.x), py: place.y(one.y) }));
  const total = box.bottom + (spec.x.title ? 48 : 28);
  return { svg: pictureOf(width, total, [...axesOf(box, spec.x, spec.y, place, ticks), ...marks,
    ...endNames(ends, place, box), ...legend.parts]), targets };
}

function pictureOf(width, height, parts) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-size": 13,
    "font-family": FONT }, ...parts);
}

// Show a picture that is built for a width, and build it again when that changes.
// `description` is what screen readers say, `name` becomes part of file names.
function picture(element, { description, name, build }) {
  element.picture = { description, name, build };
  element.classList.remove("empty");
  drawPicture(element);
  widths.observe(element);
}

function plot(element, description, spec) {
  picture(element, { description, name: spec.name, build: (width) => chartOf(spec, width) });
}

function drawPicture(element, wide = element.clientWidth) {
  const { description, build, name } = element.picture;
  const width = Math.max(240, Math.floor(wide));
  element.drawnWidth = Math.max(240, element.clientWidth);
  const { svg, targets = [], isBare = false } = build(width);
  element.classList.toggle("bare", isBare); // without what only wide ones show
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", description);
  const tip = h("div", { class: "tip", hidden: true });
  fill(element, svg, tip, plotTools(element, name));
  if (targets.length) listenTo(svg, tip, targets);
}

const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isOther = Math.abs(target.clientWidth - (target.drawnWidth ?? 0)) > 2;
    if (target.picture && target.clientWidth && isOther) drawPicture(target);
  }
});

function listenTo(svg, tip, targets) {
  const nearest = (event) => {
    const { left, top } = svg.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    let best = null, least = REACH;
    for (const target of targets) {
      const distance = Math.hypot(target.px - x, target.py - y);
      if (distance < least) [best, least] = [target, distance];
    }
    return best;
  };
  const show = (event) => {
    const target = nearest(event);
    tip.hidden = !target;
    svg.style.cursor = target?.onClick ? "pointer" : "";
    if (!target) return;
    fill(tip, ...target.lines.map((line) => h("div", {}, line)));
    const room = svg.clientWidth - tip.offsetWidth - 4;
    tip.style.left = `${Math.max(0, Math.min(target.px + 12, room))}px`;
    tip.style.top = `${target.py + 14}px`;
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  svg.addEventListener("click", (event) => nearest(event)?.onClick?.());
}

// Where there is nothing to draw: say so instead.
function noPlot(element, text) {
  delete element.picture;
  element.classList.add("empty");
  fill(element, note(text));
}

// A line with its markers, and what a pointer reads there.
function lineMarks(label, points, { hasDots = true, digits = 4, xText = String } = {}) {
  const look = styleOf(label);
  return {
    marks: [{ kind: "line", points, look, label }, ...(hasDots ? [{ kind: "dots", points, look }] : [])],
    targets: points.map(({ x, y }) => ({
      x, y, lines: [fullName(label), `${lossText(y, digits)} at ${xText(x)}`],
    })),
  };
}

// Names for the ends of lines, the leader's in bold.
function endsFor(lines) {
  return lines.filter(({ points }) => points.length).map(({ label, points }, k) => ({
    label, text: shortened(fullName(label), 24), look: styleOf(label), y: points.at(-1).y, isBold: k === 0,
  }));
}

function legendFor(labels) {
  return labels.map((label) => ({ text: shortened(fullName(label), 28), look: styleOf(label) }));
}

// A little room around numbers, for the range of an axis.
function rangeOf(values, { from = null, room = 0.05 } = {}) {
  const known = values.filter(Number.isFinite);
  if (!known.length) return [0, 1];
  const low = from ?? Math.min(...known), high = Math.max(...known), span = high - low || Math.abs(high) || 1;
  return [from ?? low - room * span, high + room * span];
}
