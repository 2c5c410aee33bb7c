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

function lineTrace(label, x, y) {
  const look = styleOf(label);
  return {
    type: "scatter", mode: "lines+markers", name: safe(shortened(label)), x, y,
    line: { color: look.colour, dash: look.dash, width: 2 },
    marker: { symbol: look.marker, size: 7, color: look.colour },
    hovertemplate: "%{y:.4f} at %{x}<extra>%{fullData.name}</extra>",
  };
}

function drawRates() {
  const found = currentRates();
  $("rates-text").textContent = found.length
    ? "Mean loss at one rate for all datasets; in the paper's views the best rate of "
      + "each dataset counts. A best rate at an end of the grid says that the grid may be "
      + "too narrow. Datasets without a loss at every rate are left out."
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
  const caption = "The learning rate chosen on each dataset or once for all, and best rates "
    + "at an end of the grid";
  fill($("rates-table"), tableBox(caption,
    [headings(["algorithm", "mean loss, rate per dataset", "one rate for all",
      "mean loss at it", "best is the lowest", "best is the highest", "datasets"])], rows));
}

function drawRatesPlot() {
  const found = currentRates(), element = $("rates-plot");
  if (!found.length) {
    noPlot(element, "This needs runs with several learning rates.");
    return;
  }
  readyForPlot(element);
  plot(element, "Mean loss against learning rate, a line per algorithm. The table below "
    + "has the best rates.",
  found.map(({ column, summary }) => lineTrace(column.label, summary.rates, summary.means)), {
    xaxis: axis("learning rate", { type: "log", tickvals: DATA.rates.grid }),
    yaxis: axis("mean loss"),
  });
}
