"use strict";
// Verdict: who comes out ahead, and how sure that is, in words.

// The ranking of a contest, with shares of first places, bounds of scores and leads: of
// the leader over each other one, and for itself the least sure of these.
function judged(contest, { isQuick = false } = {}) {
  const scores = scoresOf(contest.wins);
  const shares = isQuick ? [] : resampled(scores, familiesOf(contest));
  const entries = ranking(contest, contest.wins);
  const leads = entries.slice(1).map(({ a }) => leadOver(contest, scores, entries[0].a, a));
  const all = leads.length ? [leastSure(leads), ...leads] : [{ chance: NaN, grade: "open" }];
  return entries.map((entry, place) => ({ ...entry, ...shares[entry.a], ...all[place] }));
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

// ---- sentences

function aheadText(entry, rivals) {
  if (entry.ahead === rivals) {
    return rivals === 1 ? "ahead of the other one" : `ahead of all ${inWords(rivals)} others`;
  }
  return `ahead of ${inWords(entry.ahead)} of the ${inWords(rivals)} others`;
}

function headlineOf(entries, count) {
  const [first] = entries, name = atStart(first.label);
  const level = entries.filter((one) => one.score === first.score);
  if (first.won === 0 && first.lost === 0) return "No winner: no difference is significant";
  if (level.length > 1) {
    return `No clear winner: ${listed(level.map((one) => fullName(one.label)))} are level`;
  }
  if (count < RULES.few) {
    return `${name} leads, but ${counted(count, "dataset")} ${count === 1 ? "is" : "are"} too few to call a winner`;
  }
  if (first.grade === "clear") return `${name} is a clear winner: ${aheadText(first, entries.length - 1)}`;
  const share = `first in ${percent(first.share)} of resamples`;
  if (first.grade === "likely") return `${name} is the likely winner: ${share}`;
  return `No clear winner: ${fullName(first.label)} came ${share}`;
}

// On how many problems a column of a contest has a loss.
function timesPlayed(contest, a) {
  return contest.problems.filter((i) => !Number.isNaN(contest.columns[a].losses[i])).length;
}

function winsSentence(entry, played, count, rivals) {
  return `${atStart(entry.label, nameOf(entry.label))} has ${counted(entry.won, "significant win")} and `
    + `${counted(entry.lost, "loss", "losses")} against the ${inWords(rivals)} ${rivals === 1 ? "other" : "others"} `
    + `on ${played < count ? `${whole(played)} of ` : ""}${counted(count, "dataset")}; it is ${aheadText(entry, rivals)}.`;
}

// Against whom the first place is the least sure.
function leadText(entries) {
  const [first, ...others] = entries;
  const closest = others.find((other) =>
    other.chance === first.chance && other.grade === first.grade);
  return `Its least certain lead is over ${nameOf(closest.label)}: an equally good rival would fall this far `
    + `behind with ${chanceText(closest.chance)} (up to ${RULES.clear} a winner is clear, up to `
    + `${RULES.likely} likely).`;
}

// Who comes first how often when the datasets are drawn again.
function sharesText(entries) {
  const often = [...entries].sort((a, b) => b.share - a.share).filter((one) => one.share >= 0.005).slice(0, 4);
  const parts = often.map((one, k) => `${fullName(one.label)}${k ? "" : " came first"} in ${percent(one.share)}`);
  return `How much the ranking depends on the choice of datasets: of ${whole(RESAMPLES)} resamples, ${listed(parts)}.`;
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
  return `Significant by ${listed(parts)}.`;
}

// What one should know before one believes the verdict.
function notesOn(contest) {
  const count = contest.problems.length;
  const tuned = contest.problems.filter((i) => PROBLEMS.tuning[i]).length;
  const gaps = count - commonProblems(contest).length;
  const families = new Set(familiesOf(contest)).size;
  const orders = Math.max(1, ...contest.problems.map((i) => PROBLEMS.shuffles[i]));
  const isPeeking = STATE.kind === "fixed" && viewAt(STATE.encoding, "unpeeked");
  return [
    DATA.notice,
    testsUsed(contest),
    ...(viewAt(STATE.encoding, STATE.kind)?.notes ?? []),
    isPeeking ? "Each algorithm has its best learning rate on every dataset, chosen in hindsight as in the "
      + "paper. Nobody can do that in an application; the control \u201cLearning rate\u201d shows the alternatives." : "",
    families < count ? `The ${counted(count, "dataset")} come from ${counted(families, "source")}; resamples draw whole `
      + "sources, but p-values take the datasets as independent." : "",
    gaps ? `On ${counted(gaps, "dataset")} some algorithm has no loss; there only the others are compared, `
      + "so the order may change." : "",
    orders > 1 && STATE.test !== "paired" ? `This test ignores the ${inWords(orders)} shuffles and is conservative; `
      + "the paired test uses them." : "",
    orders === 1 && STATE.test !== "paired" ? "Each loss is from a single run, and this test does not see its luck "
      + "in exploring, so trust sums of wins more than single wins. Ten shuffles and the paired test tell luck from skill." : "",
    tuned ? `${counted(tuned, "dataset")} ${tuned === 1 ? "is" : "are"} on the paper's tuning list, from which its fixed `
      + "hyperparameters come; the filter \u201cheld-out only\u201d leaves them out." : "",
  ].filter(Boolean);
}

// ---- drawing

function drawVerdict() {
  const contest = currentContest();
  const count = contest.problems.length, rivals = contest.columns.length - 1;
  $("verdict-view").textContent = `${counted(count, "dataset")}, ${describeState()}`;
  if (!count || rivals < 1) {
    $("verdict-title").textContent = "Nothing to compare";
    fill($("verdict-body"), h("p", {}, rivals < 1
      ? "A verdict needs runs of two algorithms or more." : "No dataset matches. Widen the filters or reset them."));
    return;
  }
  const entries = currentStandings(), [first] = entries;
  const played = timesPlayed(contest, first.a);
  $("verdict-title").textContent = headlineOf(entries, played);
  fill($("verdict-body"),
    h("p", {}, [winsSentence(first, played, count, rivals),
      first.won && played >= RULES.few ? leadText(entries) : "", first.won ? sharesText(entries) : ""].join(" ")),
    h("p", { class: "quiet" }, `A win is a significantly lower loss on a dataset. ${notesOn(contest).join(" ")}`),
    secondOpinion(contest, entries));
}

let isOpinionOpen = false;

// The leader against each of the others by the size of differences; computed if open.
function secondOpinion(contest, entries) {
  const body = h("div", {});
  const isOpen = () => isOpinionOpen || isPrinting;
  const fillIt = () => fill(body, ...(isOpen() ? opinionsOf(contest, entries) : []));
  const box = h("details", {
    id: "second-opinion", open: isOpen(),
    ontoggle: () => {
      if (isPrinting || isOpinionOpen === box.open) return;
      isOpinionOpen = box.open;
      fillIt();
    },
  }, h("summary", {}, "Second opinion: how large are the differences?"), body);
  fillIt();
  return box;
}

// Differences of losses between two columns on the problems that both have.
function lossDifferences(contest, a, b) {
  const [x, y] = [contest.columns[a], contest.columns[b]];
  return contest.problems.map((i) => x.losses[i] - y.losses[i])
    .filter((difference) => !Number.isNaN(difference));
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
    h("p", { class: "quiet" }, `Mean difference of losses (${first.label} ${MINUS} other), and the probabilities that `
      + `on a typical dataset its loss is lower by more than ${same}, within ${same}, or higher by more `
      + "(Bayesian signed-rank test over datasets)."),
  ];
}
