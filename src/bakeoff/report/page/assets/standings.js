"use strict";
// Standings: all algorithms in order, by net wins, by mean rank, by regret.

const TAB_NAMES = { wins: "Net wins", ranks: "Mean rank", profile: "Regret profile" };

function drawTabs() {
  const tabs = TABS.map((key) => h("button", {
    type: "button", role: "tab", id: `tab-${key}`, "data-name": `tab-${key}`, "aria-controls": "standings-panel",
    "aria-selected": String(STATE.tab === key), tabindex: STATE.tab === key ? "0" : "-1",
    onclick: () => change({ tab: key }),
  }, TAB_NAMES[key]));
  keepingFocus($("standings-tabs"), () => fill($("standings-tabs"), ...tabs));
  $("standings-panel").setAttribute("aria-labelledby", `tab-${STATE.tab}`);
}

function walkTabs(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const next = TABS[(TABS.indexOf(STATE.tab) + step + TABS.length) % TABS.length];
  change({ tab: next });
  drawNow("standings");
  $(`tab-${next}`).focus();
}

function drawStandings() {
  drawTabs();
  const contest = currentContest();
  if (contest.columns.length < 2 || !contest.problems.length) {
    fill($("standings-panel"));
    return;
  }
  ({ wins: drawNetWins, ranks: drawRanks, profile: drawProfile })[STATE.tab](contest);
}

// ---- net wins

// The bar of one score: the interval of its resamples, and a dot.
function barOf({ label, score, low, high }, least, greatest) {
  const at = (value) => 6 + (188 * (value - least)) / (greatest - least || 1);
  const look = styleOf(label);
  return s("svg", { viewBox: "0 0 200 22", class: "bar-of", "aria-hidden": "true", preserveAspectRatio: "none" },
    s("line", { x1: at(0), x2: at(0), y1: 0, y2: 22, stroke: "var(--quiet)", "stroke-dasharray": "2 3",
      "vector-effect": "non-scaling-stroke" }),
    s("line", { x1: at(low), x2: at(high), y1: 11, y2: 11, stroke: look.colour, "stroke-width": 5, opacity: 0.4,
      "vector-effect": "non-scaling-stroke" }),
    s("line", { x1: at(score), x2: at(score), y1: 4, y2: 18, stroke: look.colour, "stroke-width": 4,
      "vector-effect": "non-scaling-stroke" }));
}

function drawNetWins(contest) {
  const entries = currentStandings(), ranks = meanRanks(contest), regrets = regretSummary(contest);
  const least = Math.min(0, ...entries.map((one) => one.low));
  const greatest = Math.max(0, ...entries.map((one) => one.high));
  const best = (values, isLow) => (isLow ? Math.min : Math.max)(...values.filter((v) => !Number.isNaN(v)));
  const rows = entries.map((one) => ({
    one, rank: ranks[one.a], excess: medianExcess(contest, one.a), ...regrets[one.a],
  }));
  const bests = {
    rank: best(rows.map((row) => row.rank), true), excess: best(rows.map((row) => row.excess), true),
    bestOn: best(rows.map((row) => row.bestOn)), close: best(rows.map((row) => row.close)),
    worst: best(rows.map((row) => row.worst), true),
  };
  const cell = (row, key, text) =>
    h("td", { class: row[key] === bests[key] ? "leader" : null }, text);
  const body = rows.map((row) => h("tr", {},
    h("th", { scope: "row", "data-text": row.one.label }, fullName(row.one.label)),
    h("td", { class: "net" }, signed(row.one.score)),
    h("td", { class: "interval", "data-text": `${row.one.low} to ${row.one.high}`,
      title: `95% of resamples: ${signed(row.one.low)} to ${signed(row.one.high)}` },
    barOf(row.one, least, greatest),
    h("span", { class: "unseen" }, `${signed(row.one.low)} to ${signed(row.one.high)}`)),
    h("td", {}, percent(row.one.share)),
    cell(row, "bestOn", percent(row.bestOn)),
    cell(row, "rank", lossText(row.rank, 2)),
    cell(row, "excess", lossText(row.excess)),
    cell(row, "close", percent(row.close)),
    cell(row, "worst", lossText(row.worst))));
  const common = commonProblems(contest).length;
  fill($("standings-panel"),
    tableBox("Significant wins minus losses against all others, with the range of 95% of resamples; and other measures",
      [headings(["algorithm", "net wins", "95% of resamples", "first in resamples", "lowest loss on", "mean rank",
        "median excess", `within ${RULES.close} of best`, "worst regret"])], body, { id: "standings-table", class: "standings" }),
    h("p", { class: "quiet" }, "The best of each measure is set in bold. Excess is loss minus the supervised skyline's, "
      + "regret is loss minus the best algorithm's on that dataset"
      + `${common < contest.problems.length ? `; both, ranks and shares are over the ${whole(common)} datasets that all algorithms have` : ""}. `
      + measuresText(rows)));
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
  const widest = Math.min(205, width * 0.33), most = Math.floor((widest - 50) / LETTER);
  const longest = (names) => Math.max(...names.map((name) => name.length));
  const labels = entries.map(({ label }) => label);
  if (width >= 600 || longest(labels.map(fullName)) <= most) {
    return { room: widest, nameIn: (label) => shortened(fullName(label), most) };
  }
  return { room: Math.min(widest, 60 + longest(labels) * LETTER), nameIn: (label) => shortened(label, most) };
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
  for (let rank = 1; rank <= A; rank++) {
    parts.push(s("line", { x1: at(rank), x2: at(rank), y1: axis - 5, y2: axis, stroke: "var(--quiet)" }));
    text(at(rank), axis - 10, String(rank), { "text-anchor": "middle", fill: "var(--quiet)" });
  }
  const end = Math.min(right, at(1 + difference));
  parts.push(s("path", { d: `M ${left} 14 V 24 M ${left} 19 H ${fixed(end)} M ${fixed(end)} 14 V 24`,
    stroke: "var(--text)", fill: "none" }));
  text(left, 9, `critical difference ${difference.toFixed(2)}${1 + difference > A ? " (beyond the axis)" : ""}`, { "font-size": 12 });
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
  return { svg: pictureOf(width, start + 22 * half + 8, parts) };
}

function drawRanks(contest) {
  const ranks = meanRanks(contest), count = commonProblems(contest).length;
  const entries = contest.columns.map(({ label }, a) => ({ label, rank: ranks[a] })).sort((x, y) => x.rank - y.rank);
  const element = h("div", { class: "plot", id: "ranks-plot" });
  const difference = criticalDifference(entries.length, count);
  fill($("standings-panel"), element, h("p", { class: "quiet" },
    `Mean rank over ${counted(count, "dataset")} that all algorithms have (1 is best; equal losses share a rank). Two `
    + "algorithms differ significantly if they are further apart than the critical difference (Nemenyi's test at "
    + `${percent(LEVEL)}; Demšar 2006); bars join those that do not. Every difference counts here, however small.`));
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
  const element = h("div", { class: "plot", id: "profile-plot" });
  fill($("standings-panel"), element, h("p", { class: "quiet" },
    `On which share of ${counted(count, "dataset")} an algorithm's loss is at most so much above the best algorithm's. `
    + "Higher is better; on the left edge is the share of datasets it wins or shares."));
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
    name: "regret profile", height: 300, legend: legendFor(labels),
    x: { title: "loss above the best on the dataset", range: [0, limit] },
    y: { title: "share of datasets", range: [0, 1], format: (value) => `${Math.round(100 * value)}%` },
    marks: lines.map(({ label, points }) => ({ kind: "line", points, look: styleOf(label) })),
    targets: lines.flatMap(({ targets }) => targets),
  });
}
