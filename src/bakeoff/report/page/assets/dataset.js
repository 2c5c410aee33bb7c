"use strict";
// Dataset: a drawer with one of them, its losses and its learning curves.

function openDataset(i, from = document.activeElement) {
  if (!STATE.dataset) history.pushState(null, "", location.href); // so that Back closes it
  show(i);
  openDrawer("dataset", from);
}

function show(i) {
  STATE.dataset = PROBLEMS.digest[i].slice(0, 12);
  history.replaceState(null, "", addressOf(STATE));
  drawDataset();
}

function openProblem() {
  if (!STATE.dataset) return -1;
  return PROBLEMS.digest.findIndex((digest) => digest.startsWith(STATE.dataset));
}

function closeDataset() {
  const i = openProblem();
  STATE.dataset = null;
  history.replaceState(null, "", addressOf(STATE));
  closeDrawer("dataset");
  if (document.activeElement === document.body) document.querySelector(`[data-problem="${i}"]`)?.focus();
}

// The dataset before or after this one in the table of datasets.
function turnDataset(step) {
  const order = found(), next = order[order.indexOf(openProblem()) + step];
  if (next === undefined) return;
  show(next);
  const again = $("dataset-body").querySelector(`[data-step="${step}"]:not(:disabled)`);
  (again ?? $("dataset-title")).focus();
}

function factsOf(i) {
  const id = PROBLEMS.openml_id[i];
  const facts = [
    ["Task", PROBLEMS.task[i]],
    ["Examples n", whole(PROBLEMS.n[i])],
    ["Features d", whole(PROBLEMS.d[i])],
    ["Actions K", whole(PROBLEMS.K[i])],
    ["Skyline loss", lossText(PROBLEMS.skyline[i]) || "not run"],
    ["Loss of the best constant action", lossText(PROBLEMS.constant[i])],
    ["Loss of the uniform policy", lossText(PROBLEMS.uniform[i])],
    ["Shuffles", whole(PROBLEMS.shuffles[i])],
    ["OpenML", id === null ? "" : h("a", { href: `https://www.openml.org/d/${id}`, rel: "noreferrer" }, `dataset ${id}`)],
    ["Digest", h("code", {}, PROBLEMS.digest[i].slice(0, 16))],
  ];
  return factList(facts.filter(([, text]) => text));
}

function lossTable(i) {
  const columns = currentColumns().map(columnOf)
    .filter((column) => !Number.isNaN(column.losses[i]))
    .sort((x, y) => x.losses[i] - y.losses[i]);
  const place = (column) => 1 + columns.filter((other) => other.losses[i] < column.losses[i]).length;
  const rows = columns.map((column) => {
    const error = errorOfMean(ordersOf(column, i));
    const loss = lossText(column.losses[i])
      + (Number.isNaN(error) ? "" : ` ${PM} ${lossText(error)}`);
    const isTied = columns.filter((other) => other.losses[i] === column.losses[i]).length > 1;
    return rowOf(fullName(column.label), [`${place(column)}${isTied ? "=" : ""}`, loss, lossText(normalised(column, i), 3),
      h("td", { class: "text" }, settingOf(column, i))],
    { class: place(column) === 1 ? "leader" : null });
  });
  const many = PROBLEMS.shuffles[i] > 1
    ? `, mean ${PM} standard error over ${whole(PROBLEMS.shuffles[i])} shuffles` : "";
  return tableBox(`Losses on ${PROBLEMS.name[i]}, lowest first${many}`,
    [headings(["algorithm", "place", "loss", "normalised", "chosen settings"], ["chosen settings"])], rows);
}

function drawCurves(i, element) {
  const least = Math.min(RULES.first_round, PROBLEMS.n[i]);
  const curves = currentColumns().map((id) => ({ id, label: columnOf(id).label, ...curveOf(id, i) }))
    .filter(({ rounds }) => rounds.length)
    .map((curve) => ({ ...curve, points: curve.rounds.map((x, k) => ({ x, y: curve.losses[k], error: curve.errors[k] }))
      .filter(({ x }) => x >= least) }));
  if (!curves.length) {
    noPlot(element, "No learning curves are kept for this view.");
    return;
  }
  const skyline = PROBLEMS.skyline[i], end = PROBLEMS.n[i];
  const bands = curves.map(({ label, points }) => ({ kind: "band", look: styleOf(label),
    points: points.filter(({ error }) => error > 0).map(({ x, y, error }) => ({ x, low: y - error, high: y + error })) }));
  const lines = curves.map(({ label, points }) => lineMarks(label, points, { hasDots: false, xText: (x) => `round ${whole(x)}` }));
  const values = [...curves.flatMap(({ points }) => points.map(({ y }) => y)), skyline ?? NaN];
  plot(element, "Learning curves: mean loss so far against rounds. The table above has the losses at the end.", {
    name: `learning curves on ${PROBLEMS.name[i]}`, height: 320, legend: legendFor(curves.map(({ label }) => label)),
    x: { title: "rounds", type: "log", range: [least, end] },
    y: { title: "mean loss so far", range: rangeOf(values) },
    marks: [
      ...(skyline === null ? [] : [{ kind: "rule", from: [least, skyline], to: [end, skyline] },
        { kind: "note", at: [end, skyline], text: "skyline" }]),
      ...bands, ...lines.flatMap(({ marks }) => marks),
    ],
    targets: lines.flatMap(({ targets }) => targets),
  });
}

function drawDatasetRates(i, element) {
  const grid = DATA.rates.grid;
  const found = currentColumns().flatMap((id) => {
    const all = ratesOn(id, i), places = placesOf(id).filter((r) => !Number.isNaN(all[r]));
    return places.length > 1 ? [{ label: columnOf(id).label, points: places.map((r) => ({ x: grid[r], y: all[r] })) }] : [];
  });
  if (!found.length) {
    noPlot(element, "This needs runs with several learning rates.");
    return;
  }
  ratesPlot(element, "Loss against learning rate. The table above has the chosen settings.",
    found.map(({ label, points }) => lineMarks(label, points)), found.map(({ label }) => label), "loss");
}

function drawDataset() {
  const i = openProblem();
  $("dataset").hidden = i < 0;
  if (i < 0) return;
  $("dataset-title").textContent = PROBLEMS.name[i];
  const order = found(), place = order.indexOf(i);
  const turn = (step, text) => h("button", { type: "button", "data-step": step,
    disabled: place < 0 || !(place + step in order), onclick: () => turnDataset(step) }, text);
  const curves = h("div", { class: "plot" }), rates = h("div", { class: "plot" });
  const isBanded = PROBLEMS.shuffles[i] > 1;
  fill($("dataset-body"),
    h("p", { class: "row" }, turn(-1, "Previous"), turn(1, "Next"),
      h("span", { class: "quiet" }, place < 0 ? "not among the datasets that are shown" : `${whole(place + 1)} of ${whole(order.length)}`)),
    factsOf(i), lossTable(i),
    h("h3", {}, "Learning curves"), isBanded ? h("p", { class: "quiet" }, `Bands are ${PM} one standard error over shuffles.`) : null,
    curves, h("h3", {}, "Loss and learning rate"), rates);
  drawCurves(i, curves);
  drawDatasetRates(i, rates);
}
