"use strict";
// Verdict: who comes out ahead, and how sure that is, in words.

const CLEAR = 0.95, LIKELY = 0.8; // shares of resamples, as in report/verdict.py
const FEW = 10; // datasets: too few to call a winner

function others(count) {
  return count === 1 ? "the other one" : `the ${count} others`;
}

function aheadText(entry, rivals) {
  if (entry.ahead === rivals) {
    return rivals === 1 ? "ahead of the other one" : "ahead of every other one";
  }
  if (entry.ahead === 0) return "ahead of no other one";
  return `ahead of ${entry.ahead} of ${others(rivals)}`;
}

function sentenceOf(entry, share, count, rivals) {
  return `${nameOf(entry.label)}: ${counted(entry.won, "significant win")}, `
    + `${entry.lost === 1 ? "1 loss" : `${whole(entry.lost)} losses`} in all its `
    + `comparisons over ${counted(count, "dataset")}; ${aheadText(entry, rivals)}; `
    + `first in ${percent(share)} of ${whole(RESAMPLES)} resamples of the datasets.`;
}

// The ranking of a contest, with the shares of first places.
function judged(contest) {
  const shares = firstShares(scoresOf(contest.wins));
  return ranking(contest, contest.wins).map((entry) =>
    ({ ...entry, share: shares[entry.a] }));
}

function headlineOf(entries, count) {
  const [first, second] = entries;
  if (first.won === 0 && first.lost === 0) {
    return "No winner: no difference between the algorithms is significant.";
  }
  if (first.score === second.score) {
    return `No clear winner: ${nameOf(first.label)} and ${nameOf(second.label)} are level.`;
  }
  if (count < FEW) {
    return `${nameOf(first.label)} leads, but ${counted(count, "dataset")} `
      + `${count === 1 ? "is" : "are"} too few to call it a winner.`;
  }
  if (first.share >= CLEAR) return `${nameOf(first.label)} is a clear winner.`;
  if (first.share >= LIKELY) return `${nameOf(first.label)} is a likely winner.`;
  return `No clear winner: ${nameOf(first.label)} leads in ${percent(first.share)} of resamples.`;
}

function otherViews() {
  const texts = [];
  for (const view of DATA.views) {
    if (view.encoding === STATE.encoding && view.kind === STATE.kind) continue;
    const contest = contestWith(view.columns);
    if (contest.columns.length < 2 || !contest.problems.length) continue;
    const [first] = judged(contest);
    const kind = view.kind === "fixed" ? "fixed" : "best on each dataset";
    texts.push(h("li", {}, h("button", {
      type: "button", class: "link",
      onclick: () => change({ encoding: view.encoding, kind: view.kind }),
    }, `${view.encoding}, ${kind}`), first.won
      ? `: ${first.label} leads (${percent(first.share)})` : ": no difference is significant"));
  }
  return texts;
}

// On how many problems which test is done, as it must fit their costs and orders.
function testsUsed(contest) {
  const names = {
    paper: "the paper's rule", z: "a z-test at 5 %",
    paired: "a paired test over shuffles at 5 %",
    hoeffding: "Hoeffding's bound for real-valued costs",
  };
  const times = new Map();
  for (const i of contest.problems) {
    let name = STATE.test === "paper" ? "paper" : "z";
    if (!BINARY.has(PROBLEMS.task[i])) name = "hoeffding";
    if (STATE.test === "paired" && contest.isSeveral(i)) name = "paired";
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const parts = [...times].map(([name, n]) =>
    (times.size > 1 ? `${names[name]} on ${counted(n, "dataset")}` : names[name]));
  return `Significant by ${parts.join(" and ")}.`;
}

function drawVerdict() {
  const contest = currentContest();
  const count = contest.problems.length, rivals = contest.columns.length - 1;
  if (!count || rivals < 1) {
    fill($("verdict-body"), h("p", { class: "headline" }, "Nothing to compare."),
      h("p", {}, count || rivals < 1
        ? "A verdict needs runs of two algorithms or more."
        : "No dataset passes the filters; widen or reset them."));
    return;
  }
  const entries = judged(contest);
  const lines = entries.slice(0, 2).map((entry) =>
    h("li", {}, sentenceOf(entry, entry.share, count, rivals)));
  const tuned = contest.problems.filter((i) => PROBLEMS.tuning[i]).length;
  const gaps = count - commonProblems(contest).length;
  const orders = Math.max(1, ...contest.problems.map((i) => PROBLEMS.shuffles[i]));
  const notes = [
    DATA.notice,
    testsUsed(contest),
    gaps ? `On ${counted(gaps, "dataset")} some algorithm has no loss; there the others are `
      + "compared, so that the order may change." : "",
    orders > 1 && STATE.test !== "paired" ? `Losses are means over up to ${orders} orders of `
      + "the rows, which this test does not know, so it is cautious; the paired one does." : "",
    tuned ? `${counted(tuned, "dataset")} ${tuned === 1 ? "is" : "are"} of the paper's tuning `
      + "list, from which its fixed hyperparameters come; the filter below leaves them out." : "",
  ].filter(Boolean);
  fill($("verdict-body"),
    h("p", { class: "headline" }, headlineOf(entries, count)),
    h("ol", {}, ...lines),
    h("p", { class: "quiet" }, `${describeState()}. A win is a significantly lower loss on `
      + "a dataset; resampling the datasets (bootstrap) shows how much the order owes to "
      + `which datasets happen to be there. ${notes.join(" ")}`));
}

function drawOtherViews() {
  const found = otherViews();
  fill($("other-views"),
    found.length ? h("p", { class: "quiet label" }, "Other views of the same datasets") : null,
    found.length ? h("ul", { class: "inline" }, ...found) : null);
}
