"""`bakeoff report` and `bakeoff recommend` as a user types them."""

import csv
import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from bakeoff import Run
from bakeoff.commands.console import out
from bakeoff.report.figures.all import FIGURES
from bakeoff.report.tables.all import TABLES
from bakeoff.store.store import Store
from tests.page_store import made_up_store
from tests.terminal import Terminal

FEW = ["--tables", "main-results", "--figures", "none"]


@pytest.fixture
def store(bakeoff: Terminal, tmp_path: Path) -> str:
    """A store of made-up results in the folder that commands are typed in."""
    made_up_store(tmp_path / "results")
    return "results"


@pytest.mark.slow
def test_a_report_is_a_page_and_a_folder(bakeoff: Terminal, store: str) -> None:
    said = bakeoff("report", store)

    assert said.code == 0
    assert said.out.startswith("RegCB-opt is a clear winner")
    assert said.out.splitlines()[-1].endswith("the page is results/report.html")
    page, folder = Path(store, "report.html"), Path(store, "report")
    assert list(Path(store).rglob("*.html")) == [page]
    names = {path.name for path in folder.iterdir()}
    assert {f"{name}.{ending}" for name in TABLES for ending in ("csv", "md", "tex")} <= names
    drawn = {Path(name).stem for name in names if name.endswith(".svg")}
    assert drawn <= set(FIGURES)
    assert {f"{name}.{ending}" for name in drawn for ending in ("png", "pdf")} <= names
    assert f"{len(drawn)} figures" in said.out


def test_the_main_table_is_printed_with_its_verdict(
    bakeoff: Terminal, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out, "width", 120)

    said = bakeoff("report", store, *FEW)

    verdict, about, heading, leader, *rest = said.out.splitlines()
    assert verdict.startswith("RegCB-opt is a clear winner")
    assert about.startswith("24 datasets, ")
    assert heading.split() == ["mean", "loss", "vs", "leader", "wins", "ties", "losses", "p"]
    assert leader.split()[:2] == ["RegCB-opt", "(RO)"]
    start = next(i for i, line in enumerate(rest) if line.startswith("row vs column"))
    assert rest[start].split()[:4] == ["row", "vs", "column", "RO"]
    assert rest[start + 1].split()[:2] == ["RO", "-"]
    with Path(store, "report/main-results.csv").open() as file:
        cells = {
            (row["row"], row["column"]): row["value"]
            for row in csv.DictReader(file)
            if row["source"] == "ours"
            and "optimised" in row["panel"]
            and row["panel"].startswith("-1/0")
        }
    assert int(cells["RO", "G"]) > 0


def test_only_what_is_asked_for_is_written(bakeoff: Terminal, store: str) -> None:
    said = bakeoff("report", store, *FEW, "--out", "elsewhere", "--json")

    found = json.loads(said.out)
    assert found["standings"][0]["label"] == "RO"
    assert found["standings"][0]["lead"].keys() == {"chance", "grade"}
    assert found["verdict"]["sentence"].startswith("RegCB-opt is a clear winner")
    assert (found["verdict"]["grade"], len(found["verdict"]["reasons"])) == ("clear", 4)
    assert found["page"] == "elsewhere/report.html"
    assert sorted(path.name for path in Path("elsewhere/report").iterdir()) == [
        "main-results.csv", "main-results.md", "main-results.tex",
    ]  # fmt: skip
    assert sorted(found["files"]) == sorted(
        str(path) for path in Path("elsewhere/report").iterdir()
    )
    assert not Path(store, "report.html").exists()


def test_the_table_that_is_printed_can_be_exported(bakeoff: Terminal, store: str) -> None:
    folder = Path(store, "report")

    bakeoff("report", store, "--tables", "main", "--figures", "none")
    bakeoff("report", store, "--tables", "main-results", "--no-paper", "--figures", "none")
    said = bakeoff("report", store, "--tables", "none", "--figures", "none", "--json")
    bakeoff("report", store, "--tables", "all", "--figures", "none", "--out", "all")

    assert {path.stem for path in Path("all/report").iterdir()} == {"main", *TABLES}
    labels = [one["label"] for one in json.loads(said.out)["standings"]]
    assert {path.suffix for path in folder.glob("main.*")} == {".csv", ".md", ".tex"}
    table = list(csv.reader((folder / "main.csv").read_text().splitlines()))
    assert [line[0] for line in table] == ["algorithm", *labels]
    assert "Paper" not in (folder / "main-results.md").read_text()


def test_what_was_drawn_before_and_has_no_data_now_goes(bakeoff: Terminal, store: str) -> None:
    folder = Path(store, "report")
    folder.mkdir()
    (folder / "baseline.svg").write_text("old")
    (folder / "mine.svg").write_text("kept")

    bakeoff("report", store, "--tables", "none", "--figures", "baseline")

    assert sorted(path.name for path in folder.iterdir()) == ["figures.md", "mine.svg"]
    said = (folder / "figures.md").read_text()
    assert "`baseline`" in said
    assert "Not drawn: needs --baseline both" in said


def test_one_encoding_can_be_asked_for(bakeoff: Terminal, store: str) -> None:
    said = bakeoff("report", store, *FEW, "--encoding=0/1")

    assert "encoding 0/1" in said.out
    assert "-1/0" not in Path(store, "report/main-results.md").read_text()


def test_held_out_leaves_datasets_out(bakeoff: Terminal, store: str) -> None:
    all_of_them = bakeoff("report", store, *FEW)
    held_out = bakeoff("report", store, *FEW, "--held-out")

    assert "24 datasets" in all_of_them.out
    assert "12 datasets" in held_out.out


@pytest.mark.parametrize(("columns", "name"), [(40, "RO"), (60, "RO"), (80, "RegCB-opt (RO)")])
def test_the_table_keeps_its_names_in_a_narrow_terminal(
    bakeoff: Terminal, store: str, monkeypatch: pytest.MonkeyPatch, columns: int, name: str
) -> None:
    monkeypatch.setattr(out, "width", columns)

    said = bakeoff("report", store, *FEW).out

    lines = said.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:4:3] == ["mean", "leader"])
    assert lines[start + 1].startswith(f"{name} ")
    assert "row vs column" not in said
    assert all(len(line) <= columns for line in lines[start : start + 6])


def test_the_matrix_can_be_asked_for(
    bakeoff: Terminal, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out, "width", 80)

    assert "row vs column" in bakeoff("report", store, *FEW, "--matrix").out
    monkeypatch.setattr(out, "width", 120)
    assert "row vs column" not in bakeoff("report", store, *FEW, "--no-matrix").out


def test_the_papers_view_can_be_asked_for(bakeoff: Terminal, store: str) -> None:
    found = [
        json.loads(bakeoff("report", store, *FEW, *words, "--json").out)
        for words in ([], ["--view", "fixed"])
    ]

    assert [one["verdict"]["view"] for one in found] == ["unpeeked", "fixed"]
    before, after = ([one["mean_loss"] for one in some["standings"]] for some in found)
    assert min(after) < min(before)  # hindsight


def test_quiet_says_nothing(bakeoff: Terminal, store: str) -> None:
    said = bakeoff("report", store, *FEW, "--quiet")

    assert (said.code, said.out, said.err) == (0, "", "")


def test_recommendations_have_numbers(bakeoff: Terminal, store: str) -> None:
    said = bakeoff("recommend", store)
    as_json = json.loads(bakeoff("recommend", store, "--json").out)

    assert said.code == 0
    assert said.out.startswith("RegCB-opt is a clear winner")
    assert said.out.splitlines()[0].startswith(as_json["verdict"]["sentence"])
    advice = {one["topic"]: one for one in as_json["advice"]}
    assert {"algorithm", "encoding", "reduction", "learning rate"} <= set(advice)
    assert "--inputs" in advice.pop("inputs")["text"]
    assert all(any(c.isdigit() for c in one["text"]) for one in advice.values())
    assert advice["algorithm"]["algorithm"] == "RO"
    assert advice["algorithm"]["wins"] > advice["algorithm"]["losses"]
    assert as_json["use"] == {
        "algorithm": "RO",
        "explorer": advice["settings"]["explorer"],
        "reduction": None,
        "learning_rate": advice["learning rate"]["learning_rate"],
        "encoding": "-1/0",
        "n_actions": as_json["use"]["n_actions"],
        "inputs": "raw",
    }


def test_what_is_recommended_can_be_pasted(bakeoff: Terminal) -> None:
    Path("flowers.csv").write_text("a,b,kind\n" + "0,1,x\n1,0,y\n1,1,y\n" * 20)
    words = ["-a", "greedy", "-a", "bag reduction=dr", "--learning-rate", "0.5"]
    bakeoff("run", "flowers.csv", "--target", "kind", "--ignore", "a", *words)

    said = bakeoff("recommend")

    shell, line = (said.out.splitlines()[i] for i in (-3, -1))
    assert shell.startswith("bakeoff run flowers.csv --target kind --ignore a -a ")
    again = bakeoff(*shlex.split(shell)[1:])
    assert again.code == 0
    made = eval(line, {"Learner": lambda spec, n_actions, **run: Run(spec, **run)})
    assert str(replace(made, seed=1)) in Store(Path("leader")).read()["run"].to_list()


@pytest.mark.parametrize(
    ("words", "code", "what"),
    [
        (["report", "nowhere"], 4, "there is no such folder; `bakeoff run --out nowhere`"),
        (["report", "results", "--encoding=2/3"], 2, "only for -1/0, 0/1"),
        (["report", "results", "--tables", "man-results"], 2, "'main-results'"),
        (["report", "results", "--figures", "heatmap"], 2, "'heat-map'"),
        (["report", "results", "--test", "t"], 2, "'paper', 'z', 'paired'"),
        (["report", "results", "--min-actions", "1"], 2, "--min-actions"),
        (["recommend", "nowhere"], 4, "there is no such folder"),
        (["recommend", "results", "--correction", "all"], 2, "'holm'"),
    ],
)
def test_what_is_wrong_is_said(
    bakeoff: Terminal, store: str, words: list[str], code: int, what: str
) -> None:
    said = bakeoff(*words)

    assert said.code == code
    assert what in said.err
    assert "Traceback" not in said.err


def test_a_page_that_cannot_be_written_is_one_sentence(bakeoff: Terminal, store: str) -> None:
    Path("taken").write_text("a file")

    said = bakeoff("report", store, *FEW, "--out", "taken")

    assert said.code == 4
    assert said.err.startswith("error: taken/report: cannot be written:")


@pytest.mark.slow
@pytest.mark.parametrize("algorithms", [["greedy"], ["greedy", "supervised"]])
def test_one_algorithm_has_a_report_that_says_so(bakeoff: Terminal, algorithms: list[str]) -> None:
    asked = [word for name in algorithms for word in ("-a", name)]
    bakeoff("run", "embedded:iris", *asked, "--learning-rate", "0.1", "--out", "one")

    said = bakeoff("report", "one", *FEW)

    assert said.code == 0
    assert "no other algorithm to compare" in " ".join(said.out.split())
    assert "0.6667" in said.out  # what always taking the best action costs
    assert Path("one", "report.html").stat().st_size > 0


@pytest.mark.slow
def test_a_run_can_end_with_a_report(bakeoff: Terminal) -> None:
    said = bakeoff("run", "embedded:iris", "-a", "greedy", "-a", "supervised", "-a",
                   "epsilon-greedy", "--learning-rate", "0.1", "--report")  # fmt: skip

    assert said.code == 0
    assert "share the lowest loss on iris" in said.out
    assert said.out.splitlines()[-1].endswith("the page is results/report.html")
    assert Path("results/report.html").stat().st_size > 1e5


def test_programs_learn_what_ran_even_if_there_is_no_page(bakeoff: Terminal) -> None:
    Path("results").mkdir()
    Path("results/report").write_text("in the way")

    said = bakeoff(
        "run", "embedded:iris", "-a", "greedy", "--learning-rate", "0.1", "--report", "--json"
    )

    assert said.code == 4
    assert said.err.startswith("error: results/report: cannot be written:")
    found = json.loads(said.out)
    assert found["computed"] == 1
    assert "page" not in found
