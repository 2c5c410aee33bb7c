"""Options: declared once; every place that takes them takes the same ones."""

from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from bakeoff.basics.errors import DataError
from bakeoff.commands.datasets import datasets
from bakeoff.commands.run import run
from bakeoff.commands.run_settings import settings_of
from bakeoff.reading.catalog import manifest
from bakeoff.reading.options import KINDS, Keywords, Options, options_of

DOCS = Path(__file__).parents[3] / "docs" / "guide" / "data.md"
NAMES = [field.name for field in fields(Options)]


# ---- one declaration


def test_keywords_are_the_fields() -> None:
    assert list(get_type_hints(Keywords)) == NAMES == list(KINDS)


@pytest.mark.parametrize("command", [run, datasets])
def test_commands_take_every_option_but_the_name(command: Any) -> None:
    taken = signature(command).parameters

    assert [name for name in taken if name in NAMES] == NAMES[1:]
    for name in NAMES[1:]:
        (option,) = get_args(taken[name].annotation)[1:]
        assert option.help == KINDS[name].help


def test_a_toml_file_takes_every_option_but_the_name() -> None:
    assert set(NAMES[1:]) <= set(settings_of({}).as_dict())


def test_a_manifest_takes_every_option() -> None:
    assert {*manifest.NEEDED, *manifest.OPTIONAL} == {*NAMES, "file", "openml_id"}


def test_the_table_in_the_docs_is_the_declaration() -> None:
    rows = [f"| `{name}` | {kind.help} |" for name, kind in KINDS.items()]

    assert "\n".join(["| option | meaning |", "|---|---|", *rows]) in DOCS.read_text()


# ---- values


def test_one_name_will_do_for_a_list() -> None:
    assert options_of(ignore="id", target=["a", "b,c"]) == Options(
        ignore=("id",), target=("a", "b,c")
    )


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"max_documents": 1}, "max_documents must be an integer from 2, got 1"),
        ({"max_documents": 2.5}, "max_documents must be an integer from 2, got 2.5"),
        ({"max_documents": True}, "max_documents must be an integer from 2, got True"),
        ({"max_relevance": 0}, "max_relevance must be a positive number, got 0"),
        ({"max_relevance": "4"}, "max_relevance must be a positive number, got '4'"),
        ({"features": "onehot"}, "features must be one of codes, one-hot, got"),
        ({"features": None}, "features must be one of codes, one-hot, got None"),
        ({"task": "regression"}, "task must be one of multiclass, multilabel"),
        ({"header": "yes"}, "header must be true or false, got 'yes'"),
        ({"ignore": [1]}, "ignore must be a list of names of columns, got "),
        ({"target": 1.5}, "target must be a column's name or index, or a list"),
        ({"name": 3}, "name must be a string, got 3"),
        ({"numeric": "a", "categorical": "a"}, "the column 'a' cannot be categorical and numeric"),
        ({"taget": "y"}, "there is no option 'taget'; did you mean 'target'?"),
    ],
)
def test_a_value_of_another_kind_is_refused(said: Any, reason: str) -> None:
    with pytest.raises(DataError) as caught:
        options_of(**said)

    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("max_documents", "7", 7),
        ("max_relevance", "2.5", 2.5),
        ("header", "False", False),
        ("task", "ranking", "ranking"),
        ("ignore", "id, when", ("id", "when")),
        ("ignore", '"a, b",c', ("a, b", "c")),
        ("target", "red,blue", "red,blue"),
    ],
)
def test_a_cell_of_a_manifest_is_a_value(name: str, text: str, value: Any) -> None:
    assert KINDS[name].parsed(name, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [("max_documents", "many"), ("max_documents", "1"), ("header", "maybe"),
     ("task", "x"), ("features", "hot"), ("max_relevance", "-1")],
)  # fmt: skip
def test_a_cell_that_is_no_value_is_refused(name: str, text: str) -> None:
    with pytest.raises(DataError, match=f"^{name} must be "):
        KINDS[name].parsed(name, text)
