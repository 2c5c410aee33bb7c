"""The monitor, and a learner that watches another policy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff import DataError, Learner
from bakeoff.live.learner_page import page, part, status, wilson
from bakeoff.live.shadow import Shadow

RNG = np.random.default_rng(5)
X = RNG.normal(size=(2500, 3))


def right(x: Any) -> int:
    return int(x[0] > 0)


def used(n: int = 200, **settings: Any) -> Learner:
    learner = Learner("epsilon-greedy:epsilon=0.2", actions=["a", "<b>"], seed=1, **settings)
    for x in X[:n]:
        decision = learner.choose(x)
        learner.learn(decision, reward=float(decision.action == right(x)))
    return learner


def test_the_monitor_counts() -> None:
    learner = used()
    last = learner.choose(X[0])
    learner.choose(X[1])
    learner.learn(last, reward=1.0)
    learner.learn(last, reward=1.0)

    found = learner.monitor()

    assert (found["decisions"], found["outcomes"]) == (202, 201)
    assert (found["pending"], found["repeated"]) == (1, 1)
    assert sum(row["decisions"] for row in found["actions"]) == 202
    assert sum(row["outcomes"] for row in found["actions"]) == 201
    assert [row["name"] for row in found["actions"]] == ["a", "<b>"]


def test_rewards_by_action_are_estimated() -> None:
    found = used(2500).monitor()

    for row in found["actions"]:
        assert 0.4 < row["estimate"] < 0.6  # the truth is 1/2; the error about 0.03
        assert row["reward"] > row["estimate"]  # it is taken where it is right
        assert 100 < row["effective_sample_size"] <= row["outcomes"]


def test_a_drift_of_the_cost_is_seen() -> None:
    steady, drifting = used(2500), used(1400)
    for x in X[1400:2500]:
        drifting.learn(drifting.choose(x), reward=0.0)

    assert abs(steady.monitor()["drift"]["z"]) < 4
    assert drifting.monitor()["drift"]["z"] > 10


def test_restarts_after_a_change_are_counted(tmp_path: Path) -> None:
    plain, safe = (Learner(f"greedy{word}", 2, seed=1) for word in ("", ":restart=20"))
    for learner in (plain, safe):
        for turn in range(2):
            for x in X[:500]:
                decision = learner.choose(x)
                learner.learn(decision, reward=float((decision.action + turn) % 2 == right(x)))
    safe.save(tmp_path / "safe")

    assert plain.monitor()["restarts"] == 0
    assert safe.monitor()["restarts"] == 1
    assert Learner.load(tmp_path / "safe").monitor()["restarts"] == 1
    assert "new starts after costs rose" in page(safe.monitor())
    assert "new starts after costs rose" not in page(plain.monitor())


def test_a_monitor_survives_a_restart(tmp_path: Path) -> None:
    learner = used()
    learner.save(tmp_path / "m")

    assert Learner.load(tmp_path / "m").monitor() == learner.monitor()


def test_the_page_shows_everything_and_loads_nothing() -> None:
    text = page(used().monitor())

    assert "&lt;b&gt;" in text
    assert "<b>" not in text.replace("<b>healthy</b>", "")
    assert "http" not in text
    assert "if always taken" in text


def test_a_new_learner_has_an_empty_page() -> None:
    assert "no outcome yet" in page(Learner("greedy", 2).monitor())


# Shadow mode


def test_a_shadow_learns_without_acting_and_knows_its_value() -> None:
    learner = Learner("epsilon-greedy:epsilon=0.1", 2, seed=1)
    shadow = Shadow(learner)
    rng = np.random.default_rng(1)
    worth = []

    for x in X:
        action = int(rng.random() < 0.5)  # the incumbent tosses a coin
        p = shadow.watch(x, action, 0.5, reward=float(action == right(x)))
        worth.append(p[right(x)])

    found = shadow.report()
    assert found["events"] == 2500
    assert found["incumbent_reward"] == pytest.approx(0.5, abs=0.03)
    error = found["standard_error"]
    assert error is not None
    assert found["estimate"] == pytest.approx(np.mean(worth), abs=4 * error)
    assert float(found["estimate"] or 0) > 0.8
    assert learner.pending == []
    assert (learner.t, learner.version) == (2500, 2500)
    assert learner.probabilities(X[0])[right(X[0])] > 0.9


def test_a_shadow_of_itself_agrees() -> None:
    teacher = used(500)
    shadow = Shadow(Learner("greedy", 2, seed=2))

    for x in X[500:1500]:
        decision = teacher.choose(x)
        hit = float(decision.action == right(x))
        teacher.learn(decision, reward=hit)
        shadow.watch(x, decision.action, decision.probability, reward=hit)

    assert float(shadow.report()["agreement"] or 0) > 0.8


@pytest.mark.parametrize("probability", [0, -1, 2, float("nan"), "a", 1e-320, 1e-13])
def test_a_watched_probability_is_one_that_can_be_learned_from(probability: Any) -> None:
    learner = Learner("greedy", 2)

    with pytest.raises(DataError, match="probability must"):
        learner.watch([1.0], 0, probability, reward=1.0)

    assert learner.version == 0
    assert np.isfinite(learner.choose([1.0]).probabilities).all()


def test_the_smallest_probability_leaves_scores_finite() -> None:
    learner = Learner("epsilon-greedy", 2, reduction="ips", seed=1)

    for _ in range(20):
        learner.watch([1.0], 0, 1e-12, reward=0.0)

    assert np.isfinite(learner.choose([1.0]).probabilities).all()


def test_a_watched_action_must_exist() -> None:
    learner = Learner("greedy", actions=["a", "b", "c"])

    with pytest.raises(DataError, match="no action 'z'"):
        learner.watch([1.0], "z", 0.5, reward=1.0)
    with pytest.raises(DataError, match=r"'a' .*available"):
        learner.watch([1.0], "a", 0.5, reward=1.0, available=["b", "c"])


def test_a_sentence_says_how_it_is() -> None:
    assert status(Learner("greedy", 2, seed=1).monitor()) == ("new", "0 decisions, no outcome yet")
    steady = used(2500)
    falling = used(1400)
    for x in X[1400:2500]:
        falling.learn(falling.choose(x), reward=0.0)
    silent = used(50)
    for x in X[:100]:
        silent.give_up(silent.choose(x))

    kind, sentence = status(steady.monitor())
    assert kind == "healthy"
    assert sentence.startswith("2,500 decisions, 100 % answered, reward 0.8")
    assert sentence.endswith("in the last 1,000)")
    kind, sentence = status(falling.monitor())
    assert kind == "check"
    assert "falling (0.0" in sentence
    assert status(silent.monitor()) == ("check", "150 decisions, 33 % answered, reward "
                                        f"{silent.monitor()['reward']:.2f}")  # fmt: skip


def test_history_and_rewards_are_in_the_units_of_the_user() -> None:
    learner = Learner("greedy", 2, seed=1, reward_range=(-10, 10))
    for x in X[:250]:
        learner.learn(learner.choose(x), reward=5.0)
    found = learner.monitor()

    assert found["reward"] == found["recent_reward"] == 5.0
    assert [[n, mean] for n, mean, _ in found["history"]] == [[100, 5], [200, 5], [250, 5]]
    taken = [row for row in found["actions"] if row["outcomes"]]
    assert all(row["low"] < 5 < row["high"] for row in taken)


@pytest.mark.parametrize(("p", "n"), [(0.1, 30), (0.5, 100), (0.9, 20)])
def test_intervals_of_actions_hold_the_truth(p: float, n: int) -> None:
    means = RNG.binomial(n, p, 2000) / n
    held = [low <= p <= high for low, high in (wilson(mean, n) for mean in means.tolist())]

    assert 0.92 < np.mean(held) < 0.99


def test_pages_load_nothing_and_notebooks_get_a_part() -> None:
    learner = used(500)
    whole, piece = page(learner.monitor()), learner._repr_html_()

    assert piece.startswith(part(learner.monitor())[:4000])  # all but the time
    assert whole.startswith("<!doctype html>")
    assert "<html" not in piece
    for text in (whole, piece):
        assert "<svg" in text
        assert "&lt;b&gt;" in text
        assert "<b>healthy</b>" in text
        assert "http" not in text
        assert "prefers-color-scheme:dark" in text


def routed(n: int, **settings: Any) -> Learner:
    """Four actions that nearly always pay; the last one pays most."""
    learner = Learner(n_actions=4, seed=1, **settings)
    for x in X[:n]:
        decision = learner.choose(x)
        learner.learn(decision, reward=0.8 + 0.05 * decision.action)
    return learner


def test_the_monitor_says_so_if_actions_that_pay_well_are_left_aside() -> None:
    learner = routed(600)
    found = learner.monitor()
    untried = 4 - sum(row["outcomes"] > 1 for row in found["actions"])

    assert untried >= 2
    assert found["advice"].startswith(f"{untried} of 4 actions ha")
    assert "rewards are high (mean 0.8" in found["advice"]
    assert "encoding='0/1'" in found["advice"]
    assert "hardly been tried" in page(found)


@pytest.mark.parametrize("settings", [{"encoding": "0/1"}, {"baseline": True}, {"floor": 0.02}])
def test_the_monitor_gives_no_advice_to_those_who_follow_it(settings: dict[str, Any]) -> None:
    found = routed(600, **settings).monitor()

    assert found["advice"] is None
    assert "hardly been tried" not in page(found)


def test_the_monitor_gives_no_advice_while_little_is_known_or_rewards_are_low() -> None:
    assert routed(400).monitor()["advice"] is None
    assert used(2500).monitor()["advice"] is None
    low = Learner(n_actions=4, seed=1)
    for x in X[:600]:
        low.learn(low.choose(x), reward=0.1)
    assert low.monitor()["advice"] is None
