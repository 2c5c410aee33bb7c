"use strict";
// Scatter plot: one algorithm's losses against another's, a point per dataset.

const MANY = 2000; // points that are drawn by WebGL

// The picked pair: columns and the condition that comes with it.
function pickedPair() {
  const preset = STATE.preset === null ? null : DATA.pairs[STATE.preset];
  if (preset) return { ids: [preset.x, preset.y], condition: preset.condition };
  const ids = currentColumns();
  const contest = currentContest();
  const order = contest.columns.length ? ranking(contest, contest.wins) : [];
  const find = (label) => ids.find((id) => columnOf(id).label === label);
  const leader = ids[order[0]?.a], second = ids[order[1]?.a];
  const y = find(STATE.y) ?? (find(STATE.x) === leader ? second : leader);
  const x = find(STATE.x) ?? (y === leader ? second : leader);
  return { ids: [x, y], condition: null };
}

function drawPairControls() {
  const labels = currentColumns().map((id) => [columnOf(id).label, columnOf(id).label]);
  const [x, y] = pickedPair().ids.map((id) => (id === undefined ? "" : columnOf(id).label));
  const presets = [["", "the two chosen here"],
    ...DATA.pairs.map((pair, k) => [String(k), pair.title])];
  const isOff = STATE.preset !== null;
  keepingFocus($("pair-controls"), () => fill($("pair-controls"),
    choice("Across", isOff ? [[x, x]] : labels, x,
      (label) => change({ preset: null, x: label, y }), { "data-name": "x", disabled: isOff }),
    choice("Upwards", isOff ? [[y, y]] : labels, y,
      (label) => change({ preset: null, x, y: label }), { "data-name": "y", disabled: isOff }),
    choice("Shown", LOSS_KINDS, STATE.loss, (loss) => change({ loss }), { "data-name": "loss" }),
    choice("Figures of the paper", presets, STATE.preset === null ? "" : String(STATE.preset),
      (text) => change({ preset: text === "" ? null : Number(text) }),
      { "data-name": "preset" })));
}

// Where an axis ends, so that a few outliers do not flatten all the others.
function limitOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const greatest = sorted.at(-1);
  const [low, high] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const limit = high + 3 * (high - low); // Tukey's outer fence
  return limit > 0 && greatest > 1.2 * limit ? limit : greatest;
}

// A round number that divides a length into about six.
function stepOf(length) {
  const power = 10 ** Math.floor(Math.log10(length / 6));
  return power * [1, 2, 5, 10].find((times) => times * power >= length / 6);
}

function pointsOf(contest) {
  const [x, y] = contest.columns;
  const value = STATE.loss === "plain" ? (c, i) => c.losses[i] : normalised;
  return contest.problems
    .map((i, place) => ({
      i, x: value(x, i), y: value(y, i),
      isLeft: contest.wins[0][1][place], isRight: contest.wins[1][0][place],
    }))
    .filter((point) => !Number.isNaN(point.x) && !Number.isNaN(point.y));
}

function hoverOf(contest, point) {
  const i = point.i;
  const lines = [
    `<b>${safe(PROBLEMS.name[i])}</b>`,
    `n ${whole(PROBLEMS.n[i])}, d ${whole(PROBLEMS.d[i])}, K ${whole(PROBLEMS.K[i])}`,
  ];
  contest.columns.forEach((column, a) => {
    const shown = a ? point.y : point.x;
    const also = STATE.loss === "plain" ? "" : ` (normalised ${lossText(shown, 3)})`;
    lines.push(`${safe(column.label)}: loss ${lossText(column.losses[i])}${also}`,
      `   ${safe(settingOf(column, i))}`);
  });
  return lines.join("<br>");
}

function traceOf(contest, given, name, limit, look) {
  const isFar = (p) => p.x > limit || p.y > limit;
  const nearer = (p) => (isFar(p) ? limit / Math.max(p.x, p.y) : 1); // in the same direction
  const points = [...given].sort((p, q) => isFar(p) - isFar(q)); // the legend shows the first
  return {
    type: contest.problems.length > MANY ? "scattergl" : "scatter", mode: "markers", name,
    x: points.map((p) => p.x * nearer(p)), y: points.map((p) => p.y * nearer(p)),
    customdata: points.map((p) => p.i),
    text: points.map((p) => hoverOf(contest, p)), hoverinfo: "text",
    marker: {
      size: 8, ...look,
      symbol: points.map((p) =>
        (isFar(p) ? `triangle-up${look.symbol}` : `circle${look.symbol}`)),
    },
  };
}

// What the plot shows: a contest of two, its points, and how many problems have none.
function pairShown() {
  const { ids, condition } = pickedPair();
  const contest = ids.includes(undefined) ? null : contestWith(ids, condition);
  const points = contest ? pointsOf(contest) : [];
  const left = contest ? contest.problems.length - points.length : 0;
  return { contest, points, left, limit: limitOf(points.flatMap((p) => [p.x, p.y])) };
}

// What stands around the plot comes before it, so that nothing moves when it is drawn.
function drawPair() {
  drawPairControls();
  const { contest, points, left, limit } = pairShown();
  $("pair-note").textContent = "";
  if (!points.length) {
    $("pair-text").textContent = "";
    noPlot($("pair-plot"), contest && left
      ? `None of ${counted(left, "dataset")} has both losses and a skyline above 0; plain `
        + "losses may be shown instead."
      : "No dataset that passes the filters has losses of both.");
    return;
  }
  readyForPlot($("pair-plot"));
  const [x, y] = contest.columns.map((column) => column.label);
  $("pair-text").textContent = `${y} is significantly better than ${x} on `
    + `${counted(contest.tally[1][0], "dataset")}, ${x} than ${y} on `
    + `${whole(contest.tally[0][1])}, of ${whole(contest.problems.length)}.`;
  noteOn(points, limit, left);
}

function drawScatter() {
  const element = $("pair-plot");
  const { contest, points, limit } = pairShown();
  if (!points.length) return;
  const [x, y] = contest.columns.map((column) => column.label);
  const lowest = Math.min(0, ...points.flatMap((p) => [p.x, p.y]));
  const room = 0.04 * (limit - lowest || 1);
  const dtick = stepOf(limit - lowest || 1);
  const range = [lowest - room, limit + room];
  const look = { range, dtick, constrain: "domain" };
  const isWin = (p) => p.isLeft || p.isRight;
  const traces = [
    { type: "scatter", mode: "lines", x: range, y: range, hoverinfo: "skip",
      showlegend: false, line: { color: colour("--quiet"), width: 1, dash: "dot" } },
    traceOf(contest, points.filter((p) => !isWin(p)), "not significant", limit,
      { color: colour("--plain"), symbol: "-open" }),
    traceOf(contest, points.filter(isWin), "significant", limit,
      { color: colour("--significant"), symbol: "" }),
  ];
  const what = STATE.loss === "plain" ? "loss" : "normalised loss";
  plot(element, `Scatter plot of ${what}: ${x} across, ${y} upwards. `
    + `${$("pair-text").textContent} The losses stand in the table of datasets.`, traces, {
    xaxis: axis(`${safe(shortened(x))}, ${what}`, look),
    yaxis: axis(`${safe(shortened(y))}, ${what}`, { ...look, scaleanchor: "x" }),
  }, (point) => {
    if (point.customdata !== undefined) openDataset(point.customdata);
  });
}

function noteOn(points, limit, left) {
  const beyond = points.filter((p) => p.x > limit || p.y > limit).length;
  $("pair-note").textContent = [
    "Below the dotted line the upward one is better. Click a point for its dataset.",
    beyond ? `${counted(beyond, "dataset")} beyond ${lossText(limit, 2)} `
      + `${beyond === 1 ? "is" : "are"} drawn at the edge, as triangles.` : "",
    left ? `${counted(left, "dataset")} without both losses or a skyline above 0 `
      + `${left === 1 ? "is" : "are"} left out.` : "",
  ].filter(Boolean).join(" ");
}
