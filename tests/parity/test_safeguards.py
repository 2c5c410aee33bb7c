"""Runs with safeguards equal tests/reference to the last bit, simulated and live."""

from pathlib import Path

import numpy as np
import pytest

from bakeoff import Learner, Run, simulate
from bakeoff.core.rounds import code_of, rounds_name
from bakeoff.live import verify
from bakeoff.runs import explorer_of
from tests.comparisons import assert_equals_reference, assert_same, follow, play_reference
from tests.configurations import BANDITS, ONE_PER_EXPLORER, Configuration
from tests.parity.test_streams import STREAM, run_of, told_in, under
from tests.problems import TASKS, sample
from tests.uncompiled import uncompiled as uncompiled  # a fixture

ROUNDS = 60
SAFEGUARDS = (
    "forget=30", "explore=0.3", "restart=0.5", "forget=120,explore=0.1", "forget=20,restart=1",
    "forget=10,explore=0.2,restart=2",
)  # fmt: skip
SAFE = [c for c in ONE_PER_EXPLORER if c in BANDITS]
COMPILED = [
    c._replace(spec=f"{c.spec},{safeguards}")
    for c, safeguards in (
        (next(c for c in SAFE if c.spec.startswith("epsilon-greedy:")), SAFEGUARDS[5]),
        (next(c for c in SAFE if c.spec.startswith("lints:")), SAFEGUARDS[4]),
    )
]


def with_safeguards(configuration: Configuration, number: int) -> Configuration:
    """A configuration with safeguards, which go by number."""
    spec = configuration.spec.replace("tau=40", "tau=9")  # fewer than what is remembered
    return configuration._replace(
        spec=f"{spec}{',' if ':' in spec else ':'}{SAFEGUARDS[number % len(SAFEGUARDS)]}"
    )


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("number", range(0, len(BANDITS), 3))
def test_a_run_with_safeguards_equals_the_reference(number: int) -> None:
    played = sample(TASKS[number % 3], ROUNDS)
    run = run_of(with_safeguards(BANDITS[number], number), number)

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("configuration", SAFE, ids=str)
def test_all_safeguards_of_every_explorer_equal_the_reference(configuration: Configuration) -> None:
    played = sample("multiclass", ROUNDS)
    run = run_of(with_safeguards(configuration, 5), 4)

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("number", range(len(SAFE)))
def test_under_delay_and_noise_they_equal_the_reference(number: int) -> None:
    played = under("multiclass", STREAM)
    run = run_of(with_safeguards(SAFE[number], number), number)

    [ours] = simulate(played.problem, [run], record=True)

    late = played.problem.schedule
    assert late is not None
    arrivals = np.full(ROUNDS, ROUNDS)
    for e in range(ROUNDS):
        arrivals[late.order[late.begin[e] : late.begin[e + 1]]] = e
    assert_equals_reference(ours, play_reference(played, run, arrivals.tolist(), told_in(played)))


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("configuration", SAFE, ids=str)
def test_side_by_side_as_alone(configuration: Configuration) -> None:
    problem = sample("multiclass", ROUNDS).problem
    runs = [run_of(with_safeguards(configuration, number), number) for number in range(6)]

    together = simulate(problem, runs, record=True)

    for run, one in zip(runs, together, strict=True):
        [alone] = simulate(problem, [run], record=True)
        assert_same(one, alone)


@pytest.mark.parametrize("configuration", COMPILED, ids=str)
def test_compiled_and_live_they_equal_the_reference(configuration: Configuration) -> None:
    played = sample("multiclass", ROUNDS)
    run = configuration.run(offset=-1, seed=5)
    learner = configuration.learner(3, offset=-1, seed=5)

    [ours] = simulate(played.problem, [run], record=True)
    decisions = follow(learner, played)

    expected = play_reference(played, run)
    assert_equals_reference(ours, expected)
    assert [decision.action for decision in decisions] == expected.actions
    assert [decision.probability for decision in decisions] == expected.probabilities


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("configuration", SAFE, ids=str)
def test_safeguards_that_never_act_change_nothing(configuration: Configuration) -> None:
    played = sample("ranking", ROUNDS)
    spec = configuration.spec
    idle = configuration._replace(spec=f"{spec}{',' if ':' in spec else ':'}restart=1e9")

    [plain] = simulate(played.problem, [configuration.run(seed=2)], record=True)
    [safe] = simulate(played.problem, [idle.run(seed=2)], record=True)

    assert_same(plain, safe.__class__(**{**vars(safe), "run": plain.run}))


def test_settings_at_zero_are_the_explorer_as_it_always_was() -> None:
    plain, safe = Run("greedy"), Run("greedy:forget=100")

    assert Run("greedy:forget=0,explore=0,restart=0") == plain
    assert explorer_of(plain.settings).name == explorer_of(safe.settings).name == "greedy"
    assert code_of(explorer_of(plain.settings)) != code_of(explorer_of(safe.settings))
    assert rounds_name(explorer_of(plain.settings)) != rounds_name(explorer_of(safe.settings))


@pytest.mark.usefixtures("uncompiled")
def test_a_log_of_a_learner_with_safeguards_is_computed_again(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    learner = COMPILED[0].learner(3, seed=5, log=log)

    follow(learner, sample("multiclass", ROUNDS))
    learner.close()

    replay = verify(log).replay
    assert replay is not None
    assert (replay.decisions, replay.different) == (ROUNDS, 0)


def test_a_learner_with_safeguards_is_saved_and_goes_on_as_it_would_have(tmp_path: Path) -> None:
    path = tmp_path / "safe.model"
    played = sample("multiclass", ROUNDS)
    learner = COMPILED[0].learner(3, seed=5)
    half = ROUNDS // 2
    follow(learner, played._replace(contexts=played.contexts[:half], costs=played.costs[:half]))

    learner.save(path)
    loaded = Learner.load(path)

    rest = played._replace(contexts=played.contexts[half:], costs=played.costs[half:])
    one, other = follow(learner, rest), follow(loaded, rest)
    assert [d.probability for d in one] == [d.probability for d in other]
    assert str(loaded.run) == str(learner.run)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("spec", ["squarecb:by_cost,restart=0.5", "fastcb:by_cost,restart=0.5"])
def test_a_gamma_by_costs_begins_anew_with_the_oracle(spec: str) -> None:
    played = sample("multiclass", ROUNDS)
    name = spec.partition(":")[0]
    own = next(c for c in SAFE if c.spec.startswith(f"{name}:") or c.spec == name)
    run = run_of(own._replace(spec=spec), 4)

    [ours] = simulate(played.problem, [run], record=True)

    assert_equals_reference(ours, play_reference(played, run))
