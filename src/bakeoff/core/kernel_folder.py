"""The kernel folder: compiled loops on disk, each file with a hash of its bytes.

Damaged machine code crashes the process that runs it. So a file that is not as it was
written is removed, and its loop is compiled again. Files appear as a whole, so any
number of processes may share the folder.
"""

import atexit
import hashlib
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

import platformdirs

SUFFIX = ".kernel"
UNUSED = 30 * 86400  # seconds after which kernels that nobody uses are removed
_FOLDER = re.compile(r"kernels-[0-9a-f]{16}")
_DIGEST = hashlib.sha256().digest_size


def base_folder(chosen: str) -> Path | None:
    """The folder that the user has `chosen` for caches, or the system's.

    None if there is none, because this user has no home.
    """
    try:
        base = Path(chosen or platformdirs.user_cache_dir("bakeoff", appauthor=False))
        return base.absolute() if chosen or base.is_absolute() else None
    except (OSError, RuntimeError):  # the current folder is gone; there is no home
        return None


class KernelFolder:
    """A folder of compiled loops; a temporary one if it cannot be written."""

    def __init__(self, base: Path | None, compiler: str) -> None:
        self._name = f"kernels-{compiler}"
        self._places = [] if base is None else [base / self._name]
        self._moved = self._wrote = self._used = False
        self._rejected: set[Path] = set()

    @property
    def path(self) -> Path | None:
        """Where new kernels go; None if they cannot be kept."""
        if not self._places:
            self._move("there is no home folder")
        return self._places[-1] if self._places else None

    def prepare(self) -> Path | None:
        """Where new kernels go, after a try whether it can be written."""
        try:
            if self.path is not None:
                self.path.mkdir(parents=True, exist_ok=True)
                tempfile.TemporaryFile(dir=self.path).close()
        except OSError as error:
            self._move(_reason(error))
        return self.path

    # ---- reading

    def has(self, name: str) -> bool:
        """Whether there is a good file of the loop of this name."""
        files = (path for place in self._places for path in _files(place, name))
        return any(self._content(path) is not None for path in files)

    def read(self, name: str, key: str) -> bytes | None:
        """What was written under a name and a key; None if it is not there."""
        for place in self._places:
            content = self._content(place / _file(name, key))
            if content is not None:
                self._mark_used(place, place / _file(name, key))
                return content
        return None

    def reject(self, name: str, key: str) -> None:
        """Remove a file whose content is of no use."""
        for place in self._places:
            self._remove(place / _file(name, key), "cannot be loaded")

    def _content(self, path: Path) -> bytes | None:
        try:
            content = _checked(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._say_once(path, f"cannot be read ({_reason(error)})")
            return None
        if content is None:
            self._remove(path, "is damaged")
        return content

    def _remove(self, path: Path, why: str) -> None:
        with suppress(OSError):
            path.unlink()
        self._say_once(path, why)

    def _say_once(self, path: Path, why: str) -> None:
        if path not in self._rejected:
            self._rejected.add(path)
            _say(f"{path} {why}; its loop is compiled again")

    def _mark_used(self, place: Path, file: Path) -> None:
        with suppress(OSError):
            os.utime(file)
            if not self._used:
                self._used = True
                os.utime(place)

    # ---- writing

    def write(self, name: str, key: str, content: bytes) -> None:
        """Keep a compiled loop; if that fails, it is there for this process alone."""
        try:
            self._write(_file(name, key), content)
        except OSError as error:
            self._move(_reason(error))
            with suppress(OSError):
                self._write(_file(name, key), content)

    def _write(self, file: str, content: bytes) -> None:
        if self.path is None:
            return
        _write(self.path / file, content)
        if not self._wrote:
            self._wrote = True
            _remove_unused(self.path)

    def _move(self, why: str) -> None:
        """Write to a temporary folder from now on; both are read."""
        if self._moved:
            return
        self._moved = True
        where = f" in {self._places[-1]}" if self._places else ""
        _say(f"compiled loops cannot be kept{where} ({why}): the next process compiles them again")
        with suppress(OSError):
            base = Path(tempfile.mkdtemp(prefix="bakeoff-kernels-"))
            atexit.register(shutil.rmtree, base, ignore_errors=True)
            self._places.append(base / self._name)


def _file(name: str, key: str) -> str:
    return f"{name}-{key}{SUFFIX}"


def _files(place: Path, name: str) -> list[Path]:
    try:
        return list(place.glob(_file(name, "*")))
    except OSError:
        return []


def _checked(path: Path) -> bytes | None:
    """What a file holds; None if that is not what was written."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        digest, content = file.read(_DIGEST), file.read()
    return content if hashlib.sha256(content).digest() == digest else None


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe would wait for somebody who writes."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with unfinished.open("xb") as file:
            file.write(hashlib.sha256(content).digest())
            file.write(content)
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _remove_unused(used: Path) -> None:
    """Remove what nobody has used for long: folders of other compilers, and old loops."""
    with suppress(OSError):
        for entry in os.scandir(used.parent):
            is_ours = _FOLDER.fullmatch(entry.name) and entry.name != used.name
            if is_ours and entry.is_dir(follow_symlinks=False) and _is_unused(entry):
                shutil.rmtree(entry.path, ignore_errors=True)
        for entry in os.scandir(used):
            if entry.name.endswith(SUFFIX) and _is_unused(entry):
                with suppress(OSError):
                    Path(entry.path).unlink()


def _is_unused(entry: "os.DirEntry[str]") -> bool:
    return time.time() - entry.stat(follow_symlinks=False).st_mtime > UNUSED


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _say(text: str) -> None:
    sys.stderr.write(f"bakeoff: {text}\n")
