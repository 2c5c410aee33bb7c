"use strict";
// Verdict: the four things that must agree before a leader is called a clear winner, and the
// sentence they make, as bakeoff/judging/evidence.py and verdict.py have it.

const GRADES = ["open", "likely", "clear"];

// The ranking of a contest, with the leader's lead over each other one; its own is the least
// sure of these.
function judged(contest) {
  const scores = scoresOf(contest.wins), entries = ranking(contest, contest.wins);
  const leads = entries.slice(1).map(({ a }) => leadOver(contest, scores, entries[0].a, a));
  const all = leads.length ? [leastSure(leads), ...leads] : [{ chance: NaN, grade: "open" }];
  return entries.map((entry, place) => ({ ...entry, ...all[place] }));
}

// The leader's lead over a rival, on the problems that both have a loss on; families are
// swapped as a whole.
function leadOver(contest, scores, leader, rival) {
  const [x, y] = [contest.columns[leader].losses, contest.columns[rival].losses];
  const families = familiesOf(contest), ahead = families.map(() => 0);
  let met = 0;
  contest.problems.forEach((i, place) => {
    if (!Number.isNaN(x[i]) && !Number.isNaN(y[i])) {
      ahead[families[place]] += scores[leader][place] - scores[rival][place];
      met += 1;
    }
  });
  const chance = sum(ahead) > 0 ? flipTest(ahead) : 1;
  return { rival, chance, grade: gradeOf(chance, met), met };
}

function leastSure(leads) {
  return leads.reduce((a, b) => {
    const less = GRADES.indexOf(b.grade) - GRADES.indexOf(a.grade) || a.chance - b.chance;
    return less < 0 ? b : a;
  });
}

function weakest(grades) {
  return GRADES.find((grade) => grades.includes(grade));
}

// ---- size, robustness, influence

function sizeOf(distances) {
  const rivals = distances.slice(1).filter(({ met }) => met).sort((x, y) => inDigits(x.value) - inDigits(y.value)); // the nearest first
  const within = rivals.filter(({ value }) => inDigits(value) < RULES.same), notHigher = rivals.filter(({ value }) => inDigits(value) <= 0);
  const isSmall = distances.slice(1).some(({ high }) => high < RULES.same);
  return { rival: rivals[0] ?? distances[1], within, notHigher, grade: notHigher.length || isSmall ? "open" : within.length ? "likely" : "clear" };
}

// The paired test is a z-test where there are too few orders, so it takes enough of them.
function testsFor(contest) {
  const several = contest.problems.filter((i) => contest.isSeveral(i)).length;
  return 2 * several >= contest.problems.length ? ["paper", "z", "paired"] : ["paper", "z"];
}

const RATE_VIEWS = ["fixed", "unpeeked", "one_rate"];

// Whether what is counted is what Python has counted: nothing is filtered, nor looked at in another way.
function isAsMade() {
  return addressOf({ ...STATE, dataset: null, shown: DEFAULTS.shown, loss: DEFAULTS.loss, preset: null, x: null, y: null }) === "#";
}

// Who leads in every way of counting: how rates are chosen x encodings x tests.
function waysOf() {
  if (isAsMade()) return DATA.ways;
  const kinds = RATE_VIEWS.includes(STATE.kind) ? RATE_VIEWS : [STATE.kind, ...RATE_VIEWS];
  const leader = currentStandings()[0].label;
  return kinds.flatMap((kind) => ENCODINGS.flatMap((encoding) => {
    const contest = comparedWith(pickedOf(viewAt(encoding, kind)));
    if (contest.columns.length < 2 || !contest.columns.some(({ label }) => label === leader)) return [];
    const tests = testsFor(contest), asked = tests.includes(STATE.test) ? STATE.test : "z";
    return tests.map((test) => ({ kind, encoding, test, ...wayOf(contest, test),
      isShown: kind === STATE.kind && encoding === STATE.encoding && test === asked }));
  }));
}

function wayOf(contest, test) {
  const wins = winsOf(contest, test, STATE.correction);
  if (!wins.some((row) => row.some((won) => won.includes(1)))) return { leader: null, chance: 1, grade: "open" };
  const scores = scoresOf(wins), first = ranking(contest, wins)[0].a;
  const leads = contest.columns.flatMap((_, a) => (a === first ? [] : [leadOver(contest, scores, first, a)]));
  const { rival, chance, grade } = leastSure(leads);
  return { leader: contest.columns[first].label, rival: contest.columns[rival].label, chance, grade };
}

function robustnessOf(ways, leader) {
  const own = ways.filter((way) => way.leader === leader), clear = own.filter(({ grade }) => grade === "clear").length;
  const isClear = own.length >= RULES.leading * ways.length && clear >= RULES.clearly * ways.length, honest = withoutPeeking(ways);
  const isHindsight = honest !== undefined && (honest.leader !== leader || honest.grade === "open");
  const grade = isHindsight ? "open" : isClear ? "clear" : 2 * own.length > ways.length ? "likely" : "open";
  return { ways, leads: own.length, clear, isHindsight, grade };
}

// The twin of a view that tunes rates in hindsight, with rates chosen on other datasets.
function withoutPeeking(ways) {
  const shown = ways.find(({ isShown, kind }) => isShown && kind === "fixed");
  return shown && ways.find((way) => way.kind === "unpeeked" && way.encoding === shown.encoding && way.test === shown.test);
}

// Scores and mean losses without one dataset at a time: who would lead, and by how much.
function withoutEach(contest) {
  const scores = scoresOf(contest.wins), totals = scores.map(sum), common = new Set(commonProblems(contest));
  const losses = contest.columns.map(({ losses: own }) => sum([...common].map((i) => own[i])));
  return contest.problems.map((i, place) => {
    const count = Math.max(1, common.size - common.has(i));
    const left = contest.columns.map(({ label, losses: own }, a) => ({ label, a, score: totals[a] - scores[a][place],
      loss: inDigits((losses[a] - (common.has(i) ? own[i] : 0)) / count) }));
    left.sort((x, y) => y.score - x.score || x.loss - y.loss || x.a - y.a);
    return { i, first: left[0], second: left[1], left };
  });
}

function influenceOf(contest, leader) {
  const isDecided = contest.problems.length > 1 && contest.tally.some((row) => row.some((won) => won > 0));
  const decisive = isDecided ? withoutEach(contest).filter(({ first }) => first.label !== leader)
    .map(({ i, first }) => ({ i, name: PROBLEMS.name[i], leader: first.label })) : [];
  return { decisive, grade: decisive.length ? "open" : "clear" };
}

// All four parts of the contest that is looked at; ways take longer and may come later.
function evidence(ways) {
  const contest = currentContest(), entries = currentStandings(), [first] = entries;
  const level = entries.filter(({ score }) => score === first.score).map(({ label }) => label);
  const closest = entries.slice(1).find(({ grade, chance }) => grade === first.grade && chance === first.chance);
  const found = {
    first: first.label, second: entries[1].label, count: contest.problems.length, nAlgorithms: entries.length,
    leader: entries.some(({ won }) => won) ? first.label : null, level: level.length > 1 ? level : [],
    chance: { rival: closest.label, p: first.chance, met: closest.met, grade: first.grade },
    size: sizeOf(currentDistances()), influence: remembered("influence", () => influenceOf(contest, first.label)),
    robustness: ways ? robustnessOf(ways, first.label) : null, distances: currentDistances(),
  };
  const grades = [found.chance, found.size, found.influence, ...(found.robustness ? [found.robustness] : [])].map(({ grade }) => grade);
  return { ...found, grade: found.leader === null || found.level.length ? "open" : weakest(grades) };
}

// The ways of counting, if they have been counted since the state changed.
function waysKnown() {
  return isAsMade() ? DATA.ways : known.get("ways") ?? null;
}

// ---- words

function chanceText(chance) {
  return chance < 0.001 ? "p < 0.001" : `p = ${(Math.floor(1000 * chance + 0.5) / 1000).toFixed(3)}`;
}

// "a, b and 2 others".
function listedUpTo(names, most = 3) {
  return listed(names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} others`] : names);
}

const fullNames = (entries, most = 3) => listedUpTo(entries.map(({ label }) => fullName(label)), most);

// The verdict in one sentence: the first thing that speaks against a clear winner.
function sentenceOf(found) {
  const first = atStart(found.first), { decisive } = found.influence, { size, chance, robustness } = found;
  if (found.leader === null) {
    const who = found.nAlgorithms === 2 ? `${first} and ${atStart(found.second)} do not differ` : `None of ${found.nAlgorithms} algorithms differs`;
    return `${who} significantly on ${counted(found.count, "dataset")}`;
  }
  if (found.level.length) return `${listedUpTo([atStart(found.level[0]), ...found.level.slice(1).map(fullName)])} are level: ${found.level.length === 2 ? "neither" : "none"} leads`;
  if (found.count < RULES.few) return `${first} leads, but ${tooFew(found.count)} to call a winner`;
  if (chance.met < RULES.few) return `${first} leads, but it shares ${chance.met ? `only ${counted(chance.met, "dataset")}` : "no dataset"} with ${fullName(chance.rival)}`;
  const hindsight = hindsightOf(found);
  if (hindsight) return `${first} leads if rates are tuned in hindsight; ${hindsight}`;
  if (decisive.length === 1) return `${first} leads, on the strength of one dataset (${decisive[0].name})`;
  if (chance.grade === "open") return `${first} leads, but not clearly: ${whyOpen(found)}`;
  if (size.notHigher.length) return `${first} wins most often, but the ${notHigherText(size)}`;
  if (size.grade !== "clear") return `${first} leads, ${size.grade === "open" ? "but" : "perhaps"} by too little to matter`;
  if (decisive.length) return `${first} leads, but ${decisive.length} single datasets could each change that`;
  if (!robustness) return `${first} leads`; // until the ways are counted
  if (GRADES.indexOf(robustness.grade) < GRADES.indexOf(chance.grade)) return `${first} leads, but ${elsewhereOf(found)}`;
  return `${first} is ${found.grade === "likely" ? "the likely" : "a clear"} winner, by ${leadText(found)}`;
}

// The least distance to any rival.
function leadText({ size: { rival }, nAlgorithms }) {
  return `${lossText(rival.value, 3)} of mean loss${nAlgorithms === 2 ? "" : " or more"}`;
}

function tooFew(count) {
  return `${counted(count, "dataset")} ${count === 1 ? "is" : "are"} too few`;
}

function notHigherText({ notHigher }) {
  return `mean ${notHigher.length === 1 ? "loss is" : "losses are"} no higher for ${fullNames(notHigher)}`;
}

function whyOpen({ size, size: { within }, chance }) {
  if (size.notHigher.length) return `the ${notHigherText(size)}`;
  if (within.length) return `${fullNames(within, 2)} ${within.length === 1 ? "is" : "are"} within ${RULES.same}`;
  return `its lead over ${fullName(chance.rival)} may be chance`;
}

// What holds without peeking, if only peeking makes the leader lead surely.
function hindsightOf({ chance, robustness }) {
  if (!robustness?.isHindsight || chance.grade === "open") return "";
  const honest = withoutPeeking(robustness.ways);
  if (honest.leader === null || honest.grade === "open") return "without, nobody does clearly";
  return `without, ${fullName(honest.leader)} does`;
}

// What the ways of counting have in common in which another one leads.
function elsewhereOf({ robustness: { ways, leads, clear }, leader }) {
  if (leads === ways.length) return `clearly in only ${clear} of ${ways.length} ways of counting`;
  for (const [key, how] of [["encoding", "with the encoding"], ["kind", "with the"], ["test", "by"]]) {
    const lost = [...new Set(ways.filter((way) => way.leader !== leader).map((way) => way[key]))];
    const won = ways.filter((way) => way.leader === leader).map((way) => way[key]);
    if (won.length && !lost.some((value) => won.includes(value))) {
      return `not ${how} ${listedUpTo(lost.map((value) => RULES.rates[value] ?? RULES.tests[value] ?? value))}`;
    }
  }
  return `only in ${leads} of ${ways.length} ways of counting`;
}

// What each of the four parts says, in a short sentence each.
function reasonsOf(found) {
  if (found.leader === null) return [sizeText(found)];
  if (found.level.length) return [sizeText(found), ...waysText(found)];
  return [chanceSentence(found), sizeText(found), ...waysText(found), influenceText(found)];
}

function chanceSentence({ chance, distances }) {
  const { won, lost } = distances.find(({ label }) => label === chance.rival);
  return `Closest rival: ${fullName(chance.rival)} (${lost > won ? `${lost} to ${won} wins against the leader; ` : ""}`
    + `an equal lags this far with ${chanceText(chance.p)}).`;
}

function sizeText({ distances: [first], size: { rival }, leader, level, nAlgorithms }) {
  if (!rival.met) return `${atStart(first.label)} and ${fullName(rival.label)} never met.`;
  const whose = leader === null || level.length ? `${atStart(first.label)}'s loss is` : "Its loss is", isBelow = rival.value >= 0;
  const ends = isBelow ? [rival.low, rival.high] : [-rival.high, -rival.low], far = apart(-rival.value);
  const which = nAlgorithms === 2 || far === LEVEL_WITH ? "" : isBelow ? ", the next lowest" : ", the lowest";
  return `${whose} ${far} ${fullName(rival.label)}'s${which}`
    + `${Number.isNaN(rival.low) ? "" : ` (${ends.map((end) => signedLoss(end, 4)).join(" to ")})`}; ${RULES.same} would matter.`;
}

function waysText({ robustness, leader, level, first }) {
  if (!robustness) return [];
  const times = new Map();
  for (const way of robustness.ways) if (way.leader !== null && way.leader !== leader) times.set(way.leader, (times.get(way.leader) ?? 0) + 1);
  const others = [...times].sort((x, y) => y[1] - x[1]).map(([label, count]) => `${fullName(label)} in ${count}`);
  return [`${level.length ? `${atStart(first)} is first` : "First"} in ${robustness.leads || "none"} of ${counted(robustness.ways.length, "way")} of counting `
    + `(clearly in ${robustness.clear || "none"})${others.length ? `; ${listedUpTo(others, 2)}` : ""}.`];
}

function influenceText({ influence: { decisive } }) {
  if (!decisive.length) return "No single dataset decides: without any one of them it would still lead.";
  if (decisive.length === 1) return `Without ${decisive[0].name}, ${fullName(decisive[0].leader)} would lead.`;
  if (decisive.length === 2) return `Without ${decisive[0].name}, or without ${decisive[1].name}, another would lead.`;
  return `Without ${decisive[0].name} (or any of ${decisive.length - 1} others) another would lead.`;
}

// ---- the first lines of the page

const SIGNS = { clear: "\u2713", likely: "\u2248", open: "!" };

function partChip(text, grade, target) {
  return h("li", {}, h("a", { href: `#${target}`, class: `part ${grade}` }, h("span", { "aria-hidden": "true" }, `${SIGNS[grade] ?? "\u2026"} `), text));
}

// The four parts as links to their evidence.
function partChips(found) {
  const { chance, size, robustness, influence, leader, level } = found;
  const lead = `Lead over ${fullName(chance.rival)}: `
    + (chance.met < RULES.few ? tooFew(chance.met) : `${{ clear: "clear", likely: "likely", open: "not clear" }[chance.grade]} (${chanceText(chance.p)})`);
  const gap = size.notHigher.length ? atStartOf(notHigherText(size)) : size.within.length
    ? `Size: ${fullNames(size.within)} within ${RULES.same} of mean loss` : `Size: ${leadText(found)}`;
  const isOne = leader !== null && !level.length, nobody = robustness?.ways.filter((way) => way.leader === null).length;
  return [
    leader === null ? partChip("No difference is significant", "open", "sure") : level.length ? partChip("Level in net wins", "open", "sure") : partChip(lead, chance.grade, "sure"),
    partChip(gap, size.grade, "distance"),
    !robustness ? partChip("Ways of counting \u2026", "", "ways")
      : leader === null ? (robustness.ways.length > 1 ? partChip(`Nobody leads in ${nobody} of ${robustness.ways.length} ways of counting`, "open", "ways") : null)
      : robustness.ways.length > 1 ? partChip(`First in ${robustness.leads || "none"} of ${robustness.ways.length} ways of counting, clearly in ${robustness.clear || "none"}`, robustness.grade, "ways") : null,
    !isOne ? null : influence.decisive.length ? partChip(influence.decisive.length === 1 ? `${influence.decisive[0].name} alone decides`
      : `${influence.decisive.length} single datasets could each change the leader`, "open", "influence") : partChip("No single dataset changes the leader", "clear", "influence"),
  ].filter(Boolean);
}

// What is looked at: datasets, shuffles, how rates are chosen, encoding, filters.
function viewLine(contest) {
  const sizes = contest.problems.map((i) => PROBLEMS.n[i]).sort((a, b) => a - b);
  const shuffles = Math.max(1, ...contest.problems.map((i) => PROBLEMS.shuffles[i]));
  const onEach = contest.problems.length === 1 ? "" : " on each dataset";
  const rate = { fixed: DATA.rates.grid.length > 1 ? `best learning rate${onEach}, in hindsight` : null, unpeeked: "learning rate chosen on the other datasets",
    one_rate: "one learning rate for all datasets", optimised: `best hyperparameters${onEach}, in hindsight` }[STATE.kind];
  const datasets = contest.problems.length === 1 ? `${PROBLEMS.name[contest.problems[0]]} (${counted(sizes[0], "example")})`
    : `${counted(contest.problems.length, "dataset")}${sizes.length ? ` (median ${whole(Math.round(quantile(sizes, 0.5)))} examples)` : ""}`;
  return [`${datasets}, ${shuffles === 1 ? "one {shuffle}" : `${inWords(shuffles)} {shuffles}`}${contest.problems.length === 1 ? "" : " each"}`,
    rate, `${printedText(STATE.encoding)} {encoding}`, ...filtersOn().map(({ text }) => text)].filter(Boolean).join(" \u00b7 ");
}

// The sentence where there is no contest: one dataset, one algorithm, or nothing.
function plainHeadline(contest) {
  const count = contest.problems.length;
  if (!count) return filtersOn().length ? "No dataset matches" : "There is nothing to compare yet: no two algorithms have a loss on the same dataset";
  const { rows, others: [beside] } = plainLosses(contest), own = rows.filter(({ label }) => label), [best] = own;
  const on = count === 1 ? `on ${PROBLEMS.name[contest.problems[0]]}` : `on ${counted(count, "dataset")}`, tied = own.filter(({ value }) => inDigits(value) === inDigits(best.value));
  if (own.length === 1) return `${atStart(best.label)} has a ${count === 1 ? "loss" : "mean loss"} of ${lossText(best.value, 3)} ${on}${beside ? ` (${beside.name.replace("supervised ", "")}: ${lossText(beside.value, 3)})` : ""}; there is no other algorithm to compare it with`;
  if (tied.length > 1) return `${listedUpTo([atStart(best.label), ...tied.slice(1).map(({ label }) => fullName(label))])} share the lowest loss ${on}`;
  return `${atStart(best.label)} has the lowest loss ${on}: ${lossText(best.value, 3)}, ${fullName(own[1].label)} ${lossText(own[1].value, 3)}`;
}

function drawVerdict() {
  const contest = currentContest();
  fill($("verdict-view"), ...explained(viewLine(contest)));
  if (!isContest()) {
    $("verdict-title").textContent = plainHeadline(contest);
    fill($("parts"));
    return;
  }
  const found = evidence(waysKnown());
  $("verdict-title").textContent = sentenceOf(found);
  fill($("parts"), ...partChips(found));
}

// The first picture: distances to the leader, or losses where there is no contest.
function drawFirst() {
  $("distance").hidden = !currentContest().problems.length;
  if ($("distance").hidden) return;
  if (isContest()) drawDistances();
  else drawLosses();
}
