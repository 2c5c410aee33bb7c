"""The manifest of a store: what was asked for, and the problems it was asked for.

It is data from outside, as the rows are: `read_manifest` checks it against the types
declared here, and says in one sentence what is wrong.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.files import whole
from bakeoff.data import Facts
from bakeoff.runs import spelled_today
from bakeoff.store.job_files import Fault
from bakeoff.store.provenance import Session
from bakeoff.store.rows import FORMAT

NAME = "manifest.json"
EARLIER = (
    "its results are from an earlier version, which used the same random draws on "
    "every dataset and shuffle, and cannot be mixed with new ones; recompute them "
    "into another folder, with `bakeoff run ... --out FOLDER`"
)
LARGEST = 2**30  # bytes; 100,000 problems take 50 MB

Shuffle = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Word = None | bool | int | float | str
Said = Word | list[Word]
OpenML = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]


class ManifestError(ResultsError):
    """A manifest that cannot be used, and can be done without."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}; remove it, and `bakeoff run` writes a new one")
        self.fault = Fault(path, what)


class Unreadable(NamedTuple):
    """A problem that could not be read, and why."""

    name: str
    origin: str
    error: str


@dataclass(frozen=True)
class Planned(Facts):
    """A problem, and the orders of its rows that were asked for."""

    shuffles: tuple[Shuffle, ...] = ()

    @property
    def facts(self) -> Facts:
        """The problem by itself."""
        return Facts(**{one.name: getattr(self, one.name) for one in fields(Facts)})


@dataclass(frozen=True)
class OwnRecord:
    """What is known of a user's learner (see learners/source.py)."""

    digests: tuple[str, ...] = ()  # of the sources that computed its results
    tasks: tuple[str, ...] = ()  # that it plays
    declined: dict[str, str] = field(default_factory=dict)  # reasons by digest of a problem

    def plays(self, facts: Facts) -> bool:
        """Whether it plays a problem."""
        return facts.task in self.tasks and facts.digest not in self.declined


@dataclass(frozen=True)
class Manifest:
    """What the last experiment asked for, and what earlier ones have learned."""

    version: str = ""  # of the package
    asked: dict[str, Said] = field(default_factory=dict)  # by option, for people
    runs: dict[str, tuple[str, ...]] = field(default_factory=dict)  # texts by group
    problems: tuple[Planned, ...] = ()
    unreadable: tuple[dict[str, str], ...] = ()  # of `Unreadable`
    twins: dict[str, str] = field(default_factory=dict)  # same data, another name
    openml_ids: dict[str, tuple[OpenML, ...]] = field(default_factory=dict)  # by digest
    files: dict[str, Facts] = field(default_factory=dict)  # by mark (see sources.py)
    own: dict[str, OwnRecord] = field(default_factory=dict)  # by explorer
    code: tuple[str, ...] = ()  # of algorithms that computed results (core/code_hash.py)
    format: int = FORMAT
    hashed: bool = False  # whether every file of rows has a hash of them
    history: tuple[Session, ...] = ()  # when, where and with what it was computed


def read_manifest(path: Path) -> Manifest | None:
    """The manifest at `path`; None if there is none."""
    text = _text(path)
    if text is None:
        return None
    try:
        content = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ManifestError(path, f"is not JSON ({error})") from None
    known = content.get("format") if isinstance(content, dict) else None
    if type(known) is not int:
        raise ManifestError(path, "is not a manifest of results")
    if known == 1:
        raise ResultsError(f"{path.parent}: {EARLIER}")
    if known not in (2, FORMAT):
        raise ResultsError(
            f"{path}: has format {known}, but this version reads format {FORMAT}; "
            f"update it with `pip install --upgrade bakeoff`"
        )
    known_hash = content.pop("hash", None)
    try:
        manifest = msgspec.convert(content, Manifest)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ManifestError(path, f"is not as it was written ({error})") from None
    if manifest.hashed and known_hash != _hash(content):
        raise ManifestError(path, "was changed after it had been written")
    return manifest if known == FORMAT else _spelled_today(manifest)


def _spelled_today(manifest: Manifest) -> Manifest:
    """A manifest of the first arithmetic, with today's names of its runs."""
    runs = {key: tuple(map(spelled_today, texts)) for key, texts in manifest.runs.items()}
    return replace(manifest, runs=runs, format=FORMAT)


def _text(path: Path) -> str | None:
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise ManifestError(path, "is not a file")
        if path.stat().st_size > LARGEST:
            raise ManifestError(path, f"is larger than {LARGEST:,} bytes")
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ManifestError(path, "is not text in UTF-8") from None
    except OSError as error:
        if isinstance(error, ResultsError):
            raise
        raise ResultsError(f"{path}: cannot be read: {error.strerror}") from None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Keep a manifest, as a whole."""
    content = asdict(manifest)
    with whole(path) as file:
        text = json.dumps(content | {"hash": _hash(content)}, indent=1)
        file.write(text.encode())


def _hash(content: dict[str, Any]) -> str:
    """A hash of what a manifest says."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
