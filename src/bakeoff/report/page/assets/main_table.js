"use strict";
// Main table: every algorithm against every other one. A cell picks the pair of the
// scatter plot; arrow keys walk from cell to cell.

let walkedTo = "0,1"; // the cell that the tab key reaches

function detailOf(contest, a, b) {
  const [x, y] = [contest.columns[a], contest.columns[b]];
  const both = timesMet(contest, a, b);
  const won = contest.tally[a][b], lost = contest.tally[b][a];
  return `${x.label} against ${y.label}: ${counted(won, "win")}, ${counted(lost, "loss", "losses")}, `
    + `${counted(both - won - lost, "tie")} on ${counted(both, "dataset")}`;
}

function valueOf(tally, a, b, shown) {
  if (shown === "wins") return tally[a][b];
  if (shown === "losses") return tally[b][a];
  return tally[a][b] - tally[b][a];
}

const LEAST_FULL = 5; // the least difference that gets the full tint

function greatestOf(tally, shown) {
  const all = tally.flatMap((row, a) =>
    row.map((_, b) => Math.abs(valueOf(tally, a, b, shown))));
  return Math.max(LEAST_FULL, ...all);
}

function pairCell(contest, a, b, greatest) {
  if (a === b) return h("td", { class: "self" }, DASH);
  const value = valueOf(contest.tally, a, b, STATE.shown);
  const count = STATE.shown === "differences" ? signed(value) : whole(value);
  const text = timesMet(contest, a, b) ? count : "";
  const place = `${a},${b}`, detail = detailOf(contest, a, b);
  const tell = () => {
    $("table-detail").textContent = `${detail}. Click for the scatter plot.`;
    walkedTo = place;
  };
  const background = tint(STATE.shown === "losses" ? -value : value, greatest);
  return h("td", { class: "pair", style: { background } },
    h("button", {
      type: "button", "data-place": place, "data-name": place, "aria-label": detail,
      tabindex: place === walkedTo ? "0" : "-1", onmouseenter: tell, onfocus: tell,
      onclick: () => {
        const [x, y] = [contest.columns[b].label, contest.columns[a].label];
        change({ preset: null, x, y });
        goTo("pair");
      },
    }, text));
}

function walk(event) {
  const steps = {
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  };
  const step = steps[event.key], from = event.target.dataset?.place;
  if (!step || !from) return;
  event.preventDefault();
  let [a, b] = from.split(",").map(Number);
  do {
    [a, b] = [a + step[0], b + step[1]];
  } while (a === b);
  const next = event.currentTarget.querySelector(`[data-place="${a},${b}"]`);
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// The median of normalised losses, where there is a skyline above 0: a small skyline
// makes huge ones, which would rule a mean.
function medianNormalised(contest, a) {
  const values = commonProblems(contest).map((i) => normalised(contest.columns[a], i))
    .filter((value) => !Number.isNaN(value)).sort((x, y) => x - y);
  return values.length ? quantile(values, 0.5) : NaN;
}

function drawMainTable() {
  const contest = currentContest();
  if (contest.columns.length < 2) {
    fill($("table-body"), h("p", {}, "A table needs runs of two algorithms or more."));
    return;
  }
  const greatest = greatestOf(contest.tally, STATE.shown);
  const order = ranking(contest, contest.wins);
  const labels = contest.columns.map((column) => column.label);
  if (walkedTo.split(",").some((k) => Number(k) >= labels.length)) walkedTo = "0,1";
  const rows = contest.columns.map((column, a) => {
    const entry = order.find((one) => one.a === a);
    const total = { differences: entry.score, wins: entry.won, losses: entry.lost }[STATE.shown];
    return h("tr", { class: a === order[0].a && contest.problems.length ? "leader" : null }, labelCell(column.label),
      ...labels.map((_, b) => pairCell(contest, a, b, greatest)),
      h("td", { class: "total" }, STATE.shown === "differences" ? signed(total) : whole(total)),
      h("td", {}, lossText(entry.meanLoss)), h("td", {}, lossText(medianNormalised(contest, a), 3)));
  });
  const common = commonProblems(contest), gaps = contest.problems.length - common.length;
  const without = common.filter((i) => !(PROBLEMS.skyline[i] > 0)).length;
  const what = { differences: "wins minus losses", wins: "wins", losses: "losses" }[STATE.shown];
  const caption = `Significant ${what} of row against column on `
    + `${counted(contest.problems.length, "dataset")}, by ${testText()}`;
  const head = h("tr", {}, h("th", { scope: "col" }, "row against column"),
    ...labels.map((label) => h("th", { scope: "col", title: DATA.algorithms[label] }, label)),
    ...["all", "mean loss", "median normalised loss"].map((text) => h("th", { scope: "col" }, text)));
  const box = tableBox(caption, [head], rows, { class: "heat", id: "main-table", onkeydown: walk });
  keepingFocus($("table-body"), () => fill($("table-body"),
    h("div", { class: "row" }, choice("Show", OPTIONS.shown, STATE.shown,
      (shown) => change({ shown }), { "data-name": "shown" })),
    box,
    h("p", { id: "table-detail", class: "detail" },
      "Point at a cell, or move with the arrow keys, to see its wins, losses and ties."),
    h("p", { class: "quiet" }, [
      `The leader is set in bold. Normalised loss is (loss ${MINUS} skyline) / skyline.`,
      without ? `${counted(without, "dataset")} without a skyline above 0 `
        + `${without === 1 ? "is" : "are"} left out of its median.` : "",
      gaps ? `${counted(gaps, "dataset")} on which an algorithm has no loss `
        + `${gaps === 1 ? "is" : "are"} left out of both.` : "",
    ].filter(Boolean).join(" ")),
    namesOf(labels)));
}

function namesOf(labels) {
  const named = labels.filter((label) => DATA.algorithms[label]);
  if (!named.length) return null;
  return h("p", { class: "quiet" },
    named.map((label) => `${label}: ${DATA.algorithms[label]}`).join("; ") + ".");
}
