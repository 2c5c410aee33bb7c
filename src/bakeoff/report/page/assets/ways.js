"use strict";
// Ways: does the answer survive other ways of counting? A click looks at one of them.

const RATE_NAMES = { fixed: "best rate in hindsight", unpeeked: "rate from other datasets", one_rate: "one rate for all",
  optimised: "best hyperparameters in hindsight" };
const TEST_NAMES = { paper: "paper's rule", z: "z-test", paired: "paired" };

function wayCell(way) {
  if (!way) return h("td", {}, "");
  const { kind, encoding, test, leader, chance, grade, isShown } = way;
  const text = leader === null ? "nobody" : fullName(leader);
  return h("td", { class: `way ${grade}` }, h("button", {
    type: "button", "aria-pressed": String(isShown), "data-name": `way-${kind}-${encoding}-${test}`,
    onclick: () => change({ kind, encoding, test }),
  }, h("span", {}, text), h("small", {}, ` ${chanceText(chance)}`)));
}

// How many lead in how many ways; nobody leads where no difference is significant.
function leadersText(ways, leaders) {
  const [first] = leaders, count = ways.filter(({ leader }) => leader !== null).length;
  if (leaders.size > 1) return `${whole(leaders.size)} leaders in ${whole(ways.length)} ways`;
  return `${atStart(first)} leads in ${count === ways.length ? "all" : `${whole(count)} of`} ${whole(ways.length)} ways${count < ways.length ? ", nobody in the others" : ""}`;
}

function drawWays() {
  if (!showSection("ways", isContest())) return;
  const isNew = !waysKnown(), ways = remembered("ways", waysOf);
  if (isNew) {
    drawVerdict();
    if ($("reasons")) drawReasons();
    drawUse();
  }
  if (!showSection("ways", ways.length > 1)) return;
  const kinds = [...new Set(ways.map(({ kind }) => kind))];
  const columns = [...new Map(ways.map(({ encoding, test }) => [`${encoding} ${test}`, { encoding, test }])).values()];
  const encodings = [...new Set(columns.map(({ encoding }) => encoding))];
  const head = [
    h("tr", {}, h("td", {}), ...encodings.map((encoding) => h("th", { scope: "colgroup", colspan: columns.filter((one) => one.encoding === encoding).length },
      `${printedText(encoding)} encoding`))),
    h("tr", {}, h("th", { scope: "col" }, "learning rate"), ...columns.map(({ test }) => h("th", { scope: "col" }, TEST_NAMES[test]))),
  ];
  const rows = kinds.map((kind) => h("tr", {}, h("th", { scope: "row" }, RATE_NAMES[kind]), ...columns.map((column) =>
    wayCell(ways.find((way) => way.kind === kind && way.encoding === column.encoding && way.test === column.test)))));
  const leaders = new Set(ways.map(({ leader }) => leader).filter((leader) => leader !== null)), clear = ways.filter(({ grade }) => grade === "clear").length;
  keepingFocus($("ways-body"), () => fill($("ways-body"),
    note(!leaders.size ? `Nobody leads in any of ${whole(ways.length)} ways.` : `${leadersText(ways, leaders)}; clear in ${clear ? whole(clear) : "none"}.`),
    tableBox("Who leads, and p of its lead over the closest rival", head, rows, { id: "ways-table", class: "ways" }),
    note("Blue: clear; light: likely; grey: open. A click looks at that way. {The paper's rule} and the z-test differ in what counts as a win on a dataset.")));
}
