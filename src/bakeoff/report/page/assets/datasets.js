"use strict";
// Datasets: a table to sort and to search, a hundred rows at a time.

const PAGE = 100;
const TABLE = { sort: "name", isDown: false, search: "", page: 0 };

let searching = 0;

const FACTS = [
  ["name", "dataset", (i) => PROBLEMS.name[i]],
  ["task", "task", (i) => PROBLEMS.task[i]],
  ["n", "n", (i) => PROBLEMS.n[i], whole],
  ["d", "d", (i) => PROBLEMS.d[i], whole],
  ["K", "K", (i) => PROBLEMS.K[i], whole],
  ["skyline", "skyline", (i) => PROBLEMS.skyline[i] ?? NaN],
];
const PLAIN = [ // beside a single algorithm
  ["constant", "best constant action", (i) => PROBLEMS.constant[i] ?? NaN],
  ["uniform", "uniform", (i) => PROBLEMS.uniform[i] ?? NaN],
];

function tableColumns() {
  const algorithms = inOrder(currentContest()).map((column) => [`loss-${column.label}`, fullName(column.label), (i) => column.losses[i]]);
  const facts = FACTS.filter(([key]) => key !== "skyline" || currentContest().problems.some((i) => PROBLEMS.skyline[i] !== null));
  return [...facts, ...(algorithms.length === 1 ? PLAIN : []), ...algorithms];
}

function found() {
  const columns = tableColumns();
  const [, , value] = columns.find(([key]) => key === TABLE.sort) ?? columns[0];
  const words = TABLE.search.toLowerCase().split(/\s+/).filter(Boolean);
  return currentContest().problems
    .filter((i) => {
      const facts = [PROBLEMS.name[i], PROBLEMS.task[i], PROBLEMS.openml_id[i] ?? ""];
      const text = facts.join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((i, j) => compare(value(i), value(j), TABLE.isDown) || i - j);
}

function datasetRow(i, columns) {
  const losses = currentContest().columns.map((column) => column.losses[i]).filter((loss) => !Number.isNaN(loss));
  const least = Math.min(...losses);
  return h("tr", {},
    h("th", { scope: "row" }, h("button", {
      type: "button", class: "link", "data-problem": i, title: PROBLEMS.name[i], onclick: () => openDataset(i),
    }, PROBLEMS.name[i])),
    h("td", { class: "text" }, PROBLEMS.task[i]),
    ...columns.slice(2).map(([key, , value, text = lossText]) => h("td",
      { class: losses.length > 1 && key.startsWith("loss-") && value(i) === least ? "leader" : null }, text(value(i)))));
}

function pager(count) {
  const last = Math.max(0, Math.ceil(count / PAGE) - 1);
  const turn = (step, text) => h("button", {
    type: "button", "data-turn": step,
    disabled: TABLE.page + step < 0 || TABLE.page + step > last,
    onclick: () => {
      TABLE.page += step;
      drawDatasets();
      const again = $("datasets-body").querySelector(`[data-turn="${step}"]:not(:disabled)`);
      (again ?? $("datasets-body").querySelector("[data-turn]:not(:disabled)"))?.focus();
    },
  }, text);
  const from = TABLE.page * PAGE;
  const shown = h("span", { role: "status" }, count
    ? `${whole(from + 1)} to ${whole(Math.min(count, from + PAGE))} of `
      + counted(count, "dataset")
    : "No dataset matches.");
  return h("div", { class: "row pager" }, shown,
    last ? turn(-1, "Previous") : null, last ? turn(1, "Next") : null);
}

function drawDatasets() {
  if (!showSection("datasets", currentContest().problems.length > 1)) return;
  clearTimeout(searching);
  if (!$("datasets-controls").childElementCount) {
    const input = h("input", {
      type: "search", id: "search",
      oninput: () => {
        Object.assign(TABLE, { search: input.value, page: 0 });
        clearTimeout(searching);
        searching = setTimeout(drawDatasets, PAUSE);
      },
    });
    fill($("datasets-controls"), h("label", { class: "field" },
      h("span", {}, "Search by name, task or OpenML number"), input));
  }
  const problems = found(), columns = tableColumns();
  TABLE.page = Math.min(TABLE.page, Math.max(0, Math.ceil(problems.length / PAGE) - 1));
  const rows = problems.slice(TABLE.page * PAGE, (TABLE.page + 1) * PAGE).map((i) => datasetRow(i, columns));
  const head = columns.map(([key, text]) => sortHeading({ key, text: shortened(text, 24), title: text,
    class: key === "task" ? "text" : null }, TABLE, drawDatasets, $("datasets-body")));
  fill($("datasets-body"), pager(problems.length),
    tableBox("Losses on each dataset, the lowest in bold; click a name for its learning curves, settings and runs",
      [h("tr", {}, ...head)], rows, { class: "listing" }));
}
