"use strict";
// Learning rates: the mean loss at each, and where the best one is an end of the grid.

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
  return contest.columns
    .map((column) => ({ column, summary: ratesSummary(column.id, contest.problems) }))
    .filter((one) => one.summary);
}


function drawRates() {
  const found = currentRates();
  $("rates-text").textContent = found.length
    ? "Mean loss with one learning rate for all datasets. If the best rate is often at an end of the grid, the grid "
      + "may be too narrow. Datasets that were not played at every rate are left out."
    : "";
  fill($("rates-table"));
  if (!found.length) return;
  const rows = found.map(({ column, summary }) => {
    const best = summary.means.indexOf(Math.min(...summary.means));
    const share = (count) => `${whole(count)} (${percent(count / summary.count)})`;
    return rowOf(column.label, [lossText(summary.least), String(summary.rates[best]),
      lossText(summary.means[best]), share(summary.lowest), share(summary.highest),
      whole(summary.count)]);
  });
  const caption = "Mean loss with the best rate on each dataset and with one rate for all; where the best rate is an end "
    + "of the grid";
  fill($("rates-table"), tableBox(caption,
    [headings(["algorithm", "mean loss, rate per dataset", "one rate for all",
      "mean loss at it", "best is the lowest", "best is the highest", "datasets"])], rows));
}

// Losses against learning rates, for all datasets or one.
function ratesPlot(element, description, lines, labels, what) {
  const points = lines.flatMap(({ targets }) => targets), rates = points.map(({ x }) => x);
  plot(element, description, {
    name: `${what} by learning rate`, height: 340, legend: legendFor(labels),
    x: { title: "learning rate", type: "log", range: [Math.min(...rates) / 1.3, Math.max(...rates) * 1.3],
      ticks: DATA.rates.grid },
    y: { title: what, range: rangeOf(points.map(({ y }) => y)) },
    marks: lines.flatMap(({ marks }) => marks), targets: points,
  });
}

function drawRatesPlot() {
  const found = currentRates(), element = $("rates-plot");
  if (!found.length) {
    noPlot(element, "This needs runs with several learning rates.");
    return;
  }
  const lines = found.map(({ column, summary }) =>
    lineMarks(column.label, summary.rates.map((x, k) => ({ x, y: summary.means[k] }))));
  ratesPlot(element, "Mean loss against learning rate, a line per algorithm. The table below has the best rates.",
    lines, found.map(({ column }) => column.label), "mean loss");
}
