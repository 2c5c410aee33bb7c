"""What a report reads of a store on the disk."""

from pathlib import Path

import msgspec
import pytest

from bakeoff.judging.reading import read_losses
from bakeoff.reading.catalog.paper import tuning_ids
from bakeoff.store.manifest import Manifest
from bakeoff.store.rows import rows_of
from bakeoff.store.store import Store
from tests.results import result
from tests.stores import FACTS, job_of, runs_at


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        ({"openml_ids": {FACTS.digest: [tuning_ids()[0]]}}, True),
        ({"openml_ids": {"elsewhere": [tuning_ids()[0]]}}, False),
        ({"openml_ids": {}}, False),
        ({}, False),  # of an earlier version
    ],
    ids=["twin", "twin of another", "none", "earlier"],
)
def test_a_twin_in_the_manifest_makes_a_tuning_problem(
    manifest: dict[str, dict[str, list[int]]], expected: bool, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    with store.writing():
        row = result(0.5, digest=FACTS.digest, run="greedy")
        store.write(job_of(runs_at(0.5)), rows_of([row]))
    store.write_manifest(msgspec.convert(manifest, Manifest))

    found = read_losses(store).problems

    assert found["tuning"].to_list() == [expected]
