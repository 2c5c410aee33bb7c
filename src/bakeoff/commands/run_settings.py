"""Settings: what `bakeoff run` is asked to do, by options or by a TOML file."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from bakeoff.basics.errors import SpecError
from bakeoff.commands.file_options import OF_SEVERAL, given_options
from bakeoff.commands.toml_file import read_toml
from bakeoff.experiment import EngineName, Where, check_engine, check_shuffles
from bakeoff.reading.catalog import SUITES, Source, find, with_options
from bakeoff.reading.logs import is_log, is_table
from bakeoff.reading.options import KINDS, Options
from bakeoff.runs import DEFAULT, GRIDS, RATES, RAW, Baseline, Run, grid, offset_of, parse


@dataclass(frozen=True)
class Settings:
    """An experiment and how to carry it out; names are those of the options."""

    sources: tuple[str, ...] = ("embedded",)
    source: tuple[dict[str, Any], ...] = ()  # in TOML: sources with their own options
    algorithms: tuple[str, ...] = ("fixed",)
    learning_rate: tuple[float, ...] = RATES
    encoding: tuple[str, ...] = (DEFAULT,)
    baseline: Baseline = "off"
    inputs: tuple[str, ...] = (RAW,)
    shuffles: int | None = None
    seeds: int = 1
    out: str = "results"
    jobs: int | None = None
    memory: str | None = None
    limit: str | None = None
    engine: EngineName = "local"
    address: str | None = None
    data: str | None = None
    options: Options = field(default_factory=Options)  # in TOML: each a setting

    def __post_init__(self) -> None:
        if not (self.sources or self.source):
            raise SpecError("sources must name at least one file, folder or suite")
        for word in self.sources:
            _check_source(word)
        check_engine(self.engine, Where(self.jobs, self.address))
        check_shuffles(self.shuffles)
        if self.memory is not None:
            bytes_of(self.memory)
        if self.limit is not None:
            seconds_of(self.limit)
        if self.seeds < 1:
            raise SpecError(f"seeds must be at least 1, got {self.seeds}")

    @property
    def runs(self) -> list[Run]:
        """The grid of runs."""
        return grid(
            self.algorithms,
            learning_rates=self.learning_rate,
            encodings=self.encoding,
            baseline=self.baseline,
            seeds=self.seeds,
            inputs=self.inputs,
        )

    @property
    def problems(self) -> list[str | Source]:
        """All sources, those with options of their own last."""
        tables = [source for table in self.source for source in _with_options(table, self.data)]
        return [*(_of(text) for text in self.sources), *tables]

    @property
    def memory_bytes(self) -> int | None:
        """The memory budget in bytes."""
        return None if self.memory is None else bytes_of(self.memory)

    @property
    def limit_seconds(self) -> float | None:
        """How long a run of an own learner may take."""
        return None if self.limit is None else seconds_of(self.limit)

    def as_dict(self) -> dict[str, Any]:
        """The settings for a manifest, by the names that they have in a TOML file."""
        settings = asdict(self)
        options = settings.pop("options")
        tables = [", ".join(f"{k}={v}" for k, v in one.items()) for one in self.source]
        settings |= {name: options[name] for name in OF_SEVERAL}
        return settings | {"source": tables}


def settings_of(flags: dict[str, Any], file: Path | None = None) -> Settings:
    """Settings from command-line options (None: not given), and for the rest from a TOML file."""
    from_file = {} if file is None else read_toml(file, _kinds())
    chosen = {key: value for key, value in flags.items() if value not in (None, [])}
    if "sources" in chosen:
        from_file.pop("source", None)
    elif "source" in from_file:
        from_file.setdefault("sources", ())
    values = given_options(from_file | chosen)
    options = {name: values.pop(name) for name in OF_SEVERAL if name in values}
    return Settings(**values, options=Options(**options))


def _of(text: str) -> str | Source:
    """A source; a decision log is read as one only when it is asked for."""
    if not is_log(Path(text)) or is_table(Path(text)):
        return text
    from bakeoff.evaluation import source_of

    return source_of(text)


def _with_options(table: dict[str, Any], data: str | None) -> list[Source]:
    """The problems of a `[[source]]` table, with what it says about them."""
    options: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in table.items()
        if key != "source"
    }
    Options(**options)  # refuses what makes no sense, before anything runs
    listing = find(table["source"], data)
    if "name" in options and not listing.is_one:
        raise SpecError(f"{table['source']}: holds several problems; `name` names one")
    return [with_options(source, options) for source in listing.sources]


def bytes_of(text: str) -> int:
    """A number of bytes, such as "8G" or "500M".

    >>> bytes_of("1.5k")
    1500
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kMGT]?)B?", text.strip(), re.IGNORECASE)
    number, unit = (match[1], match[2].lower() or " ") if match else ("0", " ")
    n_bytes = int(float(number) * 1000 ** " kmgt".index(unit))
    if not n_bytes:
        raise SpecError(f"memory must be a number of bytes such as 8G, got {text!r}")
    return n_bytes


def seconds_of(text: str) -> float:
    """A time in seconds, such as "90", "10m" or "1.5h".

    >>> seconds_of("10m")
    600.0
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    seconds = float(match[1]) * {"m": 60, "h": 3600}.get(match[2], 1) if match else 0.0
    if not seconds:
        raise SpecError(f"limit must be a time such as 90s, 10m or 2h, got {text!r}")
    return seconds


def _kinds() -> dict[str, Any]:
    """The type of each setting of a TOML file."""
    kinds = get_type_hints(Settings) | {name: KINDS[name].type for name in OF_SEVERAL}
    return {key: kinds[key] for key in kinds if key not in ("source", "options")}


def _check_source(word: str) -> None:
    """Refuse a word that is an algorithm or an encoding, but neither suite nor file."""
    if word in SUITES or _exists(word):  # "paper" is a suite too
        return
    if word in GRIDS or word.startswith("python:") or _is_read_by(parse, word):
        raise SpecError(f"{word!r} is an algorithm, not a source; write -a {word}")
    if _is_read_by(offset_of, word):
        raise SpecError(f"{word!r} is an encoding, not a source; write --encoding={word}")


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
