"use strict";
// Hyperparameters: what each choice loses.

// The choices of an algorithm that were not hardly played, and the problems that have them all.
function standingChoices({ columns }) {
  const found = columns.map(columnOf);
  const times = found.map((column) => sum(EVERYWHERE.map((i) => Number(!Number.isNaN(column.losses[i])))));
  const stand = found.filter((_, k) => 2 * times[k] >= Math.max(...times));
  return { stand, problems: EVERYWHERE.filter((i) => passesFilters(i) && PROBLEMS.skyline[i] !== null
    && stand.every((column) => !Number.isNaN(column.losses[i]))) };
}

// The mean excess over the skyline of each choice, on the problems that all choices of all
// algorithms have, so that means stand beside each other that are over the same problems.
function choiceLosses(algorithms) {
  const open = algorithms.map((one) => ({ ...one, ...standingChoices(one) }))
    .filter(({ stand, problems }) => problems.length && stand.length > 1);
  const problems = EVERYWHERE.filter((i) => open.every((one) => one.problems.includes(i)));
  return open.map(({ stand, problems: own, ...one }) => ({ ...one, count: problems.length, choices: stand.map((column) => ({
    choice: column.label, name: one.names[column.label],
    excess: mean(problems.map((i) => column.losses[i] - PROBLEMS.skyline[i])),
  })) }));
}

function drawHyperparameters() {
  const open = (DATA.hyperparameters[STATE.encoding] ?? []).filter(({ label }) => STATE.a === null || STATE.a.includes(label));
  const all = choiceLosses(open).filter(({ count }) => count), element = $("hyper-plot");
  $("hyperparameters").hidden = !all.length;
  showTuning();
  if (!all.length) return;
  fill($("hyper-text"), ...explained("Each mark is one choice of hyperparameters and reduction, with its best {learning rate} "
    + "on every dataset. A wide strip says that the choice matters. Filled: fixed, the paper's choice where it was played; ringed: elected by the datasets."));
  const values = all.flatMap(({ choices }) => choices.map(({ excess }) => excess));
  const last = all.length - 1, targets = [], marks = [];
  all.forEach(({ label, choices, elected }, row) => {
    const y = last - row, look = { ...styleOf(label), dash: "-" }, fixedChoice = DATA.choices[STATE.encoding]?.[label];
    marks.push({ kind: "points", points: choices.map(({ choice, excess }) => ({
      x: excess, y, radius: choice === fixedChoice ? 6 : 4, look: { ...look, isHollow: choice !== fixedChoice },
    })) });
    marks.push({ kind: "points", points: choices.filter(({ choice }) => choice === elected).map(({ excess }) => ({
      x: excess, y, radius: 9, look: { colour: "var(--text)", marker: "o", dash: "-", isHollow: true, isRing: true },
    })) });
    for (const { choice, name, excess } of choices) {
      const notes = [choice === fixedChoice ? "fixed" : "", choice === elected ? "elected" : ""].filter(Boolean);
      targets.push({ x: excess, y, lines: [fullName(label), name, `mean excess ${lossText(excess)}`, ...notes] });
    }
  });
  plot(element, "Strips of mean excess by choice of hyperparameters, a row per algorithm. The table below has the best choices.", {
    name: "hyperparameters", height: 34 * all.length + 20, marks, targets,
    x: { title: "mean excess over the skyline", range: atLeast(RULES.close, rangeOf(values)) },
    y: { title: "", range: [-0.6, last + 0.6], ticks: all.map((_, k) => k), format: (k) => shortened(fullName(all[last - k].label), 22) },
  });
  const rows = all.map(({ label, choices, count, elected, names }) => {
    const best = choices.reduce((a, b) => (b.excess < a.excess ? b : a));
    const usual = choices.find(({ choice }) => choice === DATA.choices[STATE.encoding]?.[label]);
    return rowOf(fullName(label), [whole(choices.length), usual ? usual.name : "", usual ? lossText(usual.excess) : "",
      elected ? names[elected] : "", best.name, lossText(best.excess), whole(count)]);
  });
  fill($("hyper-table"), tableBox("Choices of hyperparameters", [headings(["algorithm", "choices", "fixed", "mean excess",
    "elected", "best", "mean excess", "datasets"])], rows));
}

// A range that is not narrower than what counts as close, so that trifles look like trifles.
function atLeast(width, [low, high]) {
  const more = Math.max(0, width - (high - low)) / 2;
  return [low - more, high + more];
}
