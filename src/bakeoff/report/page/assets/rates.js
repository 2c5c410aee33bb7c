"use strict";
// What if I tune: what knowing the best learning rate would be worth, the mean loss at each
// rate, and where the best one is an end of the grid.

const WAYS_TO_TUNE = [["unpeeked", "rate chosen on the other datasets"], ["fixed", "best rate on each dataset, in hindsight"],
  ["optimised", "best hyperparameters, too, in hindsight"]];

// Of each algorithm: its mean loss without and with tuning, on the datasets that all have.
function tunedLosses() {
  const ways = WAYS_TO_TUNE.map(([kind]) => viewAt(STATE.encoding, kind)).filter(Boolean);
  if (ways.length < 2) return { ways: [], rows: [], problems: [] };
  const order = currentStandings().map(({ label }) => label);
  const byLabel = order.map((label) => ({ label, columns: ways.map((view) => view.columns.map(columnOf).find((column) => column.label === label)) }));
  const problems = currentContest().problems.filter((i) => byLabel.every(({ columns }) =>
    columns.every((column) => !column || !Number.isNaN(column.losses[i]))));
  return { ways, problems, rows: byLabel.map(({ label, columns }) => ({ label,
    values: columns.map((column) => (column ? mean(problems.map((i) => column.losses[i])) : NaN)) })) };
}

function drawTuned() {
  const { ways, rows, problems } = currentContest().problems.length > 1 ? tunedLosses() : { ways: [], rows: [], problems: [] };
  const element = $("tuned-plot");
  const isOpen = rows.some(({ values }) => values.some((value) => Math.abs(value - values[0]) > 0)); // else there was nothing to choose
  $("tuned").hidden = !problems.length || !isOpen;
  if ($("tuned").hidden) return;
  const last = rows.length - 1, gains = rows.map(({ values }) => values[0] - values[1]).filter((gain) => !Number.isNaN(gain));
  fill($("tuned-text"), ...explained(`Knowing the best {learning rate} of each dataset in advance would lower the mean {loss} by ${[...new Set([Math.min(...gains), Math.max(...gains)].map((gain) => lossText(gain, 3)))].join(" to ")}; `
    + `nobody does. Mean over ${counted(problems.length, "dataset")}.`));
  const look = (k, colour) => ({ colour, marker: ["o", "o", "D"][k], dash: "-", isHollow: k > 0 });
  const names = new Map(WAYS_TO_TUNE);
  plot(element, `Mean loss without and with tuning: ${rows.map(({ label, values }) => `${fullName(label)} ${values.map((v) => lossText(v)).filter(Boolean).join(" and ")}`).join("; ")}.`, {
    name: "with and without tuning", height: 30 * rows.length + 10,
    legend: ways.map(({ kind }, k) => ({ text: names.get(kind), isPoint: true, look: look(k, "var(--text)") })),
    x: { title: "mean loss", range: rangeOf(rows.flatMap(({ values }) => values)) },
    y: { title: "", range: [-0.6, last + 0.6], ticks: rows.map((_, k) => k), format: (k) => shortened(fullName(rows[last - k].label), 22) },
    marks: rows.flatMap(({ label, values }, row) => [
      { kind: "line", look: { ...styleOf(label), dash: "-" }, points: values.filter((v) => !Number.isNaN(v)).map((x) => ({ x, y: last - row })) },
      { kind: "points", points: values.map((x, k) => ({ x, y: last - row, radius: 5, look: look(k, styleOf(label).colour) })).filter(({ x }) => !Number.isNaN(x)) },
    ]),
    targets: rows.flatMap(({ label, values }, row) => values.map((x, k) => ({ x, y: last - row,
      lines: [fullName(label), `${names.get(ways[k].kind)}: ${lossText(x)}`] })).filter(({ x }) => !Number.isNaN(x))),
  });
}

// The losses of a column on a problem at each rate of the grid.
function ratesOn(id, problem) {
  const R = DATA.rates.grid.length;
  return ratesOf(id)?.subarray(problem * R, (problem + 1) * R) ?? [];
}

// The rates that a column was run with, by their place in the grid.
const placesOf = once((id) => {
  const places = DATA.rates.grid.map((_, r) => r), losses = ratesOf(id) ?? [];
  const R = places.length;
  return places.filter((r) => losses.some((loss, k) => k % R === r && !Number.isNaN(loss)));
});

// The rates themselves.
function ratesPlayed(id) {
  return placesOf(id).map((r) => DATA.rates.grid[r]);
}

// Where the least loss is; an end of the grid only if it is better than all others.
function bestPlace(row) {
  const least = Math.min(...row), inner = row.slice(1, -1).indexOf(least);
  return inner >= 0 ? inner + 1 : row.indexOf(least);
}

// For a column: mean loss at each rate, and on how many datasets the best is an end.
function ratesSummary(id, problems) {
  const places = placesOf(id), rates = places.map((r) => DATA.rates.grid[r]);
  const sums = new Float64Array(places.length);
  const found = { rates, count: 0, lowest: 0, highest: 0, least: 0 };
  for (const i of problems) {
    const all = ratesOn(id, i), row = places.map((r) => all[r]);
    if (row.some(Number.isNaN)) continue;
    row.forEach((loss, k) => { sums[k] += loss; });
    const best = bestPlace(row);
    found.count += 1;
    found.least += row[best];
    found.lowest += best === 0;
    found.highest += best === row.length - 1;
  }
  if (rates.length < 2 || !found.count) return null;
  found.least /= found.count;
  return { ...found, means: Array.from(sums, (s) => s / found.count) };
}

function currentRates() {
  const contest = currentContest();
  if (contest.problems.length < 2) return [];
  return inOrder(contest)
    .map((column) => ({ column, summary: ratesSummary(column.id, contest.problems) }))
    .filter((one) => one.summary);
}

// The section is there if any of its parts is.
function showTuning() {
  showSection("tune", ["tuned", "rates", "hyperparameters"].some((id) => !$(id).hidden));
}

function drawRates() {
  const found = currentRates();
  $("rates").hidden = $("rates-table").hidden = !found.length;
  showTuning();
  if (!found.length) return;
  $("rates-text").textContent = "Mean loss with one learning rate for all datasets.";
  const rows = found.map(({ column, summary }) => {
    const best = summary.means.indexOf(Math.min(...summary.means));
    const share = (count) => `${whole(count)} (${percent(count / summary.count)})`;
    return rowOf(fullName(column.label), [lossText(summary.least), String(summary.rates[best]),
      lossText(summary.means[best]), share(summary.lowest), share(summary.highest),
      whole(summary.count)]);
  });
  const caption = "Mean loss with the best rate on each dataset and with one rate for all; on how many datasets the best rate is an end of the grid "
    + "(if often, widen it)";
  fill($("rates-table"), tableBox(caption,
    [headings(["algorithm", "mean loss, rate per dataset", "one rate for all",
      "mean loss at it", "best is the lowest", "best is the highest", "datasets"])], rows));
}

// Losses against learning rates, for all datasets or one.
function ratesPlot(element, description, lines, labels, what) {
  const points = lines.flatMap(({ targets }) => targets), rates = points.map(({ x }) => x);
  plot(element, description, {
    name: `${what} by learning rate`, height: 300, ends: endsFor(labels.map((label, k) => ({ label, points: lines[k].targets }))),
    x: { title: "learning rate", type: "log", range: [Math.min(...rates) / 1.3, Math.max(...rates) * 1.3],
      ticks: DATA.rates.grid.filter((rate) => rates.includes(rate)) },
    y: { title: what, range: rangeOf(points.map(({ y }) => y)) },
    marks: lines.flatMap(({ marks }) => marks), targets: points,
  });
}

function drawRatesPlot() {
  const found = currentRates(), element = $("rates-plot");
  if (!found.length) return;
  const lines = found.map(({ column, summary }) =>
    lineMarks(column.label, summary.rates.map((x, k) => ({ x, y: summary.means[k] }))));
  ratesPlot(element, "Mean loss against learning rate, a line per algorithm. The table below has the best rates.",
    lines, found.map(({ column }) => column.label), "mean loss");
}
