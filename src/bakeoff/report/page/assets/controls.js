"use strict";
// Controls: the filters and choices that everything follows.

function rangeFields(label, least, greatest) {
  return h("div", { class: "range", role: "group", "aria-label": label },
    numberField(`${label} from`, STATE[least], (value) => change({ [least]: value }),
      { "data-name": least }),
    numberField("to", STATE[greatest], (value) => change({ [greatest]: value }),
      { "data-name": greatest, "aria-label": `${label} to` }));
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

function viewFields() {
  const kinds = KINDS.map(([key, text]) => [key, text, !viewAt(STATE.encoding, key)]);
  return h("fieldset", {}, h("legend", {}, "Results"), h("div", { class: "row" },
    choice("Loss encoding", ENCODINGS.map((name) => [name, name]), STATE.encoding,
      (encoding) => change({
        encoding,
        kind: viewAt(encoding, STATE.kind) ? STATE.kind : KINDS[0][0],
      }), { "data-name": "encoding" }),
    choice("Hyperparameters", kinds, STATE.kind, (kind) => change({ kind }),
      { "data-name": "kind" }),
    choice("Significance", TESTS, STATE.test, (test) => change({ test }),
      { "data-name": "test" }),
    choice("Correction", CORRECTIONS, STATE.correction,
      (correction) => change({ correction }), { "data-name": "correction" })));
}

function datasetFields() {
  const nTuning = sum(PROBLEMS.tuning.map(Number));
  return h("fieldset", {}, h("legend", {}, "Datasets"), h("div", { class: "row" },
    rangeFields("Examples n", "minN", "maxN"),
    rangeFields("Features d", "minD", "maxD"),
    rangeFields("Actions K", "minK", "maxK"),
    numberField("Skyline loss at most", STATE.skyline, (skyline) => change({ skyline }),
      { "data-name": "skyline", step: "any", max: "1" })),
  h("div", { class: "row" }, taskBoxes(),
    checkBox(`held-out only (without ${whole(nTuning)} of the paper's tuning list)`,
      STATE.heldOut, (heldOut) => change({ heldOut }), { "data-name": "heldOut" }),
    h("button", {
      type: "button", "data-name": "reset",
      onclick: () => change({
        ...DEFAULTS, x: STATE.x, y: STATE.y, preset: STATE.preset, dataset: STATE.dataset,
      }),
    }, "Reset")));
}

// Redrawn as a whole, but not while somebody types; what has the focus keeps it.
function drawControls() {
  const active = document.activeElement;
  if (active?.type !== "number") {
    const form = $("controls-form");
    keepingFocus(form, () => fill(form, viewFields(), datasetFields()));
  }
  const text = `${whole(currentContest().problems.length)} of `
    + `${counted(N_PROBLEMS, "dataset")}`;
  $("count").textContent = text;
  $("strip-text").textContent = `${text} \u00b7 ${describeState()}`;
}
