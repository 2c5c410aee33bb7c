import ast
import copy
import dataclasses
import importlib
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bakeoff
from bakeoff import Run, SpecError, parse, to_text
from bakeoff.core.explorers import EXPLORERS, NAMES
from bakeoff.core.explorers.active import Active
from bakeoff.core.explorers.bag import Bag
from bakeoff.core.explorers.cover import Cover
from bakeoff.core.explorers.epsilon_greedy import EpsilonGreedy, Greedy
from bakeoff.core.explorers.fastcb import FastCB
from bakeoff.core.explorers.first import First
from bakeoff.core.explorers.linmed import LinMED
from bakeoff.core.explorers.lints import LinTS
from bakeoff.core.explorers.linucb import LinUCB
from bakeoff.core.explorers.randregcb import RandRegCB
from bakeoff.core.explorers.regcb import RegCB
from bakeoff.core.explorers.softmax import Softmax
from bakeoff.core.explorers.squarecb import SquareCB
from bakeoff.core.explorers.supervised import Supervised
from bakeoff.core.explorers.synthcover import SynthCover
from bakeoff.runs.run import REDUCTIONS
from bakeoff.runs.specs import spec_of_label
from tests.messages import facts_in
from tests.reference.reductions import DR

POSITIVE = st.floats(0, 1e300, exclude_min=True)
MODEST = st.floats(1e-9, 1e9)
SHARE = st.floats(0, 1)
POLICIES = st.integers(1, 1000)

SETTINGS: dict[str, st.SearchStrategy[Any]] = {
    "active": st.builds(Active, st.floats(0, 1, exclude_min=True), POSITIVE),
    "bag": st.builds(Bag, POLICIES, st.booleans(), st.booleans(), st.booleans()),
    "cover": st.builds(Cover, POLICIES, st.floats(0, 1e5), st.booleans()),
    "epsilon-greedy": st.builds(EpsilonGreedy, SHARE, SHARE, st.booleans()),
    "fastcb": st.builds(FastCB, POSITIVE, SHARE, st.booleans()),
    "first": st.builds(First, st.integers(0, 10**9)),
    "greedy": st.builds(Greedy),
    "linmed": st.builds(LinMED, SHARE, st.floats(0, 1, exclude_min=True), MODEST),
    "lints": st.builds(LinTS, MODEST, MODEST),
    "linucb": st.builds(LinUCB, st.floats(0, 1e9), MODEST),
    "randregcb": st.builds(RandRegCB, POSITIVE, st.booleans()),
    "regcb": st.builds(RegCB, POSITIVE, st.booleans()),
    "softmax": st.builds(Softmax, POSITIVE, SHARE, st.booleans()),
    "squarecb": st.builds(SquareCB, POSITIVE, SHARE, POSITIVE, st.booleans(), st.booleans()),
    "supervised": st.builds(Supervised),
    "synthcover": st.builds(SynthCover, POSITIVE),
}
ANY_SETTINGS = st.one_of(*SETTINGS.values())


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Any run that makes sense."""
    settings = draw(ANY_SETTINGS)
    record = EXPLORERS[to_text(settings).partition(":")[0]]
    reduction = draw(st.sampled_from((None, *record.reductions)))
    if getattr(settings, "epsilon", 1) == 0 or getattr(settings, "exponential", False):
        reduction = "iwr"
    if getattr(settings, "logistic", False) and record.reductions:
        reduction = "iwr"
    learning_rate = draw(st.floats(1e-30, 1e30))
    if record.sees_all_costs:
        return Run(settings, reduction, learning_rate)
    chosen = reduction or record.default_reduction(settings)
    log_loss = record.has_log_loss(settings)
    may_have_baseline = chosen != "ips" and not record.own_oracle and not log_loss
    return Run(
        settings,
        reduction,
        learning_rate,
        offset=draw(st.floats(-1e5, 1e5)),
        baseline=may_have_baseline and draw(st.booleans()),
        seed=draw(st.integers(0, 2**63 - 1)),
    )


# ---- specs


def test_every_explorer_has_settings_to_try() -> None:
    assert sorted(SETTINGS) == sorted(EXPLORERS)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("active", Active(epsilon=0.02, c0=1e-6)),
        ("bag", Bag(n_policies=4, greedy=False)),
        ("cover", Cover(n_policies=4, psi=0.1, nu=False)),
        ("epsilon-greedy", EpsilonGreedy(epsilon=0.02)),
        ("greedy", Greedy()),
        ("regcb", RegCB(c0=1e-3, optimistic=False)),
        ("squarecb", SquareCB(gamma=100.0, exponent=0.5, c0=1e-3, elim=False, by_cost=False)),
        ("supervised", Supervised()),
    ],
)
def test_a_name_alone_means_the_choices_in_bold_in_the_paper(name: str, settings: Any) -> None:
    assert parse(name) == settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("active:c0=0.5,epsilon=1", Active(1.0, 0.5)),
        ("bag:greedy", Bag(4, True)),
        ("bag:greedy,n_policies=16", Bag(16, True)),
        ("cover:nu", Cover(4, 0.1, True)),
        ("cover: psi = 1e-2 , nu", Cover(4, 0.01, True)),
        ("cover:", Cover()),
        ("epsilon-greedy:epsilon=0", EpsilonGreedy(0.0)),
        ("regcb:c0=10,optimistic", RegCB(10.0, True)),
    ],
)
def test_a_spec_sets_some_parameters_in_any_order(text: str, settings: Any) -> None:
    assert parse(text) == settings


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (Active(), "active:epsilon=0.02,c0=1e-06"),
        (Bag(greedy=True), "bag:n_policies=4,greedy"),
        (Cover(), "cover:n_policies=4,psi=0.1"),
        (Cover(1, 0.0, True), "cover:n_policies=1,psi=0.0,nu"),
        (EpsilonGreedy(), "epsilon-greedy:epsilon=0.02"),
        (Greedy(), "greedy"),
        (RegCB(0.25, True), "regcb:c0=0.25,optimistic"),
        (Supervised(), "supervised"),
    ],
)
def test_the_text_of_settings_names_every_value_in_order(settings: Any, text: str) -> None:
    assert to_text(settings) == text


@given(ANY_SETTINGS)
def test_settings_survive_the_way_through_text(settings: Any) -> None:
    text = to_text(settings)

    assert parse(text) == settings
    assert to_text(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("covr", "unknown explorer 'covr' in 'covr'; did you mean 'cover'?"),
        ("Greedy:", "unknown explorer 'Greedy' in 'Greedy:'; did you mean 'greedy'?"),
        ("xyz", f"unknown explorer 'xyz' in 'xyz'; known: {', '.join(sorted(EXPLORERS))}"),
        ("cover:phi=1", "'cover' has no parameter 'phi' (in 'cover:phi=1'); did you mean 'psi'?"),
        ("cover:4", "'cover' has no parameter '4' (in 'cover:4'); known: n_policies, nu, psi"),
        (
            "greedy:epsilon=0.1",
            "'greedy' has no parameter 'epsilon' (in 'greedy:epsilon=0.1'); it has none",
        ),
        ("cover:nu=1", "'nu' in 'cover:nu=1' is a flag and takes no value"),
        ("cover:nu=", "'nu' in 'cover:nu=' is a flag and takes no value"),
        ("cover:psi", "'psi' in 'cover:psi' needs a value: psi=..."),
        ("cover:psi=", "'psi' in 'cover:psi=' needs a value: psi=..."),
        ("cover:psi=1,psi=1", "'psi' is given twice in 'cover:psi=1,psi=1'"),
        ("cover:nu,nu", "'nu' is given twice in 'cover:nu,nu'"),
        ("cover:psi=x", "psi in 'cover:psi=x' must be a number, got 'x'"),
        ("bag:n_policies=4.5", "n_policies in 'bag:n_policies=4.5' must be an integer, got '4.5'"),
        ("bag:n_policies=0", "'bag:n_policies=0': n_policies must lie between 1 and 1000, got 0"),
        (
            "cover:n_policies=1001",
            "'cover:n_policies=1001': n_policies must lie between 1 and 1000, got 1001",
        ),
        ("cover:psi=-1", "'cover:psi=-1': psi must lie between 0 and 100000, got -1.0"),
        ("cover:psi=nan", "'cover:psi=nan': psi must lie between 0 and 100000, got nan"),
        ("cover:psi=1e18", "'cover:psi=1e18': psi must lie between 0 and 100000, got 1e+18"),
        ("regcb:c0=0", "'regcb:c0=0': c0 must be positive, got 0.0"),
        ("regcb:c0=inf", "'regcb:c0=inf': c0 must be positive, got inf"),
        ("active:c0=0", "'active:c0=0': c0 must be positive, got 0.0"),
        ("active:epsilon=0", "'active:epsilon=0': epsilon must be positive and at most 1, got 0.0"),
        (
            "epsilon-greedy:epsilon=1.5",
            "'epsilon-greedy:epsilon=1.5': epsilon must lie between 0 and 1, got 1.5",
        ),
        (
            "epsilon-greedy:epsilon=nan",
            "'epsilon-greedy:epsilon=nan': epsilon must lie between 0 and 1, got nan",
        ),
    ],
)
def test_a_bad_spec_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(text)

    assert facts_in(str(caught.value)) == facts_in(message) != set()


@pytest.mark.parametrize("thing", [None, 5, b"greedy", ["greedy"], Cover()])
def test_only_text_is_parsed(thing: Any) -> None:
    with pytest.raises(SpecError, match=r"a spec is a string such as 'cover:psi=0\.1'"):
        parse(thing)


@pytest.mark.parametrize("thing", [None, 5, Cover, object(), {"psi": 0.1}])
def test_only_settings_have_a_spec(thing: Any) -> None:
    with pytest.raises(SpecError, match="not the settings of an explorer"):
        to_text(thing)


# ---- runs


@pytest.mark.parametrize(
    ("spec", "reduction", "label"),
    [
        ("active", "iwr", "A"),
        ("bag", "iwr", "B"),
        ("bag:greedy", "iwr", "B-g"),
        ("cover", "ips", "C-u"),
        ("cover:nu", "dr", "C-nu"),
        ("epsilon-greedy", "iwr", "eG"),
        ("epsilon-greedy:epsilon=0", "iwr", "G"),
        ("greedy", "iwr", "G"),
        ("regcb", None, "R"),
        ("regcb:optimistic", None, "RO"),
        ("supervised", None, "OAA"),
    ],
)
def test_a_run_has_the_reduction_and_the_label_of_the_paper(
    spec: str, reduction: str | None, label: str
) -> None:
    run = Run(spec)

    assert run.reduction == reduction
    assert run.label == label


def test_a_run_has_defaults_for_everything_but_the_explorer() -> None:
    run = Run("greedy")

    assert (run.learning_rate, run.offset, run.baseline, run.seed) == (0.5, -1, False, 0)


def test_a_run_keeps_the_full_spec() -> None:
    run = Run("cover:nu")

    assert run.explorer == "cover:n_policies=4,psi=0.1,nu"
    assert run.settings == Cover(nu=True)


def test_a_negative_zero_is_zero() -> None:
    run = Run("greedy", offset=-0.0)

    other = Run("greedy", offset=0)
    assert run == other
    assert str(run) == str(other)
    assert (run.encoding, hash(run)) == ("0/1", hash(other))


@pytest.mark.parametrize(
    ("offset", "encoding"), [(0, "0/1"), (-1, "-1/0"), (9, "9/10"), (-0.5, "-0.5/0.5")]
)
def test_the_encoding_names_the_losses_of_right_and_wrong(offset: float, encoding: str) -> None:
    assert Run("greedy", offset=offset).encoding == encoding
    assert Run("greedy", encoding=encoding) == Run("greedy", offset=offset)
    assert Run("greedy", offset=offset, encoding=encoding).offset == offset


def test_an_offset_and_an_encoding_that_differ_are_refused() -> None:
    with pytest.raises(SpecError, match="is encoding '0/1', got '-1/0' too"):
        Run("greedy", offset=0, encoding="-1/0")


def test_the_skyline_has_no_encoding() -> None:
    assert Run("supervised").offset == 0
    with pytest.raises(SpecError, match="no effect on 'supervised'"):
        Run("supervised", encoding="-1/0")


# ---- labels


def test_a_label_names_a_run_in_tables() -> None:
    run = Run("epsilon-greedy:epsilon=0.1,label=mine")

    assert run.label == "mine"
    assert run.explorer == "epsilon-greedy:epsilon=0.1,label=mine"
    assert run.settings == EpsilonGreedy(0.1)
    assert Run.from_text(str(run)) == run
    assert Run("greedy:label=x").explorer == "greedy:label=x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("greedy:label=", "must be one word"),
        ("greedy:label=two words", "must be one word"),
        ("greedy:label=a,label=b", "'label' is given twice"),
        ("greedy:label=RO", "'RO' in 'greedy:label=RO' is what tables call RegCB-opt"),
    ],
)
def test_a_bad_label_is_refused(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Run(text)


@pytest.mark.parametrize("label", list(NAMES))
def test_the_label_of_a_table_is_answered_with_its_spec(label: str) -> None:
    spec = spec_of_label(label)

    assert spec is not None
    assert Run(spec).label == label
    with pytest.raises(SpecError, match=f"write '{spec}'"):
        parse(label)


ADMITTED = {
    "active": {"ips", *DR, "iwr"},
    "bag": {"ips", *DR, "iwr"},
    "cover": {"ips", *DR},
    "epsilon-greedy": {"ips", *DR, "iwr"},
    "greedy": {"iwr"},
    "regcb": set(),
    "supervised": set(),
}


@pytest.mark.parametrize("name", ADMITTED)
def test_an_explorer_admits_the_reductions_of_the_paper(name: str) -> None:
    admitted = set()
    for reduction in REDUCTIONS:
        try:
            admitted.add(Run(name, reduction).reduction)
        except SpecError:
            continue

    assert admitted == ADMITTED[name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"explorer": "regcb", "reduction": "iwr"},
            "'regcb' does not take reduction 'iwr'; it learns in its own way: give none",
        ),
        (
            {"explorer": "supervised", "reduction": "dr"},
            "'supervised' does not take reduction 'dr'; it learns in its own way: give none",
        ),
        (
            {"explorer": "cover:nu", "reduction": "iwr"},
            "'cover' does not take reduction 'iwr'; it takes ips or dr",
        ),
        (
            {"explorer": "greedy", "reduction": "ips"},
            "'greedy' does not take reduction 'ips'; it takes iwr",
        ),
        (
            {"explorer": "greedy", "reduction": "dr"},
            "'greedy' does not take reduction 'dr'; it takes iwr",
        ),
        ({"explorer": "bag", "reduction": "iws"}, "unknown reduction 'iws'; did you mean 'iwr'?"),
        ({"explorer": "bag", "reduction": "none"}, "unknown reduction 'none'; known: dr, ips, iwr"),
        ({"explorer": "bag", "reduction": 3}, "unknown reduction 3; known: dr, ips, iwr"),
        (
            {"explorer": "epsilon-greedy:epsilon=0", "reduction": "ips"},
            "'epsilon-greedy:epsilon=0.0' does not explore, so only reduction 'iwr' "
            "makes sense, got 'ips'",
        ),
        (
            {"explorer": "epsilon-greedy:epsilon=0", "reduction": "dr"},
            "'epsilon-greedy:epsilon=0.0' does not explore, so only reduction 'iwr' "
            "makes sense, got 'dr'",
        ),
        (
            {"explorer": "bag", "reduction": "ips", "baseline": True},
            "'bag' with reduction 'ips' takes no baseline: it estimates no losses",
        ),
        (
            {"explorer": "cover", "baseline": True},
            "'cover' with reduction 'ips' takes no baseline: it estimates no losses",
        ),
        (
            {"explorer": "supervised", "baseline": True},
            "'supervised' takes no baseline: it estimates no losses",
        ),
        (
            {"explorer": "supervised", "offset": -1},
            "offset and seed have no effect on 'supervised': leave them out",
        ),
        (
            {"explorer": "supervised", "seed": 1},
            "offset and seed have no effect on 'supervised': leave them out",
        ),
    ],
)
def test_a_run_that_makes_no_sense_is_refused_in_a_sentence(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError) as caught:
        Run(**arguments)

    assert facts_in(str(caught.value)) == facts_in(message) != set()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("learning_rate", 0, "learning_rate must be positive"),
        ("learning_rate", -0.5, "learning_rate must be positive"),
        ("learning_rate", 1e-50, "learning_rate must be positive (1e-30 to 1e30)"),
        ("learning_rate", 1e50, "learning_rate must be positive (1e-30 to 1e30)"),
        ("learning_rate", math.nan, "learning_rate must be finite, got nan"),
        ("learning_rate", math.inf, "learning_rate must be finite, got inf"),
        ("learning_rate", "fast", "learning_rate must be a number, got 'fast'"),
        ("learning_rate", None, "learning_rate must be a number, got None"),
        ("offset", math.nan, "offset must be finite, got nan"),
        ("offset", -math.inf, "offset must be finite, got -inf"),
        ("offset", 1e6, "offset must lie between -1e5 and 1e5, got 1000000.0"),
        ("offset", "-1/0", "offset must be a number, got '-1/0'"),
        ("seed", -1, "seed must lie between 0 and 2^63 - 1, got -1"),
        ("seed", 2**63, "seed must lie between 0 and 2^63 - 1"),
        ("seed", 1.5, "seed must be an integer, got 1.5"),
        ("seed", math.nan, "seed must be an integer, got nan"),
        ("seed", "1", "seed must be an integer, got '1'"),
        ("seed", None, "seed must be an integer, got None"),
        ("baseline", "no", "baseline must be True or False, got 'no'"),
        ("baseline", None, "baseline must be True or False, got None"),
    ],
)
def test_a_number_out_of_range_is_refused(key: str, value: Any, message: str) -> None:
    arguments = {key: value}

    with pytest.raises(SpecError) as caught:
        Run("greedy", **arguments)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [Bag(n_policies=2.5), Bag(n_policies=True), Bag(greedy="no"), 3, Cover],  # type: ignore[arg-type]
)
def test_a_run_refuses_settings_that_have_no_spec(settings: Any) -> None:
    with pytest.raises(SpecError):
        Run(settings)


@given(runs())
def test_a_run_survives_the_way_through_text(run: Run) -> None:
    assert Run.from_text(str(run)) == run


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("greedy", Run("greedy")),
        ("  greedy   learning_rate=3 ", Run("greedy", learning_rate=3)),
        ("cover:nu seed=3,offset=-1", Run("cover:nu", seed=3, offset=-1)),
        ("bag baseline,reduction=dr", Run("bag", "dr", baseline=True)),
    ],
)
def test_the_text_of_a_run_may_leave_out_defaults(text: str, run: Run) -> None:
    assert Run.from_text(text) == run


def test_the_text_of_a_run_names_all_its_settings() -> None:
    run = Run("bag", "dr", learning_rate=3, offset=-1, baseline=True, seed=2)

    assert str(run) == (
        "bag:n_policies=4 reduction=dr,learning_rate=3.0,offset=-1.0,baseline,seed=2"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown explorer ''"),
        ("gredy seed=1", "unknown explorer 'gredy' in 'gredy'; did you mean 'greedy'?"),
        ("greedy lr=1", "'run' has no parameter 'lr' (in 'greedy lr=1'); known: "),
        ("greedy learningrate=1", "did you mean 'learning_rate'?"),
        ("greedy explorer=bag", "'run' has no parameter 'explorer'"),
        ("greedy baseline=1", "'baseline' in 'greedy baseline=1' is a flag"),
        ("greedy offset", "'offset' in 'greedy offset' needs a value: offset=..."),
        ("greedy seed=1.0", "seed in 'greedy seed=1.0' must be an integer, got '1.0'"),
        ("greedy reduction=ips", "'greedy' does not take reduction 'ips'"),
    ],
)
def test_a_bad_text_of_a_run_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        Run.from_text(text)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Run("cover:nu"), Run(Cover(nu=True), "dr")),
        (Run("epsilon-greedy:epsilon=1"), Run(EpsilonGreedy(1))),
        (Run("greedy", learning_rate=1, seed=4), Run(Greedy(), None, 1.0, -1.0, False, 4)),
        (Run("bag", offset=-1), Run("bag:n_policies=4", offset=np.float64(-1))),
        (Run("bag", baseline=True), Run("bag", baseline=np.True_)),  # type: ignore[arg-type]
        (Run("bag", seed=7), Run("bag", seed=np.int64(7))),  # type: ignore[arg-type]
    ],
)
def test_runs_with_the_same_settings_are_equal(one: Run, other: Run) -> None:
    assert one == other
    assert hash(one) == hash(other)
    assert str(one) == str(other)


def test_runs_with_different_settings_differ() -> None:
    base = Run("bag", "dr")
    others = [
        dataclasses.replace(base, explorer="bag:greedy"),
        dataclasses.replace(base, reduction="iwr"),
        dataclasses.replace(base, learning_rate=0.25),
        dataclasses.replace(base, offset=1),
        dataclasses.replace(base, baseline=True),
        dataclasses.replace(base, seed=1),
    ]

    assert len({base, *others}) == 7


def test_a_run_cannot_be_changed() -> None:
    run = Run("greedy")

    with pytest.raises(dataclasses.FrozenInstanceError):
        run.seed = 3  # type: ignore[misc]


def test_replacing_a_part_of_a_run_checks_it_again() -> None:
    with pytest.raises(SpecError, match="takes no baseline"):
        dataclasses.replace(Run("bag", "ips"), baseline=True)


@given(runs())
def test_a_run_can_be_pickled_and_copied(run: Run) -> None:
    assert pickle.loads(pickle.dumps(run)) == run
    assert copy.deepcopy(run) == run


# ---- public names


def test_public_names_are_sorted_and_complete() -> None:
    module = ast.parse(Path(str(bakeoff.__file__)).read_text())
    seen_by_type_checkers = [
        alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and "bakeoff." in str(node.module)
        for alias in node.names
        if alias.asname == alias.name
    ]

    public = sorted([*bakeoff.__all__, "open"])  # which `import *` leaves alone
    assert public == sorted(seen_by_type_checkers)
    assert public == sorted(bakeoff._HOMES)


@pytest.mark.parametrize("name", bakeoff.__all__)
def test_a_public_name_is_imported_from_its_home_on_first_use(name: str) -> None:
    home = importlib.import_module(f"bakeoff.{bakeoff._HOMES[name]}")

    assert getattr(bakeoff, name) is getattr(home, name)


def test_dir_lists_the_public_names() -> None:
    assert set(bakeoff.__all__) <= set(dir(bakeoff))
    assert dir(bakeoff) == sorted(dir(bakeoff))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'bakeoff' has no attribute 'nonsense'"):
        bakeoff.nonsense  # noqa: B018
