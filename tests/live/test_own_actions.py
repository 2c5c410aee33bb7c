"""Events that bring their own actions: in shadow mode, and in several processes."""

import json
from typing import Any

import pytest

from bakeoff import DataError, Decision, Learner, Shadow

ROWS = [{"t": "x"}, {"t": "y"}, {"t": "z"}]


def test_a_shadow_learns_from_actions_of_the_event() -> None:
    shadow = Shadow(Learner("greedy", seed=1))
    for i in range(90):
        action = i % 3
        reward = float(action == 2)
        p = shadow.watch({"u": "a"}, action, 1 / 3, reward=reward, actions=ROWS)

    assert p.argmax() == 2
    assert shadow.report()["events"] == 90
    assert shadow.learner.version == 90


def test_a_shadow_refuses_actions_that_are_not_there() -> None:
    shadow = Shadow(Learner("greedy", seed=1))

    for action in (3, -1, "x", True):
        with pytest.raises(DataError, match="position from 0 to 2"):
            shadow.watch({"u": "a"}, action, 0.5, reward=1.0, actions=ROWS)
    with pytest.raises(DataError, match="actions"):
        shadow.watch({"u": "a"}, 0, 0.5, reward=1.0)
    assert shadow.learner.version == 0


def test_actions_that_are_no_list_are_refused_with_a_sentence() -> None:
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    learner = Learner("greedy", seed=1)

    wrong: list[Any] = [{"first": ROWS[0], "second": ROWS[1]}, frame]
    for actions in wrong:
        with pytest.raises(DataError, match="actions must be a list with the features of each"):
            learner.choose({"u": "a"}, actions=actions)


def test_another_process_cannot_name_an_action_by_a_list() -> None:
    decision = Learner("greedy", seed=1).choose({"u": "a"}, actions=ROWS)
    text = json.dumps({**json.loads(decision.to_json()), "name": ["x"]})

    with pytest.raises(DataError, match=r"name of decision .* must be a string"):
        Decision.from_json(text)
