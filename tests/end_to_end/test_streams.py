"""Streams as a user types them: late feedback, new prices and wrong labels, by dates."""

import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

import bakeoff as package
from tests.terminal import Terminal

LATE, WRONG = "delay(hours=24, time=date)", "noise(0.1)"
JUNE = "price(action=gift, by=0.3, after=2026-06-01, time=date)"
RUNS = ["-a", "greedy", "-a", "epsilon-greedy", "--learning-rate", "0.5"]
IN_ORDER = ["--numeric", "date", "--shuffles", "0", "--seeds", "2"]


@pytest.fixture
def shop() -> Path:
    """A table in the current folder: a day a row, three offers."""
    rng = np.random.default_rng(1)
    lines = ["date,age,basket,offer"]
    for i in range(150):
        age, basket = rng.integers(18, 80), rng.integers(5, 200)
        offer = "discount" if age < 35 else "gift" if basket > 90 else "nothing"
        lines.append(f"{date(2026, 3, 1) + timedelta(days=i)},{age},{basket},{offer}")
    path = Path("shop.csv")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_one_line_asks_what_becomes_of_a_verdict(bakeoff: Terminal, shop: Path) -> None:
    sources = [shop, *(f"{shop} | {stream}" for stream in (LATE, WRONG, JUNE))]

    said = bakeoff("run", *sources, *RUNS, *IN_ORDER)

    assert said.code == 0
    lines = said.out.splitlines()
    at = lines.index("1 dataset under 4 conditions, each by itself (--stream takes one)")
    assert lines[at + 1].split()[:5] == ["leads", "loss", "rise", "next", "behind"]
    assert lines[at + 2].startswith("no condition")
    table = " ".join(" ".join(lines[at + 2 :]).split())
    assert "shuffled" not in said.err
    store = package.open("results")
    assert store.streams == ["", LATE, WRONG, JUNE]
    for one in store.by_stream().iter_rows(named=True):
        assert f"{one['mean_loss']:.4f}" in table


def test_a_stream_is_looked_at_by_itself(bakeoff: Terminal, shop: Path) -> None:
    bakeoff("run", shop, f"{shop} | {WRONG}", *RUNS, *IN_ORDER, "--quiet")

    said = bakeoff("report", "--stream", "noise(.1)", "--tables", "streams", "--figures", "none")
    whole = bakeoff("report", "--json", "--tables", "streams", "--figures", "none")
    wrong = bakeoff("report", "--stream", "noise(0.2)")

    assert "conditions" not in said.out
    found = json.loads(whole.out)
    assert found["datasets"] == 2
    assert [one["stream"] for one in found["streams"]] == ["", WRONG]
    assert "| noise(0.1) |" in Path("results/report/streams.md").read_text()
    assert "Conditions" in Path("results/report.html").read_text()
    assert wrong.code != 0
    assert "there is no stream 'noise(0.2)' here" in wrong.err


def test_a_file_of_settings_names_streams(bakeoff: Terminal, shop: Path) -> None:
    Path("bake.toml").write_text(
        f'sources = ["{shop}", "embedded:iris | delay(3)"]\nalgorithms = ["greedy"]\n'
        f'learning_rate = [0.5]\nshuffles = 0\nnumeric = ["date"]\n'
        f'[[source]]\nsource = "{shop} | {LATE}"\nnumeric = "date"\n'
    )

    said = bakeoff("run", "--config", "bake.toml")

    assert said.code == 0
    assert package.open("results").datasets == ["iris | delay(3)", "shop", f"shop | {LATE}"]


def test_datasets_lists_streams(bakeoff: Terminal, shop: Path) -> None:
    said = bakeoff("datasets", f"{shop} | {JUNE}", f"{shop} | {WRONG}", "--numeric", "date")

    assert said.code == 0
    rows = [line for line in said.out.splitlines() if line.startswith("shop")]
    assert f"shop | {WRONG}" in rows[1]
    assert "cost-sensitive" in said.out  # prices make it so


@pytest.mark.parametrize(
    ("stream", "words", "said"),
    [
        ("delay(hours=24, time=date)", [], "read it as numbers (of dates: days): numeric='date'"),
        ("price(action=gft, by=0.3)", [], "there is no action 'gft'; did you mean 'gift'?"),
        ("price(action=gift, by=0.3, after=2027-06-01, time=date)", ["--numeric", "date"],
         "2027-06-01 is not within the rows, which go from 2026-03-01 to 2026-07-28"),
        ("dely(3)", [], "unknown condition 'dely'; did you mean 'delay'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence(
    stream: str, words: list[str], said: str, bakeoff: Terminal, shop: Path
) -> None:
    found = bakeoff("run", f"{shop} | {stream}", *RUNS, *words)

    assert found.code != 0
    assert said in " ".join(found.err.split())
    assert "Traceback" not in found.err


def test_shuffled_rows_beside_rows_in_time_are_noted(bakeoff: Terminal, shop: Path) -> None:
    found = bakeoff("run", shop, f"{shop} | {LATE}", *RUNS, "--numeric", "date", "--dry-run")

    assert f"rows of shop are shuffled, but those under {LATE} come" in " ".join(found.err.split())
