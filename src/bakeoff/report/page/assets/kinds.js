"use strict";
// Kinds of data: who is ahead on which, and how regret grows with size.

// The filters that stand for a condition.
function filtersFor(condition) {
  return {
    minN: condition.least_n || null, minD: condition.least_d || null, minK: condition.least_k || null,
    skyline: condition.greatest_skyline,
  };
}

function kindRow({ title, condition }, ids) {
  const contest = contestWith(ids, condition), count = contest.problems.length;
  if (!count) return null;
  const order = ranking(contest, contest.wins), rivals = ids.length - 1;
  const shares = ids.map((_, a) => order.find((one) => one.a === a).score / (count * rivals));
  const most = Math.max(...shares.map(Math.abs), 0.05), first = order[0], isLevel = first.score === order[1].score;
  const name = h("button", { type: "button", class: "link", onclick: () => change(filtersFor(condition)) }, symbols(title));
  return h("tr", {}, h("th", { scope: "row", "data-text": title }, title === "all" ? "all" : name),
    h("td", {}, whole(count)), h("td", { class: "text" }, isLevel ? "level" : fullName(first.label)),
    ...shares.map((share) => h("td", {
      class: !isLevel && share === Math.max(...shares) ? "leader" : null, style: { background: tint(share, most) },
    }, `${share > 0 ? "+" : ""}${lossText(share, 2)}`)));
}

function drawKinds() {
  const ids = currentColumns();
  if (ids.length < 2) {
    fill($("kinds-body"), h("p", {}, "This needs runs of two algorithms or more."));
    return;
  }
  const rows = DATA.breakdown.map((kind) => kindRow(kind, ids)).filter(Boolean);
  const labels = ids.map((id) => columnOf(id).label);
  fill($("kinds-body"), rows.length
    ? tableBox("Wins minus losses per comparison, by kind of dataset",
      [headings(["datasets with", "datasets", "first", ...labels], ["first"])], rows, { class: "heat", id: "kinds-table" })
    : h("p", {}, "No dataset matches."),
  h("p", { class: "quiet" }, "+1 would be a win against every other algorithm on every dataset. A click on a kind sets the "
    + `filters to it. ${STATE.kind === DEFAULTS.kind ? symbols(DATA.winners) : ""}`));
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
  const short = (value) => (value >= 10000 ? `${Math.round(value / 1000)}k` : Number(value.toPrecision(2)).toString());
  return low === high ? short(low) : `${short(low)}\u2013${short(high)}`;
}

function drawQuarters() {
  const contest = currentContest(), labels = contest.columns.map((column) => column.label);
  const body = $("quarters-body");
  const found = contest.columns.length < 2 ? []
    : FACTORS.map(([key, title, value]) => ({ key, title, quarters: regretByQuarter(contest, value) }))
      .filter(({ quarters }) => quarters.length > 1);
  if (!found.length) {
    fill(body, h("p", { class: "quiet" }, "This needs datasets of different sizes that all algorithms have."));
    return;
  }
  const greatest = Math.max(...found.flatMap(({ quarters }) => quarters.flatMap(({ means }) => means)));
  const key = h("div", { class: "plot legend-only" });
  const plots = found.map(() => h("div", { class: "plot small" }));
  fill(body, key, h("div", { class: "multiples" }, ...plots));
  picture(key, { name: "legend", description: `Legend: ${labels.map(fullName).join(", ")}`, build: (width) => {
    const legend = legendOf(legendFor(labels), width);
    return { svg: pictureOf(width, legend.height, legend.parts) };
  } });
  found.forEach(({ title, quarters }, k) => {
    const lines = labels.map((label, a) => lineMarks(label, quarters.map(({ means }, x) => ({ x, y: means[a] })),
      { xText: (x) => `${title} ${quarterText(quarters[x])}, ${counted(quarters[x].count, "dataset")}` }));
    plot(plots[k], `Mean regret by quarter of ${title}, a line per algorithm.`, {
      name: `regret by ${title}`, height: 190,
      x: { title, range: [-0.3, quarters.length - 0.7], ticks: quarters.map((_, x) => x), noGrid: true,
        format: (x) => quarterText(quarters[x]) },
      y: { title: k % 2 ? "" : "mean regret", range: [0, greatest * 1.05 || 1] },
      marks: lines.flatMap(({ marks }) => marks), targets: lines.flatMap(({ targets }) => targets),
    });
  });
}
