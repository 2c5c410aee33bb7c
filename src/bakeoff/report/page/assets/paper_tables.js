"use strict";
// The paper's tables: ours, computed here, beside what the paper prints.

const LONG = 30; // letters that make a cell a text

function gridTable(caption, corner, columns, rows, best) {
  const isOneRow = rows.length === 1;
  const isText = columns.map((_, k) => rows.some(([, cells]) => cells[k].length > LONG));
  const isProse = rows.some(([label]) => label.length > LONG);
  const kindOf = (k, isBest) => [isText[k] ? "text" : "", isBest ? "leader" : ""].join(" ").trim() || null;
  const body = rows.map(([label, cells]) => h("tr",
    { class: !isOneRow && best.includes(label) ? "leader" : null },
    h("th", { scope: "row", class: isProse ? "prose" : null }, label),
    ...cells.map((cell, k) => h("td", { class: kindOf(k, isOneRow && best.includes(columns[k])) }, printedText(cell)))));
  const head = h("tr", {}, h("th", { scope: "col" }, corner),
    ...columns.map((text, k) => h("th", { scope: "col", class: kindOf(k, false) }, text)));
  return tableBox(caption, [head], body);
}

function basedOn(whose, datasets) {
  return datasets === null ? whose : `${whose}, ${counted(datasets, "dataset")}`;
}

// Rows of wins and losses, and who is ahead of all others.
function winRows(panel) {
  const contest = contestWith(panel.columns, panel.condition);
  const present = contest.columns.map((_, a) => a).filter((a) =>
    contest.problems.some((i) => !Number.isNaN(contest.columns[a].losses[i])));
  const labels = present.map((a) => contest.columns[a].label);
  const tally = present.map((a) => present.map((b) => contest.tally[a][b]));
  const cell = (a, b) => {
    if (a === b) return DASH;
    if (!timesMet(contest, present[a], present[b])) return "";
    if (panel.shown === "both") return `${tally[a][b]} / ${tally[b][a]}`;
    return whole(tally[a][b] - tally[b][a]);
  };
  const rows = labels.map((label, a) => [label, labels.map((_, b) => cell(a, b))]);
  const best = labels.filter((_, a) =>
    labels.every((__, b) => a === b || tally[a][b] > tally[b][a]));
  return { columns: labels, rows, best, datasets: contest.problems.length };
}

// One row: the first column of each pair against the second, by algorithm.
function duelRows(panel) {
  const found = panel.duels.map(([label, ids]) => {
    const contest = contestWith(ids, panel.condition);
    return { label, tally: contest.tally, count: commonProblems(contest).length };
  }).filter((duel) => duel.count);
  const cells = found.map(({ tally }) => `${tally[0][1]} / ${tally[1][0]}`);
  return { columns: found.map((duel) => duel.label), best: [], rows: [[panel.row, cells]],
    datasets: Math.max(0, ...found.map((duel) => duel.count)) };
}

// How many problems lie in each bin of a fact of theirs; a bin holds its upper end.
function binRows(panel) {
  const counts = panel.labels.map(() => 0);
  PROBLEMS[panel.field].forEach((value, i) => {
    if (value === null || !passesFilters(i) || !meets(panel.condition, i)) return;
    counts[panel.ends.filter((end) => value > end).length] += 1;
  });
  return { columns: panel.heading, best: [], rows: panel.labels.map((l, k) => [l, [whole(counts[k])]]),
    datasets: counts.reduce((a, b) => a + b, 0) };
}

// What problems elect: a row for each algorithm, a column for each encoding.
function electionRows(panel) {
  const held = panel.elections.map(([label, encodings]) =>
    [label, encodings.map((ids) => electionOf(ids, panel.condition))]);
  const elected = (election) => {
    const text = election ? panel.names[election.winner] : "";
    const isAlone = election?.nChoices === 1 && text !== "-";
    return isAlone ? `${text} (no other was played)` : text;
  };
  const every = held.flatMap(([, row]) => row).filter((election) => election);
  const open = every.filter((election) => election.nChoices > 1);
  return { columns: panel.heading, best: [],
    rows: held.map(([label, row]) => [label, row.map(elected)]),
    datasets: Math.max(0, ...(open.length ? open : every).map((one) => one.nVoters)) };
}

// Rows that are of one problem each, where that passes the filters.
function rowsThatPass(panel) {
  const rows = panel.ours.rows.filter((_, k) => passesFilters(panel.problems[k]));
  return { ...panel.ours, rows, datasets: rows.length };
}

// What the store says, as far as the filters let it through; null if it has no data.
const OURS = {
  wins: winRows, duels: duelRows, bins: binRows, elections: electionRows,
  rows: (panel) => panel.ours && rowsThatPass(panel), fixed: (panel) => panel.ours,
};

function panelOf(panel) {
  const parts = [h("h4", {}, symbols(panel.title))];
  const ours = OURS[panel.kind](panel);
  const isEmpty = !ours || ours.datasets === 0 || (panel.kind === "wins" && ours.columns.length < 2);
  const grids = h("div", { class: "grids" });
  if (isEmpty) {
    parts.push(note(ours
      ? "No dataset passes the filters." : `No data: ${panel.needs}.`));
  } else {
    grids.append(gridTable(basedOn("Ours", ours.datasets), panel.corner, ours.columns,
      ours.rows, ours.best));
  }
  if (panel.paper) {
    const { columns, rows, best, datasets } = panel.paper;
    grids.append(gridTable(basedOn("The paper", datasets), panel.corner, columns, rows, best));
  }
  return h("div", { class: "panel" }, ...parts, grids);
}

// Whether a store has anything for a part of a table.
function hasData({ kind, ours, columns, duels }) {
  return kind === "wins" ? columns.length > 1 : kind === "duels" ? duels.length > 0 : ours !== null;
}

// Tables stay closed until asked for, and are computed then; those without any data are one line.
function drawPaperTables() {
  const [full, empty] = [true, false].map((is) => DATA.tables.filter((table) => table.panels.some(hasData) === is));
  if (!showSection("paper", DATA.tables.length > 0)) return;
  if (!$("paper-body").childElementCount) {
    fill($("paper-body"), ...full.map((table) => {
      const body = h("div", {});
      const box = h("details", { ontoggle: () => fillTable(box, body, table) },
        h("summary", {}, h("h3", {}, table.title)), body);
      box.refill = () => fillTable(box, body, table);
      return box;
    }), empty.length ? note(`${counted(empty.length, "table")} of the paper ${empty.length === 1 ? "needs" : "need"} other runs: `
      + `${empty.map(({ title }) => title).join("; ")}. The files in the folder report say which.`) : null);
  }
  for (const box of $("paper-body").children) box.refill?.();
}

function fillTable(box, body, table) {
  if (!box.open) return;
  fill(body, note(table.caption), ...table.panels.map(panelOf));
}
