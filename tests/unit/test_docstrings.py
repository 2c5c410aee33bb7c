"""Every public name says what it takes, returns and raises, and has an example that is true."""

import doctest
import inspect
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars
import pytest

import bakeoff
from bakeoff import live

NAMES = sorted([*bakeoff.__all__, "open"])
VALUES: dict[str, Any] = {name: getattr(bakeoff, name) for name in NAMES} | {"Pacer": live.Pacer}
CLASSES = {name: value for name, value in VALUES.items() if inspect.isclass(value)}
MADE_BY_USERS = ("Experiment", "Feedback", "Learner", "LogWriter", "Pacer", "Rollout", "Run")


def methods() -> Iterator[tuple[str, Any]]:
    """Public functions of public classes, but for those they inherit from Python's own."""
    for name, cls in CLASSES.items():
        for member in dir(cls):
            value = inspect.getattr_static(cls, member)
            value = getattr(value, "__func__", value)
            is_ours = str(getattr(value, "__module__", "")).startswith("bakeoff")
            if inspect.isfunction(value) and is_ours and not member.startswith("_"):
                yield f"{name}.{member}", value


FUNCTIONS = {name: value for name, value in VALUES.items() if name not in CLASSES}
CALLED = FUNCTIONS | dict(methods())


def section(value: Any, title: str) -> str:
    """The text of a section, "" if there is none."""
    text = inspect.getdoc(value) or ""
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(title, "")


def described(value: Any, title: str) -> list[str]:
    """The names that a section describes, in order."""
    lines = re.findall(r"^(\S.*)$", section(value, title), flags=re.MULTILINE)
    return [name.lstrip("*") for line in lines for name in line.split(", ")]


def parameters(value: Any) -> list[str]:
    return [name for name in inspect.signature(value).parameters if name not in ("self", "cls")]


@pytest.mark.parametrize("name", CALLED)
def test_every_parameter_is_described_in_order(name: str) -> None:
    assert described(CALLED[name], "Parameters") == parameters(CALLED[name])


@pytest.mark.parametrize("name", CALLED)
def test_every_result_is_described(name: str) -> None:
    returned = inspect.signature(CALLED[name]).return_annotation

    assert bool(section(CALLED[name], "Returns")) == (returned is not None)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_say_what_they_raise(name: str) -> None:
    assert described(FUNCTIONS[name], "Raises")


@pytest.mark.parametrize("name", CALLED | CLASSES)
def test_what_is_raised_is_an_error_of_ours(name: str) -> None:
    raised = described((CALLED | CLASSES)[name], "Raises")

    assert all(issubclass(getattr(bakeoff, error), bakeoff.BakeoffError) for error in raised)


@pytest.mark.parametrize("name", MADE_BY_USERS)
def test_what_makes_an_object_is_described_in_order(name: str) -> None:
    assert described(CLASSES[name], "Parameters") == parameters(CLASSES[name])


@pytest.mark.parametrize("name", CLASSES)
def test_fields_of_results_are_described(name: str) -> None:
    cls = CLASSES[name]
    if name in MADE_BY_USERS or not (fields := getattr(cls, "__dataclass_fields__", None)):
        return
    known = described(cls, "Attributes") + described(cls, "Parameters")
    assert set(fields) - set(known) == set()


@pytest.mark.parametrize("name", VALUES)
def test_every_name_has_an_example_that_is_true(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(VALUES[name]) or ""
    known = VALUES | {"bakeoff": bakeoff, "polars": polars, "Path": Path}
    example = doctest.DocTestParser().get_doctest(text, known, name, None, None)
    assert example.examples

    said: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert said == []
