"""Quantities: words that mean numbers."""

from datetime import date, datetime, time, timedelta, timezone

import pytest

from bakeoff.data.quantities import Form, form_of, looks_like_dates, quantity, text_of


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("$1,200.50", 1200.5),
        ("-$5", -5),
        ("$-5", -5),
        ("($1,200)", -1200),
        ("\u20ac 12", 12),
        ("12 EUR", 12),
        ("USD 3.5", 3.5),
        ("12.5%", 12.5),
        ("1 200 000", 1_200_000),
        ("1'200.5", 1200.5),
        (".5", 0.5),
        ("1e3", 1000),
        (" 7 ", 7),
    ],
)
def test_symbols_beside_a_number_are_dropped(word: str, number: float) -> None:
    assert quantity(word, "plain") == number


@pytest.mark.parametrize(
    ("word", "number"),
    [("1.200,50", 1200.5), ("\u20ac3,5", 3.5), ("1 200,5 EUR", 1200.5), ("12", 12)],
)
def test_a_decimal_comma_is_a_form_of_its_own(word: str, number: float) -> None:
    assert quantity(word, "comma") == number


@pytest.mark.parametrize(
    "word", ["", "$", "%", "1,20", "12,34,567", "1.2.3", "+-5", "(5", "5)", "SKU1"]
)
def test_other_words_are_no_plain_numbers(word: str) -> None:
    assert quantity(word, "plain") is None


@pytest.mark.parametrize(
    ("word", "days"),
    [
        ("1970-01-01", 0),
        ("1970-01-02T06:00", 1.25),
        ("1970-01-02 06:00:00", 1.25),
        ("1970-01-02T06:00:00.000Z", 1.25),
        ("1970-01-02 06:00:00 UTC", 1.25),
        ("1970-01-02T06:00:00+06:00", 1.0),
        ("1969-12-31", -1),
    ],
)
def test_an_iso_date_is_a_number_of_days(word: str, days: float) -> None:
    assert quantity(word, "date") == days


@pytest.mark.parametrize(
    "word", ["13/01/2024", "2024-02-30", "2024-1-3", "20240113", "2024-W02-6", "now"]
)
def test_other_dates_are_not_read(word: str) -> None:
    assert quantity(word, "date") is None


def test_a_time_is_a_number_of_hours() -> None:
    assert quantity("13:45", "time") == 13.75
    assert quantity("0:00:36", "time") == 0.01
    assert quantity("25:00", "time") is None
    assert quantity("1:60", "time") is None


@pytest.mark.parametrize(
    ("words", "form"),
    [
        (["$5", "7"], "plain"),
        (["1.200,50", "3"], "comma"),
        (["2024-01-13", "2024-01-14 10:00"], "date"),
        (["9:30", "10:00"], "time"),
        (["9:30", "$5"], None),
        (["red"], None),
        ([], None),
    ],
)
def test_all_words_of_a_column_have_one_form(words: list[str], form: Form | None) -> None:
    assert form_of(words) == form


def test_dates_in_other_forms_are_noticed() -> None:
    assert looks_like_dates(["13/01/2024", "1/2/24"])
    assert looks_like_dates(["13.01.2024 10:00"])
    assert not looks_like_dates(["13/01/2024", "red"])
    assert not looks_like_dates(["1/2"])


@pytest.mark.parametrize(
    ("moment", "word"),
    [
        (date(2024, 1, 13), "2024-01-13"),
        (time(9, 5), "09:05:00"),
        (datetime(2024, 1, 13, 9, 5, 0, 500), "2024-01-13 09:05:00.000500"),
        (datetime(2024, 1, 13, 9, tzinfo=timezone(timedelta(hours=2))), "2024-01-13 07:00:00"),
    ],
)
def test_a_moment_is_written_so_that_it_sorts(moment: date | time, word: str) -> None:
    assert text_of(moment) == word
