"""What is fitted to a log sees contexts as the learner that wrote it encoded them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff import DataError, Learner, Log, evaluate, read_log, replay, train
from bakeoff.evaluation.encoded import pairs_of, rows_of
from bakeoff.live.encoder import Encoder, Space
from bakeoff.live.paired import Paired

WORDS = ("x", "y", "z")


def paired_log(folder: Path, n: int, **settings: Any) -> Log:
    """A log of a uniform learner whose reward depends on a pair of user and action only."""
    rng = np.random.default_rng(3)
    path = folder / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=1", seed=1, log=path, **settings)
    for _ in range(n):
        user = str(rng.choice(WORDS))
        actions = [{"likes": word} for word in rng.permutation(WORDS).tolist()]
        decision = learner.choose({"is": user, "age": rng.random()}, actions=actions)
        learner.learn(decision, reward=float(actions[decision.action]["likes"] == user))
    learner.close()
    return read_log(path, adaptive=False)


def plain_log(folder: Path, n: int, **settings: Any) -> Log:
    """A log of a learner with fixed actions and named features."""
    rng = np.random.default_rng(3)
    path = folder / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=1", 2, seed=1, log=path, **settings)
    for _ in range(n):
        decision = learner.choose({"age": rng.random(), "city": str(rng.choice(WORDS)), "one": 1.0})
        learner.learn(decision, reward=1.0)
    learner.close()
    return read_log(path)


@pytest.mark.parametrize("bits", [4, 18])
def test_rows_are_those_that_kernels_make(tmp_path: Path, bits: int) -> None:
    log = paired_log(tmp_path, 4, bits=bits)
    encoder = Encoder(Space(bits=bits))
    event = encoder.paired(log.raw[1]["shared"], log.raw[1]["actions"]).crossed()
    full = np.zeros((3, 1 << bits))
    for k in range(3):
        part = slice(event.start[k], event.start[k + 1])
        np.add.at(full[k], event.place[part], event.value[part])

    rows = rows_of(log)

    np.testing.assert_array_equal(rows.of(np.arange(3, 6)).toarray(), full[:, rows.places])


def test_a_reward_model_knows_what_pairs_pay(tmp_path: Path) -> None:
    """Without pairs, the model of a policy that is always right says 1/3, as of any other."""
    log = paired_log(tmp_path, 600)
    right = np.array(
        [
            [float(a["likes"] == context["shared"]["is"]) for a in context["actions"]]
            for context in log.raw
        ]
    )

    found = evaluate(log, right, ["dm"])

    assert found["dm"].value > 0.9


def test_pairs_are_only_made_if_the_learner_made_them(tmp_path: Path) -> None:
    log = paired_log(tmp_path, 30, interactions=False)

    rows = rows_of(log)
    pairs = pairs_of(log)

    assert rows.n_features == len(WORDS)
    assert pairs is not None
    assert {event.first.item(2) for event in pairs} == {0}


def test_a_trained_policy_has_the_bits_of_the_learner(tmp_path: Path) -> None:
    log = paired_log(tmp_path, 300, bits=2)

    pairs = pairs_of(log)

    assert pairs is not None
    assert {event.first.item(2) for event in pairs} == {4}
    assert isinstance(pairs[0], Paired)
    train(log).probabilities(log, 0, log.n)


def test_replayed_algorithms_make_pairs(tmp_path: Path) -> None:
    log = paired_log(tmp_path, 900)

    found = replay(log, "epsilon-greedy:epsilon=0.05")

    assert found.rewards[-100:].mean() > 0.7


def test_names_collide_where_they_did(tmp_path: Path) -> None:
    log = plain_log(tmp_path, 30, bits=1)

    assert log.n_features == 5
    assert rows_of(log).n_features == 2


def test_logs_of_others_and_arrays_stay_as_they_were_read(tmp_path: Path) -> None:
    log = plain_log(tmp_path, 30)
    assert log.origin is not None

    foreign = replace(log, origin=log.origin._replace(settings={"mine": 1}))

    assert rows_of(foreign).X is log.X


@pytest.mark.parametrize(
    "damage", [{"space": {"bits": "many"}}, {"space": None}, {"names": 5}, {"columns": 7}]
)
def test_settings_that_do_not_fit_are_one_sentence(tmp_path: Path, damage: Any) -> None:
    log = plain_log(tmp_path, 30)
    assert log.origin is not None
    settings = {**log.origin.settings, **damage}

    with pytest.raises(DataError, match="settings in its header do not fit its contexts"):
        rows_of(replace(log, origin=log.origin._replace(settings=settings)))
