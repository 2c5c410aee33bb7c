"use strict";
// Kinds of data: who is ahead on which, and how regret grows with size.

// The filters that stand for a condition.
function filtersFor(condition) {
  return {
    minN: condition.least_n || null, minD: condition.least_d || null, minK: condition.least_k || null,
    skyline: condition.greatest_skyline,
  };
}

function kindRow({ title, condition }, ids, order) {
  const contest = contestWith(ids, condition), count = contest.problems.length;
  if (!count || (title !== "all" && count === currentContest().problems.length)) return null;
  const places = ranking(contest, contest.wins), [first, second] = places, isLevel = first.score === second.score;
  const shares = order.map(({ a }) => netRate(contest, places.find((one) => one.a === a)));
  const most = Math.max(...shares.map(Math.abs), 0.05);
  const name = h("button", { type: "button", class: "link", onclick: () => change(filtersFor(condition)) }, symbols(title));
  return h("tr", { class: count < RULES.few ? "faint" : null }, h("th", { scope: "row", "data-text": title }, title === "all" ? "all" : name),
    h("td", {}, whole(count)), h("td", { class: "text" }, isLevel ? "level" : fullName(first.label)),
    ...shares.map((share) => h("td", {
      class: !isLevel && share === Math.max(...shares) ? "leader" : null, style: { background: tint(share, most) },
    }, signedPercent(share))));
}

function drawKinds() {
  if (!showSection("kinds", isContest())) return;
  const ids = currentColumns(), order = currentStandings();
  const rows = DATA.breakdown.map((kind) => kindRow(kind, ids, order)).filter(Boolean);
  const isPlain = STATE.kind === DEFAULTS.kind && STATE.a === null && !filtersOn().length;
  fill($("kinds-body"), tableBox("Net wins by kind of dataset",
    [h("tr", {}, ...["datasets with", "datasets", "first"].map((text) => h("th", { scope: "col", class: text === "first" ? "text" : null }, text)),
      ...order.map(({ label }) => h("th", { scope: "col", class: "tilted", title: fullName(label) }, h("span", {}, shortened(fullName(label), 24)))))],
    rows, { class: "heat", id: "kinds-table" }),
  note(`{Net wins}: +100% = beats everyone everywhere. Grey rows rest on fewer than ${RULES.few} datasets. Click a row to filter. `
    + `${isPlain ? symbols(DATA.winners) : ""}`));
}

// ---- quartiles

const FACTORS = [
  ["n", "examples n", (i) => PROBLEMS.n[i]],
  ["d", "features d", (i) => PROBLEMS.d[i]],
  ["K", "actions K", (i) => PROBLEMS.K[i]],
  ["skyline", "skyline loss", (i) => PROBLEMS.skyline[i]],
];

// The mean regret of each column in each quarter of the common problems.
function regretByQuarter(contest, value) {
  return quartersOf(commonProblems(contest), value).map(({ problems, low, high }) => {
    const losses = problems.map((i) => contest.columns.map((column) => column.losses[i]));
    return { low, high, count: problems.length, means: meansOf(regretsOf(losses), contest.columns.length) };
  });
}

function quarterText({ low, high }) {
  const short = (value) => (value >= 10000 ? `${whole(Math.round(value / 1000))}k` : value >= 10 ? whole(value) : Number(value.toPrecision(2)).toString());
  return low === high ? short(low) : `${short(low)}\u2013${short(high)}`;
}

function drawQuarters() {
  if (!isContest()) return;
  const contest = currentContest(), order = currentStandings(), body = $("quarters-body");
  const found = FACTORS.map(([key, title, value]) => ({ key, title, quarters: regretByQuarter(contest, value) }))
    .filter(({ quarters }) => quarters.length > 1 && sum(quarters.map(({ count }) => count)) >= RULES.few);
  $("quarters").hidden = !found.length;
  const greatest = Math.max(...found.flatMap(({ quarters }) => quarters.flatMap(({ means }) => means)));
  const key = h("div", { class: "plot legend-only" });
  const plots = found.map(() => h("div", { class: "plot small" }));
  fill(body, note("Mean {regret} in four groups of about equal size."), key, h("div", { class: "multiples" }, ...plots));
  const labels = order.map(({ label }) => label);
  picture(key, { name: "legend", description: `Legend: ${labels.map(fullName).join(", ")}`, build: (width) => {
    const legend = legendOf(legendFor(labels), width);
    return { svg: pictureOf(width, legend.height, legend.parts) };
  } });
  found.forEach(({ title, quarters }, k) => {
    const lines = order.map(({ label, a }) => lineMarks(label, quarters.map(({ means }, x) => ({ x, y: means[a] })),
      { xText: (x) => `${title} ${quarterText(quarters[x])}, ${counted(quarters[x].count, "dataset")}` }));
    plot(plots[k], `Mean regret by quarter of ${title}, a line per algorithm.`, {
      name: `regret by ${title}`, height: 170,
      x: { title: `${title} up to`, range: [-0.3, quarters.length - 0.7], ticks: quarters.map((_, x) => x), noGrid: true,
        format: (x) => quarterText({ ...quarters[x], low: quarters[x].high }) },
      y: { title: "", range: [0, greatest * 1.05 || 1] },
      marks: lines.flatMap(({ marks }) => marks), targets: lines.flatMap(({ targets }) => targets),
    });
  });
}
