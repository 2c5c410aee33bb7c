"use strict";
// Learning curves over datasets: how far each algorithm is behind the leader as rounds go by.

// The loss of each column after shares of the rounds, on the problems that all have a curve of.
function sharedCurves(contest) {
  const problems = contest.problems.filter((i) => contest.columns.every((column) => curveOf(column.id, i).rounds.length));
  return { problems, rows: contest.columns.map((column) => problems.map((i) => {
    const { rounds, losses } = curveOf(column.id, i);
    return atShares(rounds, losses);
  })) };
}

// The curves in the order of the standings: minus the leader's, or as they are if it is alone.
function curveLines(contest) {
  const { problems, rows } = sharedCurves(contest), order = currentStandings(), base = rows[order[0].a];
  const isAlone = order.length === 1;
  const lines = order.map(({ label, a }, place) => {
    const own = rows[a].map((row, i) => row.map((loss, k) => (isAlone ? loss : loss - base[i][k])));
    const band = bandOf(own, RULES.shares.length);
    return { label, place, points: band.map((one, k) => ({ x: RULES.shares[k], y: one.mean, ...one })) };
  });
  return { problems, lines, isAlone, isSure: problems.length >= RULES.few }; // else resamples say little
}

// Who was below the leader for how long, in a sentence.
function aheadEarly(lines) {
  const below = lines.slice(1).map(({ label, points }) => ({ label, last: points.findLastIndex(({ y }) => y < 0), times: points.filter(({ y }) => y < 0).length }))
    .filter(({ times }) => times).sort((x, y) => y.times - x.times).slice(0, 2);
  if (!below.length) return `${atStart(lines[0].label)} has the lowest mean loss from the first rounds on.`;
  const until = (last) => (last === RULES.shares.length - 1 ? "to the end" : `until ${percent(RULES.shares[last])} of the rounds`);
  return `Below ${fullName(lines[0].label)} in mean loss: ${listed(below.map(({ label, last }) => `${fullName(label)} ${until(last)}`))}.`;
}

function drawMeanCurves() {
  const contest = currentContest(), element = $("curves-plot");
  const isShown = contest.problems.length > 1 && contest.problems.some((i) => contest.columns.every((column) => curveOf(column.id, i).rounds.length));
  if (!showSection("curves", isShown)) return;
  const { problems, lines, isAlone, isSure } = curveLines(contest), name = fullName(lines[0].label);
  fill($("curves-text"), ...(isAlone ? [`Mean loss so far over ${counted(problems.length, "dataset")}.${isSure ? " The band holds 95% of resamples." : ""}`]
    : explained(`${aheadEarly(lines)} Mean {loss} so far minus ${name}'s over ${counted(problems.length, "dataset")}; lower is better.${isSure ? ` Bands: 95% of paired {resamples}, for the ${lines.length > 2 ? "two next" : "next"} in the standings.` : ""}`)));
  const banded = !isSure ? [] : isAlone ? lines : lines.slice(1, 3);
  const values = [...lines.flatMap(({ points }) => points.map(({ y }) => y)), ...banded.flatMap(({ points }) => points.slice(3).flatMap(({ low, high }) => [low, high]))];
  const range = isAlone ? rangeOf(values) : rangeOf([...values, -RULES.same, RULES.same]);
  plot(element, `Mean learning curves, a line per algorithm. At the end: ${lines.map(({ label, points }) =>
    `${fullName(label)} ${lossText(points.at(-1).y)}`).join(", ")}.`, {
    name: "learning curves", height: 340, ends: endsFor(lines),
    x: { title: "share of the rounds", type: "log", range: [RULES.shares[0], 1], format: (x) => `${Number((100 * x).toPrecision(3))}%` },
    y: { title: isAlone ? "mean loss so far" : "loss minus the leader's", range },
    marks: [
      ...(isAlone ? [] : [{ kind: "area", from: [RULES.shares[0], -RULES.same], to: [1, RULES.same] }]),
      ...banded.map(({ label, points }) => ({ kind: "band", points, look: styleOf(label) })),
      ...lines.map(({ label, points, place }) => ({ kind: "line", points, look: styleOf(label), label, width: place ? 2 : 3 })),
    ],
    targets: lines.flatMap(({ label, points }) => points.map(({ x, y, low, high }) => ({
      x, y, lines: [fullName(label), `after ${percent(x)}: ${isAlone ? lossText(y) : signedLoss(y, 4)}`, ...(isSure ? [`95%: ${[low, high].map((end) => (isAlone ? lossText(end) : signedLoss(end, 4))).join(" to ")}`] : [])],
    }))),
  });
}
