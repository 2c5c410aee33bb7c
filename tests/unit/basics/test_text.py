"""The pieces of sentences, and files that appear as a whole."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.basics.files import whole
from bakeoff.basics.text import counted, did_you_mean, encodable, in_one_line, nearest, printable


@pytest.mark.parametrize(
    ("n", "said"), [(0, "0 losses"), (1, "1 loss"), (2, "2 losses"), (9999, "9,999 l")]
)
def test_one_thing_is_no_plural(n: int, said: str) -> None:
    assert counted(n, "loss", "losses").startswith(said)


def test_a_word_is_corrected_or_all_are_named() -> None:
    assert did_you_mean("gredy", ["greedy", "bag"]) == "; did you mean 'greedy'?"
    assert did_you_mean("x", ["greedy", "bag"]) == "; known: bag, greedy"
    assert did_you_mean("x", []) == "; it has none"
    assert nearest("x", ["greedy"]) is None


@given(st.text(st.characters(exclude_categories=())))
def test_what_is_printed_can_be_encoded_and_stays_in_its_line(text: str) -> None:
    shown = printable(text)

    assert len(shown) == len(text)
    assert shown.isprintable()
    assert shown.encode().decode() == shown


@given(st.text(st.characters(exclude_categories=())))
def test_a_name_can_be_kept_whatever_its_bytes_were(name: str) -> None:
    kept = encodable(name)

    assert kept.encode().decode() == kept
    assert kept == name or not name.isprintable()


def test_a_name_in_another_encoding_is_told_by_its_bytes() -> None:
    assert encodable("caf\udcc3\udca9 caf\udce9") == r"caf\u00e9 caf\xe9".replace(
        r"\u00e9", "\u00e9"
    )


def test_a_long_text_is_cut_between_words() -> None:
    assert in_one_line("a\n b\t c") == "a b c"
    assert len(in_one_line("word " * 1000)) <= 300


def test_a_file_that_is_not_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    with pytest.raises(ZeroDivisionError), whole(path) as file:
        file.write(bytes(1 // len(b"")))

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_of_a_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "file"

    with whole(path) as first:
        first.write(b"first")
        with whole(path) as second:
            second.write(b"second")
        assert path.read_text() == "second"

    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]
