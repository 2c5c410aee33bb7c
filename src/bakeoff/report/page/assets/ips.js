"use strict";
// Off-policy estimates: squared errors of IPS estimates of the uniform policy's loss.

const FEWEST = 5; // datasets of which quartiles say something
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
  const contest = currentContest();
  if (!showSection("ips", contest.columns.some((column) => errorsOf(column, 0).length >= FEWEST))) return;
  const [low, high] = RULES.whiskers;
  fill($("ips-text"), ...explained("How well each algorithm's log can estimate the loss of the uniform policy: squared errors of "
    + `{IPS} estimates on multiclass datasets. Boxes are quartiles, whiskers ${low}% and ${high}%; lower is better.`));
  $("ips-large-title").textContent = `n \u2265 ${whole(RULES.large)}`;
  keepingFocus($("ips-controls"), () => fill($("ips-controls"),
    choice("Estimate", OPTIONS.estimate, estimate, (picked) => {
      estimate = picked;
      redraw();
    }, { "data-name": "estimate" })));
  const rows = [];
  const hasLarge = contest.columns.some((column) => errorsOf(column, RULES.large).length);
  $("ips-large").parentElement.hidden = !hasLarge;
  for (const column of inOrder(contest)) {
    const cells = [0, ...(hasLarge ? [RULES.large] : [])].flatMap((least) => {
      const errors = errorsOf(column, least).sort((a, b) => a - b);
      if (!errors.length) return ["", "0"];
      return [quantile(errors, 0.5).toExponential(2).replace("-", MINUS), whole(errors.length)];
    });
    if (cells[0]) rows.push(rowOf(fullName(column.label), cells));
  }
  const head = headings(["algorithm", "all", "datasets",
    ...(hasLarge ? [`n \u2265 ${whole(RULES.large)}`, "datasets"] : [])]);
  fill($("ips-table"), rows.length
    ? tableBox("Median squared error of the estimates", [head], rows) : null);
}

function drawIpsPlot(element, least) {
  const [low, high] = RULES.whiskers.map((percentage) => percentage / 100);
  const boxes = inOrder(currentContest()).flatMap(({ id, label }) => {
    const errors = errorsOf({ id }, least).map((error) => Math.max(error, RULES.least_error))
      .sort((a, b) => a - b);
    return errors.length
      ? [{ label, values: [low, 0.25, 0.5, 0.75, high].map((share) => quantile(errors, share)) }] : [];
  });
  if (!boxes.length) return;
  const values = boxes.flatMap((box) => box.values), names = boxes.map(({ label }) => fullName(label));
  plot(element, `Box plots of squared errors of IPS estimates of ${estimate}, one per algorithm. The table below has the medians.`, {
    name: `IPS errors of ${estimate}`, height: 300,
    x: { title: "algorithm", range: [-0.6, boxes.length - 0.4], ticks: boxes.map((_, k) => k), noGrid: true,
      format: (k, room) => fitted(room < 64 ? boxes[k].label : names[k], room - 2) },
    y: { title: "squared error", type: "log", range: [Math.min(...values) / 1.5, Math.max(...values) * 1.5] },
    marks: boxes.map((box, x) => ({ kind: "box", x, values: box.values, look: styleOf(box.label) })),
    targets: boxes.map((box, x) => ({ x, y: box.values[2], lines: [fullName(box.label), `median ${box.values[2].toPrecision(3)}`] })),
  });
}
