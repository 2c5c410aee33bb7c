"""Quantities: words that mean numbers, such as dates, times and sums of money.

A column is read in one form throughout, and later rows in the same form. A date is a
number of days, a time of day a number of hours; symbols beside a number are dropped.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, get_args

Form = Literal["plain", "comma", "date", "time"]
FORMS: tuple[Form, ...] = get_args(Form)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)

_CODES = "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|INR|JPY|KRW|MXN|NOK|NZD|PLN|SEK|USD"
_SYMBOL = rf"(?:[$¢£¤¥฿\u20a0-\u20c0]|{_CODES})"
_GROUPED = {"plain": (r"[,' \u00a0\u202f]", r"\."), "comma": (r"[. \u00a0\u202f]", ",")}
_ISO = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"([T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?( ?(Z|UTC|[+-]\d\d(:?\d\d)?))?)?"
)
_BEFORE_ZONE = re.compile(r" (?=Z|[+-]\d\d(:?\d\d)?$)")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?")
_OTHER_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}([T ]+\d.*)?")


def _number(groups: str, point: str) -> re.Pattern[str]:
    """Numbers with thousands in groups, with symbols before or after them."""
    digits = rf"(?:\d{{1,3}}(?:{groups}\d{{3}})+|\d+)(?:{point}\d+)?|{point}\d+"
    return re.compile(
        rf"(?P<open>\()?(?P<sign>[+-])?\s?{_SYMBOL}?\s?(?P<inner>[+-])?"
        rf"(?P<digits>{digits})(?P<power>[eE][+-]?\d+)?\s?(?:{_SYMBOL}|%)?(?P<close>\))?"
    )


_NUMBERS = {form: _number(*signs) for form, signs in _GROUPED.items()}


def form_of(words: Iterable[str]) -> Form | None:
    """The form in which all of some words are quantities, if there is one."""
    first = next(iter(words), None)
    if first is None:
        return None
    fitting = [form for form in FORMS if quantity(first, form) is not None]
    return next((form for form in fitting if _is_all(words, form)), None)


def _is_all(words: Iterable[str], form: Form) -> bool:
    return all(quantity(word, form) is not None for word in words)


def looks_like_dates(words: Iterable[str]) -> bool:
    """Whether all of some words are dates in another form than ISO's."""
    return all(_OTHER_DATE.fullmatch(word) for word in words)


def quantity(word: str, form: Form) -> float | None:
    """The number that a word means; of dates, days since 1970.

    >>> quantity("$1,200.50", "plain"), quantity("1.200,50 EUR", "comma")
    (1200.5, 1200.5)
    >>> quantity("1970-01-02 12:00", "date"), quantity("13:45", "time")
    (1.5, 13.75)
    """
    if form == "date":
        return _days(word)
    if form == "time":
        return _hours(word)
    found = _NUMBERS[form].fullmatch(word.strip())
    if found is None or bool(found["open"]) != bool(found["close"]):
        return None
    if found["sign"] and found["inner"]:
        return None
    groups, point = _GROUPED[form]
    digits = re.sub(point, ".", re.sub(groups, "", found["digits"]))
    size = float(digits + (found["power"] or ""))
    negative = found["open"] or "-" in (found["sign"], found["inner"])
    return -size if negative else size


def _days(word: str) -> float | None:
    text = word.strip().replace("UTC", "Z")
    if not _ISO.fullmatch(text):
        return None
    try:
        return days_since_1970(datetime.fromisoformat(_BEFORE_ZONE.sub("", text)))
    except ValueError:  # such as 2024-02-30
        return None


def days_since_1970(when: datetime) -> float:
    """Days with their fraction; a time without a zone is taken for UTC."""
    return ((when if when.tzinfo else when.replace(tzinfo=UTC)) - EPOCH) / DAY


def _hours(word: str) -> float | None:
    found = _CLOCK.fullmatch(word.strip())
    if found is None or int(found[1]) > 24 or int(found[2]) > 59:
        return None
    return int(found[1]) + int(found[2]) / 60 + float(found[3] or 0) / 3600


def text_of(moment: date | time) -> str:
    """A date, a time or both as text that sorts by time and reads back.

    >>> text_of(datetime(2024, 1, 13, 10, 30)), text_of(date(2024, 1, 13))
    ('2024-01-13 10:30:00', '2024-01-13')
    """
    if isinstance(moment, datetime):
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
        return moment.isoformat(sep=" ")
    return moment.isoformat()
