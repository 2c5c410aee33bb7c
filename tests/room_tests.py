"""The tests of one room: `scripts/test ROOM [pytest options]`.

These are the tests in tests/unit/ROOM, those named below, and those of the doors between
rooms. `make test` runs all tests of all rooms.
"""

import sys
from pathlib import Path

import pytest

from tests.rooms import rooms

ROOT = Path(__file__).parents[1]
COMMON = ["unit/test_package.py"]
MORE = {
    "basics": ["hostile/test_files.py"],
    "core": ["parity/test_reference_small.py", "parity/test_many_lanes.py"],
    "runs": ["end_to_end/test_sweeps.py"],
    "data": [],
    "reading": [
        "property/test_arff.py",
        "property/test_sparse_*.py",
        "property/test_tables.py",
        "end_to_end/test_bad_inputs.py",
        "end_to_end/test_datasets.py",
    ],
    "simulation": ["parity/test_many_lanes.py"],
    "learners": [
        "property/test_conformance.py",
        "hostile/test_learners.py",
        "end_to_end/test_own_*.py",
    ],
    "live": ["live", "serving", "property/test_learner.py"],
    "evaluation": ["end_to_end/test_evaluate*.py"],
    "store": ["golden/test_store.py", "hostile/test_store.py", "end_to_end/test_forget.py"],
    "experiment": ["property/test_experiment.py", "end_to_end/test_dask.py"],
    "judging": ["property/test_statistics.py"],
    "report": ["end_to_end/test_report.py", "end_to_end/test_page*.py"],
    "reproduction": ["unit/test_reproduction.py", "end_to_end/test_reproduce.py"],
    "commands": ["unit/test_console.py", "hostile/test_surroundings.py", "end_to_end/test_run.py"],
}


def paths_of(room: str) -> list[Path]:
    """The files and folders of tests that belong to a room."""
    own = [path for path in [ROOT / "tests" / "unit" / room] if path.is_dir()]
    patterns = [*MORE[room], *COMMON]
    return [*own, *(path for one in patterns for path in sorted((ROOT / "tests").glob(one)))]


def main(words: list[str]) -> int:
    """Run the tests of the room that is named first; the rest goes to pytest."""
    names = list(rooms())
    if not words or words[0] not in names:
        sys.stderr.write(f"usage: scripts/test ROOM [pytest options]; rooms: {', '.join(names)}\n")
        return 2
    return int(pytest.main(["-q", *map(str, paths_of(words[0])), *words[1:]]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
