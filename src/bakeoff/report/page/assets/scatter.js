"use strict";
// Scatter plot: one algorithm's losses against another's, a point per dataset.

// The picked pair: columns, and the condition and title that come with it.
function pickedPair() {
  const preset = STATE.preset === null ? null : DATA.pairs[STATE.preset];
  if (preset) return { ids: [preset.x, preset.y], condition: preset.condition, preset };
  const ids = currentColumns();
  const order = ids.length > 1 ? currentStandings() : [];
  const find = (label) => ids.find((id) => columnOf(id).label === label);
  const leader = find(order[0]?.label), second = find(order[1]?.label);
  const y = find(STATE.y) ?? (find(STATE.x) === leader ? second : leader);
  const other = find(STATE.x) ?? (y === leader ? second : leader);
  const x = other === y ? (y === leader ? second : leader) : other; // never against itself
  return { ids: [x, y], condition: null, preset: null };
}

function pickedLabels() {
  return pickedPair().ids.map((id) => (id === undefined ? "" : columnOf(id).label));
}

function drawPairControls() {
  const labels = currentColumns().map((id) => [columnOf(id).label, shortened(fullName(columnOf(id).label), 30)]);
  const { preset } = pickedPair();
  const [x, y] = pickedLabels();
  const presets = [["", "the two chosen here"],
    ...DATA.pairs.map((pair, k) => [String(k), pair.title])];
  const isOff = preset !== null;
  const pick = (name, other) => (label) => {
    const [x, y] = pickedLabels(); // a choice may not have been drawn yet
    const now = { x, y, [name]: label };
    change({ preset: null, ...(now.x === now.y ? { [name]: label, [other]: name === "x" ? x : y } : now) });
  };
  keepingFocus($("pair-controls"), () => fill($("pair-controls"),
    choice("Horizontal", isOff ? [[x, x]] : labels, x, pick("x", "y"), { "data-name": "x", disabled: isOff }),
    choice("Vertical", isOff ? [[y, y]] : labels, y, pick("y", "x"), { "data-name": "y", disabled: isOff }),
    choice("Measure", OPTIONS.loss, STATE.loss, (loss) => change({ loss }), { "data-name": "loss" }),
    choice("Figures of the paper", presets, isOff ? String(STATE.preset) : "",
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

function pointsOf(contest) {
  const [x, y] = contest.columns;
  const value = STATE.loss === "plain" ? (c, i) => c.losses[i] : normalised;
  return contest.problems
    .map((i, place) => ({
      i, x: value(x, i), y: value(y, i),
      winner: contest.wins[0][1][place] ? 0 : contest.wins[1][0][place] ? 1 : null,
    }))
    .filter((point) => !Number.isNaN(point.x) && !Number.isNaN(point.y));
}

function hoverLines(contest, point) {
  const i = point.i;
  return [
    PROBLEMS.name[i],
    `n ${whole(PROBLEMS.n[i])}, d ${whole(PROBLEMS.d[i])}, K ${whole(PROBLEMS.K[i])}`,
    ...contest.columns.flatMap((column, a) => {
      const also = STATE.loss === "plain" ? "" : ` (normalised ${lossText(a ? point.y : point.x, 3)})`;
      return [`${fullName(column.label)}: loss ${lossText(column.losses[i])}${also}`, `  ${settingOf(column, i)}`];
    }),
  ];
}

// What the plot shows: a contest of two, its points, and how many problems have none.
function pairShown() {
  const { ids, condition, preset } = pickedPair();
  const contest = ids.includes(undefined) ? null : contestWith(ids, condition);
  const points = contest ? pointsOf(contest) : [];
  const left = contest ? contest.problems.length - points.length : 0;
  return { contest, points, left, preset, limit: limitOf(points.flatMap((p) => [p.x, p.y])) };
}

// "RegCB-opt", or the label of a variant of it.
function pairNames(contest) {
  return contest.columns.map((column) => shortened(fullName(column.label), 30));
}

function drawPair() {
  if (!isContest()) return;
  drawPairControls();
  const { contest, points, left, limit, preset } = pairShown();
  $("pair-note").textContent = "";
  if (!points.length) {
    $("pair-text").textContent = "";
    noPlot($("pair-plot"), contest?.problems.length
      ? "No dataset has both losses and a skyline above 0. The measure \u201closs\u201d needs no skyline." : "No dataset matches.");
    return;
  }
  const [x, y] = pairNames(contest);
  const where = preset ? ` This figure of the paper has its own settings (${preset.about}); the filters hold here too.` : "";
  const start = atStart(contest.columns[1].label, y);
  const won = contest.tally[1][0], lost = contest.tally[0][1], all = whole(contest.problems.length);
  $("pair-text").textContent = (won || lost ? `${start} is significantly better than ${x} on ${counted(won, "dataset")}, ${x} better than ${y} on ${whole(lost)}, of ${all}.`
    : `${start} and ${x} differ significantly on none of ${all} datasets.`) + where;
  noteOn(points, limit, left, y);
  drawScatter(contest, points, limit);
}

function looksOfPair(contest) {
  const own = contest.columns.map((column) => DATA.looks[column.label] && styleOf(column.label).colour);
  const isSame = !own[0] || !own[1] || own[0] === own[1];
  return isSame ? ["var(--less-line)", "var(--more-line)"] : own;
}

function drawScatter(contest, points, limit) {
  const [x, y] = pairNames(contest), colours = looksOfPair(contest);
  const lowest = Math.min(0, ...points.flatMap((p) => [p.x, p.y]));
  const room = 0.04 * (limit - lowest || 1);
  const range = [lowest - room, limit + room];
  const what = STATE.loss === "plain" ? "loss" : "normalised loss";
  const isFar = (p) => p.x > limit || p.y > limit;
  const nearer = (p) => (isFar(p) ? limit / Math.max(p.x, p.y) : 1); // in the same direction
  const lookOf = (p) => ({ colour: p.winner === null ? "var(--plain)" : colours[p.winner], dash: "-",
    marker: isFar(p) ? "^" : "o", isHollow: p.winner === null });
  const shown = [...points].sort((p, q) => (p.winner !== null) - (q.winner !== null))
    .map((p) => ({ i: p.i, x: p.x * nearer(p), y: p.y * nearer(p), look: lookOf(p), point: p }));
  const legend = [1, 0].map((a) => ({ text: `${a ? y : x} significantly better`, isPoint: true,
    look: { colour: colours[a], marker: "o", dash: "-" } }));
  plot($("pair-plot"), `Scatter plot of ${what}: ${x} horizontal, ${y} vertical. ${$("pair-text").textContent} `
    + "The losses are in the table of datasets.", {
    name: `${x} against ${y}`, isSquare: true,
    legend: [...legend, { text: "no significant difference", isPoint: true,
      look: { colour: "var(--plain)", marker: "o", dash: "-", isHollow: true } }],
    x: { title: `${x}, ${what}`, range }, y: { title: `${y}, ${what}`, range },
    marks: [{ kind: "rule", from: [range[0], range[0]], to: [range[1], range[1]] }, { kind: "points", points: shown }],
    targets: shown.map((one) => ({ x: one.x, y: one.y, lines: hoverLines(contest, one.point), onClick: () => openDataset(one.i) })),
  });
}

function noteOn(points, limit, left, y) {
  const beyond = points.filter((p) => p.x > limit || p.y > limit).length;
  $("pair-note").textContent = [
    `Below the diagonal, ${y} (vertical) has the lower loss. Click a point to see its dataset.`,
    beyond ? `${counted(beyond, "dataset")} beyond ${lossText(limit, 2)} `
      + `${beyond === 1 ? "is" : "are"} drawn at the edge, as ${beyond === 1 ? "a triangle" : "triangles"}.` : "",
    left ? `${counted(left, "dataset")} without both losses or a skyline above 0 `
      + `${left === 1 ? "is" : "are"} left out.` : "",
  ].filter(Boolean).join(" ");
}
