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

function limitField(label, name, properties = {}) {
  return numberField(label, STATE[name], (value) => changeSoon({ [name]: value }),
    { "data-name": name, ...properties });
}

function rangeFields(label, least, greatest) {
  return h("div", { class: "range", role: "group", "aria-label": label },
    limitField(`${label} from`, least), limitField("to", greatest, { "aria-label": `${label} to` }));
}

function taskBoxes() {
  const chosen = STATE.tasks ?? TASKS;
  return h("div", { class: "checks", role: "group", "aria-label": "Tasks" },
    ...TASKS.map((task) => checkBox(task, chosen.includes(task), (isOn) => {
      const now = TASKS.filter((one) =>
        one === task ? isOn : (STATE.tasks ?? TASKS).includes(one));
      change({ tasks: now.length === TASKS.length ? null : now });
    }, { "data-name": `task-${task}` })));
}

// ---- what is compared

function isOptimised() {
  return STATE.kind === "optimised";
}

function encodingField() {
  return choice("Loss encoding", ENCODINGS.map((name) => [name, name]), STATE.encoding,
    (encoding) => change({
      encoding, kind: viewAt(encoding, STATE.kind) ? STATE.kind : "fixed",
    }), { "data-name": "encoding" });
}

function hyperparameterField() {
  const options = OPTIONS.hyperparameters.map(([key, text]) => [key, text, !viewAt(STATE.encoding, key)]);
  return choice("Hyperparameters", options, isOptimised() ? "optimised" : "fixed",
    (kind) => change({ kind }), { "data-name": "hyperparameters" });
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
  isOptimised() ? h("p", { class: "quiet" }, "With the best hyperparameters on each dataset, the "
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
    rangeFields("Examples n", "minN", "maxN"),
    rangeFields("Features d", "minD", "maxD"),
    rangeFields("Actions K", "minK", "maxK"),
    limitField("Skyline loss at most", "skyline", { step: "any", max: "1" })),
  taskBoxes(),
  nTuning ? checkBox(`held-out only (leaves out ${whole(nTuning)} of the paper's tuning list)`,
    STATE.heldOut, (heldOut) => change({ heldOut }), { "data-name": "heldOut" }) : null);
}

function resetButton() {
  return h("button", {
    type: "button", "data-name": "reset",
    onclick: () => change({ ...DEFAULTS, dataset: STATE.dataset, tab: STATE.tab }),
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
  const view = [`${STATE.encoding} encoding`, isOptimised() ? "best hyperparameters on each dataset" : null, testText()];
  $("count").textContent = `${whole(contest.problems.length)} of ${counted(N_PROBLEMS, "dataset")}`;
  keepingFocus($("bar-rate"), () => fill($("bar-rate"), rateField("rate")));
  fill($("chips"), ...view.filter(Boolean).map((text) => h("li", { class: "fact" }, text)), ...filters.map(chip));
  $("reset").hidden = addressOf({ ...STATE, dataset: null, tab: DEFAULTS.tab, x: null, y: null }) === "#";
}

// Redrawn as a whole, but not while somebody types; what has the focus keeps it.
function drawControls() {
  drawBar();
  const form = $("controls-form"), active = document.activeElement;
  if (form.contains(active) && active.type === "number") return;
  keepingFocus(form, () => fill(form, viewFields(), testFields(), datasetFields()));
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
