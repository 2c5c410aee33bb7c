"use strict";
// Verdict: who comes out ahead, and how sure that is, in words.

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

// The ranking of a contest, with the shares of first places and the chances of leads:
// of the leader over each other one, and for itself the greatest of these.
function judged(contest) {
  const scores = scoresOf(contest.wins), shares = firstShares(scores);
  const entries = ranking(contest, contest.wins);
  const leads = entries.slice(1).map(({ a }) => leadOver(contest, scores, entries[0].a, a));
  const all = leads.length ? [leastSure(leads), ...leads] : [{ chance: NaN, grade: "open" }];
  return entries.map((entry, place) => ({ ...entry, share: shares[entry.a], ...all[place] }));
}

// The leader's lead over a rival, on the problems that both have a loss on.
function leadOver(contest, scores, leader, rival) {
  const [x, y] = [contest.columns[leader].losses, contest.columns[rival].losses];
  const ahead = [];
  contest.problems.forEach((i, place) => {
    if (!Number.isNaN(x[i]) && !Number.isNaN(y[i])) {
      ahead.push(scores[leader][place] - scores[rival][place]);
    }
  });
  const chance = sum(ahead) > 0 ? flipTest(ahead) : 1;
  return { chance, grade: gradeOf(chance, ahead.length) };
}

function leastSure(leads) {
  const grades = ["open", "likely", "clear"];
  return leads.reduce((a, b) => {
    const less = grades.indexOf(b.grade) - grades.indexOf(a.grade) || a.chance - b.chance;
    return less < 0 ? b : a;
  });
}

function chanceText(chance) {
  return chance < 0.001 ? "p < 0.001" : `p = ${chance.toFixed(3)}`;
}

function headlineOf(entries, count) {
  const [first, second] = entries;
  if (first.won === 0 && first.lost === 0) {
    return "No winner: no difference between the algorithms is significant.";
  }
  if (first.score === second.score) {
    return `No clear winner: ${nameOf(first.label)} and ${nameOf(second.label)} are level.`;
  }
  if (count < RULES.few) {
    return `${nameOf(first.label)} leads, but ${counted(count, "dataset")} `
      + `${count === 1 ? "is" : "are"} too few to call it a winner.`;
  }
  if (first.grade !== "open") return `${nameOf(first.label)} is a ${first.grade} winner.`;
  return `No clear winner: ${nameOf(first.label)} leads, but that may well be chance.`;
}

// How sure the first place is, and against whom it is the least sure.
function leadText(entries) {
  const [first, ...others] = entries;
  const closest = others.find((other) =>
    other.chance === first.chance && other.grade === first.grade);
  return `The closest rival is ${nameOf(closest.label)}. Were it as good as ${first.label}, it `
    + `would fall this far behind with ${chanceText(closest.chance)} (a winner is clear up to `
    + `${RULES.clear}, likely up to ${RULES.likely}).`;
}

// Differences of losses between two columns on the problems that both have.
function lossDifferences(contest, a, b) {
  const [x, y] = [contest.columns[a], contest.columns[b]];
  return contest.problems.map((i) => x.losses[i] - y.losses[i])
    .filter((difference) => !Number.isNaN(difference));
}

function otherViews() {
  const texts = [];
  for (const view of DATA.views) {
    if (view.encoding === STATE.encoding && view.kind === STATE.kind) continue;
    const contest = contestWith(view.columns);
    if (contest.columns.length < 2 || !contest.problems.length) continue;
    const [first] = judged(contest);
    const kind = KINDS.find(([key]) => key === view.kind)[1];
    texts.push(h("li", {}, h("button", {
      type: "button", class: "link",
      onclick: () => change({ encoding: view.encoding, kind: view.kind }),
    }, `${view.encoding}, ${kind}`), first.won
      ? `: ${first.label} ${RULES.leads[first.grade]} (${chanceText(first.chance)})`
      : ": no difference is significant"));
  }
  return texts;
}

// On how many problems which test is done, as it must fit their costs and orders.
function testsUsed(contest) {
  const names = RULES.tests;
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
  const [first] = entries;
  const lines = entries.slice(0, 2).map((entry) =>
    h("li", {}, sentenceOf(entry, entry.share, count, rivals)));
  const tuned = contest.problems.filter((i) => PROBLEMS.tuning[i]).length;
  const gaps = count - commonProblems(contest).length;
  const orders = Math.max(1, ...contest.problems.map((i) => PROBLEMS.shuffles[i]));
  const isRateChosen = STATE.kind !== "unpeeked" && viewAt(STATE.encoding, "unpeeked");
  const notes = [
    DATA.notice,
    testsUsed(contest),
    ...(viewAt(STATE.encoding, STATE.kind)?.notes ?? []),
    isRateChosen ? "The learning rate is the best on the dataset it is judged on, as in the "
      + "paper; the view with the rate elected on other datasets does not peek." : "",
    gaps ? `On ${counted(gaps, "dataset")} some algorithm has no loss; there the others are `
      + "compared, so that the order may change." : "",
    orders > 1 && STATE.test !== "paired" ? `Losses are means over up to ${orders} orders of `
      + "the rows, which this test ignores, so it is cautious; the paired one uses them." : "",
    orders === 1 && STATE.test !== "paired" ? "Losses are of single runs, whose luck in "
      + "exploring this test does not see, so trust sums of wins more than single ones; "
      + "ten shuffles and the paired test tell luck from skill." : "",
    tuned ? `${counted(tuned, "dataset")} ${tuned === 1 ? "is" : "are"} of the paper's tuning `
      + "list, from which its fixed hyperparameters come; the filter below leaves them out." : "",
  ].filter(Boolean);
  fill($("verdict-body"),
    h("p", { class: "headline" }, headlineOf(entries, count)),
    h("ol", {}, ...lines),
    first.won && count >= RULES.few ? h("p", {}, leadText(entries)) : null,
    h("p", { class: "quiet" }, `${describeState()}. A win is a significantly lower loss on `
      + "a dataset; resampling the datasets (bootstrap) shows how much the ranking depends "
      + `on the particular datasets. ${notes.join(" ")}`),
    secondOpinion(contest, entries));
}

let isOpinionOpen = false;

// The leader against each of the others by the size of differences; computed if open.
function secondOpinion(contest, entries) {
  const body = h("div", {});
  const fillIt = () => fill(body, ...(isOpinionOpen ? opinionsOf(contest, entries) : []));
  const toggle = () => {
    isOpinionOpen = !box.open; // the browser opens or closes it after this
    fillIt();
  };
  const box = h("details", { id: "second-opinion", open: isOpinionOpen },
    h("summary", { onclick: toggle }, "Second opinion: how large are the differences?"), body);
  fillIt();
  return box;
}

function opinionsOf(contest, entries) {
  const [first, ...others] = entries;
  const rows = others.map((other) => {
    const differences = lossDifferences(contest, first.a, other.a);
    const found = signedRank(differences);
    const shares = differences.length < RULES.few ? ["", "", ""]
      : [found.better, found.same, found.worse].map(percent);
    return rowOf(other.label, [lossText(mean(differences)), ...shares]);
  });
  const same = RULES.same;
  return [
    tableBox(`${nameOf(first.label)} against each of the others`,
      [headings([`${first.label} against`, "mean difference", "better",
        "practically the same", "worse"])], rows),
    h("p", { class: "quiet" }, `Mean difference of losses (${first.label} ${MINUS} other), and `
      + "probabilities, by a Bayesian signed-rank test over datasets, that on a typical "
      + `dataset its loss is lower by more than ${same}, within ${same}, or higher by more.`),
  ];
}

function drawOtherViews() {
  const found = otherViews();
  fill($("other-views"),
    found.length ? h("p", { class: "quiet label" }, "Other views of the same datasets") : null,
    found.length ? h("ul", { class: "inline" }, ...found) : null);
}
