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

// The losses of everybody on a dataset, beside those of no learning and full information.
function lossTable(i) {
  const columns = currentColumns().map(columnOf)
    .filter((column) => !Number.isNaN(column.losses[i]))
    .sort((x, y) => x.losses[i] - y.losses[i]);
  const hasExcess = columns.some((column) => skylineOf(column, i) !== null);
  const place = (column) => 1 + columns.filter((other) => other.losses[i] < column.losses[i]).length;
  const rows = columns.map((column) => {
    const error = errorOfMean(ordersOf(column, i));
    const loss = lossText(column.losses[i])
      + (Number.isNaN(error) ? "" : ` ${PM} ${lossText(error)}`);
    const isTied = columns.filter((other) => other.losses[i] === column.losses[i]).length > 1;
    return h("tr", { class: place(column) === 1 && columns.length > 1 ? "leader" : null }, nameCell(column.label),
      h("td", {}, `${place(column)}${isTied ? "=" : ""}`), h("td", {}, loss),
      hasExcess ? h("td", {}, lossText(column.losses[i] - (skylineOf(column, i) ?? NaN))) : null, h("td", { class: "text" }, settingOf(column, i)));
  });
  const many = PROBLEMS.shuffles[i] > 1
    ? `, mean ${PM} standard error over ${whole(PROBLEMS.shuffles[i])} shuffles` : "";
  return tableBox(`Losses on ${PROBLEMS.name[i]}, lowest first${many}`,
    [headings(["algorithm", "place", "loss", ...(hasExcess ? ["excess"] : []), "chosen settings"], ["chosen settings"])], rows);
}

// ---- one run, played again

// The parts of a setting's text: choice, learning rate, baseline.
function partsOf(setting) {
  const [, choice, rate, baseline] = setting.match(/^(.*?)(?:, learning rate ([^,]+))?(, baseline)?$/);
  const [rest, inputs] = choice.split(" inputs="), [explorer, reduction] = rest.split(" reduction=");
  return { explorer, reduction, inputs, rate, isBaseline: Boolean(baseline) };
}

function replayOf(column, i, place) {
  const { explorer, reduction, inputs, rate, isBaseline } = partsOf(settingOf(column, i));
  const orders = ordersOf(column, i), loss = orders.length ? orders[place] : column.losses[i];
  const settings = [JSON.stringify(explorer), reduction ? `reduction="${reduction}"` : null, rate ? `learning_rate=${rate}` : null,
    `encoding="${STATE.encoding}"`, isBaseline ? "baseline=True" : null, inputs ? `inputs="${inputs}"` : null, `seed=${DATA.made.seeds[0]}`];
  return ["from bakeoff import Run, load, simulate", "", `problem = load(${JSON.stringify(PROBLEMS.source[i] || PROBLEMS.name[i])})`,
    `run = Run(${settings.filter(Boolean).join(", ")})`, `[result] = simulate(problem, [run], shuffle=${PROBLEMS.orders[i][place] ?? 1})`,
    `result.pv_loss  # ${DATA.made.seeds.length > 1 ? `its mean over ${DATA.made.seeds.length} seeds is ` : ""}${lossText(loss, 6).replace(MINUS, "-")}`].join("\n");
}

// A run of an algorithm that is ours, as code that gives the same loss again.
function replayBox(i) {
  const columns = currentColumns().map(columnOf).filter((column) => settingOf(column, i) && !DATA.own.includes(column.label)
    && !Number.isNaN(column.losses[i])).sort((x, y) => x.losses[i] - y.losses[i]);
  if (!columns.length || !PROBLEMS.orders[i].length) return null;
  const body = h("div", {}), picked = { label: columns[0].label, place: "0" };
  const show = () => fill(body, codeBox("Python", replayOf(columns.find(({ label }) => label === picked.label), i, Number(picked.place)), "replay"));
  const pick = (name) => (value) => {
    picked[name] = value;
    show();
  };
  const count = Math.max(1, ordersOf(columns[0], i).length);
  show();
  return h("div", {}, h("h3", {}, "Play a run again"), note("The same loss, bit for bit."), h("div", { class: "row" },
    choice("Algorithm", columns.map(({ label }) => [label, fullName(label)]), picked.label, pick("label"), { "data-name": "replay-label" }),
    count > 1 ? choice("Shuffle", Array.from({ length: count }, (_, k) => [String(k), String(PROBLEMS.orders[i][k] ?? k + 1)]), "0", pick("place"), { "data-name": "replay-shuffle" }) : null), body);
}

function drawCurves(i, element) {
  if (!currentColumns().some((id) => curveOf(id, i).rounds.length)) {
    element.hidden = true;
    return;
  }
  const least = Math.min(RULES.first_round, PROBLEMS.n[i]);
  const curves = currentColumns().map((id) => ({ id, label: columnOf(id).label, ...curveOf(id, i) }))
    .filter(({ rounds }) => rounds.length)
    .map((curve) => ({ ...curve, points: curve.rounds.map((x, k) => ({ x, y: curve.losses[k], error: curve.errors[k] }))
      .filter(({ x }) => x >= least) }));
  const end = PROBLEMS.n[i], rules = REFERENCES.map(([key, name]) => ({ value: PROBLEMS[key][i], names: [name] }))
    .filter(({ value }) => value !== null).sort((x, y) => x.value - y.value);
  const bands = curves.map(({ label, points }) => ({ kind: "band", look: styleOf(label),
    points: points.filter(({ error }) => error > 0).map(({ x, y, error }) => ({ x, low: y - error, high: y + error })) }));
  const lines = curves.map(({ label, points }) => lineMarks(label, points, { hasDots: false, xText: (x) => `round ${whole(x)}` }));
  const range = rangeOf([...curves.flatMap(({ points }) => points.map(({ y }) => y)), ...rules.map(({ value }) => value)]);
  const close = 0.06 * (range[1] - range[0]), notes = []; // names of lines that are this close stand together
  for (const { value, names } of rules) {
    if (notes.length && value - notes.at(-1).value < close) names.unshift(...notes.pop().names);
    notes.push({ value, names });
  }
  plot(element, "Learning curves: mean loss so far against rounds. The table above has the losses at the end.", {
    name: `learning curves on ${PROBLEMS.name[i]}`, height: 320, ends: endsFor(curves),
    x: { title: "rounds", type: "log", range: [least, end] },
    y: { title: "mean loss so far", range },
    marks: [
      ...rules.map(({ value }) => ({ kind: "rule", from: [least, value], to: [end, value] })),
      ...notes.map(({ value, names }) => ({ kind: "note", at: [end, value], text: listed(names) })),
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
  element.parentElement.hidden = !found.length;
  if (!found.length) return;
  ratesPlot(element, "Loss against learning rate. The table above has the chosen settings.",
    found.map(({ label, points }) => lineMarks(label, points)), found.map(({ label }) => label), "loss");
}

// Everything about a dataset: its facts, losses, curves, rates, and a run to play again.
function fillDataset(body, i, ...head) {
  const curves = h("div", { class: "plot" }), rates = h("div", { class: "plot" });
  fill(body, ...head, factsOf(i), lossTable(i), h("div", { class: "two" },
    h("div", {}, h("h3", {}, "Learning curves"), PROBLEMS.shuffles[i] > 1 ? note(`Bands are ${PM} one standard error over shuffles.`) : null, curves),
    h("div", {}, h("h3", {}, "Loss and learning rate"), rates)), replayBox(i));
  drawCurves(i, curves);
  drawDatasetRates(i, rates);
}

function drawDataset() {
  const i = openProblem();
  $("dataset").hidden = i < 0;
  if (i < 0) return;
  $("dataset-title").textContent = PROBLEMS.name[i];
  const order = found(), place = order.indexOf(i);
  const turn = (step, text) => h("button", { type: "button", "data-step": step,
    disabled: place < 0 || !(place + step in order), onclick: () => turnDataset(step) }, text);
  fillDataset($("dataset-body"), i, h("p", { class: "row" }, turn(-1, "Previous"), turn(1, "Next"),
    h("span", { class: "quiet" }, place < 0 ? "not among the datasets that are shown" : `${whole(place + 1)} of ${whole(order.length)}`)));
}

// A single dataset is what the page is about.
function drawAlone() {
  const { problems } = currentContest();
  if (!showSection("alone", problems.length === 1)) return;
  $("alone-title").textContent = PROBLEMS.name[problems[0]];
  fillDataset($("alone-body"), problems[0]);
}
