"""Settings of a service: TOML, the environment, and sentences about what is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bakeoff import BakeoffError, Learner, SpecError
from bakeoff.live.serving import Config, read_config

TOML = """
[learner]
explorer = "greedy"
actions = ["a", "b"]

[rewards]
wait = 60
default = 0

[service]
port = 9000
state = "there"
key = "one, two"
"""


def test_a_file_and_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "service.toml"
    file.write_text(TOML)

    plain = read_config(file, {})
    changed = read_config(
        file,
        {"BAKEOFF_SERVICE_PORT": "80", "BAKEOFF_REWARDS_DEFAULT": "",
         "BAKEOFF_SERVICE_STATE": "elsewhere", "BAKEOFF_SERVICE_SYNC": "true"},
    )  # fmt: skip

    assert plain.learner == {"explorer": "greedy", "actions": ["a", "b"]}
    assert (plain.service.port, plain.rewards.wait, plain.rewards.default) == (9000, 60.0, 0.0)
    assert plain.folder == tmp_path / "there"
    assert plain.service.keys == ["one", "two"]
    assert (changed.service.port, changed.service.sync) == (80, True)
    assert changed.rewards.default is None
    assert changed.folder == Path("elsewhere")
    assert Config.from_json(plain.to_json()) == plain
    assert plain.with_service(port=None, workers=3).service.workers == 3


def test_a_saved_learner(tmp_path: Path) -> None:
    Learner("greedy", 2, seed=1).save(tmp_path / "model")

    assert read_config(tmp_path / "model", {}).model == str(tmp_path / "model")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[service]\nprot = 1", "'prot'"),
        ("[services]\nport = 1", "'services'"),
        ("service = 1", "table"),
        ("[service]\nport = 'x'", "port"),
        ("[service]\nport = true", "port"),
        ("[service]\nport = 70000", "65535"),
        ("[service]\nmode = 'x'", "apprentice"),
        ("[service]\nworkers = 0", "workers"),
        ("[service]\nworkers = 99999999999", "workers must be at most 1024"),
        ("[learner]\nseed = 1979-05-27", r"\[learner\] seed cannot hold a date or a time"),
        ("[rollout.learner]\nfloor = [07:32:00]", "floor cannot hold a date or a time"),
        ("[rewards]\nlow = 1\nhigh = 1", "low"),
        ("[rewards]\ndefault = 2", "default"),
        ("[rewards]\nwait = -1", "wait"),
        ("[learner]\nexplorers = 1", "'explorer'"),
        ("model = 'm'\n[learner]\nbits = 3", "not both"),
        ("model = 3", "model"),
        ("[", "TOML"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "service.toml"
    file.write_text(text)

    with pytest.raises(SpecError, match=says):
        read_config(file, {})


def test_other_files_and_variables(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("")
    with pytest.raises(SpecError, match="neither"):
        read_config(tmp_path / "missing", {})
    with pytest.raises(SpecError, match="cannot be read"):
        read_config(tmp_path / "missing.toml", {})
    with pytest.raises(BakeoffError, match="BAKEOFF_SERVICE_PORT"):
        read_config(tmp_path / "a.toml", {"BAKEOFF_SERVICE_PORT": "x"})


@pytest.mark.slow
def test_kernels_for_a_generic_processor_are_found_again(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    program = "from bakeoff.__main__ import main; main()"
    command = [sys.executable, "-c", program, "compile", "greedy", "--generic"]
    subprocess.run(command, env=environment, check=True, capture_output=True)

    generic = {**environment, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    learner = "from bakeoff import Learner; Learner('greedy', 2, seed=1).choose([1.0])"
    files = sorted(tmp_path.rglob("*.kernel"))
    done = subprocess.run(
        [sys.executable, "-c", learner], env=generic, check=True, capture_output=True, text=True
    )

    assert files
    assert sorted(tmp_path.rglob("*.kernel")) == files
    assert "compiling" not in done.stderr
