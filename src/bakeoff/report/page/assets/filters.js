"use strict";
// Filters: a bar that stays in view, with a chip for each filter that is on, and a drawer
// with all of them.

const PAUSE = 150; // milliseconds without a keystroke before anything is counted again

let waiting = 0;

// Change the state when nobody has typed for a moment.
function changeSoon(changes) {
  Object.assign(STATE, changes);
  clearTimeout(waiting);
  waiting = setTimeout(() => change({}), PAUSE);
}

// A field whose placeholder is the least or the greatest of the store.
function limitField(label, name, properties = {}) {
  return numberField(label, STATE[name], (value) => changeSoon({ [name]: value }),
    { "data-name": name, ...properties });
}

function rangeFields(label, least, greatest, values) {
  return h("div", { class: "range", role: "group", "aria-label": label },
    limitField(`${label} from`, least, { placeholder: Math.min(...values) }),
    limitField("to", greatest, { "aria-label": `${label} to`, placeholder: Math.max(...values) }));
}

// Check boxes of which some are on; none or all is no choice.
function boxesOf(label, all, chosen, textOf, name, onPick) {
  return h("div", { class: "checks", role: "group", "aria-label": label },
    ...all.map((one) => checkBox(textOf(one), chosen.includes(one), (isOn) => {
      const now = all.filter((other) => (other === one ? isOn : chosen.includes(other)));
      onPick(now.length === all.length ? null : now);
    }, { "data-name": `${name}-${one}` })));
}

function taskBoxes() {
  return TASKS.length > 1 ? boxesOf("Tasks", TASKS, STATE.tasks ?? TASKS, String, "task", (tasks) => change({ tasks })) : null;
}

// Which algorithms take part; with none picked, all do.
function algorithmFields() {
  if (DATA.labels.length < 2) return null;
  return h("fieldset", {}, h("legend", {}, "Algorithms"), boxesOf("Algorithms", DATA.labels, STATE.a ?? DATA.labels,
    (label) => shortened(fullName(label), 30), "a", (a) => change({ a: a?.length ? a : null })));
}

// ---- what is compared

function isOptimised() {
  return STATE.kind === "optimised";
}

function encodingField() {
  return choice("Loss encoding", ENCODINGS.map((name) => [name, name]), STATE.encoding,
    (encoding) => change({
      encoding, kind: viewAt(encoding, STATE.kind) ? STATE.kind : DEFAULTS.kind,
    }), { "data-name": "encoding" });
}

function hyperparameterField() {
  const options = OPTIONS.hyperparameters.map(([key, text]) => [key, text, !viewAt(STATE.encoding, key)]);
  return choice("Hyperparameters", options, isOptimised() ? "optimised" : "fixed",
    (kind) => change({ kind: kind === "fixed" ? DEFAULTS.kind : kind }), { "data-name": "hyperparameters" });
}

// Which learning rate counts: every view follows.
function rateField(name) {
  const options = OPTIONS.rate.map(([key, text]) =>
    [key, text, isOptimised() ? key !== "fixed" : !viewAt(STATE.encoding, key)]);
  return choice("Learning rate", options, isOptimised() ? "fixed" : STATE.kind,
    (kind) => change({ kind }), { "data-name": name, disabled: isOptimised() });
}

function viewFields() {
  return h("fieldset", {}, h("legend", {}, "Results"), h("div", { class: "row" },
    encodingField(), hyperparameterField(), rateField("kind")),
  isOptimised() ? note("With the best hyperparameters on each dataset, the "
    + "learning rate is the best on each dataset too.") : null);
}

function testFields() {
  return h("fieldset", {}, h("legend", {}, "Test"), h("div", { class: "row" },
    choice("Significance", OPTIONS.test, STATE.test, (test) => change({ test }), { "data-name": "test" }),
    choice("Correction", OPTIONS.correction, STATE.correction,
      (correction) => change({ correction }), { "data-name": "correction" })));
}

function datasetFields() {
  const nTuning = sum(PROBLEMS.tuning.map(Number));
  return h("fieldset", {}, h("legend", {}, "Datasets"), h("div", { class: "row" },
    rangeFields("Examples n", "minN", "maxN", PROBLEMS.n),
    rangeFields("Features d", "minD", "maxD", PROBLEMS.d),
    rangeFields("Actions K", "minK", "maxK", PROBLEMS.K),
    limitField("Skyline loss at most", "skyline", { step: "any", max: "1", placeholder: "1" })),
  taskBoxes(),
  nTuning ? checkBox(`held-out only (leaves out ${whole(nTuning)} of the paper's tuning list)`,
    STATE.heldOut, (heldOut) => change({ heldOut }), { "data-name": "heldOut" }) : null);
}

function resetAll() {
  change({ ...DEFAULTS, dataset: STATE.dataset });
}

function resetButton() {
  return h("button", {
    type: "button", "data-name": "reset",
    onclick: resetAll,
  }, "Reset");
}

// ---- the bar

function chip({ text, off }) {
  return h("li", {}, h("button", {
    type: "button", class: "chip", "aria-label": `Remove the filter ${text}`, onclick: () => change(off),
  }, text, h("span", { "aria-hidden": "true" }, " \u00d7")));
}

function drawBar() {
  const contest = currentContest();
  const filters = filtersOn();
  const view = [`${printedText(STATE.encoding)} encoding`, isOptimised() ? "best hyperparameters on each dataset" : null, testText()];
  const picked = STATE.a === null ? [] : [{ text: `${counted(contest.columns.length, "algorithm")} of ${whole(DATA.labels.length)}`, off: { a: null } }];
  $("count").textContent = `${whole(contest.problems.length)} of ${counted(N_PROBLEMS, "dataset")}`;
  keepingFocus($("bar-rate"), () => fill($("bar-rate"), rateField("rate")));
  fill($("chips"), ...view.filter(Boolean).map((text) => h("li", { class: "fact" }, text)), ...[...picked, ...filters].map(chip));
  $("reset").hidden = addressOf({ ...STATE, dataset: null, x: null, y: null }) === "#";
}

// Redrawn as a whole, but not while somebody types; what has the focus keeps it.
function drawControls() {
  drawBar();
  const form = $("controls-form"), active = document.activeElement;
  if (form.contains(active) && active.type === "number") return;
  keepingFocus(form, () => fill(form, algorithmFields(), viewFields(), testFields(), datasetFields()));
}

// ---- drawers

const OPENED_FROM = new Map(); // what had the focus before a drawer was opened

function openDrawer(id, from = document.activeElement) {
  const drawer = $(id);
  OPENED_FROM.set(id, from);
  drawer.hidden = false;
  drawer.querySelector("h2").focus();
}

function closeDrawer(id) {
  $(id).hidden = true;
  document.activeElement?.blur();
  const from = OPENED_FROM.get(id);
  if (from?.isConnected) from.focus();
}

function toggleFilters() {
  const isOpen = !$("controls").hidden;
  if (isOpen) closeDrawer("controls");
  else openDrawer("controls", $("open-filters"));
  $("open-filters").setAttribute("aria-expanded", String(!isOpen));
}
