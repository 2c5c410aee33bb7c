"use strict";
// Statistics: who beats whom, as bakeoff/judging/statistics/significance.py computes it.

const LEVEL = RULES.level;
const SEVERAL = RULES.several; // orders of rows that make a paired test possible
const TINY = RULES.tiny; // what the paper's scripts add to the standard error
const BINARY = new Set(RULES.binary);
const RESAMPLES = RULES.resamples;

// 1 - erf(x) for x >= 0: a series of positive terms, then a continued fraction.
function erfc(x) {
  if (Number.isNaN(x)) return NaN;
  const bell = Math.exp(-x * x);
  if (bell === 0) return 0;
  if (x < 2) {
    let term = x, sum = x;
    for (let k = 1; term > sum * 1e-17; k++) {
      term *= (2 * x * x) / (2 * k + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * bell * sum;
  }
  let fraction = x;
  for (let k = 60; k >= 1; k--) fraction = x + k / 2 / fraction;
  return bell / Math.sqrt(Math.PI) / fraction;
}

// Both tails of Student's distribution with a whole number of degrees of freedom.
function studentTails(t, degrees) {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const sine = Math.sin(angle), cosine = Math.cos(angle);
  let term = degrees % 2 ? cosine : 1, sum = degrees === 1 ? 0 : term;
  for (let k = degrees % 2 ? 3 : 2; k < degrees; k += 2) {
    term *= (cosine * cosine * (k - 1)) / k;
    sum += term;
  }
  const within = degrees % 2 ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return Math.max(0, 1 - within);
}

function standardError(a, b, n) {
  return Math.sqrt((a * (1 - a) + b * (1 - b)) / n);
}

function paperTest(a, b, n) {
  return erfc(Math.abs(a - b) / (TINY + standardError(a, b, n)));
}

function zTest(a, b, n) {
  const error = standardError(a, b, n);
  if (error > 0 || Number.isNaN(error)) {
    return erfc(Math.abs(a - b) / error / Math.SQRT2);
  }
  return a === b ? 1 : 0;
}

function hoeffdingTest(a, b, n) {
  return Math.min(1, 2 * Math.exp((-n * (a - b) ** 2) / 8));
}

function pairedTest(a, b, n) {
  const count = Math.min(a.length, b.length);
  if (count < 2) return NaN;
  let mean = 0, spread = 0;
  for (let s = 0; s < count; s++) mean += (a[s] - b[s]) / count;
  for (let s = 0; s < count; s++) spread += (a[s] - b[s] - mean) ** 2 / (count - 1);
  const error = Math.max(Math.sqrt(spread), 1 / n) / Math.sqrt(count);
  return studentTails(Math.abs(mean) / error, count - 1);
}

// A contest: columns on the problems that any of them has a loss on.
function contestOf(ids, holds) {
  const columns = ids.map(columnOf);
  const problems = [];
  for (let i = 0; i < N_PROBLEMS; i++) {
    if (holds(i) && columns.some((c) => !Number.isNaN(c.losses[i]))) problems.push(i);
  }
  const isSeveral = once((i) =>
    Math.max(...columns.map((column) => ordersOf(column, i).length)) >= SEVERAL);
  return { columns, problems, isSeveral, isWhole: true };
}

// The p-values of all pairs of some columns on all problems: they depend on no filter.
const EVERYWHERE = Array.from({ length: N_PROBLEMS }, (_, i) => i);
const everyValue = once((key) => {
  const [ids, test] = key.split(" ");
  const contest = { ...contestOf(ids.split(",").map(Number), () => true), problems: EVERYWHERE };
  return once((pair) => pairValues(contest, ...pair.split(",").map(Number), test));
});

// The p-value of a pair of columns on each problem of a contest.
function pairValues(contest, a, b, test) {
  const [x, y] = [contest.columns[a], contest.columns[b]];
  const values = new Float64Array(contest.problems.length);
  contest.problems.forEach((i, place) => {
    const p = x.losses[i], q = y.losses[i], n = PROBLEMS.n[i];
    if (test === "paired" && contest.isSeveral(i)) {
      values[place] = pairedTest(ordersOf(x, i), ordersOf(y, i), n);
    } else if (!BINARY.has(PROBLEMS.task[i])) {
      values[place] = hoeffdingTest(p, q, n);
    } else {
      values[place] = test === "paper" ? paperTest(p, q, n) : zTest(p, q, n);
    }
  });
  return values;
}

// Correct all known p-values of a contest in place: Holm, or Benjamini and Hochberg.
function correct(values, correction) {
  if (correction === "none") return;
  const order = [];
  for (let k = 0; k < values.length; k++) if (!Number.isNaN(values[k])) order.push(k);
  order.sort((k, l) => values[k] - values[l] || k - l);
  const count = order.length;
  let bound = correction === "holm" ? 0 : 1;
  for (let step = 0; step < count; step++) {
    const rank = correction === "holm" ? step : count - 1 - step;
    const k = order[rank];
    bound = correction === "holm"
      ? Math.max(bound, values[k] * (count - rank))
      : Math.min(bound, (values[k] * count) / (rank + 1));
    values[k] = Math.min(1, bound);
  }
}

// wins[a][b][place] is 1 where column a beats column b on a problem.
function winsOf(contest, test, correction) {
  const A = contest.columns.length, D = contest.problems.length;
  const pairs = [];
  for (let a = 0; a < A; a++) for (let b = a + 1; b < A; b++) pairs.push([a, b]);
  const values = new Float64Array(pairs.length * D);
  const known = contest.isWhole ? everyValue(`${contest.columns.map((c) => c.id).join()} ${test}`) : null;
  pairs.forEach(([a, b], k) => {
    if (!known) {
      values.set(pairValues(contest, a, b, test), k * D);
      return;
    }
    const all = known(`${a},${b}`);
    contest.problems.forEach((i, place) => { values[k * D + place] = all[i]; });
  });
  correct(values, correction);
  const wins = Array.from({ length: A }, () =>
    Array.from({ length: A }, () => new Uint8Array(D)));
  pairs.forEach(([a, b], k) => {
    const x = contest.columns[a].losses, y = contest.columns[b].losses;
    contest.problems.forEach((i, place) => {
      if (!(values[k * D + place] < LEVEL)) return;
      if (x[i] < y[i]) wins[a][b][place] = 1;
      if (y[i] < x[i]) wins[b][a][place] = 1;
    });
  });
  return wins;
}

// Losses, or differences of losses, ready to be compared: 0.50 - 0.48 is 0.02.
function inDigits(loss) {
  return Math.round(loss * 10 ** RULES.digits) / 10 ** RULES.digits;
}

function sum(numbers) {
  let total = 0;
  for (let k = 0; k < numbers.length; k++) total += numbers[k];
  return total;
}

// How often the row beats the column.
function tallyOf(wins) {
  return wins.map((row) => row.map(sum));
}

// Wins minus losses of each column against all others, problem by problem.
function scoresOf(wins) {
  return wins.map((row, a) => {
    const scores = new Int32Array(row.length ? row[0].length : 0);
    row.forEach((won, b) => won.forEach((win, place) => {
      scores[place] += win - wins[b][a][place];
    }));
    return scores;
  });
}

// Number `counter` of a fixed stream of draws in [0, 1).
function uniformAt(counter) {
  let z = Math.imul(counter + 1, 0x6d2b79f5);
  z = Math.imul(z ^ (z >>> 15), z | 1);
  z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
  return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
}

let stream = new Float64Array(0); // its beginning, as far as it was needed

// Whole numbers below a limit, the same ones in every use: resample by resample.
function drawsFor(rounds, limit) {
  return remembered(`draws ${rounds} ${limit}`, () => {
    const known = stream.length, draws = new Int32Array(rounds * limit);
    if (known < draws.length) {
      const longer = new Float64Array(draws.length);
      longer.set(stream);
      for (let k = known; k < longer.length; k++) longer[k] = uniformAt(k);
      stream = longer;
    }
    for (let k = 0; k < draws.length; k++) draws[k] = stream[k] * limit; // rounded down
    return draws;
  });
}

// The chance that sums with random signs are as far from 0 as that of these whole
// numbers (judging/statistics/leads.py).
function flipTest(differences) {
  const sizes = Array.from(differences, Math.abs).filter((size) => size > 0);
  const lead = Math.abs(sum(differences)), reach = sum(sizes);
  if (sizes.length > RULES.exact) {
    const gcd = (a, b) => (b ? gcd(b, a % b) : a);
    const step = sizes.reduce(gcd), deviation = Math.sqrt(sum(sizes.map((s) => s * s)));
    return erfc(Math.max(0, lead - step) / deviation / Math.SQRT2);
  }
  const limit = (reach - lead) / 2, chances = new Float64Array(limit + 1); // of the sum of those with
  chances[0] = 1; // a plus, up to where it is as far from the middle as that of those seen
  let most = 0;
  for (const size of sizes) {
    most = Math.min(limit, most + size);
    let k = most;
    for (; k >= size; k--) chances[k] = (chances[k] + chances[k - size]) / 2;
    for (; k >= 0; k--) chances[k] /= 2;
  }
  return Math.min(1, 2 * sum(chances)); // both tails are alike
}

// What to call a lead that equals would have with this chance.
function gradeOf(chance, nProblems) {
  if (nProblems < RULES.few || chance > RULES.likely) return "open";
  return chance <= RULES.clear ? "clear" : "likely";
}

// How many of some sorted numbers are below a limit, or not above it.
function countBelow(sorted, limit, orEqual) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit || (orEqual && sorted[middle] === limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The Bayesian signed-rank test of differences of losses (judging/statistics/signed_rank.py):
// the probabilities that the first is better, practically the same, or worse. Each of `all` has
// as many differences, so that they share the draws.
function signedRanks(all) {
  const same = RULES.same, n = all[0].length + 1, weights = new Float64Array(n), upTo = new Float64Array(n + 1);
  const tests = all.map((differences) => {
    const values = Float64Array.from([...differences, 0]).sort();
    return { prior: countBelow(values, 0, false), found: { better: 0, same: 0, worse: 0 },
      below: Int32Array.from(values, (x) => countBelow(values, -2 * same - x, false)).filter((count) => count > 0),
      above: Int32Array.from(values, (x) => n - countBelow(values, 2 * same - x, true)).filter((count) => count > 0) };
  });
  for (let s = 0; s < RULES.samples; s++) {
    const start = s * (n + 1);
    for (let i = 0; i < n; i++) {
      weights[i] = -Math.log1p(-uniformAt(start + i));
      upTo[i + 1] = upTo[i] + weights[i];
    }
    const part = Math.cos(2 * Math.PI * uniformAt(start + n)) ** 2; // of an exponential number, for the prior
    for (const { prior, below, above, found } of tests) {
      const less = weights[prior] * (1 - part), total = upTo[n] - less, least = n - above.length;
      const weightOf = (i) => (i === prior ? weights[i] - less : weights[i]);
      let better = 0, worse = 0;
      for (let i = 0; i < below.length; i++) better += weightOf(i) * (upTo[below[i]] - (below[i] > prior ? less : 0));
      for (let i = least; i < n; i++) worse += weightOf(i) * (upTo[n] - upTo[n - above[i - least]] - (n - above[i - least] <= prior ? less : 0));
      const alike = total ** 2 - better - worse;
      if (better > alike && better > worse) found.better += 1;
      else if (worse > alike && worse > better) found.worse += 1;
      else found.same += 1;
    }
  }
  const share = (count) => count / RULES.samples;
  return tests.map(({ found: { better, same: alike, worse } }) => ({ better: share(better), same: share(alike), worse: share(worse) }));
}

// Of each column: the share of resamples of the problems in which it has the greatest
// sum of scores (a shared first place is divided), and between which bounds its sum
// lies in 95 % of them. Problems of one family (numbers from 0 on) are drawn together.
function resampled(scores, families) {
  const A = scores.length, D = A ? Math.max(-1, ...families) + 1 : 0;
  const draws = drawsFor(RESAMPLES, D);
  const sums = scores.map((all) => {
    const own = new Int32Array(D);
    all.forEach((score, place) => { own[families[place]] += score; });
    return drawnSums(own, draws);
  });
  const firsts = new Float64Array(A);
  for (let round = 0; D && round < RESAMPLES; round++) {
    const most = Math.max(...sums.map((totals) => totals[round]));
    const best = sums.flatMap((totals, a) => (totals[round] === most ? [a] : []));
    for (const a of best) firsts[a] += 1 / best.length / RESAMPLES;
  }
  return sums.map((totals, a) => {
    const sorted = totals.slice().sort();
    return { share: firsts[a], low: Math.floor(quantile(sorted, 0.025)), high: Math.ceil(quantile(sorted, 0.975)) };
  });
}

// How much higher the mean loss of each column is than one's, on the problems that both have,
// and between which bounds 95 % of resamples of the problems are; NaN if these are few.
function leadsIn(contest, leader) {
  const families = familiesOf(contest), F = Math.max(-1, ...families) + 1, draws = drawsFor(RESAMPLES, F);
  const base = contest.columns[leader].losses;
  return contest.columns.map(({ losses }) => {
    const sums = new Float64Array(F), counts = new Float64Array(F);
    contest.problems.forEach((i, place) => {
      const difference = losses[i] - base[i];
      if (Number.isNaN(difference)) return;
      sums[families[place]] += difference;
      counts[families[place]] += 1;
    });
    const met = sum(counts), value = sum(sums) / met;
    if (met < RULES.few) return { value, low: NaN, high: NaN, met };
    const totals = drawnSums(sums, draws), isEven = counts.every((count) => count === counts[0]);
    const times = isEven ? null : drawnSums(counts, draws); // else as many in every resample
    const means = totals.map((total, round) => total / (times ? times[round] : met));
    const sorted = means.filter((one) => !Number.isNaN(one)).sort();
    return { value, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975), met };
  });
}

// The sums of some numbers in each resample.
function drawnSums(numbers, draws) {
  const count = numbers.length, sums = new Float64Array(RESAMPLES);
  for (let round = 0, k = 0; round < RESAMPLES; round++) {
    let total = 0;
    for (const end = k + count; k < end; k++) total += numbers[draws[k]];
    sums[round] = total;
  }
  return sums;
}

// The families of a contest's problems as numbers, in the order in which they appear.
function familiesOf(contest) {
  const numbers = new Map();
  return contest.problems.map((i) => {
    const family = PROBLEMS.family[i];
    if (!numbers.has(family)) numbers.set(family, numbers.size);
    return numbers.get(family);
  });
}

// On how many problems two columns of a contest both have a loss.
function timesMet(contest, a, b) {
  const [x, y] = [contest.columns[a].losses, contest.columns[b].losses];
  return contest.problems.filter((i) => !Number.isNaN(x[i]) && !Number.isNaN(y[i])).length;
}

// The problems that all columns of a contest have a loss on.
function commonProblems(contest) {
  return contest.problems.filter((i) =>
    contest.columns.every((column) => !Number.isNaN(column.losses[i])));
}

// Columns by wins minus losses in all comparisons, then by mean loss: the first leads.
function ranking(contest, wins) {
  const common = commonProblems(contest);
  const tally = tallyOf(wins);
  const entries = contest.columns.map((column, a) => {
    const won = sum(tally[a]), lost = sum(tally.map((row) => row[a]));
    const ahead = tally.filter((row, b) => b !== a && tally[a][b] > row[a]).length;
    const meanLoss = mean(common.map((i) => column.losses[i]));
    return { a, label: column.label, won, lost, score: won - lost, ahead, meanLoss };
  });
  const isMet = common.length > 0;
  return entries.sort((x, y) => y.score - x.score || (isMet ? inDigits(x.meanLoss) - inDigits(y.meanLoss) : 0) || x.a - y.a);
}

function mean(numbers) {
  return numbers.length ? sum(numbers) / numbers.length : NaN;
}

// The standard error of a mean.
function errorOfMean(numbers) {
  const middle = mean(numbers), count = numbers.length;
  if (count < 2) return NaN;
  const spread = sum(numbers.map((x) => (x - middle) ** 2)) / (count - 1);
  return Math.sqrt(spread / count);
}

// The skyline of a problem in the orders of rows that a column has; null if not known.
function skylineOf(column, problem) {
  if (!column.skylines) return PROBLEMS.skyline[problem];
  const skyline = column.skylines[problem];
  return Number.isNaN(skyline) ? null : skyline;
}

// How much worse than the skyline, in its units; NaN if that is 0 or missing.
function normalised(column, problem) {
  const skyline = skylineOf(column, problem);
  return skyline > 0 ? (column.losses[problem] - skyline) / skyline : NaN;
}

function quantile(sorted, share) {
  const place = (sorted.length - 1) * share, low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}
