"use strict";
// The paper's tables: ours, computed here, beside what the paper prints.

function gridTable(caption, corner, columns, rows, best) {
  const isOneRow = rows.length === 1;
  const body = rows.map(([label, cells]) => h("tr",
    { class: !isOneRow && best.includes(label) ? "leader" : null },
    h("th", { scope: "row" }, label),
    ...cells.map((cell, k) => h("td",
      { class: isOneRow && best.includes(columns[k]) ? "leader" : null },
      cell instanceof Node ? cell : printedText(cell)))));
  return tableBox(caption, [headings([corner, ...columns])], body);
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
    if (panel.kind === "both") return `${tally[a][b]} / ${tally[b][a]}`;
    return whole(tally[a][b] - tally[b][a]);
  };
  const rows = labels.map((label, a) => [label, labels.map((_, b) => cell(a, b))]);
  const best = labels.filter((_, a) =>
    labels.every((__, b) => a === b || tally[a][b] > tally[b][a]));
  return { columns: labels, rows, best, datasets: contest.problems.length };
}

function panelOf(panel) {
  const parts = [h("h4", {}, symbols(panel.title))];
  const ours = panel.columns ? winRows(panel) : panel.ours;
  const isEmpty = !ours || (panel.columns && ours.columns.length < 2);
  const grids = h("div", { class: "grids" });
  if (isEmpty) {
    parts.push(h("p", { class: "quiet" }, panel.columns
      ? "No dataset passes the filters." : `No data: ${panel.needs}.`));
  } else {
    const whose = panel.columns
      ? "Ours" : "Ours, all that the store holds (does not follow the filters)";
    grids.append(gridTable(basedOn(whose, ours.datasets), panel.corner, ours.columns,
      ours.rows, ours.best));
  }
  if (panel.paper) {
    const { columns, rows, best, datasets } = panel.paper;
    grids.append(gridTable(basedOn("The paper", datasets), panel.corner, columns, rows, best));
  }
  return h("div", { class: "panel" }, ...parts, grids);
}

// Tables stay closed until asked for, and are computed then.
function drawPaperTables() {
  if (!$("paper-body").childElementCount) {
    fill($("paper-body"), ...DATA.tables.map((table) => {
      const body = h("div", {});
      const box = h("details", { ontoggle: () => fillTable(box, body, table) },
        h("summary", {}, h("h3", {}, table.title)), body);
      box.refill = () => fillTable(box, body, table);
      return box;
    }));
  }
  for (const box of $("paper-body").children) box.refill();
}

function fillTable(box, body, table) {
  if (!box.open) return;
  fill(body, h("p", { class: "quiet" }, table.caption), ...table.panels.map(panelOf));
}
