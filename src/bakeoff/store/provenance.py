"""Provenance: when, where and with what the results of a store were computed."""

import os
import platform
import subprocess
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from bakeoff.basics.files import whole

LIBRARIES = ("bakeoff", "numpy", "numba", "llvmlite", "polars", "scipy", "scikit-learn")
SOURCES = "sources"  # a folder of a store: the code of users' learners
PATIENCE = 5.0  # seconds for git to answer


@dataclass(frozen=True)
class Session:
    """One or several experiments in the same surroundings."""

    first: str = ""  # when it began, in UTC
    last: str = ""  # when it was last continued
    host: str = ""
    machine: str = ""  # operating system and processor
    cores: int = 0
    python: str = ""
    versions: dict[str, str] = field(default_factory=dict)  # of LIBRARIES
    commit: str = ""  # of the repository around the current folder, if it is one


def session_now() -> Session:
    """The surroundings of this process."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Session(
        first=now,
        last=now,
        host=platform.node(),
        machine=f"{platform.system()} {platform.release()} {platform.machine()}",
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
        versions={name: metadata.version(name) for name in LIBRARIES},
        commit=_commit(),
    )


def _commit() -> str:
    """The commit that git has checked out here; "-dirty" if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def continued(history: tuple[Session, ...], now: Session) -> tuple[Session, ...]:
    """A history with one more experiment; a new entry only if the surroundings differ."""
    for place, session in enumerate(history):
        if replace(session, first="", last="") == replace(now, first="", last=""):
            longer = replace(session, last=max(now.last, session.last))
            return (*history[:place], longer, *history[place + 1 :])
    return (*history, now)


def keep_source(folder: Path, label: str, digest: str, text: str) -> None:
    """Keep the code of a learner in a store, under its name and the hash of its code."""
    name = "".join(c if c.isalnum() or c in "-_." else "_" for c in label)
    path = folder / SOURCES / f"{name}-{digest}.py"
    if text and digest and not path.exists():
        path.parent.mkdir(exist_ok=True)
        with whole(path) as file:
            file.write(text.encode(errors="replace"))
