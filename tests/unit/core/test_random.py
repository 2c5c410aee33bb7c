"""Random numbers equal the slow reference; jobs get the seeds that the docs give."""

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.explorers.base import ranges_of
from bakeoff.core.jit import bind
from bakeoff.core.random import (
    ACTION,
    EXPLORER,
    POLICY,
    STREAMS,
    job_seed,
    key_of,
    normal,
    poisson,
    uniform,
)
from tests.reference import draws

UNIFORM, POISSON = bind(uniform, "random_uniform"), bind(poisson, "random_poisson")
NORMAL = bind(normal, "random_normal")
SEEDS = st.integers(0, 2**32 - 1)


@settings(deadline=None)  # the first call may compile
@given(SEEDS, st.integers(1, 10**9), st.integers(0, 65535))
def test_a_uniform_number_equals_the_reference(seed: int, t: int, stream: int) -> None:
    with np.errstate(over="ignore"):
        found = UNIFORM(key_of(seed), t, stream)

    assert found == draws.uniform(draws.key_of(seed), t, stream)


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**63])
def test_a_key_equals_the_reference(seed: int) -> None:
    assert int(key_of(seed)) == draws.key_of(seed)


@settings(deadline=None)  # the first call may compile
@given(st.floats(0, 1, exclude_max=True))
def test_tau_equals_the_reference(u: float) -> None:
    assert POISSON(u) == draws.poisson(u)


@pytest.mark.parametrize("far", [2**-20, 2**-40, 2**-53])
def test_tau_equals_the_reference_far_out(far: float) -> None:
    assert POISSON(1 - far) == draws.poisson(1 - far) > 5


def test_a_job_has_the_seed_that_the_page_on_arithmetic_gives() -> None:
    digest = hashlib.sha256(b"3 7 abc").hexdigest()

    assert job_seed(3, 7, "abc") == int(digest[:8], 16)


def test_no_two_owners_share_a_stream() -> None:
    policies = [ranges_of(one.settings).get("n_policies") for one in EXPLORERS.values()]
    most = int(max(allowed.high for allowed in policies if allowed))

    assert most == 1000
    assert ACTION < POLICY < POLICY + most <= EXPLORER < int(STREAMS)


@settings(deadline=None)  # the first call may compile
@given(st.floats(0, 1, exclude_max=True))
def test_a_normal_number_equals_the_reference(u: float) -> None:
    assert NORMAL(u) == draws.normal(u)


@pytest.mark.parametrize("u", [0.0, 2.0**-53, 0.075, 0.5, 0.925, 1 - 2.0**-53])
def test_normal_numbers_are_finite_at_the_ends_of_their_ranges(u: float) -> None:
    assert math.isfinite(NORMAL(u))
    assert NORMAL(u) == draws.normal(u)


def test_normal_numbers_lie_where_the_normal_distribution_says() -> None:
    u = np.linspace(0, 1, 1001)[1:-1]

    z = np.array([NORMAL(one) for one in u])

    back = np.array([0.5 * math.erfc(-one / math.sqrt(2)) for one in z])
    assert np.abs(back - u).max() < 1e-15  # the method is good to 16 digits
    assert (np.diff(z) > 0).all()
