"use strict";
// Datasets: a table to sort and to search, a hundred rows at a time.

const PAGE = 100;
const TABLE = { sort: "name", isDown: false, search: "", page: 0 };

let searching = 0;

const ALPHABET = new Intl.Collator("en", { numeric: true });

const FACTS = [
  ["name", "dataset", (i) => PROBLEMS.name[i]],
  ["task", "task", (i) => PROBLEMS.task[i]],
  ["n", "n", (i) => PROBLEMS.n[i]],
  ["d", "d", (i) => PROBLEMS.d[i]],
  ["K", "K", (i) => PROBLEMS.K[i]],
  ["skyline", "skyline", (i) => PROBLEMS.skyline[i] ?? NaN],
];

function tableColumns() {
  const algorithms = currentContest().columns.map((column, a) =>
    [`loss-${a}`, column.label, (i) => column.losses[i]]);
  return [...FACTS, ...algorithms];
}

// Numbers by size, texts by the alphabet, and what is missing last either way.
function compare(a, b, isDown) {
  if (typeof a === "string") {
    const order = ALPHABET.compare(a, b);
    return isDown ? -order : order;
  }
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return isDown ? b - a : a - b;
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

function sortHeading([key, text]) {
  const isSorted = TABLE.sort === key;
  const sort = isSorted ? (TABLE.isDown ? "descending" : "ascending") : "none";
  const arrow = { ascending: " \u25b4", descending: " \u25be", none: "" }[sort];
  const button = h("button", {
    type: "button", "data-sort": key,
    onclick: () => {
      Object.assign(TABLE, { sort: key, isDown: isSorted && !TABLE.isDown, page: 0 });
      drawDatasets();
      $("datasets-body").querySelector(`[data-sort="${CSS.escape(key)}"]`).focus();
    },
  }, text, h("span", { "aria-hidden": "true" }, arrow));
  const kind = key === "task" ? "text" : null, title = key.startsWith("loss-") ? DATA.algorithms[text] : null;
  return h("th", { scope: "col", "aria-sort": sort, class: kind, title, "data-text": text }, button);
}

function datasetRow(i) {
  const losses = currentContest().columns.map((column) => column.losses[i]);
  const least = Math.min(...losses.filter((loss) => !Number.isNaN(loss)));
  return h("tr", {},
    h("th", { scope: "row" }, h("button", {
      type: "button", class: "link", "data-problem": i, onclick: () => openDataset(i),
    }, PROBLEMS.name[i])),
    h("td", { class: "text" }, PROBLEMS.task[i]),
    ...[PROBLEMS.n, PROBLEMS.d, PROBLEMS.K].map((fact) => h("td", {}, whole(fact[i]))),
    h("td", {}, lossText(PROBLEMS.skyline[i])),
    ...losses.map((loss) => h("td", { class: loss === least ? "leader" : null }, lossText(loss))));
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
  if (isPrinting) return h("div", { class: "row pager" }, counted(count, "dataset"));
  return h("div", { class: "row pager" }, shown,
    last ? turn(-1, "Previous") : null, last ? turn(1, "Next") : null);
}

function drawDatasets() {
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
  const problems = found();
  TABLE.page = Math.min(TABLE.page, Math.max(0, Math.ceil(problems.length / PAGE) - 1));
  const shown = isPrinting ? problems : problems.slice(TABLE.page * PAGE, (TABLE.page + 1) * PAGE);
  const rows = shown.map(datasetRow);
  fill($("datasets-body"), pager(problems.length),
    tableBox("Losses on each dataset, the lowest in bold",
      [h("tr", {}, ...tableColumns().map(sortHeading))], rows, { class: "listing" }));
}
