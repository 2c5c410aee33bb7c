"use strict";
// State: what is looked at. It is kept in the address behind "#?", so a view can be sent.

const OPTIONS = Object.fromEntries(Object.entries(RULES.options)
  .map(([name, options]) => [name, Object.entries(options)]));
const TASKS = [...new Set(PROBLEMS.task)].sort();
const ENCODINGS = [...new Set(DATA.views.map((view) => view.encoding))];
const LIMITS = ["minN", "maxN", "minD", "maxD", "minK", "maxK", "skyline"];
const KINDS = Object.keys(RULES.kinds);

const DEFAULTS = {
  encoding: ENCODINGS[0] ?? "",
  kind: DATA.defaults.kind,
  a: null, // the labels of the algorithms that are picked; all if null
  test: DATA.defaults.test,
  correction: DATA.defaults.correction,
  tasks: null, // all
  heldOut: DATA.defaults.held_out,
  minN: null, maxN: null, minD: null, maxD: null, minK: null, maxK: null,
  skyline: null,
  shown: "differences",
  loss: "plain",
  preset: null, // a figure of the paper, by number
  x: null, y: null, // labels in the view; the leader and the runner-up if null
  dataset: null, // the digest of the open one
};
const STATE = { ...DEFAULTS };

const keys = (options) => options.map(([key]) => key);
const ALLOWED = {
  encoding: ENCODINGS, kind: KINDS, test: keys(OPTIONS.test),
  correction: keys(OPTIONS.correction), shown: keys(OPTIONS.shown), loss: keys(OPTIONS.loss),
};

// What the address says; what makes no sense in it is left as it is by default.
function readAddress() {
  Object.assign(STATE, DEFAULTS);
  const given = new URLSearchParams(location.hash.replace(/^#\??/, ""));
  for (const [name, text] of given) {
    if (Object.hasOwn(ALLOWED, name) && ALLOWED[name].includes(text)) STATE[name] = text;
    else if (LIMITS.includes(name)) {
      if (text !== "" && Number.isFinite(Number(text))) STATE[name] = Number(text);
    } else if (name === "tasks") {
      STATE.tasks = TASKS.filter((task) => text.split(",").includes(task));
    } else if (name === "heldOut") STATE.heldOut = text === "true";
    else if (name === "a") {
      const labels = text.split(",").map(unescaped).filter((label) => DATA.labels.includes(label));
      STATE.a = labels.length ? labels : null;
    } else if (name === "preset") STATE.preset = DATA.pairs[text] ? Number(text) : null;
    else if (name === "x" || name === "y" || name === "dataset") STATE[name] = text;
  }
  if (!viewAt(STATE.encoding, STATE.kind)) {
    STATE.kind = KINDS.find((kind) => viewAt(STATE.encoding, kind)) ?? STATE.kind;
  }
}

function addressOf(state) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    const text = name === "a" && value ? value.map(encodeURIComponent).join() : String(value);
    if (text !== String(DEFAULTS[name])) given.set(name, text);
  }
  const text = given.toString();
  return text ? `#?${text}` : "#";
}

function change(changes) {
  Object.assign(STATE, changes);
  history.replaceState(null, "", addressOf(STATE));
  redraw();
}

function viewAt(encoding, kind) {
  return DATA.views.find((v) => v.encoding === encoding && v.kind === kind);
}

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The columns of a view that are picked.
function pickedOf(view) {
  const columns = view?.columns ?? [];
  return STATE.a === null ? columns : columns.filter((id) => STATE.a.includes(DATA.columns[id].label));
}

function currentColumns() {
  return pickedOf(viewAt(STATE.encoding, STATE.kind));
}

// ---- which problems

function within(value, least, greatest) {
  return (least === null || value >= least) && (greatest === null || value <= greatest);
}

function passesFilters(i, heldOut = STATE.heldOut) {
  const skyline = PROBLEMS.skyline[i];
  return within(PROBLEMS.n[i], STATE.minN, STATE.maxN)
    && within(PROBLEMS.d[i], STATE.minD, STATE.maxD)
    && within(PROBLEMS.K[i], STATE.minK, STATE.maxK)
    && (STATE.skyline === null || (skyline !== null && skyline <= STATE.skyline))
    && (STATE.tasks === null || STATE.tasks.includes(PROBLEMS.task[i]))
    && !(heldOut && PROBLEMS.tuning[i]);
}

// A condition of the paper (bakeoff.judging.contest.Condition).
function meets(condition, i) {
  const skyline = PROBLEMS.skyline[i];
  return PROBLEMS.n[i] >= condition.least_n
    && PROBLEMS.d[i] >= condition.least_d
    && PROBLEMS.K[i] >= condition.least_k
    && !(condition.held_out && PROBLEMS.tuning[i])
    && !(condition.tuning && !PROBLEMS.tuning[i])
    && !(condition.uci && !PROBLEMS.uci[i])
    && (!condition.tasks.length || condition.tasks.includes(PROBLEMS.task[i]))
    && (condition.greatest_skyline === null
      || (skyline !== null && skyline <= condition.greatest_skyline));
}

// The filters that are on: what to call each, and the changes that switch it off.
function filtersOn() {
  const found = [];
  const limit = (name, text) => {
    if (STATE[name] !== null) found.push({ text: `${text} ${whole(STATE[name])}`, off: { [name]: null } });
  };
  for (const [letter, symbol] of [["N", "n"], ["D", "d"], ["K", "K"]]) {
    limit(`min${letter}`, `${symbol} \u2265`);
    limit(`max${letter}`, `${symbol} \u2264`);
  }
  limit("skyline", "skyline loss \u2264");
  if (STATE.tasks) found.push({ text: STATE.tasks.join(", ") || "no task", off: { tasks: null } });
  if (STATE.heldOut) found.push({ text: "held-out", off: { heldOut: false } });
  return found;
}

// ---- the contest that is looked at, with its wins: computed once per state

let known = new Map();

function forgetContests() {
  known = new Map();
}

// Compute something once until the state changes.
function remembered(key, compute) {
  if (!known.has(key)) known.set(key, compute());
  return known.get(key);
}

function contestWith(ids, condition = null) {
  return remembered(`${ids.join()} ${JSON.stringify(condition)}`, () => {
    const contest = contestOf(ids, (i) =>
      passesFilters(i) && (condition === null || meets(condition, i)));
    const wins = winsOf(contest, STATE.test, STATE.correction);
    return { ...contest, wins, tally: tallyOf(wins) };
  });
}

// The same without columns and problems that offer no comparison, if there are rivals.
function comparedWith(ids, condition = null) {
  return remembered(`compared ${ids.join()} ${JSON.stringify(condition)}`, () => {
    const whole = contestWith(ids, condition);
    const has = (column, i) => !Number.isNaN(column.losses[i]);
    const problems = whole.problems.filter((i) => whole.columns.filter((column) => has(column, i)).length > 1);
    const columns = whole.columns.filter((column) => problems.some((i) => has(column, i)));
    const isSame = problems.length === whole.problems.length && columns.length === whole.columns.length;
    if (ids.length < 2 || isSame) return whole;
    const contest = { ...whole, columns, problems }, wins = winsOf(contest, STATE.test, STATE.correction);
    return { ...contest, wins, tally: tallyOf(wins) };
  });
}

function currentContest() {
  return comparedWith(currentColumns());
}

function currentStandings() {
  return remembered("standings", () => judged(currentContest()));
}

// Whether there is anything to compare: two algorithms, on several datasets.
function isContest() {
  const { columns, problems } = currentContest();
  return columns.length > 1 && problems.length > 1;
}

// The columns of a contest in the order of the standings; of one dataset, by loss.
function inOrder(contest) {
  return ranking(contest, contest.wins).map(({ a }) => contest.columns[a]);
}

// Two algorithms for the scatter plot: the rival across, the other one upwards.
function pickPair(x, y) {
  change({ preset: null, x, y });
  goTo("pair");
}

// What counts as a win, in the words of tables and verdicts.
function testText() {
  return `${RULES.tests[STATE.test]}${RULES.corrections[STATE.correction]}`;
}
