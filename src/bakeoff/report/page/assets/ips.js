"use strict";
// Off-policy estimates: squared errors of IPS estimates of the uniform policy's loss.

const LEAST = 1e-12; // errors of 0 have no place on a log axis
const ESTIMATES = [["rewards", "of rewards (as in the paper)"], ["losses", "of losses"]];
let estimate = "rewards";

function errorsOf(column, least) {
  const found = ipsOf(column.id);
  if (!found) return [];
  return currentContest().problems
    .filter((i) => PROBLEMS.task[i] === "multiclass" && PROBLEMS.n[i] >= least)
    .map((i) => found[estimate][i])
    .filter((error) => !Number.isNaN(error));
}

function drawIps() {
  $("ips-text").textContent = "How well the uniform policy could be evaluated from each "
    + "algorithm's log: squared errors of its inverse propensity estimates on multiclass "
    + "datasets. Boxes are quartiles, whiskers 5 % and 95 %; lower is better.";
  keepingFocus($("ips-controls"), () => fill($("ips-controls"),
    choice("Estimate", ESTIMATES, estimate, (picked) => {
      estimate = picked;
      redraw();
    }, { "data-name": "estimate" })));
  const rows = [];
  for (const column of currentContest().columns) {
    const cells = [0, 10000].flatMap((least) => {
      const errors = errorsOf(column, least).sort((a, b) => a - b);
      if (!errors.length) return ["", "0"];
      return [quantile(errors, 0.5).toExponential(2).replace("-", MINUS), whole(errors.length)];
    });
    if (cells[0]) rows.push(rowOf(column.label, cells));
  }
  const head = headings(["algorithm", "all", "datasets", "n \u2265 10,000", "datasets"]);
  fill($("ips-table"), rows.length
    ? tableBox("Median squared error of the estimates", [head], rows) : null);
}

function drawIpsPlot(element, least) {
  const traces = currentContest().columns.flatMap((column) => {
    const errors = errorsOf(column, least).map((error) => Math.max(error, LEAST))
      .sort((a, b) => a - b);
    if (!errors.length) return [];
    const at = (share) => [quantile(errors, share)];
    return [{
      type: "box", name: safe(shortened(column.label)), x: [safe(shortened(column.label))],
      q1: at(0.25), median: at(0.5), q3: at(0.75), lowerfence: at(0.05), upperfence: at(0.95),
      line: { color: styleOf(column.label).colour, width: 2 }, hoverinfo: "y",
    }];
  });
  if (!traces.length) {
    noPlot(element, least ? `This needs multiclass datasets with n \u2265 ${whole(least)}.`
      : "This needs multiclass datasets.");
    return;
  }
  readyForPlot(element);
  plot(element, `Box plots of squared errors of IPS estimates of ${estimate}, one per `
    + "algorithm. The table below has the medians.", traces, {
    showlegend: false, xaxis: axis("", { showgrid: false }),
    yaxis: axis("squared error", { type: "log", exponentformat: "power", dtick: 2 }),
  });
}
