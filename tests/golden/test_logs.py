"""A log of each version before is read, verified and evaluated as it was."""

import json
import shutil
from pathlib import Path

import pytest

from bakeoff import DataNotice, read_log
from bakeoff.reading.logs.parts import parts_of
from tests.golden.files import VERSIONS, differences, read_json
from tests.golden.logs import EVALUATE, FOLDER, LOG, VERIFY, facts_of
from tests.terminal import Terminal

MENDED = {  # numbers of old versions that were wrong, and why
    "v0.2.0": (
        "/evaluations/0/checks/0/p_value",  # the check of the mean weight holds for every n
        "/evaluations/2/checks/0/p_value",
        "/evaluations/0/estimates/clipped/low",  # an interval holds its estimate
        "/evaluations/2/estimates/clipped/low",
        "/evaluations/0/advice",  # and says that it was widened for that
        # a bound and no normal distribution, which accused sound logs in which actions are rare
        *(f"/evaluations/{i}/checks/1/text" for i in range(3)),
        # Student's distribution, not the normal one
        *(f"/evaluations/{i}/checks/2/p_value" for i in range(3)),
    )
}


@pytest.fixture(params=VERSIONS, ids=lambda version: version.name)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of golden files; its log is in the current folder."""
    found: Path = request.param / FOLDER
    shutil.copytree(found, tmp_path, dirs_exist_ok=True)
    return found


def test_all_parts_are_read(golden: Path, tmp_path: Path) -> None:
    assert len(parts_of(tmp_path / LOG)) == 3
    with pytest.warns(DataNotice, match="15 decisions without an outcome"):
        log = read_log(tmp_path / LOG)

    assert log.n == 135
    assert differences(read_json(golden / "read.json"), facts_of(log)) == []


@pytest.mark.parametrize("command", [VERIFY, EVALUATE], ids=lambda words: words[0])
def test_commands_say_the_same(golden: Path, bakeoff: Terminal, command: tuple[str, ...]) -> None:
    done = bakeoff(*command)

    assert done.code == 0, done.err
    known, today = read_json(golden / f"{command[0]}.json"), json.loads(done.out)
    for old, new in zip(known.get("evaluations", []), today.get("evaluations", []), strict=True):
        names = {check["name"] for check in old["checks"]}  # newer checks may stand between
        new["checks"] = [check for check in new["checks"] if check["name"] in names]
    mended = MENDED.get(golden.parent.name, ())
    found = [line for line in differences(known, today) if line.partition(":")[0] not in mended]
    assert not found, "\n".join(found[:20])


def test_every_decision_is_made_again(golden: Path) -> None:
    verified = read_json(golden / "verify.json")

    assert (verified["fine"], verified["decisions"]) == (True, 150)
    assert verified["replay"]["different"] == 0
