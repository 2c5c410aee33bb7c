"use strict";
// Cost: how long a decision takes, against how much is lost; the front of what is worth it.

// Microseconds per round of the settings that a view shows; undefined if nobody measured.
function costOf(label) {
  return DATA.costs[STATE.encoding]?.[STATE.kind]?.[label];
}

function costText(cost) {
  if (Number.isNaN(cost)) return "";
  return cost >= 100 ? whole(Math.round(cost)) : cost.toPrecision(2);
}

// Those that nobody beats in both: cheaper ones lose more. Points ascend in cost.
function frontOf(points) {
  let least = Infinity;
  return [...points].sort((a, b) => a.x - b.x || a.y - b.y).filter(({ y }) => {
    if (y >= least) return false;
    least = y;
    return true;
  });
}

function drawCost() {
  const contest = currentContest();
  const points = contest.columns.length < 2 || !contest.problems.length ? [] : currentStandings()
    .map(({ label, meanLoss }, place) => ({ label, x: costOf(label), y: meanLoss, place }))
    .filter(({ x, y }) => x !== undefined && !Number.isNaN(y));
  if (!showSection("cost", points.length > 1)) return;
  const front = frontOf(points), isOn = (point) => front.includes(point);
  const cheapest = front[0], best = front.at(-1);
  const times = (x) => (x < 1.15 ? "about the same time" : `${x >= 10 ? Math.round(x) : x.toFixed(1)} times its time`);
  fill($("cost-text"), ...explained(front.length === 1
    ? `${atStart(best.label)} has both the lowest mean {loss} and the shortest time per decision.`
    : `${atStart(best.label)} has the lowest mean {loss}; ${fullName(cheapest.label)} loses ${lossText(cheapest.y - best.y)} more, and ${fullName(best.label)} takes `
      + `${times(best.x / cheapest.x)}.`), ` Bottom left is best; the line joins what nothing beats in both. ${costNote()}`);
  const xs = points.map(({ x }) => x), ratio = Math.max(...xs) / Math.min(...xs), room = Math.max(1.15, ratio ** 0.08);
  plot($("cost-plot"), `Mean loss against microseconds per decision: ${points.map(({ label, x, y }) =>
    `${fullName(label)} ${costText(x)} and ${lossText(y)}`).join(", ")}.`, {
    name: "cost against loss", height: 300,
    x: { title: "microseconds per decision", type: "log", range: [Math.min(...xs) / room, Math.max(...xs) * room ** 2.5] },
    y: { title: "mean loss", range: atLeast(2 * RULES.same, rangeOf(points.map(({ y }) => y), { room: 0.08 })) },
    marks: [{ kind: "line", points: front, look: { colour: "var(--more-line)", dash: "-" } },
      { kind: "points", points: points.map((point) => ({ ...point, radius: 5, look: { colour: DATA.own.includes(point.label) ? "var(--own)"
        : isOn(point) ? "var(--more-line)" : "var(--plain)", marker: "o", dash: "-", isHollow: false } })) },
      { kind: "names", points: points.map((point) => ({ ...point, text: shortened(fullName(point.label), 22), isBold: isOn(point) })) }],
    targets: points.map(({ label, x, y }) => ({ x, y, lines: [fullName(label), `mean loss ${lossText(y)}`, `${costText(x)} \u00b5s per decision`] })),
  });
}

function costNote() {
  return "Times are from the making of this store, where runs share a pass over the data; one by itself costs more, and filters do not change them.";
}
