"use strict";
// Measures over datasets beside wins: ranks, regrets, bands, quartiles, as
// bakeoff/judging/statistics/ranks.py, regret.py and bands.py compute them.

// (problems x columns) losses on the problems that all columns have a loss on.
function commonLosses(contest) {
  return commonProblems(contest).map((i) => contest.columns.map((column) => column.losses[i]));
}

// Ranks of some numbers, the least has rank 1; equal ones share the mean of theirs.
function ranksOf(values) {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

function meansOf(rows, width) {
  return Array.from({ length: width }, (_, a) => mean(rows.map((row) => row[a])));
}

function meanRanks(contest) {
  return meansOf(commonLosses(contest).map((row) => ranksOf(row.map(inDigits))), contest.columns.length);
}

// How far apart two mean ranks must be to differ (Nemenyi); NaN if nobody knows.
function criticalDifference(nAlgorithms, nProblems) {
  const factor = RULES.nemenyi[nAlgorithms - 2] ?? NaN;
  return factor * Math.sqrt((nAlgorithms * (nAlgorithms + 1)) / (6 * nProblems));
}

// First and last place of the groups that do not differ; means ascend.
function groupsOf(means, difference) {
  const groups = [];
  means.forEach((one, first) => {
    const last = means.findLastIndex((other) => other - one < difference);
    if (last > first && last > (groups.at(-1)?.[1] ?? -1)) groups.push([first, last]);
  });
  return groups;
}

function regretsOf(losses) {
  return losses.map((row) => {
    const least = Math.min(...row);
    return row.map((loss) => inDigits(loss - least));
  });
}

// By column: the share of best places, of places close to the best, the worst regret.
function regretSummary(contest) {
  const regrets = regretsOf(commonLosses(contest)), count = regrets.length;
  const ties = regrets.map((row) => row.filter((regret) => regret === 0).length);
  return contest.columns.map((_, a) => ({
    bestOn: count ? sum(regrets.map((row, i) => (row[a] === 0 ? 1 / ties[i] : 0))) / count : NaN,
    close: count ? regrets.filter((row) => row[a] <= RULES.close).length / count : NaN,
    worst: count ? Math.max(...regrets.map((row) => row[a])) : NaN,
  }));
}

// The share of datasets on which the regret is at most x, as a staircase.
function profileOf(regrets, a, limit) {
  const sorted = regrets.map((row) => row[a]).sort((x, y) => x - y);
  const count = sorted.length, points = [];
  const shareAt = (x) => countBelow(sorted, x, true) / count;
  let share = shareAt(0);
  points.push({ x: 0, y: share });
  for (const x of new Set(sorted.filter((one) => one > 0 && one <= limit))) {
    points.push({ x, y: share });
    share = shareAt(x);
    points.push({ x, y: share });
  }
  points.push({ x: limit, y: share });
  return points;
}

// The median of losses minus skylines, on common problems with a skyline.
function medianExcess(contest, a) {
  const column = contest.columns[a];
  const values = commonProblems(contest)
    .map((i) => column.losses[i] - (skylineOf(column, i) ?? NaN))
    .filter((value) => !Number.isNaN(value)).sort((x, y) => x - y);
  return values.length ? quantile(values, 0.5) : NaN;
}

// ---- bands


// Means of columns of (rows x width), and the bounds of 95 % of resamples of the rows.
function bandOf(rows, width) {
  const count = rows.length, rounds = RULES.band, draws = drawsFor(rounds, count);
  const flat = Float64Array.from(rows.flat());
  const totals = Array.from({ length: width }, () => new Float64Array(rounds));
  const sums = new Float64Array(width);
  for (let round = 0; round < rounds; round++) {
    sums.fill(0);
    for (let k = 0; k < count; k++) {
      const from = draws[round * count + k] * width;
      for (let j = 0; j < width; j++) sums[j] += flat[from + j];
    }
    for (let j = 0; j < width; j++) totals[j][round] = sums[j] / count;
  }
  return totals.map((values, j) => {
    values.sort();
    return { mean: mean(rows.map((row) => row[j])), low: quantile(values, 0.025), high: quantile(values, 0.975) };
  });
}

// A curve after shares of its rounds, by the logarithm of rounds.
function atShares(rounds, losses) {
  let k = 0;
  return RULES.shares.map((share) => {
    const at = Math.log(share * rounds.at(-1));
    while (k + 2 < rounds.length && Math.log(rounds[k + 1]) < at) k++;
    const [low, high] = [Math.log(rounds[k]), Math.log(rounds[k + 1] ?? rounds[k])];
    const part = high > low ? Math.min(1, Math.max(0, (at - low) / (high - low))) : 1;
    return losses[k] + ((losses[k + 1] ?? losses[k]) - losses[k]) * part;
  });
}

// ---- quartiles

// Problems in four parts of about equal size by a fact of theirs; equal facts together.
function quartersOf(problems, value) {
  const known = problems.filter((i) => value(i) !== null);
  const sorted = known.map(value).sort((a, b) => a - b);
  if (!sorted.length) return [];
  const ends = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  const parts = [[], [], [], []];
  for (const i of known) parts[ends.filter((end) => value(i) > end).length].push(i);
  return parts.filter((part) => part.length).map((part) => {
    const values = part.map(value);
    return { problems: part, low: Math.min(...values), high: Math.max(...values) };
  });
}
