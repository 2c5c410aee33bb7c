"""Config: the settings of a service, from a TOML file and the environment.

model = "model"              # a saved learner to begin with, or a [learner] table

[learner]                    # arguments of `Learner`
explorer = "epsilon-greedy:epsilon=0.1"
actions = ["sport", "news"]  # leave it out if actions come with each request

[rewards]
wait = 600                   # seconds

[service]
port = 8000

[rollout]                    # a candidate that may take over
candidate = "new-model"      # a saved learner, or changes of [learner] in [rollout.learner]

A setting of [rewards], [service] or [rollout] can be given by the environment, too, as in
BAKEOFF_SERVICE_PORT=80, which wins over the file.
"""

import dataclasses
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.live import Feedback
from bakeoff.live.stages import Stages

MODES = ("online", "apprentice")
_LEARNER = (
    "explorer", "n_actions", "actions", "seed", "n_features", "bits", "interactions", "floor",
    "reduction", "learning_rate", "encoding", "offset", "baseline",
)  # fmt: skip


@dataclass(frozen=True)
class Rewards:
    """What rewards look like, and what happens if none comes."""

    low: float = 0.0  # rewards lie between `low` and `high`
    high: float = 1.0
    wait: float | None = 600.0  # seconds; None: for ever
    limit: int = 1_000_000  # at most so many decisions wait
    default: float | None = None  # the reward if none came in time; None: teach nothing

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise SpecError(f"[rewards] low must be below high, got {self.low} and {self.high}")
        Feedback(self.wait, self.limit)  # refuses what is out of range
        if self.default is not None and not self.low <= self.default <= self.high:
            raise SpecError(
                f"[rewards] default must lie between {self.low:g} and {self.high:g}, "
                f"got {self.default}"
            )


@dataclass(frozen=True)
class Service:
    """How the service runs."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1  # processes that decide
    state: str = "bakeoff-state"  # the folder of model, log and pending decisions
    key: str | None = None  # clients must send it; several are separated by commas
    mode: str = "online"  # apprentice: show the first action, and learn from it
    save_every: int = 1000  # outcomes after which the model is saved
    save_seconds: float = 1.0  # the model is at most so old
    sync: bool = False  # wait for the disk: survives the loss of power, too
    most_body: int = 1_048_576  # bytes of a request
    most_batch: int = 1000  # requests in a batch
    rate: float = 0.0  # requests a second and client; 0: no limit
    log_bytes: int = 100_000_000  # of a part of the decision log
    log_without: str = ""  # features that are not logged, separated by commas
    messages_bytes: int = 10_000_000  # of a file of messages
    messages_files: int = 5

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise SpecError(f"[service] mode must be one of {', '.join(MODES)}, got {self.mode!r}")
        least = {"workers": 1, "save_every": 1, "save_seconds": 0, "most_body": 1, "rate": 0,
                 "most_batch": 1, "log_bytes": 10_000, "messages_bytes": 10_000,
                 "messages_files": 1, "port": 0}  # fmt: skip
        for name, low in least.items():
            if not getattr(self, name) >= low:
                raise SpecError(
                    f"[service] {name} must be at least {low}, got {getattr(self, name)!r}"
                )
        for name, high in {"port": 65535, "workers": 1024}.items():
            if getattr(self, name) > high:
                raise SpecError(
                    f"[service] {name} must be at most {high}, got {getattr(self, name)}"
                )

    @property
    def keys(self) -> list[str]:
        """The keys that clients may send."""
        return _listed(self.key or "")

    @property
    def left_out(self) -> list[str]:
        """Names of features that are not logged."""
        return _listed(self.log_without)


@dataclass(frozen=True)
class Rollout:
    """A candidate that takes over as far as evidence goes; see `bakeoff.Rollout`."""

    candidate: str | None = None  # a saved learner
    holdback: float = 0.1  # the share that stays with the incumbent
    alpha: float = 0.05  # how often a candidate that is no better may be promoted
    margin: float = 0.0  # by how much it must be better
    least: int = 200  # outcomes before each move
    learner: dict[str, Any] = field(default_factory=dict)  # changes of [learner]

    def __post_init__(self) -> None:
        Stages(self.holdback, alpha=self.alpha, margin=self.margin)  # refuses bad settings
        if self.least < 1:
            raise SpecError(f"[rollout] least must be at least 1, got {self.least}")
        if (self.candidate is None) == (not self.learner):
            raise SpecError(
                "[rollout] needs a candidate (the file of a saved learner) or [rollout.learner] "
                "(settings that differ from [learner])"
            )


@dataclass(frozen=True)
class Config:
    """Everything that a service needs to know."""

    model: str | None = None  # a saved learner to begin with
    learner: dict[str, Any] = field(default_factory=dict)  # or arguments of `Learner`
    rewards: Rewards = Rewards()
    service: Service = Service()
    rollout: Rollout | None = None

    @property
    def folder(self) -> Path:
        """The folder of the state."""
        return Path(self.service.state)

    def make_folder(self, name: str = ".") -> Path:
        """Make the folder of the state, or one in it."""
        try:
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ResultsError(
                f"{self.folder} cannot be the folder of a service: {reason}"
            ) from None
        return self.folder / name

    def with_service(self, **changes: Any) -> "Config":
        """The same, but for some settings of the service; None changes nothing."""
        changes = {name: value for name, value in changes.items() if value is not None}
        service = dataclasses.replace(self.service, **changes)
        return dataclasses.replace(self, service=service)

    def __post_init__(self) -> None:
        if self.rollout is not None and self.service.mode != "online":
            raise SpecError(f'[rollout] needs mode = "online", got {self.service.mode!r}')

    def to_json(self) -> str:
        """One line, for other processes."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Config":
        """What `to_json` wrote."""
        data = json.loads(text)
        rollout = data["rollout"]
        return cls(
            data["model"],
            data["learner"],
            Rewards(**data["rewards"]),
            Service(**data["service"]),
            None if rollout is None else Rollout(**rollout),
        )


def read_config(path: Path, environment: Mapping[str, str] | None = None) -> Config:
    """The settings in a TOML file, or the defaults for a saved learner."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {"model": str(path)}
    if path.suffix == ".toml":
        values = _read(path)
    elif not path.is_file():
        raise SpecError(f"{path} is neither a saved learner nor a TOML file")
    beside = path.parent if path.suffix == ".toml" else Path()
    learner = values.get("learner", {})
    _check_learner(learner, f"{path}: [learner]")
    rewards = _table(Rewards, values.get("rewards", {}), path, "rewards", environment)
    service = _table(Service, values.get("service", {}), path, "service", environment)
    if "state" in values.get("service", {}) and "BAKEOFF_SERVICE_STATE" not in environment:
        service["state"] = str(beside / service["state"])
    model = values.get("model")
    if model is not None:
        if learner:
            raise SpecError(f"{path}: give a model or a [learner] table, not both")
        model = str(beside / model) if path.suffix == ".toml" else model
    config = Config(model, learner, Rewards(**rewards), Service(**service))
    if "rollout" not in values:
        return config
    return dataclasses.replace(config, rollout=_rollout(values["rollout"], path, environment))


def _rollout(values: dict[str, Any], path: Path, environment: Mapping[str, str]) -> Rollout:
    """The table [rollout], with the candidate's path relative to the file."""
    values = dict(values)
    changes = values.pop("learner", {})
    if not isinstance(changes, dict):
        raise SpecError(f"{path}: write the candidate's settings as a table: [rollout.learner]")
    _check_learner(changes, f"{path}: [rollout.learner]")
    settings = _table(Rollout, values, path, "rollout", environment)
    if settings.get("candidate") is not None:
        settings["candidate"] = str(path.parent / settings["candidate"])
    return Rollout(**settings, learner=changes)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _read(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SpecError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{path} is not a TOML file: {error}") from None
    tables = ("learner", "rewards", "service", "rollout")
    _check_names(values, ("model", *tables), str(path))
    for name in tables:
        if not isinstance(values.get(name, {}), dict):
            raise SpecError(f"{path}: {name} must be a table: write [{name}]")
    if not isinstance(values.get("model", ""), str):
        raise SpecError(f"{path}: model must be the path of a file")
    return values


def _check_names(values: Mapping[str, Any], names: Any, where: str) -> None:
    for name in values:
        if name not in names:
            raise SpecError(f"{where}: unknown setting {name!r}{did_you_mean(name, names)}")


def _check_learner(values: Mapping[str, Any], where: str) -> None:
    _check_names(values, _LEARNER, where)
    for name, value in values.items():
        try:
            json.dumps(value)
        except TypeError:
            raise SpecError(f"{where} {name} cannot hold a date or a time, got {value!r}") from None


def _table(
    kind: Any, values: dict[str, Any], path: Path, table: str, environment: Mapping[str, str]
) -> dict[str, Any]:
    """The settings of a table, those of the environment first."""
    kinds = {name: hint for name, hint in get_type_hints(kind).items() if name != "learner"}
    _check_names(values, kinds, f"{path}: [{table}]")
    settings: dict[str, Any] = {}
    for name, wanted in kinds.items():
        variable = f"BAKEOFF_{table}_{name}".upper()
        if variable in environment:
            settings[name] = _converted(environment[variable], wanted, variable)
        elif name in values:
            settings[name] = _checked(values[name], wanted, f"{path}: [{table}] {name}")
    return settings


def _parts(wanted: Any) -> tuple[Any, ...]:
    return get_args(wanted) if isinstance(wanted, UnionType) else (wanted,)


def _checked(value: Any, wanted: Any, where: str) -> Any:
    parts = _parts(wanted)
    if float in parts and type(value) is int:
        return float(value)
    if type(value) not in parts:
        raise SpecError(f"{where} must be of type {parts[0].__name__}, got {value!r}")
    return value


def _converted(text: str, wanted: Any, variable: str) -> Any:
    """A value of the environment; empty is None where that is possible."""
    parts = _parts(wanted)
    if text == "" and type(None) in parts:
        return None
    kind = parts[0]
    try:
        if kind is bool:
            return {"0": False, "false": False, "1": True, "true": True}[text.lower()]
        return kind(text)
    except (ValueError, KeyError):
        raise SpecError(f"{variable} must be of type {kind.__name__}, got {text!r}") from None
