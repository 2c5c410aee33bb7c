"use strict";
// Main table: every algorithm against every other one. A cell picks the pair of the
// scatter plot; arrow keys walk from cell to cell.

let walkedTo = "0,1"; // the cell that the tab key reaches

function detailOf(contest, a, b) {
  const [x, y] = [contest.columns[a], contest.columns[b]];
  const both = timesMet(contest, a, b);
  const won = contest.tally[a][b], lost = contest.tally[b][a];
  return `${fullName(x.label)} against ${fullName(y.label)}: ${counted(won, "win")}, ${counted(lost, "loss", "losses")}, `
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

// The cell in a row and a column of the table, of two places in the contest.
function pairCell(contest, place, [a, b], greatest) {
  if (a === b) return h("td", { class: "self" }, DASH);
  const value = valueOf(contest.tally, a, b, STATE.shown);
  const count = STATE.shown === "differences" ? signed(value) : whole(value);
  const text = timesMet(contest, a, b) ? count : "";
  const detail = detailOf(contest, a, b), [x, y] = [contest.columns[b].label, contest.columns[a].label];
  const tell = () => {
    $("table-detail").textContent = `${detail}.`;
    walkedTo = place;
  };
  const picked = pickedLabels(), isPicked = STATE.preset === null && picked[0] === x && picked[1] === y;
  const background = tint(STATE.shown === "losses" ? -value : value, greatest);
  return h("td", { class: "pair", style: { background } },
    h("button", {
      type: "button", "data-place": place, "data-name": place, "aria-label": detail,
      tabindex: place === walkedTo ? "0" : "-1", onmouseenter: tell, onfocus: tell,
      "aria-pressed": String(isPicked), onclick: () => change({ preset: null, x, y }),
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

function drawMainTable() {
  if (!showSection("pair", isContest())) return;
  const contest = currentContest();
  const greatest = greatestOf(contest.tally, STATE.shown);
  const order = ranking(contest, contest.wins), labels = order.map(({ label }) => label);
  if (walkedTo.split(",").some((k) => Number(k) >= labels.length)) walkedTo = "0,1";
  const rows = order.map((entry, row) => {
    const total = { differences: entry.score, wins: entry.won, losses: entry.lost }[STATE.shown];
    return h("tr", { class: row ? null : "leader" }, nameCell(entry.label),
      ...order.map((other, column) => pairCell(contest, `${row},${column}`, [entry.a, other.a], greatest)),
      h("td", { class: "total" }, STATE.shown === "differences" ? signed(total) : whole(total)));
  });
  const what = { differences: "wins minus losses", wins: "wins", losses: "losses" }[STATE.shown];
  const caption = `Significant ${what} of row against column on `
    + `${counted(contest.problems.length, "dataset")}, by ${testText()}`;
  const head = h("tr", {}, h("th", { scope: "col" }, "row against column"),
    ...labels.map((label) => h("th", { scope: "col", class: "tilted", title: fullName(label) }, h("span", {}, shortened(fullName(label), 24)))),
    h("th", { scope: "col" }, "all"));
  const box = tableBox(caption, [head], rows, { class: "heat", id: "main-table", onkeydown: walk });
  keepingFocus($("table-body"), () => fill($("table-body"),
    h("div", { class: "row" }, choice("Show", OPTIONS.shown, STATE.shown,
      (shown) => change({ shown }), { "data-name": "shown" })),
    box,
    h("p", { id: "table-detail", class: "detail" },
      "Point at a cell, or move with the arrow keys, to see its wins, losses and ties. A click shows the two, dataset by dataset.")));
}
