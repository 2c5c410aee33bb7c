"""A learner of one's own that is edited, fails, or does not play everything."""

import re
import sys
from pathlib import Path

import polars as pl
import pytest

import bakeoff as package
from bakeoff.store.store import Store
from tests.terminal import Said, Terminal

LEARNER = '''
class Always:
    """Takes one action."""

    {extra}

    def choose(self, x):
        return {action}, 1.0

    def learn(self, x, action, loss, probability):
        pass
'''
CSV = "u,kind\n" + "1,a\n0,b\n0,b\n" * 10
LETOR = "".join(f"{rank} qid:{q} 1:{rank}.5 2:{q}\n" for q in range(1, 9) for rank in (0, 1, 2))


class Desk:
    """A folder with a learner in a module of its own, and a terminal."""

    def __init__(self, terminal: Terminal, number: int) -> None:
        self.bakeoff, self.name = terminal, f"mine_{number}"
        Path("plain.csv").write_text(CSV)

    def write(self, action: str = "0", extra: str = "", comment: str = "") -> None:
        text = LEARNER.format(action=action, extra=extra) + comment
        Path(f"{self.name}.py").write_text(text)
        sys.modules.pop(self.name, None)  # as in another process

    def run(self, *words: str, source: str = "plain.csv") -> Said:
        given = ["run", source, "-a", "greedy", "-a", f"python:{self.name}.Always",
                 "--learning-rate", "1", *words]  # fmt: skip
        return self.bakeoff(*given)

    @property
    def loss(self) -> float:
        rows = Store(Path("results")).read().filter(algorithm="Always")
        return float(rows["pv_loss"][0])


@pytest.fixture
def desk(
    bakeoff: Terminal, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # edits come in one second
    monkeypatch.syspath_prepend(str(Path.cwd()))
    return Desk(bakeoff, abs(hash(request.node.name)))


def test_an_edited_learner_is_noticed_and_computed_again_when_asked(desk: Desk) -> None:
    desk.write("0")
    assert "has changed" not in desk.run()[2]
    assert desk.loss == pytest.approx(2 / 3)

    desk.write("0", comment="# nothing but words\n")
    assert "has changed" not in desk.run()[2]

    desk.write("1")
    _, out, err = desk.run()
    assert "the source of Always has changed" in err
    assert "--again Always" in err
    assert "2 runs, 0 of them computed now" in out
    assert desk.loss == pytest.approx(2 / 3)

    _, out, err = desk.run("--again", "Always")
    assert "2 runs, 1 of them computed now" in out
    assert "has changed" not in err
    assert desk.loss == pytest.approx(1 / 3)
    assert "has changed" not in desk.run()[2]


def test_an_edited_helper_is_noticed_too(desk: Desk) -> None:
    helper = Path(f"helper_of_{desk.name}.py")
    helper.write_text("import math\nWHICH = {'first': 0}\n")
    desk.write("0", comment=f"from {helper.stem} import WHICH\n")
    assert "has changed" not in desk.run()[2]

    helper.write_text("import math\nWHICH = {'first': 0}  # a comment\n")
    assert "has changed" not in desk.run()[2]

    helper.write_text("import math\nWHICH = {'first': 0, 'second': 1}\n")
    assert "the source of Always has changed" in desk.run()[2]


def test_only_what_is_asked_for_can_be_computed_again(desk: Desk) -> None:
    desk.write()
    code, _, err = desk.run("--again", "Alway")

    assert code == 2
    assert "no algorithm 'Alway'; did you mean 'Always'?" in err


def test_an_algorithm_of_ours_can_be_computed_again(tmp_path: Path) -> None:
    experiment = package.Experiment("embedded:iris", package.grid("greedy"))
    first = experiment.run(tmp_path / "results").losses()

    again = experiment.run(tmp_path / "results", again=["greedy"])

    assert again.n_computed == again.n_runs == 9
    assert again.losses().equals(first)


def test_results_on_datasets_that_are_not_asked_for_stay(desk: Desk) -> None:
    desk.write("0")
    desk.run("embedded:iris")
    before = Store(Path("results")).read()
    desk.write("1")

    _, out, err = desk.run("--again", "Always")

    assert "2 runs, 1 of them computed now" in out
    after = Store(Path("results")).read()
    others = pl.col("problem") == "iris"
    assert before.filter(others).height == 2
    assert after.filter(others).equals(before.filter(others))
    assert "the source of Always has changed" in err  # since iris was played
    assert "has changed" not in desk.run("embedded:iris", "--again", "Always")[2]


def test_other_orders_of_the_rows_stay(tmp_path: Path) -> None:
    runs = package.grid("greedy", learning_rates=[1.0])
    package.Experiment("embedded:iris", runs, shuffles=3).run(tmp_path)

    again = package.Experiment("embedded:iris", runs).run(tmp_path, again=["G"])

    assert again.n_computed == 1
    assert sorted(Store(tmp_path).read()["shuffle"]) == [1, 2, 3]


@pytest.mark.parametrize("where", ["choose", "__init__"])
def test_a_failure_names_the_file_and_the_line(desk: Desk, where: str) -> None:
    extra = "def __init__(self): self.x = 1 / 0" if where == "__init__" else ""
    desk.write("1 // 0", extra)

    code, _, err = desk.run()

    line = next(
        i
        for i, text in enumerate(Path(f"{desk.name}.py").read_text().splitlines(), 1)
        if "/ 0" in text
    )
    assert code == 1
    assert re.search(rf"ZeroDivisionError: .* \(at .*{desk.name}\.py:{line}\)", err)


def test_a_learner_may_say_that_it_does_not_rank(desk: Desk) -> None:
    Path("ranks.letor").write_text(LETOR)
    desk.write("0", 'tasks = ("multiclass", "multilabel")')

    code, out, err = desk.run("ranks.letor")

    assert code == 0
    assert "Always plays multiclass and multilabel problems, and is left out on ranks" in err
    assert out.startswith("3 runs, 3 of them computed now")
    rows = Store(Path("results")).read()
    assert set(rows.filter(problem="ranks")["algorithm"]) == {"G"}
    Path(f"{desk.name}.py").unlink()  # status needs no learner
    sys.modules.pop(desk.name, None)
    assert desk.bakeoff("status").out.startswith("results: 3 of 3 runs")


def test_a_task_that_is_none_is_refused(desk: Desk) -> None:
    desk.write("0", 'tasks = "multiclas"')

    code, _, err = desk.run()

    assert code == 2
    assert "Always': unknown task 'multiclas'" in err
    assert "did you mean 'multiclass'" in err


def test_simulate_refuses_a_task_that_a_learner_does_not_play(desk: Desk) -> None:
    Path("ranks.letor").write_text(LETOR)
    desk.write("0", 'tasks = ("multiclass", "multilabel")')
    runs = package.grid(f"python:{desk.name}.Always")
    ranks = package.load("ranks.letor", max_relevance=2)

    with pytest.raises(
        package.SpecError, match=r"^Always plays multiclass and multilabel .* 'ranks' is ranking$"
    ):
        package.simulate(ranks, runs)

    [result] = package.simulate(package.load("plain.csv"), runs)
    assert result.pv_loss == pytest.approx(2 / 3)


def test_a_learner_where_a_run_belongs_is_shown_the_way() -> None:
    text = "python:mine.Always"

    with pytest.raises(package.SpecError, match=f"whose runs grid.'{text}'. makes"):
        package.Run(text)


def test_simulate_takes_the_spec_of_a_learner(desk: Desk) -> None:
    desk.write("0")
    text = f"python:{desk.name}.Always"

    results = package.simulate(package.load("plain.csv"), [text])

    assert [result.run for result in results] == package.grid(text)
