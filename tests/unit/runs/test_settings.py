"""Settings: what options and TOML files say, and what they may not."""

from pathlib import Path
from typing import Any

import pytest

from bakeoff import SpecError
from bakeoff.commands.run_settings import Settings, bytes_of, settings_of
from bakeoff.experiment.experiment import Experiment
from bakeoff.experiment.problem_sources import mark_of
from bakeoff.reading.catalog.sources import read
from bakeoff.reading.options import Options
from bakeoff.runs.grids import grid

EVERYTHING = """
sources = ["embedded:iris", "embedded:wine"]
algorithms = ["greedy", "bag:n_policies=4 reduction=dr"]
learning_rate = [0.1, 1]
encoding = ["-1/0", "0/1"]
baseline = "both"
inputs = ["raw", "centred"]
shuffles = 3
seeds = 2
out = "there"
jobs = 1
memory = "500M"
limit = "10m"
engine = "dask"
address = "tcp://host:8786"
data = "folder"
target = "class"
task = "multiclass"
features = "one-hot"
categorical = ["a"]
numeric = ["d"]
ignore = ["b", "c"]
header = false
max_documents = 7
max_relevance = 2
"""

OPTIONS = Options(
    target="class",
    task="multiclass",
    features="one-hot",
    categorical=("a",),
    numeric=("d",),
    ignore=("b", "c"),
    header=False,
    max_documents=7,
    max_relevance=2.0,
)


def toml(folder: Path, text: str) -> Path:
    file = folder / "bakeoff.toml"
    file.write_text(text)
    return file


# ---- what is said


def test_nothing_said_is_the_fixed_grid_on_the_embedded_suite() -> None:
    settings = settings_of({})

    assert settings == Settings()
    assert settings.sources == ("embedded",)
    assert settings.runs == grid(["fixed"], encodings=["-1/0"])
    assert settings.options == Options()
    assert settings.memory_bytes is None


def test_a_file_can_say_everything_that_options_can(tmp_path: Path) -> None:
    settings = settings_of({}, toml(tmp_path, EVERYTHING))

    assert settings == Settings(
        sources=("embedded:iris", "embedded:wine"),
        algorithms=("greedy", "bag:n_policies=4 reduction=dr"),
        learning_rate=(0.1, 1.0),
        encoding=("-1/0", "0/1"),
        baseline="both",
        inputs=("raw", "centred"),
        shuffles=3,
        seeds=2,
        out=str(tmp_path / "there"),
        jobs=1,
        memory="500M",
        limit="10m",
        engine="dask",
        address="tcp://host:8786",
        data=str(tmp_path / "folder"),
        options=OPTIONS,
    )
    assert set(settings.as_dict()) == {"source"} | {
        line.partition(" =")[0] for line in EVERYTHING.split("\n") if line
    }


def test_what_is_said_reaches_the_grid_and_the_readers(tmp_path: Path) -> None:
    settings = settings_of({}, toml(tmp_path, EVERYTHING))

    assert settings.runs == grid(
        ["greedy", "bag:n_policies=4 reduction=dr"],
        learning_rates=[0.1, 1.0],
        encodings=["-1/0", "0/1"],
        baseline="both",
        seeds=2,
        inputs=["raw", "centred"],
    )
    assert settings.options == OPTIONS
    assert settings.memory_bytes == 500_000_000


def test_options_win_over_the_file(tmp_path: Path) -> None:
    file = toml(tmp_path, 'algorithms = ["bag"]\nseeds = 5\nshuffles = 4\njobs = 2')
    given = {"algorithms": ["greedy"], "seeds": 1, "shuffles": 0, "jobs": None}

    settings = settings_of(given, file)

    assert settings.algorithms == ("greedy",)
    assert (settings.seeds, settings.shuffles, settings.jobs) == (1, 0, 2)


def test_an_option_that_is_false_is_said_too(tmp_path: Path) -> None:
    settings = settings_of({"header": False}, toml(tmp_path, "header = true"))

    assert settings.options.header is False


def test_options_that_were_not_given_leave_the_file_alone(tmp_path: Path) -> None:
    given: dict[str, Any] = {"sources": [], "algorithms": None, "header": None}
    file = toml(tmp_path, 'sources = ["embedded:iris"]\nheader = true')

    settings = settings_of(given, file)

    assert settings.sources == ("embedded:iris",)
    assert settings.algorithms == ("fixed",)
    assert settings.options.header is True


def test_one_value_will_do_for_a_list_and_dashes_for_underscores(tmp_path: Path) -> None:
    text = 'algorithms = "greedy"\nlearning-rate = 1\nencoding = "0/1"\nignore = "id"'
    settings = settings_of({}, toml(tmp_path, text))

    assert settings.algorithms == ("greedy",)
    assert settings.learning_rate == (1,)
    assert settings.encoding == ("0/1",)
    assert settings.options.ignore == ("id",)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    text = 'sources = ["rows.csv", "/abs.csv", "embedded", "uci:iris", "openml:61"]'

    settings = settings_of({"out": "here"}, toml(tmp_path, text))

    assert settings.sources == (
        str(tmp_path / "rows.csv"), "/abs.csv", "embedded", "uci:iris", "openml:61",
    )  # fmt: skip
    assert settings.out == "here"
    assert settings_of({}, toml(tmp_path, "")).out == "results"


# ---- sources with options of their own

SOURCES = """
ignore = ["id"]

[[source]]
source = "rows.csv"
target = "y"

[[source]]
source = "rows.csv"
target = "y"
features = "one-hot"
name = "flags"
ignore = []
"""


def test_a_source_may_have_options_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("id,y,a\n1,p,u\n2,q,v\n3,p,w\n")

    settings = settings_of({}, toml(tmp_path, SOURCES))

    assert settings.sources == ()
    experiment = Experiment(settings.problems, settings.runs, options=settings.options)
    problems = [read(source, settings.options) for source in experiment.sources]
    assert [problem.name for problem in problems] == ["rows", "flags (one-hot)"]
    assert [problem.n_features for problem in problems] == [1, 4]
    assert problems[0].class_names == ("p", "q")
    assert settings.as_dict()["source"][0] == f"source={tmp_path}/rows.csv, target=y"
    marks = {mark_of(source, settings.options) for source in experiment.sources}
    assert len(marks) == 2


def test_sources_on_the_command_line_replace_those_of_the_file(tmp_path: Path) -> None:
    settings = settings_of({"sources": ["embedded"]}, toml(tmp_path, SOURCES))

    assert settings.problems == ["embedded"]


def test_a_name_is_for_one_problem(tmp_path: Path) -> None:
    text = '[[source]]\nsource = "embedded"\nname = "all"'

    with pytest.raises(SpecError, match="embedded: holds several problems; `name`"):
        _ = settings_of({}, toml(tmp_path, text)).problems


# ---- files that say something wrong


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('algoritms = ["x"]', "unknown setting 'algoritms'; did you mean 'algorithms'?"),
        ("[run]\njobs = 2", "unknown setting 'run'; known: address, algorithms"),
        ("jobs = 2.0", "jobs cannot be 2.0; it is a whole number"),
        ("jobs = true", "jobs cannot be True; it is a whole number"),
        ('seeds = "2"', "seeds cannot be '2'; it is a whole number"),
        ("sources = 1", "sources cannot be 1; it is a list of texts"),
        ("sources = {a = 1}", "sources cannot be {'a': 1}; it is a list of texts"),
        ("sources = [1]", r"sources cannot be \[1\]; it is a list of texts"),
        ('learning_rate = ["1"]', r"learning_rate cannot be \['1'\]; it is a list of numbers"),
        ("seeds = 1\nseed-s = 1", "unknown setting 'seed-s'"),
        ("learning-rate = 1\nlearning_rate = 1", "learning_rate is set twice"),
        ('source = "a.csv"', r"source cannot be 'a.csv'; write \[\[source\]\] tables"),
        ("[[source]]\ntarget = 1", r"\[\[source\]\] 1 needs a source, such as source"),
        (
            '[[source]]\nsource = "a"\nignroe = "b"',
            r"\[\[source\]\] 1: unknown setting 'ignroe'; did you mean 'ignore'",
        ),
        (
            '[[source]]\nsource = "a"\nmax-documents = "b"',
            r"\[\[source\]\] 1: max_documents cannot be 'b'; it is a whole number",
        ),
        ('baseline = "x"', "baseline cannot be 'x'; it is one of off, on, both"),
        ("baseline = true", "baseline cannot be True; it is one of off, on, both"),
        ('engine = "spark"', "engine cannot be 'spark'; it is one of local, dask"),
        ('task = "x"', "task cannot be 'x'; it is one of multiclass, multilabel"),
        ('header = "no"', "header cannot be 'no'; it is true or false"),
        ('max_relevance = "a"', "max_relevance cannot be 'a'; it is a number"),
        ("memory = 8", "memory cannot be 8; it is a string"),
        ("jobs = ", "is not a TOML file: "),
    ],
)
def test_a_file_that_makes_no_sense_is_named_with_the_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = toml(tmp_path, text)

    with pytest.raises(SpecError, match=f"^{file}: {reason}"):
        settings_of({}, file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    file = tmp_path / "none.toml"

    with pytest.raises(SpecError, match=f"^{file}: cannot be read: No such file"):
        settings_of({}, file)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bakeoff.toml"
    file.write_bytes(b"\xff\xfe\x00jobs")

    with pytest.raises(SpecError, match=f"^{file}: is not a TOML file: "):
        settings_of({}, file)


# ---- values that make no sense, wherever they come from


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"seeds": 0}, "seeds .*1.* 0$"),
        ({"shuffles": -1}, "shuffles .*0.* -1$"),
        ({"jobs": 0}, "jobs .*1.* 0$"),
        ({"memory": "lots"}, "memory .*8G.* 'lots'$"),
        ({"engine": "spark"}, "engine must be local or dask, got 'spark'"),
        ({"sources": ()}, "sources .*file, folder or suite"),
        ({"address": "tcp://a:1"}, "an address .*dask"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(SpecError, match=f"^{reason}"):
        settings_of(given)


def test_a_baseline_that_makes_no_sense_is_refused() -> None:
    settings = settings_of({"baseline": "sometimes"})

    with pytest.raises(SpecError, match=r"^baseline must be off, on or both"):
        _ = settings.runs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8G", 8_000_000_000),
        ("8 GB", 8_000_000_000),
        ("8g", 8_000_000_000),
        ("0.5M", 500_000),
        ("1.5k", 1_500),
        ("2T", 2_000_000_000_000),
        ("12345", 12_345),
        ("100B", 100),
    ],
)
def test_memory_is_a_number_with_a_unit(text: str, expected: int) -> None:
    assert bytes_of(text) == expected


@pytest.mark.parametrize(
    "text", ["", "G", "lots", "-1G", "0", "0.0001", "8X", "1e9", "8GiB", "nan", "8 8"]
)
def test_memory_that_is_no_number_of_bytes_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match=r"^memory must be a number of bytes such as"):
        bytes_of(text)


# ---- sources that are something else


@pytest.mark.parametrize(
    "word", ["fixed", "greedy", "cover:psi=0.1,nu", "python:my.Learner,alpha=1"]
)
def test_a_source_that_is_an_algorithm_is_told_apart(word: str) -> None:
    with pytest.raises(SpecError) as caught:
        Settings(sources=(word,))

    assert f"{word!r} is an algorithm" in str(caught.value)
    assert f"-a {word}" in str(caught.value)


@pytest.mark.parametrize("word", ["0/1", "-1/0", "9/10", "-0.5/0.5"])
def test_a_source_that_is_an_encoding_is_told_apart(word: str) -> None:
    with pytest.raises(SpecError) as caught:
        Settings(sources=(word,))

    assert f"{word!r} is an encoding" in str(caught.value)
    assert f"--encoding={word}" in str(caught.value)


@pytest.mark.parametrize(
    "word", ["paper", "paper-tuning", "openml:61", "data/2020/11", "2020/11", "greedy.csv"]
)
def test_what_can_be_a_source_is_left_to_the_sources(word: str) -> None:
    settings = Settings(sources=(word,))

    assert settings.sources == (word,)


def test_a_file_may_be_called_like_an_algorithm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greedy").write_text("")
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / "1").write_text("")
    monkeypatch.chdir(tmp_path)

    settings = Settings(sources=("greedy", "0/1"))

    assert settings.sources == ("greedy", "0/1")


def test_a_word_too_long_for_a_file_is_left_to_the_sources() -> None:
    assert Settings(sources=("x" * 5000,)).sources[0].startswith("x")
