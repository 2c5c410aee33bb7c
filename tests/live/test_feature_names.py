"""Named features: what they are, where they are, and what is refused."""

import datetime
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.utils import murmurhash3_32

from bakeoff import DataError, Learner, SpecError
from bakeoff.live.feature_names import Names
from bakeoff.live.murmur import murmurhash3
from bakeoff.live.paired import crossed


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8")))
def test_the_hash_is_that_of_scikit_learn(text: str) -> None:
    assert murmurhash3(text) == murmurhash3_32(text, positive=True)


def features(x: dict[str, Any], bits: int | None = None) -> dict[str, float]:
    """Features by name, from a space that remembers them."""
    names = Names(bits)
    place, value = names.encode(x)
    return {names.known[i]: v for i, v in zip(place, value, strict=True)}


def test_numbers_texts_flags_and_lists_are_features() -> None:
    x = {
        "age": 31, "height": 1.75, "city": "Rome", "member": True, "guest": False,
        "tags": ["a", "b"], "none": None, "n": np.float32(0.5), "set": {"q", "p"},
    }  # fmt: skip

    assert features(x) == {
        "age": 31.0, "height": 1.75, "city=Rome": 1.0, "member": 1.0, "guest": 0.0,
        "tags=a": 1.0, "tags=b": 1.0, "n": 0.5, "set=p": 1.0, "set=q": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    "value", [datetime.date(2026, 1, 1), b"bytes", {"a": 1}, [1, 2], [None], object(), 10**400]
)
@pytest.mark.parametrize("before", [[], [1.0, 2.0], ["b", "c"]])
def test_what_is_no_feature_is_refused(value: Any, before: list[Any]) -> None:
    learner = Learner("greedy", 2)
    for plain in before:  # from the second on, names are known
        learner.choose({"a": plain})

    with pytest.raises(DataError):
        learner.choose({"a": value})

    assert learner.t == len(before)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e19])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    with pytest.raises(DataError, match="finite"):
        Learner("greedy", 2).choose({"a": value})


def test_names_must_be_texts() -> None:
    with pytest.raises(DataError, match=r"names .*got 3"):
        Learner("greedy", 2).choose({3: 1.0})


def test_an_empty_context_is_a_context() -> None:
    assert len(Learner("greedy", 2).choose({}).probabilities) == 2


PLAIN = st.floats(-1e6, 1e6) | st.integers(-1000, 1000) | st.sampled_from("abcd")
ANY = PLAIN | st.none() | st.booleans() | st.lists(st.sampled_from("abc"), max_size=3)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(st.sampled_from("uvwxyz"), ANY), max_size=12))
def test_what_came_before_does_not_matter(contexts: list[dict[str, Any]]) -> None:
    used = Names(18)

    for x in contexts:
        place, value = used.encode(x)
        fresh_place, fresh_value = Names(18).encode(x)
        assert_array_equal(place, fresh_place)
        assert_array_equal(value, fresh_value)


def test_collisions_are_counted() -> None:
    names = Names(4)
    names.encode({f"f{i}": 1.0 for i in range(100)})

    places = {murmurhash3(f"f{i}") % 16 for i in range(100)}
    assert names.collisions == 100 - len(places)


def test_places_do_not_depend_on_what_came_before() -> None:
    one, other = Names(18), Names(18)
    other.encode({"z": 1.0, "y": "q"})

    x = {"a": 1.0, "b": "text"}

    assert_array_equal(one.encode(x)[0], other.encode(x)[0])


@pytest.mark.parametrize("bits", [0, 29, 2.5, "a"])
def test_a_size_that_makes_no_sense_is_refused(bits: Any) -> None:
    with pytest.raises(SpecError, match=r"bits .*28"):
        Learner("greedy", 2, bits=bits)


def test_pairs_are_spread_over_the_space() -> None:
    places = np.arange(100) * 7919 % 2**18
    ones = np.ones(100)

    place, value = crossed((places, ones), (places + 1, 2 * ones), 2**18)

    assert len(set(place.tolist())) > 0.97 * 10_000  # 2 % would collide at random
    assert (value == 2.0).all()
    assert ((place >= 0) & (place < 2**18)).all()


def test_a_row_of_a_frame_is_a_context() -> None:
    frame = pl.DataFrame({"age": [31, 40], "city": ["Rome", "Oslo"]})
    one, other = (Learner("bag", 3, seed=1) for _ in range(2))

    assert_array_equal(
        one.choose(frame[0]).probabilities, other.choose({"age": 31, "city": "Rome"}).probabilities
    )
    with pytest.raises(DataError, match="got 2 rows"):
        one.choose(frame)


def test_a_row_of_pandas_is_a_context() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [31, 40], "city": ["Rome", "Oslo"]})
    x = {"age": 31, "city": "Rome"}
    learners = [Learner("bag", 3, seed=1) for _ in range(3)]

    found = [
        learner.choose(row)
        for learner, row in zip(learners, [frame.iloc[0], frame.iloc[[0]], x], strict=True)
    ]

    assert len({decision.action for decision in found}) == 1
    assert found[0].context == {"age": 31, "city": "Rome"}


def test_what_a_row_of_pandas_lacks_is_left_out() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([{"a": 1.0, "b": np.nan, "c": None, "d": "x"}])
    learner = Learner("greedy", 2, seed=1)

    decision = learner.choose(frame.iloc[0])
    learner.choose(frame)
    learner.choose_batch(frame)

    assert decision.context == {"a": 1.0, "b": None, "c": None, "d": "x"}


def test_a_feature_that_is_too_deep_is_refused_with_a_sentence() -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _ in range(20_000):
        inner["a"] = inner = {}
    with pytest.raises(DataError, match="a dict that is too deep"):
        Learner("greedy", 2, seed=1).choose({"u": deep})


def test_texts_next_to_each_other_are_where_they_are_one_by_one() -> None:
    names, rng = Names(18), np.random.default_rng(1)
    for _ in range(60):  # the first contexts make plans; later ones have new texts now and then
        x: dict[str, Any] = {
            name: f"v{int(rng.integers(9))}" if name in "acdefgi" else float(rng.random())
            for name in "abcdefghi"
        }
        place, value = names.encode(x)
        expected = Names(18)._encode_one_by_one(x, tuple(x))
        assert_array_equal(place, expected[0])
        assert_array_equal(value, expected[1])
    plan = names._plan
    assert plan is not None
    assert [block[:2] for block in plan.blocks] == [(2, 7)]
    assert [i for i, _ in plan.texts] == [0, 8]
