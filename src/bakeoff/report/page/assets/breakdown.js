"use strict";
// Breakdown: wins minus losses on kinds of datasets.

function drawBreakdown() {
  const ids = currentColumns();
  if (ids.length < 2) {
    fill($("breakdown-body"), h("p", {}, "This needs runs of two algorithms or more."));
    return;
  }
  const labels = ids.map((id) => columnOf(id).label);
  const rows = DATA.breakdown.map(({ title, condition }) => {
    const contest = contestWith(ids, condition);
    const order = ranking(contest, contest.wins);
    const scores = labels.map((_, a) => order.find((one) => one.a === a).score);
    const most = Math.max(...scores.map(Math.abs), LEAST_FULL), count = contest.problems.length;
    return rowOf(symbols(title), [whole(count), ...scores.map((score) => h("td", {
      class: score > 0 && score === Math.max(...scores) ? "leader" : null,
      style: { background: tint(score, most) },
    }, count ? signed(score) : ""))]);
  });
  fill($("breakdown-body"),
    tableBox("Wins minus losses against all others, by kind of dataset",
      [headings(["condition", "datasets", ...labels])], rows, { class: "heat" }),
    h("p", { class: "quiet" }, "The greatest of a row is set in bold, and tints are by "
      + "row. The filters above hold here too."));
}
