"use strict";
// Distance: how far every algorithm is from the leader, and on how many datasets the leader
// wins, ties and loses. Stores with one dataset or one algorithm show losses instead, beside
// what needs no learning and what sees all costs.

const ROW = 30, TOP = 26; // pixels: of a row, and above the first one

// Of each: how much higher its mean loss is than the leader's, with a paired interval, and on how
// many datasets the leader wins, ties and loses against it.
function distancesOf(contest, entries) {
  const [first] = entries, leads = leadsIn(contest, first.a);
  return entries.map(({ label, a, meanLoss }) => {
    const won = contest.tally[first.a][a], lost = contest.tally[a][first.a];
    return { label, a, meanLoss, isFirst: a === first.a, ...leads[a], won, lost, tied: leads[a].met - won - lost };
  });
}

function currentDistances() {
  return remembered("distances", () => distancesOf(currentContest(), currentStandings()));
}

function inkOf({ label, isFirst, low }) {
  if (DATA.own.includes(label)) return "var(--own)";
  if (isFirst) return "var(--more-line)";
  return low > RULES.same ? "var(--less-line)" : "var(--plain)";
}

// Where the parts of the picture begin and end: names, dots, numbers and bars.
function columnsFor(names, width) {
  const size = width < NARROW ? 12 : 13;
  const room = Math.min(widest(names, { size, weight: 700 }) + 6, width * (width < NARROW ? 0.42 : 0.28));
  const hasBars = width >= 640, bars = hasBars ? 0.24 * width : 0, counts = hasBars ? 96 : 0;
  const right = width - (hasBars ? bars + counts + 18 : 0);
  return { size, room, left: room + 12, dots: right - 62, numbers: right - 8, bars: hasBars ? [right + 12, right + 12 + bars] : null };
}

function nameMark(name, label, y, at, isFirst) {
  const weight = isFirst ? 700 : 500;
  return s("text", { x: fixed(at.room), y: y + 4, "text-anchor": "end", "font-weight": weight, "font-size": at.size,
    fill: DATA.own.includes(label) ? "var(--own)" : "var(--text)" }, fitted(name, at.room, { size: at.size, weight }), s("title", {}, name));
}

function winBar({ won, tied, lost }, y, [left, right]) {
  const all = won + tied + lost || 1, at = (count) => left + ((right - left) * count) / all;
  const part = (from, to, fill) => s("rect", { x: fixed(at(from)), y: y - 8, width: fixed(Math.max(0, at(to) - at(from))), height: 16, fill });
  return [part(0, won, "var(--more-line)"), part(won, won + tied, "var(--line)"), part(won + tied, all, "var(--less-line)"),
    s("text", { x: right + 8, y: y + 4, fill: "var(--quiet)" }, `${whole(won)} \u00b7 ${whole(tied)} \u00b7 ${whole(lost)}`)];
}

function quietText(x, y, text, anchor = "middle") {
  return s("text", { x: fixed(x), y, "text-anchor": anchor, fill: "var(--quiet)", "font-size": 12 }, text);
}

function middleOf(row) {
  return TOP + ROW * row + ROW / 2 - 3;
}

// The lines behind so many rows, with their numbers below.
function gridOf(count, range, [left, right], textOf) {
  const place = placeIn({ range }, left, right), bottom = TOP + ROW * count;
  return { place, bottom, grid: ticksOf({ range }, 1.3 * (right - left)).flatMap((tick) => [
    s("line", { x1: fixed(place(tick)), x2: fixed(place(tick)), y1: TOP - 6, y2: bottom, stroke: "var(--line)" }),
    quietText(place(tick), bottom + 16, textOf(tick)),
  ]) };
}

// The picture: a row for each algorithm, with its dot and interval, its mean loss, its bar.
function distancePicture(rows, width) {
  const at = columnsFor(rows.map(({ label }) => fullName(label)), width), others = rows.filter((row) => !row.isFirst);
  const ends = others.flatMap(({ low, high, value }) => [low, high, value]).filter(Number.isFinite);
  const highest = others.map(({ high, value }) => (Number.isFinite(high) ? high : value)).filter(Number.isFinite);
  const fence = limitOf(highest), greatest = Math.max(...highest); // one that is far behind does not flatten the others
  const limit = Math.max(2.5 * RULES.same, greatest > 2 * fence ? fence : greatest);
  const low = Math.min(-RULES.same / 2, ...ends), range = [low, limit + 0.03 * (limit - low)];
  const { place, bottom, grid } = gridOf(rows.length, range, [at.left, at.dots], (tick) => (tick ? signedLoss(tick, 3).replace(/0$/, "") : "0"));
  const from = place(Math.max(low, -RULES.same)), targets = [];
  const parts = [s("rect", { x: fixed(from), y: TOP - 6, width: fixed(place(RULES.same) - from), height: bottom - TOP + 6, fill: "var(--band)" }), ...grid,
    quietText(at.numbers, 12, "mean loss", "end"), quietText(at.left, 12, at.numbers - at.left < 290 ? "above the leader" : "mean loss above the leader's", "start"),
    at.bars ? quietText(at.bars[0], 12, "leader wins \u00b7 ties \u00b7 loses", "start") : null];
  rows.forEach((row, k) => {
    const y = middleOf(k), ink = inkOf(row);
    parts.push(nameMark(fullName(row.label), row.label, y, at, row.isFirst),
      s("text", { x: at.numbers, y: y + 4, "text-anchor": "end", fill: "var(--text)" }, lossText(row.meanLoss, 3)));
    const isFar = row.value > range[1];
    if (Number.isFinite(row.low) && !row.isFirst && !isFar) {
      const [from, to] = [place(row.low), Math.min(at.dots, place(row.high))];
      parts.push(s("rect", { x: fixed(from), y: y - 3, width: fixed(Math.max(2, to - from)), height: 6, fill: ink, opacity: 0.35 }));
    }
    const px = isFar ? at.dots - 8 : place(row.value);
    if (isFar) parts.push(s("text", { x: at.dots, y: y + 4, "text-anchor": "end", fill: ink, "font-size": 12 }, `${signedLoss(row.value)} \u25b8`));
    else parts.push(s("circle", { cx: fixed(px), cy: y, r: 5, fill: ink }));
    if (at.bars && !row.isFirst) parts.push(...winBar(row, y, at.bars));
    targets.push({ px, py: y, lines: distanceLines(row, rows[0]), onClick: row.isFirst ? null : () => pickPair(row.label, rows[0].label) });
  });
  return { svg: pictureOf(width, bottom + 26, parts), targets, isBare: !at.bars };
}

function distanceLines(row, first) {
  if (row.isFirst) return [fullName(row.label), "the leader", `mean loss ${lossText(row.meanLoss)}`];
  return [fullName(row.label), `mean loss ${apart(row.value)} ${fullName(first.label)}'s`,
    ...(Number.isFinite(row.low) ? [`95%: ${signedLoss(row.low, 4)} to ${signedLoss(row.high, 4)}`] : []),
    `${fullName(first.label)} wins ${whole(row.won)}, ties ${whole(row.tied)}, loses ${whole(row.lost)}`, "Click: dataset by dataset"];
}

// What each part of the verdict says; the ways of counting come later.
function drawReasons() {
  fill($("reasons"), ...reasonsOf(evidence(waysKnown())).map((text) => h("li", {}, text)));
}

function drawDistances() {
  const contest = currentContest(), rows = currentDistances(), [first] = rows, name = fullName(first.label);
  picture($("distance-plot"), {
    name: "distance to the leader",
    description: `Mean loss above that of the leader, ${name}: ${rows.slice(1).map((row) => `${fullName(row.label)} ${signedLoss(row.value)}`
      + `${Number.isFinite(row.low) ? ` (${signedLoss(row.low)} to ${signedLoss(row.high)})` : ""}, ${name} wins ${row.won}, ties ${row.tied}, loses ${row.lost}`).join("; ")}.`,
    build: (width) => distancePicture(rows, width),
  });
  const common = commonProblems(contest).length;
  fill($("distance-text"), note("Dots: mean {loss} above the leader's"
    + `${Number.isFinite(rows[1].low) ? ", with the range of 95% of {resamples} of the datasets" : ""}. Shaded: less than ${RULES.same}, which hardly matters.`,
  h("span", { class: "of-bars" }, ...explained(` Bars: datasets on which ${name} wins, ties or loses {significantly}.`)),
  common < contest.problems.length ? ` Mean losses are over the ${whole(common)} datasets that all algorithms have.` : ""),
  h("ul", { id: "reasons" }));
  drawReasons();
}

// ---- without a contest: losses beside those of no learning and of full information

const REFERENCES = [["skyline", "supervised skyline"], ["constant", "best constant action"], ["uniform", "uniform at random"]];

// Mean losses of algorithms and references on the problems that all of them have.
function plainLosses(contest) {
  const problems = commonProblems(contest), known = REFERENCES.filter(([key]) => problems.every((i) => PROBLEMS[key][i] !== null));
  const errors = problems.length === 1 ? (column) => errorOfMean(ordersOf(column, problems[0])) : () => NaN;
  const rows = contest.columns.map((column) => ({ label: column.label, name: fullName(column.label), error: errors(column),
    value: mean(problems.map((i) => column.losses[i])) })).sort((x, y) => x.value - y.value);
  const others = known.map(([key, name]) => ({ name, value: mean(problems.map((i) => PROBLEMS[key][i])) }));
  return { problems, others, rows: [...rows, ...others].sort((x, y) => x.value - y.value) };
}

function drawLosses() {
  const { problems, rows, others } = plainLosses(currentContest()), hasSkyline = others.some(({ name }) => name === REFERENCES[0][1]);
  const where = problems.length === 1 ? `on ${PROBLEMS.name[problems[0]]}` : `over ${counted(problems.length, "dataset")}`;
  const what = problems.length === 1 ? "loss" : "mean loss", error = rows.some((row) => row.error > 0);
  picture($("distance-plot"), {
    name: "losses", description: `${what}: ${rows.map(({ name, value }) => `${name} ${lossText(value)}`).join(", ")}.`,
    build: (width) => lossPicture(rows, what, width),
  });
  fill($("distance-text"), note(`${atStartOf(what)} ${where}; lower is better. `
    + `${error ? `Ranges are ${PM} two standard errors over shuffles. ` : ""}${hasSkyline ? "The {skyline} sees all costs. " : ""}`
    + (others.length > Number(hasSkyline) ? "The best constant action and uniform choices learn nothing." : "")));
}

function atStartOf(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function lossPicture(rows, what, width) {
  const at = columnsFor(rows.map(({ name }) => name), width), right = width - 62;
  const ends = rows.flatMap(({ value, error }) => (error > 0 ? [value - 2 * error, value + 2 * error] : [value]));
  const { place, bottom, grid } = gridOf(rows.length, rangeOf(ends, { from: 0 }), [at.left, right], (tick) => tickText(tick, {}));
  const parts = [quietText(width - 8, 12, what, "end"), ...grid], targets = [];
  rows.forEach(({ label, name, value, error }, k) => {
    const y = middleOf(k), ink = label ? inkOf({ label, isFirst: true }) : "var(--quiet)";
    parts.push(nameMark(name, label, y, at, Boolean(label)),
      s("text", { x: width - 8, y: y + 4, "text-anchor": "end", fill: "var(--text)" }, lossText(value, 3)));
    if (error > 0) parts.push(s("rect", { x: fixed(place(value - 2 * error)), y: y - 3, width: fixed(place(4 * error) - place(0)), height: 6, fill: ink, opacity: 0.35 }));
    parts.push(label ? s("circle", { cx: fixed(place(value)), cy: y, r: 5, fill: ink })
      : s("path", { d: `M ${fixed(place(value))} ${y - 7} V ${y + 7}`, stroke: ink, "stroke-width": 3 }));
    targets.push({ px: place(value), py: y, lines: [name, `${what} ${lossText(value)}${error > 0 ? ` ${PM} ${lossText(error)}` : ""}`] });
  });
  return { svg: pictureOf(width, bottom + 26, parts), targets };
}
