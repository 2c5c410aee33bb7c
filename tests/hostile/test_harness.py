"""The trials of benchmarks/hostile find nothing where nothing is attacked."""

import random
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bakeoff.reading.logs.parts import parts_of
from benchmarks.hostile import full_log, interrupts, models, moved_log
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.witness import Witness, records_in

LINES = [
    {"kind": "decision", "id": "a", "action": 1},
    {"kind": "decision", "id": "b", "action": 0},
    {"kind": "outcome", "id": "a", "reward": 1.0},
]


def nothing(*_: Any) -> str:
    return "nothing"


def no_attack(*_: Any) -> Any:
    return nullcontext()


@pytest.fixture
def _unharmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "WAYS", {"nothing": no_attack})
    monkeypatch.setattr(full_log, "WAYS", {"nothing": no_attack})
    monkeypatch.setattr(moved_log, "ATTACKS", (nothing,))
    monkeypatch.setattr(moved_log, "NAMES", ("log.jsonl",))
    monkeypatch.setattr(models, "EDITS", (nothing,))


@pytest.mark.usefixtures("_unharmed")
@pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize("kind", [interrupts, full_log, moved_log, models])
def test_nothing_is_found_where_nothing_is_attacked(kind: ModuleType, tmp_path: Path) -> None:
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert kind._trial(random.Random(number), folder)


def witness() -> Witness:
    found = Witness()
    found.note("a", 1)
    found.note("b", 0)
    found.outcomes["a"] = 1.0
    return found


def test_a_log_with_everything_is_fine() -> None:
    witness().check(LINES)


@pytest.mark.parametrize(
    ("lines", "how"),
    [
        (LINES[1:], "lost"),
        (LINES[:2], "lost"),
        ([*LINES, LINES[0]], "silent"),
        ([*LINES, LINES[2]], "silent"),
        ([{**LINES[0], "action": 0}, *LINES[1:]], "silent"),
    ],
)
def test_a_log_that_lacks_or_repeats_a_line_is_noticed(
    lines: list[dict[str, Any]], how: str
) -> None:
    with pytest.raises(BadError) as found:
        witness().check(lines)
    assert found.value.args[0] == how


@pytest.mark.parametrize("text", ['{"kind": "decision"}', '{"kind": "deci\n', "{}\n\0\n"])
def test_a_torn_line_is_noticed(text: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(text)
    with pytest.raises(BadError):
        records_in([tmp_path / "log"])


def test_an_interrupt_comes_at_a_line_of_the_learner() -> None:
    stopped = 0
    for number in range(40):
        with interrupts._line(random.Random(number)):
            try:
                records_in([])
                parts_of(Path("nowhere"))
            except interrupts.InterruptError:
                stopped += 1
    assert stopped > 0
