"use strict";
// Learning curves over datasets: the mean excess over the skyline as rounds go by.

// The excess of each column after shares of the rounds, on the problems that all have.
function excessCurves(contest) {
  const problems = contest.problems.filter((i) => PROBLEMS.skyline[i] !== null
    && contest.columns.every((column) => curveOf(column.id, i).rounds.length));
  return { problems, rows: contest.columns.map((column) => problems.map((i) => {
    const { rounds, losses } = curveOf(column.id, i);
    return atShares(rounds, losses).map((loss) => loss - PROBLEMS.skyline[i]);
  })) };
}

function drawMeanCurves() {
  const contest = currentContest(), element = $("curves-plot");
  const { problems, rows } = excessCurves(contest);
  $("curves-text").textContent = problems.length
    ? `Loss so far minus the skyline's final loss, mean over ${counted(problems.length, "dataset")}, after each share of the `
      + "rounds. Bands, for the first two of the standings, hold 95% of resamples of the datasets." : "";
  if (!problems.length) {
    noPlot(element, "This needs learning curves and a skyline on datasets that all algorithms have.");
    return;
  }
  const bands = rows.map((own) => bandOf(own, RULES.shares.length));
  const labels = contest.columns.map((column) => column.label);
  const points = bands.map((band) => band.map((one, k) => ({ x: RULES.shares[k], y: one.mean, ...one })));
  const values = points.flat().flatMap(({ low, high }) => [low, high]);
  plot(element, `Mean learning curves, a line per algorithm. At the end: ${labels.map((label, a) =>
    `${fullName(label)} ${lossText(points[a].at(-1).y)}`).join(", ")}.`, {
    name: "mean learning curves", height: 380, legend: legendFor(labels),
    x: { title: "share of the rounds", type: "log", range: [RULES.shares[0], 1], format: (x) => `${Number((100 * x).toPrecision(3))}%` },
    y: { title: "mean excess over the skyline", range: rangeOf(values) },
    marks: [
      ...currentStandings().slice(0, 2).map(({ a }) => ({ kind: "band", points: points[a], look: styleOf(labels[a]) })),
      ...points.map((own, a) => ({ kind: "line", points: own, look: styleOf(labels[a]) })),
    ],
    targets: points.flatMap((own, a) => own.map(({ x, y, low, high }) => ({
      x, y, lines: [fullName(labels[a]), `after ${percent(x)}: ${lossText(y)}`, `95%: ${lossText(low)} to ${lossText(high)}`],
    }))),
  });
}
