"use strict";
// What to use: the leader's settings, ready to be copied, and what speaks against it.

// The learning rate to start with: the one with the least mean loss on these datasets.
function startingRate(id, problems) {
  if (DATA.rateless.includes(columnOf(id).label)) return { rate: null, summary: null };
  const summary = ratesSummary(id, problems);
  if (!summary) return { rate: ratesPlayed(id)[0] ?? null, summary: null };
  const best = summary.means.indexOf(Math.min(...summary.means));
  return { rate: summary.rates[best], atRate: summary.means[best], summary };
}

function settingsOf(label) {
  const choice = DATA.choices[STATE.encoding]?.[label] ?? "";
  const { explorer, reduction, inputs } = partsOf(choice);
  return { explorer, reduction, inputs, isOwn: DATA.own.includes(label) };
}

// A spec as a shell takes it: what a session has defined stands in some file.
function inFile(explorer) {
  const match = explorer.match(/^(?:rule-|own-|python:(?:__main__|bakeoff_file_(\w+))\.)([^:,]+)[:,]?(.*)$/);
  if (!match) return explorer;
  const [, file = "FILE", name, rest] = match, settings = rest.replace(/,?\bcode=[0-9a-f]+/, "").replace(/^,/, "");
  return `${file}.py:${name}${settings ? `,${settings}` : ""}`;
}

function commandFor({ explorer, reduction, inputs }, rate) {
  const name = inFile(explorer), spec = reduction ? `${name} reduction=${reduction}` : name;
  const at = rate === null ? "" : ` --learning-rate ${rate}`;
  return `bakeoff run DATA.csv -a "${spec}"${at} --encoding=${STATE.encoding}${inputs ? ` --inputs ${inputs}` : ""}`;
}

// As many actions as the datasets have at most; with features of their own they need no number.
function learnerFor({ explorer, reduction, inputs }, rate, problems) {
  const most = Math.max(...problems.map((i) => PROBLEMS.K[i]));
  const parts = [`"${explorer}"`, problems.every((i) => PROBLEMS.task[i] === "ranking") ? null : `n_actions=${most}`,
    reduction ? `reduction="${reduction}"` : null, rate === null ? null : `learning_rate=${rate}`, `encoding="${STATE.encoding}"`,
    inputs ? `inputs="${inputs}"` : null];
  return `from bakeoff import Learner\n\nlearner = Learner(\n    ${parts.filter(Boolean).join(",\n    ")},\n)`;
}

function codeBox(title, text, name) {
  const button = h("button", { type: "button", class: "tool", "data-name": `copy-${name}`,
    "aria-label": `Copy: ${title}`, onclick: () => copy(text, button) }, "Copy");
  return h("div", { class: "code" }, h("div", { class: "code-head" }, h("span", {}, title), button),
    h("pre", { id: `code-${name}`, tabindex: "0", "aria-label": title }, ...wordsOf(text)));
}

// A text whose words stay whole where lines end, and with the indent before them: no break after
// the dashes of an option.
function wordsOf(text) {
  return text.split(/(\n|(?<=\S) +)/).map((part) => (part.trim() ? h("span", { class: "word" }, part) : part));
}

// Kinds of datasets on which somebody else comes first.
function exceptions(ids, leader) {
  return DATA.breakdown.slice(1).flatMap(({ title, condition }) => {
    const contest = contestWith(ids, condition);
    if (contest.problems.length < RULES.few || contest.problems.length === currentContest().problems.length) return [];
    const entries = judged(contest), [first, second] = entries;
    if (first.label === leader || first.score === second.score) return [];
    const size = sizeOf(distancesOf(contest, entries)), influence = influenceOf(contest, first.label);
    const grade = weakest([first.grade, size.grade, influence.grade]); // chance, size and influence, as in the verdict
    return [`If ${symbols(title)}: ${fullName(first.label)} ${RULES.leads[grade]} `
      + `(${counted(contest.problems.length, "dataset")}).`];
  });
}

function rateText({ rate, atRate, summary }) {
  if (!summary) return "";
  if (summary.count === 1) return `Start with {learning rate} ${rate}, whose loss is the lowest here: ${lossText(atRate)}.`;
  const ends = summary.lowest + summary.highest;
  return `Start with {learning rate} ${rate}: mean loss ${lossText(atRate)} with this rate on `
    + `${counted(summary.count, "dataset")}, ${lossText(summary.least)} with the best on each.`
    + (ends > summary.count / 10 && summary.rates.length > 2 ? ` On ${counted(ends, "dataset")} the best rate is at an end of the grid: widen it.` : "");
}

// Which algorithm to recommend: the leader of a contest, or the only one.
function recommended() {
  const contest = currentContest();
  if (!contest.problems.length || !contest.columns.length) return null;
  return isContest() ? currentStandings()[0].label : plainLosses(contest).rows.find(({ label }) => label)?.label ?? null;
}

// Another one that loses hardly more and is much cheaper, if there is one.
function cheaperText(label) {
  const own = costOf(label), rows = isContest() ? currentDistances() : [];
  const cheap = rows.filter((row) => row.label !== label && row.value < RULES.same && costOf(row.label) < own / 1.5)
    .sort((x, y) => costOf(x.label) - costOf(y.label))[0];
  return cheap ? `${atStart(cheap.label)} is within ${RULES.same} of its mean loss and takes ${percent(costOf(cheap.label) / own)} of its time.` : "";
}

function drawUse() {
  const label = recommended(), contest = currentContest();
  $("use").hidden = label === null;
  if (label === null) return;
  const id = currentColumns().find((one) => columnOf(one).label === label), filters = filtersOn();
  const settings = settingsOf(label), start = startingRate(id, contest.problems);
  const found = isContest() ? evidence(waysKnown()) : null;
  const said = !found ? "" : found.leader === null ? " as good as any: no difference is significant" : found.level.length ? " one of several that are level"
    : { clear: " a clear winner", likely: " the likely winner", open: " leads, but not surely" }[found.grade];
  fill($("use-body"),
    h("p", { class: `pick${DATA.own.includes(label) ? " own" : ""}` }, fullName(label), h("span", { class: "quiet" }, said)),
    filters.length ? h("p", { class: "warning" }, `Filters are on: this holds for ${counted(contest.problems.length, "dataset")} `
      + `with ${listed(filters.map(({ text }) => text))}.`) : null,
    codeBox("Command line", commandFor(settings, start.rate), "command"),
    settings.isOwn ? null : codeBox("Python", learnerFor(settings, start.rate, contest.problems), "python"),
    h("p", {}, ...explained(rateText(start))), h("p", {}, cheaperText(label)),
    isOptimised() ? note("These are the fixed hyperparameters; this view tunes them on each dataset.") : null);
}

// What needs many contests, and can wait until nobody types.
function drawExceptions() {
  fill($("exceptions"), ...(isContest() ? exceptions(currentColumns(), currentStandings()[0].label) : []).map((text) => h("p", {}, text)));
}
