"use strict";
// Dataset: the section of one of them, with its learning curves.

function openDataset(i) {
  history.pushState(null, "", location.href); // so that Back closes it
  change({ dataset: PROBLEMS.digest[i].slice(0, 12) });
  drawNow("dataset");
  goTo("dataset");
}

function openProblem() {
  if (!STATE.dataset) return -1;
  return PROBLEMS.digest.findIndex((digest) => digest.startsWith(STATE.dataset));
}

function closeDataset() {
  const i = openProblem();
  change({ dataset: null });
  drawNow("dataset", "datasets");
  goTo("datasets");
  document.querySelector(`[data-problem="${i}"]`)?.focus();
}

function factsOf(i) {
  const facts = [
    ["Task", PROBLEMS.task[i]],
    ["Examples n", whole(PROBLEMS.n[i])],
    ["Features d", whole(PROBLEMS.d[i])],
    ["Actions K", whole(PROBLEMS.K[i])],
    ["Loss of the skyline", lossText(PROBLEMS.skyline[i]) || "not run"],
    ["Loss of the best constant action", lossText(PROBLEMS.constant[i])],
    ["Loss of the uniform policy", lossText(PROBLEMS.uniform[i])],
    ["Orders of the rows", whole(PROBLEMS.shuffles[i])],
    ["OpenML", PROBLEMS.openml_id[i] === null ? "" : String(PROBLEMS.openml_id[i])],
    ["Digest", PROBLEMS.digest[i]],
  ];
  return factList(facts.filter(([, text]) => text));
}

function lossTable(i) {
  const columns = currentColumns().map(columnOf)
    .filter((column) => !Number.isNaN(column.losses[i]))
    .sort((x, y) => x.losses[i] - y.losses[i]);
  const rows = columns.map((column, place) => {
    const error = errorOfMean(ordersOf(column, i));
    const loss = lossText(column.losses[i])
      + (Number.isNaN(error) ? "" : ` ${PM} ${lossText(error)}`);
    return rowOf(column.label, [loss, lossText(normalised(column, i), 3),
      h("td", { class: "text" }, settingOf(column, i))],
    { class: place === 0 ? "leader" : null });
  });
  const many = PROBLEMS.shuffles[i] > 1
    ? `, mean ${PM} standard error over ${whole(PROBLEMS.shuffles[i])} orders` : "";
  return tableBox(`Losses, lowest first${many}`,
    [headings(["algorithm", "loss", "normalised", "chosen settings"])], rows);
}

function drawCurves(i, element) {
  const traces = [];
  for (const id of currentColumns()) {
    const curve = curveOf(id, i), label = columnOf(id).label;
    if (curve.rounds.length) {
      const trace = lineTrace(label, curve.rounds, curve.losses);
      traces.push({ ...trace, marker: { ...trace.marker, size: 4 } });
    }
  }
  if (!traces.length) {
    noPlot(element, "No learning curves are kept for this view.");
    return;
  }
  const skyline = PROBLEMS.skyline[i];
  plot(element, "Learning curves: mean loss so far against rounds. The table above has "
    + "the losses at the end.", traces, {
    xaxis: axis("rounds", { type: "log" }), yaxis: axis("mean loss so far"),
    shapes: skyline === null ? [] : [skylineShape(skyline)],
  });
}

function skylineShape(skyline) {
  return {
    type: "line", xref: "paper", x0: 0, x1: 1, y0: skyline, y1: skyline,
    line: { color: colour("--quiet"), width: 1, dash: "dot" },
    label: { text: "skyline", textposition: "end", font: { size: 12, color: colour("--quiet") } },
  };
}

function drawDatasetRates(i, element) {
  const grid = DATA.rates.grid, traces = [];
  for (const id of currentColumns()) {
    const all = ratesOn(id, i);
    const places = placesOf(id).filter((r) => !Number.isNaN(all[r]));
    if (places.length > 1) {
      traces.push(lineTrace(columnOf(id).label, places.map((r) => grid[r]),
        places.map((r) => all[r])));
    }
  }
  if (!traces.length) {
    noPlot(element, "This needs runs with several learning rates.");
    return;
  }
  plot(element, "Loss against learning rate. The table above has the chosen settings.",
    traces, {
      xaxis: axis("learning rate", { type: "log", tickvals: grid }), yaxis: axis("loss"),
    });
}

function drawDataset() {
  const i = openProblem();
  $("dataset").hidden = i < 0;
  if (i < 0) return;
  $("dataset-title").textContent = PROBLEMS.name[i];
  const curves = h("div", { class: "plot" }), rates = h("div", { class: "plot" });
  fill($("dataset-body"),
    h("p", {}, h("button", { type: "button", id: "close", onclick: closeDataset },
      "Back to the table of datasets")),
    factsOf(i), lossTable(i),
    h("h3", {}, "Learning curves"), curves, h("h3", {}, "Loss and learning rate"), rates);
  drawCurves(i, curves);
  drawDatasetRates(i, rates);
}
