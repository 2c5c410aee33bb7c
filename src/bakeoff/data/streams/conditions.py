"""Conditions: drift, delay, noise and the like, as values and as text.

    digits | delay(exponential, mean=100) | drift(after=0.5)

A stream is a problem and a set of conditions: their order in the text has no meaning.
Conditions that change rows or costs apply to the rows in the order played. Random
choices come from the condition's own `seed`, never from the seed of a run.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.data.streams import checks
from bakeoff.data.streams.checks import setting

BAR = " | "
_PLAIN = re.compile(r"[^\W\d][\w.=<>\[\] -]*", re.ASCII)  # words that need no quotes
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CONDITION = re.compile(r"(?P<word>[a-z]+)\((?P<inside>.*)\)", re.DOTALL)


@dataclass(frozen=True)
class Condition:
    """What all conditions have in common: checked settings, and a text."""

    word: ClassVar[str]
    kind: ClassVar[str] = ""  # the first word in its parentheses

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            try:
                object.__setattr__(self, one.name, one.metadata["check"](value))
            except ValueError as error:
                raise SpecError(
                    f"{one.name} of {self.word} must be {error}, got {value!r}"
                ) from None

    def __str__(self) -> str:
        parts = [self.kind] if self.kind else []
        for one in fields(self):
            value = getattr(self, one.name)
            if one.default is MISSING or value != one.default:
                is_bare = one.metadata["bare"]
                parts.append(_text(value) if is_bare else f"{one.name}={_text(value)}")
        return f"{self.word}({', '.join(parts)})"


_seed = checks.whole(0)


_moment, _stretch = checks.or_date(checks.moment), checks.or_date(checks.stretch)


@dataclass(frozen=True)
class Timed(Condition):
    """A condition with moments that may be dates; rows come in the order of the column `time`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        dates = [one for one in moments_of(self) if isinstance(getattr(self, one), str)]
        if bool(dates) != (getattr(self, "time", None) is not None):
            name = dates[0] if dates else "after"
            raise SpecError(
                f"{self.word} takes a date and the column of dates together, as in "
                f"{name}=2026-06-01, time=date"
            )


def moments_of(one: Condition) -> list[str]:
    """The names of its settings that may be dates."""
    return [name for name in ("after", "until") if hasattr(one, name)]


@dataclass(frozen=True)
class FixedDelay(Condition):
    """Feedback of a round comes after `rounds` further decisions; 0: at once.

    Or so many `hours` later, by a column `time`: dates, or numbers of hours. Rows come in
    its order.
    """

    word = "delay"
    rounds: int | None = setting(checks.or_none(checks.whole(0)), None, bare=True)
    hours: float | None = setting(checks.or_none(checks.hours), None)
    time: int | str | None = setting(checks.or_none(checks.column), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.rounds is None) == (self.hours is None) or (self.hours is None) != (
            self.time is None
        ):
            raise SpecError(
                "delay takes either rounds, as in delay(100), or hours and the column of their "
                "time, as in delay(hours=24, time=date)"
            )


@dataclass(frozen=True)
class ExponentialDelay(Condition):
    """Delays are drawn from an exponential distribution, and rounded."""

    word, kind = "delay", "exponential"
    mean: float = setting(checks.mean)
    seed: int = setting(_seed, 0)


@dataclass(frozen=True)
class BatchDelay(Condition):
    """All feedback of `every` rounds, or of so many `hours`, comes after the last of them.

    Hours are those of a column `time`: dates, or numbers of hours. Rows come in its order.
    """

    word, kind = "delay", "batch"
    every: int | None = setting(checks.or_none(checks.whole(1)), None)
    hours: float | None = setting(checks.or_none(checks.hours), None)
    time: int | str | None = setting(checks.or_none(checks.column), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.every is None) == (self.hours is None) or (self.hours is None) != (
            self.time is None
        ):
            raise SpecError(
                "delay(batch) takes either every, as in delay(batch, every=100), or hours and "
                "the column of their time, as in delay(batch, hours=24, time=date)"
            )


@dataclass(frozen=True)
class Lost(Timed):
    """For a share of the rounds no feedback ever comes; or of those that take one `action`."""

    word = "lost"
    share: float = setting(checks.share, bare=True)
    action: int | str | None = setting(checks.or_none(checks.action), None)
    after: float | str = setting(_moment, 0.0)
    until: float | str | None = setting(_stretch, None)
    seed: int = setting(_seed, 0)
    time: int | str | None = setting(checks.or_none(checks.column), None)


@dataclass(frozen=True)
class Noise(Timed):
    """In a share of the rounds what is learned is wrong; reported costs stay true.

    The costs of such a round are rotated by a random number of actions, so that a class
    becomes another one. With `after` and `until`, only a stretch is poisoned.
    """

    word = "noise"
    share: float = setting(checks.share, bare=True)
    after: float | str = setting(_moment, 0.0)
    until: float | str | None = setting(_stretch, None)
    seed: int = setting(_seed, 0)
    time: int | str | None = setting(checks.or_none(checks.column), None)


@dataclass(frozen=True)
class Drift(Timed):
    """Costs change: what held for action a holds for action a + `turn`.

    At once `after` a moment; gradually, from there `over` a stretch; or in seasons that
    come and go, `every` so many rounds. Where actions have features of their own, a cost
    c becomes 1 - c instead.
    """

    word = "drift"
    after: float | str | None = setting(_moment, None)
    over: float | None = setting(checks.stretch, None)
    every: float | None = setting(checks.stretch, None)
    turn: int = setting(checks.whole(1), 1)
    seed: int = setting(_seed, 0)
    time: int | str | None = setting(checks.or_none(checks.column), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.after is None) == (self.every is None):
            raise SpecError("drift takes either after or every, as in drift(after=0.5)")
        if self.over is not None and self.after is None:
            raise SpecError("over of drift needs after, as in drift(after=0.5, over=0.2)")


@dataclass(frozen=True)
class Price(Timed):
    """From a moment on, one action costs more (or less).

    All costs are divided by the range they then have, so that they stay in [0, 1].
    """

    word = "price"
    action: int | str = setting(checks.action)
    by: float = setting(checks.amount)
    after: float | str = setting(_moment, 0.5)
    time: int | str | None = setting(checks.or_none(checks.column), None)


@dataclass(frozen=True)
class Shift(Condition):
    """Rows come sorted by a feature; `mix` is how far they stray, as a share of all."""

    word = "shift"
    feature: int | str = setting(checks.column, bare=True)
    mix: float = setting(checks.share, 0.0)
    seed: int = setting(_seed, 0)


@dataclass(frozen=True)
class Lives(Condition):
    """A share of the actions is born late or dies early; two or more always live."""

    word = "lives"
    share: float = setting(checks.share, bare=True)
    seed: int = setting(_seed, 0)


@dataclass(frozen=True)
class Available(Condition):
    """In each round every action is there with this chance; two or more always are."""

    word = "available"
    share: float = setting(checks.share, bare=True)
    seed: int = setting(_seed, 0)


CONDITIONS: tuple[type[Condition], ...] = (
    Available, FixedDelay, ExponentialDelay, BatchDelay, Drift, Lives, Lost, Noise, Price, Shift,
)  # fmt: skip


def condition(word: str, *values: Any, **settings: Any) -> Condition:
    """A condition by its word, as in condition("delay", "exponential", mean=100)."""
    kinds = {one.kind: one for one in CONDITIONS if one.word == word}
    if not kinds:
        words = {one.word for one in CONDITIONS}
        raise SpecError(f"unknown condition {word!r}{did_you_mean(word, words)}")
    if values and isinstance(values[0], str) and values[0] in kinds:
        made, values = kinds[values[0]], values[1:]
    elif values and isinstance(values[0], str) and len(kinds) > 1:
        known = [kind for kind in kinds if kind]
        raise SpecError(f"unknown {word} {values[0]!r}{did_you_mean(values[0], known)}")
    else:
        made = kinds[""]
    return made(**_by_name(made, values, settings))


def _by_name(
    made: type[Condition], values: Sequence[Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings of a condition, the first ones given without their names."""
    known = {one.name: one for one in fields(made)}
    word = f"{made.word}({made.kind})" if made.kind else made.word
    if len(values) > len(known):
        raise SpecError(f"{word} takes {len(known)} settings, got {len(values)}")
    given = dict(zip(known, values, strict=False))
    for name, value in settings.items():
        if name not in known:
            raise SpecError(f"{word} has no setting {name!r}{did_you_mean(name, known)}")
        if name in given:
            raise SpecError(f"{name!r} of {word} is given twice")
        given[name] = value
    for name, one in known.items():
        if one.default is MISSING and name not in given:
            raise SpecError(f"{word} needs {name}, as in {_EXAMPLES[made]}")
    return given


_EXAMPLES = {
    Available: "available(0.5)",
    FixedDelay: "delay(100)",
    ExponentialDelay: "delay(exponential, mean=100)",
    BatchDelay: "delay(batch, every=100)",
    Lives: "lives(0.5)",
    Lost: "lost(0.2)",
    Noise: "noise(0.1)",
    Price: "price(action=0, by=0.3)",
    Shift: "shift(age)",
}


def in_order(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Conditions in the order of their texts, each once."""
    by_text = {str(one): one for one in conditions}
    return tuple(by_text[text] for text in sorted(by_text))


# ---- text


def text_of(conditions: Iterable[Condition]) -> str:
    """Conditions as text.

    >>> text_of(parse("noise(.1) | delay(3)"))
    'delay(3) | noise(0.1)'
    """
    return BAR.join(str(one) for one in in_order(conditions))


def named(name: str, conditions: Iterable[Condition]) -> str:
    """The name of a problem under conditions."""
    return BAR.join(filter(None, [name, text_of(conditions)]))


def parse(text: str) -> tuple[Condition, ...]:
    """The conditions of a text such as "delay(100) | noise(0.1)"."""
    if not text.strip():
        return ()
    return in_order(_parse_one(part.strip(), text) for part in _split(text, "|"))


def _parse_one(part: str, whole: str) -> Condition:
    found = _CONDITION.fullmatch(part)
    if found is None:
        raise SpecError(f"{part!r} is not a condition, such as delay(100) or drift(after=0.5)")
    values: list[Any] = []
    settings: dict[str, Any] = {}
    for piece in filter(None, (piece.strip() for piece in _split(found["inside"], ","))):
        name, equals, value = piece.partition("=")
        if equals and name.strip().isidentifier() and not piece.startswith('"'):
            if name.strip() in settings:
                raise SpecError(f"{name.strip()!r} is given twice in {part!r}")
            settings[name.strip()] = _value(value.strip(), part)
        elif settings:
            raise SpecError(f"{piece!r} in {part!r} must come first, or with its name")
        else:
            values.append(_value(piece, part))
    return condition(found["word"], *values, **settings)


def _split(text: str, at: str) -> list[str]:
    """Parts of a text between separators that stand outside of quotes."""
    parts, inside, is_escaped = [""], False, False
    for letter in text:
        if letter == '"' and not is_escaped:
            inside = not inside
        if letter == at and not inside:
            parts.append("")
        else:
            parts[-1] += letter
        is_escaped = letter == "\\" and not is_escaped
    return parts


def _value(text: str, part: str) -> Any:
    """A number, a quoted text, or a word."""
    if text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            raise SpecError(f"{text} in {part!r} is not a quoted text") from None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _text(value: Any) -> str:
    if isinstance(value, str):
        is_plain = _PLAIN.fullmatch(value) and value == value.strip()
        if _DATE.fullmatch(value):
            return value
        is_word = is_plain and isinstance(_value(value, ""), str) and "=" not in value
        return value if is_word else json.dumps(value)
    return str(int(value)) if value == int(value) else repr(float(value))


def split_stream(name: str) -> tuple[str, str]:
    """The name of a problem without its conditions, and these.

    >>> split_stream("digits | delay(100) | noise(0.1)")
    ('digits', 'delay(100) | noise(0.1)')
    """
    for at in (found.start() for found in re.finditer(re.escape(BAR), name)):
        try:
            parse(name[at + len(BAR) :])
        except SpecError:
            continue
        return name[:at], name[at + len(BAR) :]
    return name, ""


def split_source(text: str) -> tuple[str, str]:
    """A source and its conditions, as in "embedded:digits | delay(100)".

    >>> split_source("data/a.csv | delay(100) | noise(0.1)")
    ('data/a.csv', 'delay(100) | noise(0.1)')
    """
    source, bar, conditions = text.partition("|")
    if not bar:
        return text, ""
    if not conditions.strip():
        raise SpecError(f"{text!r} ends with a bar: conditions follow it, such as delay(100)")
    return source.strip(), conditions.strip()
