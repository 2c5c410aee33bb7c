"""Bad inputs: each is refused with one sentence that says what, where and what else."""

import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff
import tests.bad_inputs
from tests.bad_inputs.case import Bad

TABLES = [
    importlib.import_module(f"tests.bad_inputs.{module.name}")
    for module in pkgutil.iter_modules(tests.bad_inputs.__path__)
    if module.name != "case"
]
CASES: dict[str, Bad] = {
    f"{table.__name__.rpartition('.')[2]}: {case.title}": case
    for table in TABLES
    for case in table.CASES
}


def test_there_are_many() -> None:
    assert len(CASES) >= 60


@pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_python_raises_a_data_error_of_one_sentence(case: Bad, tmp_path: Path) -> None:
    path = case.write(tmp_path)

    with pytest.raises(bakeoff.DataError) as caught:
        bakeoff.load(path, **case.options)

    message = str(caught.value)
    assert case.fits(message), message
    assert path.name in message
    assert "\n" not in message
    assert len(message) < 600
    assert not message.endswith(".")


def command_line(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bakeoff", "datasets", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_line_lists_all_of_them_with_exit_code_3(tmp_path: Path) -> None:
    paths = {}
    for number, case in enumerate(CASES.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = case.write(folder)
        if not case.options and not path.is_dir() and path.exists():
            paths[str(path)] = case

    done = command_line(["--json", *paths])

    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    rows = json.loads(done.stdout)
    assert [row["source"] for row in rows] == list(paths)
    for row in rows:
        assert paths[row["source"]].fits(row["error"]), row["error"]
        assert f"error: {row['error']}" in done.stderr.splitlines()
        assert row["n"] is None


@pytest.mark.parametrize("word", ["no-such-file.csv", "embeded", "openml:iris"])
def test_a_source_that_is_not_there_ends_with_exit_code_3(word: str) -> None:
    done = command_line([word])

    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert word in done.stderr
    assert done.stderr.count("\n") == 1
