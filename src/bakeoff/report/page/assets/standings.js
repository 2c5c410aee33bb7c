"use strict";
// Standings: all algorithms by every measure, in a table that can be sorted; mean ranks and
// regret profiles as pictures.

const MEASURES = { sort: "net", isDown: true };

// Of each algorithm: its place in the standings and all measures.
function measuresOf(contest) {
  const ranks = meanRanks(contest), regrets = regretSummary(contest), distances = currentDistances();
  const shares = resampled(scoresOf(contest.wins), familiesOf(contest));
  return currentStandings().map((one, place) => ({
    one, label: one.label, loss: one.meanLoss, gap: distances[place].value, net: netRate(contest, one), first: contest.problems.length < RULES.few ? NaN : shares[one.a].share,
    rank: ranks[one.a], excess: medianExcess(contest, one.a), ...regrets[one.a], cost: costOf(one.label) ?? NaN,
  }));
}

// Wins minus losses as a share of all comparisons.
function netRate(contest, { a, score }) {
  const met = sum(contest.columns.map((_, b) => (a === b ? 0 : timesMet(contest, a, b))));
  return met ? score / met : NaN;
}

function signedPercent(share) {
  return Number.isNaN(share) ? "" : signed(Math.round(100 * share) || 0) + "%";
}

// Key, heading, whether more is better, and how it is printed.
const COLUMNS = [
  ["loss", "mean loss", false, (x) => lossText(x)],
  ["gap", "above the leader", false, (x) => signedLoss(x, 4)],
  ["net", "net wins", true, signedPercent],
  ["first", "first if datasets were resampled", true, percent],
  ["bestOn", "best on", true, percent],
  ["close", `close to best (\u2264 ${RULES.close})`, true, percent],
  ["rank", "mean rank", false, (x) => lossText(x, 2)],
  ["excess", "median excess", false, (x) => lossText(x)],
  ["worst", "worst regret", false, (x) => lossText(x)],
  ["cost", "\u00b5s per decision", false, (x) => costText(x)],
];

function drawStandings() {
  if (!showSection("measures", isContest())) return;
  const contest = currentContest(), rows = measuresOf(contest);
  const shown = COLUMNS.filter(([key]) => rows.some((row) => !Number.isNaN(row[key])));
  const best = new Map(shown.map(([key, , isHigh]) => {
    const known = rows.map((row) => row[key]).filter((value) => !Number.isNaN(value));
    return [key, (isHigh ? Math.max : Math.min)(...known)];
  }));
  const sorted = [...rows].sort((x, y) => compare(x[MEASURES.sort], y[MEASURES.sort], MEASURES.isDown) || rows.indexOf(x) - rows.indexOf(y));
  const head = h("tr", {}, h("th", { scope: "col" }, "algorithm"), ...shown.map(([key, text, isHigh]) =>
    sortHeading({ key, text, isHigh, title: TERMS[text] }, MEASURES, drawStandings, $("standings"))));
  const body = sorted.map((row) => h("tr", {}, nameCell(row.label), ...shown.map(([key, , , text]) =>
    h("td", { class: key !== "gap" && row[key] === best.get(key) ? "leader" : null }, text(row[key])))));
  const common = commonProblems(contest).length;
  fill($("standings"),
    tableBox("All algorithms by every measure; click a heading to sort", [head], body, { id: "standings-table", class: "listing" }),
    note("The best of each measure is in bold. {Net wins} are significant wins minus losses, as a share of all comparisons. "
      + `${best.has("excess") ? "{Excess} is loss minus the {skyline}'s; " : ""}{${best.has("excess") ? "regret" : "Regret"}} is loss minus the best algorithm's on that dataset`
      + `${common < contest.problems.length ? `; losses, ranks, excess, regret and shares are over the ${whole(common)} datasets that all algorithms have` : ""}. `
      + measuresText(rows)));
  drawRanks(contest);
  drawProfile(contest);
}

// Who leads by which measure, if they disagree.
function measuresText(rows) {
  const [first] = rows;
  const least = (key) => rows.reduce((a, b) => (b[key] < a[key] ? b : a)).one.label;
  const most = (key) => rows.reduce((a, b) => (b[key] > a[key] ? b : a)).one.label;
  const others = new Map();
  for (const [what, label] of [["mean rank", least("rank")], ["median excess", least("excess")], ["datasets won", most("bestOn")]]) {
    if (label !== first.one.label) others.set(label, [...(others.get(label) ?? []), what]);
  }
  if (!others.size) return "";
  const leaders = [...others].map(([label, whats]) => `${fullName(label)} leads by ${listed(whats)}`);
  return `The order depends on the measure: ${listed(leaders)}.`;
}

// ---- mean ranks

// How much room names have on each side, and what they are called there: labels if full
// names do not fit on a phone.
function roomForNames(entries, width) {
  const beside = widthOf("00.00 ") + 14, most = Math.min(215, width * 0.36) - beside, labels = entries.map(({ label }) => label), names = labels.map(fullName);
  const nameOf = width >= 600 || widest(names) <= most ? fullName : String;
  return { room: Math.min(most, widest(labels.map(nameOf))) + beside, nameIn: (label) => fitted(nameOf(label), most) };
}

// Demsar's diagram: mean ranks on an axis, and a bar over those that do not differ.
function rankPicture(entries, difference, width) {
  const A = entries.length, half = Math.ceil(A / 2), { room, nameIn } = roomForNames(entries, width);
  const [left, right] = [room, width - room], axis = 62;
  const at = (rank) => left + ((rank - 1) / Math.max(1, A - 1)) * (right - left);
  const groups = groupsOf(entries.map((one) => one.rank), difference);
  const start = axis + 22 + 11 * groups.length;
  const parts = [s("line", { x1: left, x2: right, y1: axis, y2: axis, stroke: "var(--quiet)" })];
  const text = (x, y, string, more = {}) => parts.push(s("text", { x: fixed(x), y: fixed(y), fill: "var(--text)", ...more }, string));
  const step = Math.ceil((22 * (A - 1)) / (right - left)); // numbers must not run into each other
  for (let rank = 1; rank <= A; rank += step) {
    parts.push(s("line", { x1: at(rank), x2: at(rank), y1: axis - 5, y2: axis, stroke: "var(--quiet)" }));
    text(at(rank), axis - 10, String(rank), { "text-anchor": "middle", fill: "var(--quiet)" });
  }
  const end = Math.min(right, at(1 + difference));
  parts.push(s("path", { d: `M ${left} 17 V 27 M ${left} 22 H ${fixed(end)} M ${fixed(end)} 17 V 27`,
    stroke: "var(--text)", fill: "none" }));
  const caption = `critical difference ${difference.toFixed(2)}${1 + difference > A ? " (beyond the axis)" : ""}`;
  text(Math.min(left, width - widthOf(caption, { size: 12 }) - 2), 13, caption, { "font-size": 12 });
  groups.forEach(([first, last], k) => parts.push(s("line", {
    x1: fixed(at(entries[first].rank) - 4), x2: fixed(at(entries[last].rank) + 4), y1: axis + 12 + 11 * k, y2: axis + 12 + 11 * k,
    stroke: "var(--text)", "stroke-width": 4 })));
  entries.forEach(({ label, rank }, place) => {
    const isLeft = place < half, row = isLeft ? place : A - 1 - place, y = start + 22 * row + 10;
    const [edge, look] = [isLeft ? left - 8 : right + 8, styleOf(label)];
    parts.push(s("path", { d: `M ${fixed(at(rank))} ${axis} V ${y} H ${edge}`, fill: "none", stroke: look.colour,
      "stroke-width": 1.5, "stroke-dasharray": DASHES[look.dash] }));
    parts.push(markerOf(look, at(rank), axis, 4));
    const name = nameIn(label);
    text(isLeft ? edge - 4 : edge + 4, y + 4, isLeft ? `${name} ${rank.toFixed(2)}` : `${rank.toFixed(2)} ${name}`,
      { "text-anchor": isLeft ? "end" : "start" });
  });
  return { svg: pictureOf(width, start + 22 * half + 22, parts) };
}

function drawRanks(contest) {
  const ranks = meanRanks(contest), count = commonProblems(contest).length;
  const entries = contest.columns.map(({ label }, a) => ({ label, rank: ranks[a] })).sort((x, y) => x.rank - y.rank);
  const element = $("ranks-plot");
  const difference = criticalDifference(entries.length, count);
  $("ranks-text").textContent = `Mean rank over ${counted(count, "dataset")} that all algorithms have (1 is best; equal losses share a rank). Bars join `
    + `algorithms that do not differ significantly (Nemenyi's test at ${percent(LEVEL)}; Demšar 2006). Every difference counts here, however small.`;
  if (!count || Number.isNaN(difference)) {
    noPlot(element, count ? "Too many algorithms for this diagram." : "No dataset has a loss of every algorithm.");
    return;
  }
  picture(element, {
    name: "critical difference of mean ranks",
    description: `Critical-difference diagram. ${entries.map((one) => `${fullName(one.label)} ${one.rank.toFixed(2)}`).join(", ")}. `
      + `Critical difference ${difference.toFixed(2)}.`,
    build: (width) => rankPicture(entries, difference, width),
  });
}

// ---- regret profiles

function drawProfile(contest) {
  const regrets = regretsOf(commonLosses(contest)), count = regrets.length;
  const element = $("profile-plot");
  $("profile-text").textContent = `On which share of ${counted(count, "dataset")} an algorithm's loss is at most so much above the best algorithm's. `
    + "Higher is better; on the left edge is the share of datasets it wins or shares.";
  if (!count) {
    noPlot(element, "No dataset has a loss of every algorithm.");
    return;
  }
  const sorted = regrets.flat().sort((a, b) => a - b);
  const limit = Math.max(2 * RULES.close, quantile(sorted, 0.95));
  const labels = currentStandings().map((one) => one.label);
  const lines = labels.map((label) => {
    const a = contest.columns.findIndex((column) => column.label === label);
    const points = profileOf(regrets, a, limit);
    const places = [0, 0.005, 0.01, 0.02, 0.05, 0.1].filter((x) => x <= limit);
    return { label, points, targets: places.map((x) => ({
      x, y: points.findLast((point) => point.x <= x).y,
      lines: [fullName(label), `within ${x} of the best on ${percent(points.findLast((point) => point.x <= x).y)}`],
    })) };
  });
  plot(element, `Regret profiles. ${lines.map(({ label, targets }) =>
    `${fullName(label)}: ${targets.at(-1).lines[1]}`).join("; ")}.`, {
    name: "regret profile", height: 300, ends: endsFor(lines),
    x: { title: "loss above the best on the dataset", range: [0, limit] },
    y: { title: "share of datasets", range: [0, 1], format: (value) => `${Math.round(100 * value)}%` },
    marks: lines.map(({ label, points }) => ({ kind: "line", points, look: styleOf(label), label })),
    targets: lines.flatMap(({ targets }) => targets),
  });
}
