"""`bakeoff evaluate` and `bakeoff plan` from the command line."""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner, Result

from bakeoff import Learner
from bakeoff.basics.errors import DataNotice
from bakeoff.cli import app, main
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.intervals import INTERVALS
from tests.decision_logs import made_log


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = made_log(2000).log
    path = tmp_path_factory.mktemp("logs") / "log.csv"
    columns = {f"x{j}": made.X[:, j] for j in range(3)}
    frame = pl.DataFrame(
        {"action": made.action, "probability": made.probability, "reward": made.reward, **columns}
    )
    frame.write_csv(path)
    return path


def test_the_answer_comes_first_and_then_the_numbers(log: Path) -> None:
    done = run("evaluate", log, "--policy", "uniform", "--policy", "constant:1")
    as_json = run("evaluate", log, "--policy", "uniform", "--json")

    assert done.exit_code == 0
    said = done.stdout
    sentence = json.loads(as_json.stdout)["evaluations"][0]["sentence"]
    assert re.match(r"uniform would have earned 0\.\d+ \(.*\) against 0\.\d+ logged: ", sentence)
    assert sentence in " ".join(said.split())
    assert said.index("would have earned") < said.index("estimator")
    assert "fine: the mean weight is" in said
    assert all(word in said for word in ("ips", "snips", "dr", "constant:1"))


def test_the_help_names_all_estimators_and_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ESTIMATORS, "newest", ESTIMATORS["ips"])
    monkeypatch.setitem(INTERVALS, "widest", INTERVALS["normal"])

    words = re.findall(r"[\w-]+", run("evaluate", "--help").stdout)

    assert {*ESTIMATORS, *INTERVALS} <= set(words)


def test_json_is_for_programs(log: Path) -> None:
    done = run("evaluate", log, "--json", "--estimator", "all")

    said = json.loads(done.stdout)
    (one,) = said["evaluations"]
    assert one["policy"] == "uniform"
    assert one["estimates"].keys() == ESTIMATORS.keys()
    assert one["can_answer"] is True
    assert said["passed"] is True


def test_a_log_is_evaluated_in_pieces(log: Path) -> None:
    whole = run("evaluate", log, "--json", "-e", "ips", "-e", "snips")
    pieces = run("evaluate", log, "--json", "--pieces", 300)

    assert pieces.exit_code == 0, pieces.output
    one, two = (json.loads(d.stdout)["evaluations"][0] for d in (whole, pieces))
    assert one["estimates"] == two["estimates"]
    assert run("evaluate", log, "--pieces", 300, "-e", "dr").exit_code != 0
    assert run("evaluate", log, "--pieces", 9, "--page", "page.html").exit_code == 2


def test_a_gate_sets_the_exit_code(log: Path) -> None:
    fine = run("evaluate", log, "--gate", "dr.low >= 0.01")
    failed = run("evaluate", log, "--gate", "mrdr.low >= logged + 0.9")

    assert fine.exit_code == 0
    assert failed.exit_code == 1


def test_a_refusal_is_loud_and_fails_every_gate(tmp_path: Path) -> None:
    rare = pl.DataFrame(
        {
            "action": [0] * 999 + [1],
            "probability": [0.9999] * 999 + [0.0001],
            "reward": [0.5] * 1000,
        }
    )
    rare.write_csv(tmp_path / "rare.csv")

    done = run("evaluate", tmp_path / "rare.csv", "--gate", "ips >= 0")

    assert done.exit_code == 1
    assert "This log cannot answer" in done.stdout
    assert "What would help: about" in done.stdout


def test_a_bad_log_ends_with_exit_code_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("action,probability,reward\n0,0.5,1\n1,0,1\n")
    monkeypatch.setattr("sys.argv", ["bakeoff", "evaluate", str(path)])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 3
    assert "bad.csv:3: probability must lie above 0" in capsys.readouterr().err


def test_the_page_needs_nothing_else(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    done = run("evaluate", log, "-p", "uniform", "-p", "constant:0", "--page", page)

    text = page.read_text()
    assert done.exit_code == 0
    assert text.index("would have earned 0.") < text.index("<table")
    assert text.count("<figure") == 9
    assert "Where the policies differ" in text
    assert re.findall(r"(?:src|href)=\"(?!#)", text) == []


def test_the_page_cannot_be_written_into_by_names(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "action": ["<script>alert(1)</script>", "b"] * 50,
            "probability": [0.5] * 100,
            "reward": np.tile([0.0, 1.0], 50),
        }
    )
    frame.write_csv(tmp_path / "log.csv")

    with pytest.warns(DataNotice, match="the 2 that occur"):
        run("evaluate", tmp_path / "log.csv", "--page", tmp_path / "page.html")

    assert "<script" not in (tmp_path / "page.html").read_text()


def test_a_plan_is_a_table_with_its_assumptions(tmp_path: Path) -> None:
    done = run(
        "plan", "--actions", 10, "--epsilon", 0.05, "--effect", 0.02, "--plot",
        tmp_path / "plan.png",
    )  # fmt: skip

    assert done.exit_code == 0
    assert "Assumed: 10 actions" in done.stdout
    assert "seen in simulation" not in done.stdout  # nothing was simulated
    assert (tmp_path / "plan.png").stat().st_size > 1000


def test_a_plan_can_start_from_a_log_and_be_checked(log: Path) -> None:
    done = run("plan", "--log", log, "--effect", 0.1, "--epsilon", 0.5, "--check", "--json")

    said = json.loads(done.stdout)
    assert said["n_actions"] == 4
    assert 0.6 < said["needed"][0]["simulated_power"] <= 1.0


def test_a_plan_needs_a_number_of_actions() -> None:
    assert run("plan", "--effect", 0.1).exit_code == 2


@pytest.mark.parametrize("name", ["plan", "plan.xyz"])
def test_a_plan_is_drawn_only_under_a_name_with_a_known_ending(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    done = run("plan", "--actions", 3, "--effect", 0.1, "--plot", path)

    assert str(done.exception) == (f"--plot {path}: its name must end in .png, .svg, .pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_plan_for_no_actions_is_refused(log: Path) -> None:
    for more in ([], ["--log", log]):
        done = run("plan", "--actions", 0, "--effect", 0.1, *more)

        assert str(done.exception) == "actions must be at least 2, got 0"


def test_a_bake_off_takes_a_log_as_a_problem(tmp_path: Path) -> None:
    made = made_log(200).log
    lines: list[dict[str, object]] = [
        {"kind": "bakeoff-log", "format": 1, "actions": None, "n_actions": 4}
    ]
    for i in range(made.n):
        context, action = made.X[i].tolist(), int(made.action[i])
        lines.append(
            {
                "kind": "decision", "id": str(i), "context": context, "action": action,
                "probability": float(made.probability[i]),
            }
        )  # fmt: skip
        lines.append({"kind": "outcome", "id": str(i), "reward": made.reward[i]})
    path = tmp_path / "shop.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    with pytest.warns(DataNotice, match="the costs of the others are estimated"):
        done = run(
            "run", path, "-a", "greedy", "-a", "python:tests.learners.Uniform", "--out",
            tmp_path / "out", "--jobs", 1,
        )  # fmt: skip

    assert done.exit_code == 0, done.output
    said = run("status", tmp_path / "out").output
    assert "10 of 10 runs" in " ".join(said.split())


def served(learner: Learner, events: int, seed: int) -> None:
    """Let a learner decide between sport and news; women want news."""
    rng = np.random.default_rng(seed)
    for _ in range(events):
        user = {"age": float(rng.integers(20, 60)), "sex": str(rng.choice(["f", "m"]))}
        decision = learner.choose(user)
        right = (user["sex"] == "f") == (decision.name == "news")
        learner.learn(decision, reward=float(right))


def test_a_learner_s_log_and_file_are_evaluated_together(tmp_path: Path) -> None:
    learner = Learner(
        "epsilon-greedy:epsilon=0.3", actions=["sport", "news"], seed=1,
        log=tmp_path / "decisions.jsonl",
    )  # fmt: skip
    served(learner, 200, seed=0)
    learner.save(tmp_path / "model.bakeoff")
    served(learner, 400, seed=1)

    done = run(
        "evaluate", tmp_path / "decisions.jsonl", "--json", "--policy",
        tmp_path / "model.bakeoff", "--policy", f"greedy:{tmp_path}/model.bakeoff",
        "--policy", "uniform", "--page", tmp_path / "page.html",
    )  # fmt: skip

    assert done.exit_code == 0, done.output
    now, greedy, uniform = json.loads(done.stdout.partition("wrote")[0])["evaluations"]
    assert (now["n"], greedy["n"], uniform["n"]) == (400, 400, 600)
    assert "learned from the first 200 events" in now["advice"]
    assert "learned from" not in uniform["advice"]
    assert now["estimates"]["ips"]["interval"] == "robust"
    assert now["estimates"]["dr"]["value"] > 0.7
    assert greedy["estimates"]["dr"]["value"] > now["estimates"]["dr"]["value"]


def test_a_log_does_not_judge_the_model_that_it_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, model = tmp_path / "decisions.jsonl", tmp_path / "model.bakeoff"
    learner = Learner("epsilon-greedy:epsilon=0.3", actions=["sport", "news"], seed=1, log=log)
    served(learner, 300, seed=0)
    learner.save(model)
    gate = ["--gate", "dr.low >= 0.01"]
    monkeypatch.setattr("sys.argv", ["bakeoff", "evaluate", str(log), "-p", str(model), *gate])

    with pytest.raises(SystemExit) as ended:
        main()
    done = run("evaluate", log, "--json", "-p", f"progressive:greedy:{model}", *gate)

    assert ended.value.code == 3
    assert f"progressive:{model}" in capsys.readouterr().err.replace("\n", "")
    assert done.exit_code == 0, done.output
    (progressive,) = json.loads(done.stdout)["evaluations"]
    assert progressive["n"] == 300


def test_what_was_never_chosen_is_not_played_by_a_constant(tmp_path: Path) -> None:
    learner = Learner("greedy", n_actions=3, seed=1, log=tmp_path / "decisions.jsonl")
    for _ in range(60):
        learner.learn(learner.choose([1.0]), reward=1.0)

    done = run("evaluate", tmp_path / "decisions.jsonl", "--policy", "uniform", "--json")

    assert json.loads(done.stdout)["evaluations"][0]["can_answer"] is False
