"use strict";
// What to use: the leader's settings, ready to be copied, and what speaks against it.

// The learning rate to start with: the one with the least mean loss on these datasets.
function startingRate(id, problems) {
  const summary = ratesSummary(id, problems);
  if (!summary) return { rate: ratesPlayed(id)[0] ?? null, summary: null };
  const best = summary.means.indexOf(Math.min(...summary.means));
  return { rate: summary.rates[best], atRate: summary.means[best], summary };
}

function settingsOf(label) {
  const choice = DATA.choices[STATE.encoding]?.[label] ?? "";
  const [explorer, reduction] = choice.split(" reduction=");
  return { explorer, reduction: reduction ?? null, isOwn: explorer.startsWith("python:") };
}

function commandFor({ explorer, reduction }, rate) {
  const spec = reduction ? `${explorer} reduction=${reduction}` : explorer;
  const at = rate === null ? "" : ` --learning-rate ${rate}`;
  return `bakeoff run DATA.csv -a "${spec}"${at} --encoding=${STATE.encoding}`;
}

function learnerFor({ explorer, reduction }, rate) {
  const parts = [`"${explorer}"`, "n_actions=10", reduction ? `reduction="${reduction}"` : null,
    rate === null ? null : `learning_rate=${rate}`, `encoding="${STATE.encoding}"`];
  return `from bakeoff import Learner\n\nlearner = Learner(\n    ${parts.filter(Boolean).join(",\n    ")},\n)`;
}

function codeBox(title, text, name) {
  const button = h("button", { type: "button", class: "tool", "data-name": `copy-${name}`,
    "aria-label": `Copy: ${title}`, onclick: () => copy(text, button) }, "Copy");
  return h("div", { class: "code" }, h("div", { class: "code-head" }, h("span", {}, title), button),
    h("pre", { id: `code-${name}`, tabindex: "0", "aria-label": title }, ...wordsOf(text)));
}

// A text whose words stay whole where lines end: no break after the dashes of an option.
function wordsOf(text) {
  return text.split(/(\s+)/).map((part) => (part.trim() ? h("span", { class: "word" }, part) : part));
}

// Kinds of datasets on which somebody else comes first.
function exceptions(ids, leader) {
  return DATA.breakdown.slice(1).flatMap(({ title, condition }) => {
    const contest = contestWith(ids, condition);
    if (contest.problems.length < RULES.few || contest.problems.length === currentContest().problems.length) return [];
    const [first, second] = judged(contest, { isQuick: true });
    if (first.label === leader || first.score === second.score) return [];
    return [`If ${symbols(title)}: ${fullName(first.label)} ${RULES.leads[first.grade]} `
      + `(${counted(contest.problems.length, "dataset")}).`];
  });
}

// Who leads in other views of the same datasets.
function otherAnswers() {
  const names = { ...Object.fromEntries(OPTIONS.rate.map(([kind, text]) => [kind, `learning rate ${text}`])),
    optimised: "with tuning" };
  return DATA.views.filter((view) => view.encoding !== STATE.encoding || view.kind !== STATE.kind).flatMap((view) => {
    const contest = contestWith(view.columns);
    if (contest.columns.length < 2 || !contest.problems.length) return [];
    const [first] = judged(contest, { isQuick: true });
    const what = view.encoding === STATE.encoding ? names[view.kind] : `${view.encoding}, ${names[view.kind]}`;
    const who = first.won ? `${fullName(first.label)} ${RULES.leads[first.grade]}` : "no difference is significant";
    const changes = { encoding: view.encoding, kind: view.kind };
    return [h("li", {}, h("a", {
      href: addressOf({ ...STATE, ...changes }),
      onclick: (event) => {
        event.preventDefault();
        change(changes);
      },
    }, what), `: ${who}`)];
  });
}

function byMeasures(contest) {
  const ranks = meanRanks(contest), regrets = regretSummary(contest);
  const excess = contest.columns.map((_, a) => medianExcess(contest, a));
  const least = (values) => {
    const known = values.filter((value) => !Number.isNaN(value));
    return known.length ? contest.columns[values.indexOf(Math.min(...known))].label : null;
  };
  return [["mean rank", least(ranks)], ["median excess", least(excess)],
    ["datasets won", least(regrets.map((one) => -one.bestOn))]]
    .filter(([, label]) => label !== null)
    .map(([what, label]) => h("li", {}, `by ${what}: ${fullName(label)}`));
}

function rateText({ rate, atRate, summary }) {
  if (!summary) return "";
  const ends = summary.lowest + summary.highest;
  return `Start with learning rate ${rate}: mean loss ${lossText(atRate)} with this rate on `
    + `${counted(summary.count, "dataset")}, ${lossText(summary.least)} with the best on each.`
    + (ends > summary.count / 10 ? ` On ${counted(ends, "dataset")} the best rate is at an end of the grid: widen it.` : "");
}

function drawUse() {
  const contest = currentContest(), ids = currentColumns();
  if (contest.columns.length < 2 || !contest.problems.length) {
    fill($("use-body"), h("p", { class: "quiet" }, "Nothing to recommend: there is nothing to compare."));
    return;
  }
  const entries = currentStandings(), [first] = entries, filters = filtersOn();
  const id = ids.find((one) => columnOf(one).label === first.label);
  const settings = settingsOf(first.label), start = startingRate(id, contest.problems);
  fill($("use-body"),
    h("p", { class: "pick" }, fullName(first.label),
      first.grade === "open" || contest.problems.length < RULES.few ? h("span", { class: "quiet" }, " (leads, but not clearly)") : null),
    filters.length ? h("p", { class: "warning" }, `Filters are on: this holds for ${counted(contest.problems.length, "dataset")} `
      + `with ${listed(filters.map(({ text }) => text))}.`) : null,
    codeBox("Command line", commandFor(settings, start.rate), "command"),
    settings.isOwn ? null : codeBox("Python", learnerFor(settings, start.rate), "python"),
    h("p", {}, rateText(start)),
    isOptimised() ? h("p", { class: "quiet" }, "These are the fixed hyperparameters; this view tunes them on each dataset.") : null,
    h("p", { class: "quiet" }, "Learning rates are bakeoff's; they do not carry over to Vowpal Wabbit."));
}

// What needs many contests, and can wait until nobody types.
function drawAnswers() {
  const contest = currentContest();
  if (contest.columns.length < 2 || !contest.problems.length) {
    fill($("answers"));
    return;
  }
  fill($("answers"), ...exceptions(currentColumns(), currentStandings()[0].label).map((text) => h("p", {}, text)),
    h("h3", {}, "Other answers"),
    h("ul", { class: "answers" }, ...otherAnswers(), ...byMeasures(contest)));
}
