"""Sweeps, names and defaults on the command line."""

from pathlib import Path

import pytest

import bakeoff as package
from bakeoff.store.store import Store
from tests.terminal import Terminal

SWEEP = ["run", "embedded:iris", "embedded:wine", "--learning-rate", "1"]


def test_the_settings_of_one_algorithm_compete(bakeoff: Terminal) -> None:
    said = bakeoff(*SWEEP, "-a", "epsilon-greedy:epsilon=[0.01,0.5]")

    assert said.code == 0
    assert "eG epsilon=0.01" in said.out
    assert "eG epsilon=0.5" in said.out
    assert "nothing to compare" not in said.out
    advice = bakeoff("recommend")
    assert advice.out.startswith("eG epsilon=")
    assert 'Learner("epsilon-greedy:epsilon=' in advice.out


def test_a_toml_file_may_sweep(bakeoff: Terminal, tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text(
        'sources = ["embedded:iris"]\nlearning_rate = [1.0]\n'
        'algorithms = ["cover:n_policies=[4,8],psi=[0.01,0.1],nu"]\n'
    )

    said = bakeoff("run", "--config", "sweep.toml")

    assert said.code == 0
    assert Store(tmp_path / "results").read()["explorer"].sort().to_list() == [
        f"cover:n_policies={n},psi={psi},nu" for n in (4, 8) for psi in (0.01, 0.1)
    ]


def test_a_label_is_the_name_in_tables(bakeoff: Terminal) -> None:
    said = bakeoff(
        *SWEEP, "-a", "greedy", "-a", "epsilon-greedy:epsilon=0.5,label=bold", "--report"
    )

    assert said.code == 0
    assert "bold" in said.out
    assert "bold" in Path("results/report/all-losses.csv").read_text()


@pytest.mark.parametrize(
    ("name", "hint"),
    [("RO", "write 'regcb:c0=0.001,optimistic'"), ("fixd", "did you mean 'fixed'?")],
)
def test_a_wrong_name_is_answered_with_the_right_one(
    bakeoff: Terminal, name: str, hint: str
) -> None:
    said = bakeoff("run", "embedded:iris", "-a", name)

    assert said.code == 2
    assert hint in said.err


def test_the_version_and_help(bakeoff: Terminal) -> None:
    assert bakeoff("--version").out == f"bakeoff {package.__version__}\n"
    assert bakeoff("-h").out == bakeoff("--help").out
    assert bakeoff("report", "-h").code == 0


def test_commands_look_at_results_unless_told_otherwise(bakeoff: Terminal) -> None:
    bakeoff(*SWEEP, "-a", "greedy", "-a", "regcb")

    assert bakeoff("status").out.startswith("results: 4 of 4 runs")
    assert bakeoff("recommend").code == 0
    assert bakeoff("report", "--tables", "none", "--figures", "none").code == 0
    assert Path("results/report.html").exists()


def test_the_package_shows_what_is_public() -> None:
    assert set(dir(package)) == {*package.__all__, "__version__", "open"}
