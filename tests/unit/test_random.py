"""Random numbers equal the slow reference; jobs get the seeds that the docs give."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.core.jit import bind
from bakeoff.core.random import job_seed, key_of, poisson, uniform
from tests.reference import draws

UNIFORM, POISSON = bind(uniform, "random_uniform"), bind(poisson, "random_poisson")
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
