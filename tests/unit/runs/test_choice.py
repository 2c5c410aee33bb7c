"""Choices as values and as text."""

import pytest

from bakeoff.runs.choice import Choice, in_file


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (Choice("greedy", "iwr"), "greedy reduction=iwr"),
        (Choice("regcb:c0=0.001"), "regcb:c0=0.001"),
        (Choice("supervised"), "supervised"),
        (Choice("python:my.Own,label=a reduction=b"), "python:my.Own,label=a reduction=b"),
    ],
)
def test_a_choice_and_its_text_are_the_same(choice: Choice, text: str) -> None:
    assert str(choice) == text
    assert Choice.from_text(text) == choice


@pytest.mark.parametrize(
    ("spec", "choice"),
    [
        ("bag:n_policies=8,greedy", Choice("bag:n_policies=8,greedy", "iwr")),
        ("cover:n_policies=4,psi=0.1 reduction=ips", Choice("cover:n_policies=4,psi=0.1", "ips")),
        ("regcb:c0=1e-3", Choice("regcb:c0=0.001")),
        ("python:my.Own,depth=3", Choice("python:my.Own,depth=3")),
    ],
)
def test_a_spec_stands_for_a_choice_with_its_defaults(spec: str, choice: Choice) -> None:
    assert Choice.from_spec(spec) == choice


@pytest.mark.parametrize(
    ("explorer", "typed"),
    [
        ("rule-mine:gamma=10.0,code=2bdef99d", "FILE.py:mine,gamma=10.0"),
        ("rule-mine:code=2bdef99d", "FILE.py:mine"),
        ("own-boltzmann:temperature=0.1,code=2bdef99d", "FILE.py:boltzmann,temperature=0.1"),
        ("python:__main__.Ridge,alpha=0.3", "FILE.py:Ridge,alpha=0.3"),
        ("python:bakeoff_file_rules.Ridge", "rules.py:Ridge"),
        ("python:mine.Ridge,alpha=0.3", "python:mine.Ridge,alpha=0.3"),
        ("bag:n_policies=4", "bag:n_policies=4"),
    ],
)
def test_what_a_session_defined_is_typed_as_a_name_in_a_file(explorer: str, typed: str) -> None:
    assert in_file(explorer) == typed
