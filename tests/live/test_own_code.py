"""Rules and explorers of users in live learners: logs, saved models, and other processes."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import Learner, SpecError
from bakeoff.core.explorers import EXPLORERS

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "explorers.md"
[BOLTZMANN] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
RULES = """
import numpy as np

def half(scores, rest=0.5):
    best = scores == scores.min()
    return np.where(best, (1 - rest) / best.sum(), 0.0) + rest / len(scores)

class Learner:
    pass
"""
WAYS = {
    "rule-half": "rules.py:half,rest=0.3",
    "own-boltzmann": "explorers.py:boltzmann,temperature=0.3",
}


def half(scores: Any, rest: float = 0.3) -> Any:
    """The same rule, in a cell."""
    best = scores == scores.min()
    return np.where(best, (1 - rest) / best.sum(), 0.0) + rest / len(scores)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("rules.py").write_text(RULES)
    Path("explorers.py").write_text(BOLTZMANN)
    return tmp_path


def lived(explorer: Any, name: str) -> Learner:
    """A learner that has decided and learned, with its log and its file."""
    learner = Learner(explorer, n_actions=3, seed=1, log=f"{name}.jsonl")
    contexts = np.random.default_rng(1).normal(size=(30, 4))
    for x in contexts:
        decision = learner.choose(x)
        learner.learn(decision, loss=float(decision.action != int(x[0] > 0)))
    learner.save(f"{name}.bakeoff")
    learner.close()
    return learner


def command(*words: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "bakeoff", *words], capture_output=True, text=True)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("name", WAYS)
def test_logs_and_models_are_read_where_the_file_is_named(name: str) -> None:
    learner = lived(WAYS[name], name)
    log, model, own = f"{name}.jsonl", f"{name}.bakeoff", WAYS[name].partition(",")[0]

    verdict = bakeoff.verify(log)
    assert verdict.is_fine
    assert verdict.replay is not None
    assert verdict.replay.decisions == 30
    assert repr(verdict).startswith("fine: 30 decisions; 30 made again, 0 different")
    again = Learner.load(model)
    assert str(again.run) == str(learner.run)

    code, said = command("verify", log, "--own", own)
    assert code == 0, said
    assert "made again: 30, 30 outcomes learned, 0 different" in said
    code, said = command("evaluate", log, "--policy", f"progressive:{model}", "--own", own)
    assert code == 0, said
    code, said = command("verify", log)
    assert code == 3
    assert f"unknown explorer '{name}'" in said
    assert f"rules.py:{name[5 if name[0] == 'r' else 4 :]}" in said
    assert "--own" in said


def test_a_log_of_other_code_is_refused() -> None:
    lived("rules.py:half", "old")
    Path("rules.py").write_text(RULES.replace("(1 - rest)", "(1.0 - rest)"))

    code, said = command("verify", "old.jsonl", "--own", "rules.py:half")

    assert code == 3
    assert re.search("rule 'half' has changed since .*its code was [0-9a-f]{8}, and is", said)


def test_a_learner_takes_rules_and_explorers_as_they_are() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(BOLTZMANN, "<cell>", "exec"), names)

    assert Learner(half, n_actions=3).run.label == "half"
    assert Learner(names["BOLTZMANN"], n_actions=3).run.label == "Bz"
    assert Learner("rules.py:half,rest=0.25 learning_rate=3", n_actions=3).run.learning_rate == 3
    with pytest.raises(SpecError, match="learner of your own"):
        Learner("rules.py:Learner", n_actions=3)
    EXPLORERS.pop("rule-half")
    with pytest.raises(SpecError, match=r"a user has written: .*bakeoff.rule\(half\)"):
        Learner("rule-half", n_actions=3)
