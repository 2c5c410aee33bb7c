"""The page's data, its declaration and the scripts that read it agree."""

import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import msgspec
import pytest

from bakeoff.judging.reading import read_curves
from bakeoff.judging.views import Criteria
from bakeoff.report.page import schema
from bakeoff.report.page.data import page_data
from bakeoff.report.page.page import SCRIPTS, asset
from bakeoff.report.tables.all import all_tables
from bakeoff.store import Store
from tests.unit.report.bake_offs import bake_off

EXAMPLE = "bakeoff run DATA.csv"  # a command on the page
SCRIPT = "\n".join(asset(f"{name}.js") for name in SCRIPTS).replace(EXAMPLE, "")
BY_PYTHON = {"title"}  # read by page.py
ROOTS = {"DATA": schema.PageData, "RULES": schema.Rules, "PROBLEMS": schema.Problems}
HINTS = get_type_hints(schema.PageData)


def dicts_in(hint: Any) -> set[Any]:
    """The typed dictionaries of a type, at any depth."""
    inner = get_type_hints(hint).values() if is_typeddict(hint) else get_args(hint)
    own = {hint} if is_typeddict(hint) else set()
    return own.union(*map(dicts_in, inner))


@pytest.mark.parametrize("name", ROOTS)
def test_scripts_read_every_key_and_no_other(name: str) -> None:
    read = set(re.findall(rf"\b{name}\.(\w+)", SCRIPT))

    assert read == set(get_type_hints(ROOTS[name])) - BY_PYTHON


@pytest.mark.parametrize("name", [name for name, hint in HINTS.items() if is_typeddict(hint)])
def test_keys_of_parts_that_scripts_name_are_declared(name: str) -> None:
    read = set(re.findall(rf"\bDATA\.{name}\.(\w+)", SCRIPT))

    assert read <= set(get_type_hints(HINTS[name]))


@pytest.mark.parametrize("part", sorted(dicts_in(schema.PageData), key=str))
def test_scripts_have_a_use_for_each_key_of_each_part(part: Any) -> None:
    keys = set(get_type_hints(part)) - BY_PYTHON

    assert {key for key in keys if not re.search(rf"\b{key}\b", SCRIPT)} == set()


def test_what_is_written_is_what_is_declared(tmp_path: Path) -> None:
    losses, criteria = bake_off(), Criteria()
    curves = read_curves(Store(tmp_path), [])

    data = page_data(losses, {}, criteria, curves, all_tables(losses, criteria))

    assert set(data) == set(HINTS)
    assert set(data["rules"]) == set(get_type_hints(schema.Rules))
    text = json.dumps(data)
    read = msgspec.json.decode(text, type=schema.PageData)  # checks types, drops other keys
    assert json.loads(json.dumps(read)) == json.loads(text)
