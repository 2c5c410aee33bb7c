"""The rows of the paper's grid are those of each version before, to the last bit."""

from pathlib import Path

import polars as pl
import pytest

from tests.golden.files import HERE, read_json
from tests.golden.results import IN_BOTH, PLATFORM, changes, hash_of
from tests.terminal import Terminal


@pytest.mark.slow
def test_results_are_unchanged(bakeoff: Terminal, tmp_path: Path) -> None:
    done = bakeoff(*IN_BOTH, "--quiet", "--out", tmp_path / "store")
    assert done.code == 0, done.err
    known = [*HERE.glob("*/results.json")]
    assert known
    for path in known:
        golden = read_json(path)

        found = changes(golden, tmp_path / "store")

        if found and golden["platform"] != PLATFORM:
            pytest.skip(f"{len(found)} cells differ, but this is {PLATFORM}")
        many = f"{len(found)} of {len(golden['cells'])} cells have changed"
        assert not found, "\n".join([f"{path.parent.name}: {many}", *found[:20]])


@pytest.mark.parametrize(
    "changed",
    [
        [("a", 0.5, [1.0, 2.0]), ("b", None, None)],
        [("a", 0.5000000000000001, [1.0]), ("b", None, None)],
        [("a", 0.5, [1.0]), ("b", 0.0, None)],
        [("a", 0.5, [1.0]), ("b", None, [1.0])],
        [("a", 0.5, [1.0]), ("c", None, None)],
    ],
)
def test_a_hash_notices_every_change(changed: list[object]) -> None:
    schema = {"run": pl.String(), "pv_loss": pl.Float64(), "curve": pl.List(pl.Float64())}

    def table(rows: list[object]) -> pl.DataFrame:
        return pl.DataFrame(rows, schema, orient="row")

    golden = hash_of(table([("a", 0.5, [1.0]), ("b", None, None)]))

    assert golden == hash_of(table([("a", 0.5, [1.0]), ("b", None, None)]))
    assert golden != hash_of(table(changed))
