"use strict";
// Data: what page/data.py wrote into this page. Numbers are base64 of little-endian
// arrays, so they are exact; they are decoded when first asked for.

// Users name algorithms as they like: an object has no keys but those that were written,
// or "constructor" would be found in all of them.
function bare(_, value) {
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  return isObject ? Object.assign(Object.create(null), value) : value;
}

const DATA = JSON.parse(document.getElementById("data").textContent, bare);
const PROBLEMS = DATA.problems;
const N_PROBLEMS = PROBLEMS.name.length;
const RULES = DATA.rules; // what Python and this page must agree on

function decoded(text, Kind) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Kind(bytes.buffer);
}

// A function of one number that computes each value once.
function once(compute) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
}

// A competitor: its label, its loss and chosen setting on every problem.
const columnOf = once((id) => {
  const raw = DATA.columns[id];
  return {
    id,
    label: raw.label,
    losses: decoded(raw.losses, Float64Array),
    settings: raw.settings ? decoded(raw.settings, Int32Array) : null,
    orders: raw.by_shuffle ? decoded(raw.by_shuffle, Float64Array) : null,
    skylines: raw.skyline ? decoded(raw.skyline, Float64Array) : null,
  };
});

// The losses of a column on one problem, order by order; [] if there is one order only.
const placeOfShuffled = new Map(DATA.shuffled.problems.map((i, place) => [i, place]));

function ordersOf(column, problem) {
  const place = placeOfShuffled.get(problem);
  if (place === undefined || !column.orders) return [];
  const most = DATA.shuffled.most;
  const all = column.orders.subarray(place * most, (place + 1) * most);
  return Array.from(all).filter((loss) => !Number.isNaN(loss));
}

function settingOf(column, problem) {
  const id = column.settings?.[problem] ?? -1;
  return id < 0 ? "" : DATA.settings[id];
}

const roundsOf = once(() => decoded(DATA.curves.rounds, Int32Array));
const curvesOf = once((id) => {
  const text = DATA.curves.columns[id];
  return text ? decoded(text, Uint16Array) : null;
});
const curveErrorsOf = once((id) => decoded(DATA.curves.errors[id], Uint16Array));
const ratesOf = once((id) => {
  const text = DATA.rates.columns[DATA.rates.same[id] ?? id];
  return text ? decoded(text, Float64Array) : null;
});
const ipsOf = once((id) => {
  const raw = DATA.ips[id];
  return raw && {
    rewards: decoded(raw.rewards, Float64Array),
    losses: decoded(raw.losses, Float64Array),
  };
});

// The learning curve of a column on a problem: rounds and losses.
function curveOf(id, problem) {
  const losses = curvesOf(id);
  const found = { rounds: [], losses: [], errors: [] };
  if (!losses) return found;
  const points = DATA.curves.points, place = placeOfShuffled.get(problem);
  for (let k = problem * points; k < (problem + 1) * points; k++) {
    if (losses[k] === RULES.missing_curve) continue;
    found.rounds.push(roundsOf(0)[k]);
    found.losses.push(losses[k] / RULES.finest_curve);
    const error = place === undefined ? 0 : curveErrorsOf(id)[place * points + k - problem * points];
    found.errors.push(error / RULES.finest_curve);
  }
  return found;
}

// "RegCB-opt", or the label of what has no other name.
function fullName(label) {
  return DATA.algorithms[label] ?? label;
}

// A name at the beginning of a sentence; names of one's own learners stay as they are.
function atStart(label, name = fullName(label)) {
  return fullName(label) === label ? name : name[0].toUpperCase() + name.slice(1);
}
