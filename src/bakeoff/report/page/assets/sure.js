"use strict";
// How sure is that: the leader against each of the others, and what single datasets decide.

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
  return `A win is significant by ${listed(parts)}${RULES.corrections[STATE.correction]}.`;
}

// Single wins may be luck: what to run, by whether all rows kept their own order.
const ONE_ORDER = {
  false: "You ran one shuffle, so single wins may be luck; run --shuffles 10.",
  true: "You played the rows in their own order, so single wins may be luck; "
    + "--seeds 10 averages over the luck of exploration, and keeps the order.",
};

// What one should know before one believes the verdict.
function notesOn(contest) {
  const count = contest.problems.length;
  const tuned = contest.problems.filter((i) => PROBLEMS.tuning[i]).length;
  const common = new Set(commonProblems(contest)), gaps = contest.problems.filter((i) => !common.has(i));
  const lacking = contest.columns.filter((column) => gaps.some((i) => Number.isNaN(column.losses[i])));
  const whoLacks = `${lacking.length > 1 ? "one of " : ""}${listedUpTo(lacking.map(({ label }) => fullName(label)))}`;
  const families = new Set(familiesOf(contest)).size;
  const orders = Math.max(1, ...contest.problems.map((i) => PROBLEMS.shuffles[i]));
  const inFileOrder = PROBLEMS.orders.flat().every((seed) => seed === 0);
  return [
    DATA.notice,
    testsUsed(contest),
    ...(viewAt(STATE.encoding, STATE.kind)?.notes ?? []),
    orders > 1 && STATE.test !== "paired" ? `Only averages over your ${inWords(orders)} shuffles were compared; the test \u201cpaired\u201d under Filters uses all of them.` : "",
    orders === 1 ? ONE_ORDER[String(inFileOrder)] : "",
    families < count ? `The ${counted(count, "dataset")} come from ${counted(families, "source")}; resamples draw whole `
      + "sources, and p-values swap whole sources." : "",
    gaps.length ? `On ${counted(gaps.length, "dataset")} (${listedUpTo(gaps.map((i) => PROBLEMS.name[i]))}) ${whoLacks} has no loss: `
      + `mean losses leave ${gaps.length === 1 ? "it" : "them"} `
      + "out, and there only the others are compared, so the order may change." : "",
    tuned ? `${counted(tuned, "dataset")} ${tuned === 1 ? "is" : "are"} on the paper's tuning list, from which its fixed `
      + "hyperparameters come; the filter \u201cheld-out only\u201d leaves them out." : "",
  ].filter(Boolean);
}

// Differences of losses between two columns on the problems that both have.
function lossDifferences(contest, a, b) {
  const [x, y] = [contest.columns[a], contest.columns[b]];
  return contest.problems.map((i) => x.losses[i] - y.losses[i])
    .filter((difference) => !Number.isNaN(difference));
}

// Second opinions on the leader and each of the others, by label; none where datasets are few.
function opinionsOn(contest, first, others) {
  const known = others.map(({ a, label }) => ({ label, differences: lossDifferences(contest, first.a, a) }))
    .filter(({ differences }) => differences.length >= RULES.few);
  const counts = new Set(known.map(({ differences }) => differences.length));
  return new Map([...counts].flatMap((count) => {
    const alike = known.filter(({ differences }) => differences.length === count);
    return signedRanks(alike.map(({ differences }) => differences)).map((found, k) => [alike[k].label, found]);
  }));
}

// The leader against a rival: difference, wins, p; where datasets are enough, an interval and
// the second opinion on its size.
function rivalCells(row, entry, found, isMany) {
  const shares = found ? [found.better, found.same, found.worse].map(percent) : ["", "", ""];
  const range = Number.isNaN(row.low) ? "" : `${signedLoss(row.low)} to ${signedLoss(row.high)}`;
  return [signedLoss(row.value, 4), ...(isMany ? [range] : []), `${whole(row.won)} \u00b7 ${whole(row.tied)} \u00b7 ${whole(row.lost)}`,
    chanceText(entry.chance).replace(/^p (= )?/, ""), ...(isMany ? shares : [])];
}

function drawSure() {
  if (!showSection("sure", isContest())) return;
  const contest = currentContest(), [first, ...others] = currentDistances(), entries = currentStandings();
  const name = fullName(first.label), opinions = known.get("opinions") ?? new Map();
  const isMany = others.some(({ met }) => met >= RULES.few), heads = ["higher by", ...(isMany ? ["95% of resamples"] : []), "wins \u00b7 ties \u00b7 losses", "p",
    ...(isMany ? ["better", "practically the same", "worse"] : [])];
  fill($("sure-body"),
    tableBox(`${atStart(first.label)} against ${others.length > 1 ? "each of the others" : fullName(others[0].label)}`, [headings(["against", ...heads])],
      others.map((row, k) => h("tr", {}, nameCell(row.label), ...rivalCells(row, entries[k + 1], opinions.get(row.label), isMany).map((text) => h("td", {}, text)))), { id: "rivals-table" }),
    note(`Higher by: how much its mean {loss} exceeds ${name}'s. p: how likely equals would lie so far apart in {net wins} (up to ${RULES.clear} is clear, up to ${RULES.likely} likely). `
      + (isMany ? `Better, the same, worse: the probabilities that on a typical dataset ${name}'s loss is lower by more than ${RULES.same}, within ${RULES.same}, or higher by more `
        + "(Bayesian signed-rank test over datasets)." : "")),
    h("ul", { id: "notes", class: "quiet" }, ...notesOn(contest).map((text) => h("li", {}, text))));
}

// Second opinions take a while, so they come when all else is drawn.
function drawOpinions() {
  if (!isContest()) return;
  const [first, ...others] = currentDistances();
  remembered("opinions", () => opinionsOn(currentContest(), first, others));
  drawSure();
}

// ---- which datasets decide

const MOST_DECISIVE = 8;

function drawInfluence() {
  $("influence").hidden = !isContest() || !currentStandings().some(({ won }) => won); // else there is nothing to decide
  if ($("influence").hidden) return;
  const contest = currentContest(), [leader, next] = currentStandings(), isLevel = leader.score === next.score;
  const all = withoutEach(contest).map(({ i, first, second, left }) => {
    const own = left.find(({ label }) => label === leader.label), rival = first === own ? second : first;
    return { i, first, lead: own.score - rival.score };
  }).sort((x, y) => x.lead - y.lead || x.i - y.i);
  const rows = all.slice(0, MOST_DECISIVE).map(({ i, first, lead }) => h("tr", { class: first.label === leader.label ? null : "leader" },
    h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => openDataset(i) }, PROBLEMS.name[i])),
    h("td", { class: "text" }, fullName(first.label)), h("td", {}, signed(lead))));
  fill($("influence"), h("h3", {}, "Which datasets decide?"), h("p", {}, isLevel ? "" : influenceText(evidence(null))),
    tableBox(`Without one dataset at a time: the ${rows.length === all.length ? "" : `${rows.length} `}datasets that matter most`,
      [headings(["without", "leads", `${fullName(leader.label)} is ahead by`], ["leads"])], rows, { id: "influence-table" }),
    note("In significant wins minus losses against all others."));
}
