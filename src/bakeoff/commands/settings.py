"""Settings: what `bakeoff run` is asked to do, by options or by a TOML file."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bakeoff.commands.reading import OF_SEVERAL
from bakeoff.commands.reading import said as said_by
from bakeoff.errors import SpecError
from bakeoff.experiment.engines import EngineName
from bakeoff.problems.catalog.suites import SUITES
from bakeoff.problems.readers.options import KINDS, Options
from bakeoff.runs.encodings import DEFAULT, offset_of
from bakeoff.runs.grids import GRIDS, RATES, Baseline, grid
from bakeoff.runs.run import Run
from bakeoff.runs.specs import parse
from bakeoff.text import did_you_mean


@dataclass(frozen=True)
class Settings:
    """An experiment and how to carry it out; names are those of the options."""

    sources: tuple[str, ...] = ("embedded",)
    algorithms: tuple[str, ...] = ("fixed",)
    learning_rate: tuple[float, ...] = RATES
    encoding: tuple[str, ...] = (DEFAULT,)
    baseline: Baseline = "off"
    shuffles: int | None = None
    seeds: int = 1
    out: str = "results"
    jobs: int | None = None
    memory: str | None = None
    engine: EngineName = "local"
    address: str | None = None
    data: str | None = None
    options: Options = field(default_factory=Options)  # in TOML: each a setting

    def __post_init__(self) -> None:
        if not self.sources:
            raise SpecError("sources must name at least one file, folder or suite")
        for word in self.sources:
            _check_source(word)
        if self.engine not in get_args(EngineName):
            known = " or ".join(get_args(EngineName))
            raise SpecError(f"engine must be {known}, got {self.engine!r}")
        if self.memory is not None:
            bytes_of(self.memory)
        if self.seeds < 1:
            raise SpecError(f"seeds must be at least 1, got {self.seeds}")
        if self.shuffles is not None and self.shuffles < 0:
            raise SpecError(f"shuffles must be 0 or more, got {self.shuffles}")
        if self.jobs is not None and self.jobs < 1:
            raise SpecError(f"jobs must be at least 1, got {self.jobs}")
        if self.address is not None and self.engine != "dask":
            raise SpecError("an address is for the dask engine: add --engine dask")

    @property
    def runs(self) -> list[Run]:
        """The grid of runs."""
        return grid(
            self.algorithms,
            learning_rates=self.learning_rate,
            encodings=self.encoding,
            baseline=self.baseline,
            seeds=self.seeds,
        )

    @property
    def memory_bytes(self) -> int | None:
        """The memory budget in bytes."""
        return None if self.memory is None else bytes_of(self.memory)

    def as_dict(self) -> dict[str, Any]:
        """The settings for a manifest, by the names that they have in a TOML file."""
        settings = asdict(self)
        options = settings.pop("options")
        return settings | {name: options[name] for name in OF_SEVERAL}


def settings_of(given: dict[str, Any], file: Path | None = None) -> Settings:
    """Settings from options (None: not given), and for the rest from a TOML file."""
    said = {} if file is None else _from_toml(file)
    values = said_by(said | {k: v for k, v in given.items() if v not in (None, [])})
    options = {name: values.pop(name) for name in OF_SEVERAL if name in values}
    return Settings(**values, options=Options(**options))


def bytes_of(text: str) -> int:
    """A number of bytes, such as "8G" or "500M".

    >>> bytes_of("1.5k")
    1500
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kMGT]?)B?", text.strip(), re.IGNORECASE)
    number, unit = (found[1], found[2].lower() or " ") if found else ("0", " ")
    n_bytes = int(float(number) * 1000 ** " kmgt".index(unit))
    if not n_bytes:
        raise SpecError(f"memory must be a number of bytes such as 8G, got {text!r}")
    return n_bytes


def _from_toml(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text())
    except OSError as error:
        raise SpecError(f"{file}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{file}: is not a TOML file: {error}") from None
    kinds = get_type_hints(Settings) | {name: KINDS[name].type for name in OF_SEVERAL}
    del kinds["options"]
    for key, value in values.items():
        if key not in kinds:
            hint = did_you_mean(key, kinds)
            raise SpecError(f"{file}: unknown setting {key!r}{hint}")
        if not _fits(value, kinds[key]):
            raise SpecError(f"{file}: {key} cannot be {value!r}; {_right(kinds[key])}")
    return values


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value of a TOML file is of a field's type."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):  # Literal[...] | None is a Union
        return any(_fits(value, part) for part in get_args(kind))
    if origin is tuple:
        one = get_args(kind)[0]
        return isinstance(value, list) and all(_fits(item, one) for item in value)
    if origin is Literal:
        return value in get_args(kind)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


def _right(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"it is one of {', '.join(get_args(kind))}"
    if get_origin(kind) is tuple:
        return f"it is a list of {'numbers' if get_args(kind)[0] is float else 'texts'}"
    parts = [part for part in get_args(kind) or (kind,) if part is not type(None)]
    names = {
        str: "a text",
        int: "a whole number",
        float: "a number",
        bool: "true or false",
    }
    if parts and get_origin(parts[0]) is Literal:
        return _right(parts[0])
    return f"it is {names.get(parts[0], 'something else')}"


def _check_source(word: str) -> None:
    """Refuse a word that is an algorithm or an encoding, but neither suite nor file."""
    if word in SUITES or _exists(word):  # "paper" is a suite too
        return
    if word in GRIDS or word.startswith("python:") or _is_read_by(parse, word):
        raise SpecError(f"{word!r} is an algorithm, not a source; write -a {word}")
    if _is_read_by(offset_of, word):
        raise SpecError(
            f"{word!r} is an encoding, not a source; write --encoding={word}"
        )


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except OSError:  # a name too long, or a folder that may not be entered
        return False


def _is_read_by(reader: Callable[[str], object], word: str) -> bool:
    try:
        reader(word)
    except SpecError:
        return False
    return True
