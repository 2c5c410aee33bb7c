"use strict";
// How the results were made: what was run, what failed, what is counted how.

function listOf(title, lines, most = 200) {
  if (!lines.length) return [];
  const more = lines.length - most;
  return [h("details", {}, h("summary", {}, title),
    h("ul", {}, ...lines.slice(0, most).map((line) => h("li", {}, line)),
      more > 0 ? h("li", {}, `and ${whole(more)} more`) : null))];
}

function drawMade() {
  const { facts, failures, lists } = DATA.made;
  fill($("made-body"),
    factList(facts),
    failures.length ? tableBox("What ended in an error",
      [headings(["dataset", "runs", "reason"])],
      failures.slice(0, 200).map(({ problem, runs, reason }) => rowOf(problem,
        [whole(runs), h("td", { class: "text" }, reason)])))
      : h("p", {}, "No run ended in an error."),
    failures.length > 200 ? h("p", {}, `and ${whole(failures.length - 200)} more`) : null,
    ...lists.flatMap(({ title, lines }) => listOf(title, lines)));
}
