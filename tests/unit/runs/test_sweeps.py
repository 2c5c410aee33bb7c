"""Sweeps: lists of values in specs, in grids and on the command line."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff import Run, SpecError, grid
from bakeoff.runs.sweeps import swept


def test_a_spec_without_lists_stands_for_itself() -> None:
    assert swept("cover:psi=0.1,nu reduction=dr") == ["cover:psi=0.1,nu reduction=dr"]


def test_a_sweep_has_every_combination_once() -> None:
    runs = grid("cover:n_policies=[4, 8],psi=[0.01,0.1],nu", learning_rates=0.1, encodings="0/1")

    assert [run.explorer for run in runs] == [
        f"cover:n_policies={n},psi={psi},nu" for n in (4, 8) for psi in (0.01, 0.1)
    ]
    assert {run.offset for run in runs} == {0}


def test_reductions_can_be_swept() -> None:
    runs = grid(["bag reduction=[ips,dr]"], learning_rates=[1])

    assert [run.reduction for run in runs] == ["ips", "dr"]


def test_own_learners_can_be_swept() -> None:
    spec = "python:bakeoff.learners.vowpal.Vowpal,options=[--bag 2,--bag 4]"

    assert swept(spec) == [
        "python:bakeoff.learners.vowpal.Vowpal,options=--bag 2",
        "python:bakeoff.learners.vowpal.Vowpal,options=--bag 4",
    ]


def test_a_value_that_is_listed_twice_is_run_once() -> None:
    assert len(grid("bag:n_policies=[4,4]", learning_rates=[1])) == 1


@given(
    st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=3), max_size=3),
    st.sampled_from(["", ",flag", " reduction=dr"]),
)
def test_a_sweep_is_a_product(lists: list[list[int]], end: str) -> None:
    names = [f"key{i}" for i in range(len(lists))]

    def text(values: list[str]) -> str:
        parts = [f"{name}={v}" for name, v in zip(names, values, strict=True)]
        return f"name:{','.join(parts)}{end}"

    found = swept(text([str(some) for some in lists]))

    assert found == [text([*map(str, some)]) for some in itertools.product(*lists)]


@pytest.mark.parametrize(
    "text", ["bag:n_policies=[4", "bag:n_policies=4]", "bag:n_policies=[[4]]", "bag:[4,8]"]
)
def test_brackets_that_hold_no_list_are_refused(text: str) -> None:
    with pytest.raises(SpecError, match=r"written key=\[value,value\]"):
        grid([text])


@pytest.mark.parametrize("text", ["bag:n_policies=[]", "bag:n_policies=[4,]"])
def test_empty_values_are_refused(text: str) -> None:
    with pytest.raises(SpecError, match="has an empty value"):
        grid([text])


def test_a_run_is_not_a_sweep() -> None:
    with pytest.raises(SpecError, match=r"which grid\(\['bag:n_policies=\[4,8\]'\]\)"):
        Run("bag:n_policies=[4,8]")


# ---- what may be written for a grid


def test_one_text_is_a_grid() -> None:
    assert grid("greedy") == grid(["greedy"])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("fixd", "unknown algorithm 'fixd'; did you mean 'fixed'"),
        ("RO", "tables call RegCB-opt so: write 'regcb:c0=0.001,optimistic'"),
        ("C-nu", "tables call Cover-NU so: write 'cover:n_policies=4,psi=0.1,nu'"),
        ("what", "known: active, bag, cover"),
    ],
)
def test_a_name_that_is_none_is_answered_with_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(SpecError, match=hint.replace("(", r"\(")):
        grid([text])


def test_a_run_is_no_text() -> None:
    with pytest.raises(SpecError, match="made of strings such as 'fixed'"):
        grid([Run("greedy")])  # type: ignore[list-item]


def test_a_label_may_have_the_values_of_its_spec() -> None:
    runs = grid("epsilon-greedy:epsilon=[0.05,0.1],label=eG-{epsilon}", learning_rates=[1])

    assert [run.label for run in runs] == ["eG-0.05", "eG-0.1"]
    with pytest.raises(SpecError, match="'gamma'"):
        grid("epsilon-greedy:epsilon=0.1,label=eG-{gamma}")
