"use strict";
// Voting: what problems elect, as bakeoff/judging/voting.py does it.

// The votes of the choices that are left: one a problem, divided among its first.
function firstVotes(scores, left, nVoters) {
  const votes = new Float64Array(left.length);
  for (let place = 0; place < nVoters; place++) {
    const most = Math.max(...left.map((j) => scores[j][place]));
    const first = left.flatMap((j, k) => (scores[j][place] === most ? [k] : []));
    for (const k of first) votes[k] += 1 / first.length;
  }
  return votes.map((vote) => Math.round(vote * 1e9)); // thirds add up to one
}

// The last of the choices when those with the fewest first votes have left; of equally
// few the one with the least sum of scores leaves, then the last listed.
function runoff(scores, nVoters) {
  const totals = scores.map(sum);
  let left = scores.map((_, j) => j);
  while (left.length > 1) {
    const votes = firstVotes(scores, left, nVoters);
    let worst = 0;
    left.forEach((j, k) => {
      const behind = votes[k] - votes[worst] || totals[j] - totals[left[worst]];
      if (behind <= 0) worst = k;
    });
    left = left.filter((_, k) => k !== worst);
  }
  return left[0];
}

// Choices stand that were played half as often as the one played most (or as often, if
// there would be no voters), and problems vote that have all of those. Problems for
// tuning vote even when one looks at those that are held out.
function electionOf(ids, condition) {
  const { columns, problems, isSeveral } = contestOf(ids, (i) =>
    passesFilters(i, STATE.heldOut && !condition.tuning) && meets(condition, i));
  const has = (column, i) => !Number.isNaN(column.losses[i]);
  const times = columns.map((column) => problems.filter((i) => has(column, i)).length);
  const most = Math.max(0, ...times);
  for (const least of [most / 2, most]) {
    const stand = columns.filter((_, a) => times[a] > 0 && times[a] >= least);
    const voters = problems.filter((i) => stand.every((column) => has(column, i)));
    if (!stand.length || !voters.length) continue;
    const contest = { columns: stand, problems: voters, isSeveral };
    const scores = scoresOf(winsOf(contest, STATE.test, "none"));
    const winner = stand[runoff(scores, voters.length)].label;
    return { winner, nChoices: stand.length, nVoters: voters.length };
  }
  return null;
}
