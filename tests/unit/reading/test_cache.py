"""The cache: files are whole or absent, and writers do not disturb each other."""

import errno
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bakeoff.basics.errors import DataError
from bakeoff.reading.catalog.cache import ABANDONED, VARIABLE, data_folder, store


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_variable_chooses_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))

    assert data_folder("openml", "61") == tmp_path / "data" / "openml" / "61"


@pytest.mark.parametrize("value", [None, ""])
def test_without_it_the_folder_is_that_of_the_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    if value is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert data_folder() == tmp_path / "bakeoff" / "data"


def test_without_either_it_is_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert data_folder() == tmp_path / ".cache" / "bakeoff" / "data"


def test_other_systems_keep_caches_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda app, appauthor: str(tmp_path / app))

    assert data_folder() == tmp_path / "bakeoff" / "data"


def test_a_system_without_a_folder_for_caches_is_told_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda app, appauthor: f"~/.cache/{app}")

    with pytest.raises(DataError, match=f"set {VARIABLE} to a folder"):
        data_folder()


def test_a_tilde_stands_for_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "~/kept")

    assert data_folder() == tmp_path / "kept" / "data"


def test_a_user_without_a_home_is_told_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "~no-such-user/kept")

    with pytest.raises(DataError, match=f"set {VARIABLE} to a folder"):
        data_folder()


def test_a_stored_file_is_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"

    store(path, [b"one ", b"two"])

    assert path.read_bytes() == b"one two"
    assert names_in(path.parent) == ["file"]


def test_who_reads_a_file_that_is_replaced_reads_the_old_one_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old content")

    with path.open("rb", buffering=0) as file:
        beginning = file.read(4)
        store(path, [b"new and longer content"])
        rest = file.read()

    assert beginning + rest == b"old content"
    assert path.read_bytes() == b"new and longer content"


def test_a_stored_file_can_be_read_by_all_that_may_read_the_folder(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()

    store(tmp_path / "file", [b""])

    modes = [(tmp_path / name).stat().st_mode for name in ("usual", "file")]
    assert modes[0] == modes[1]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_a_broken_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, error: BaseException
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    seen = []

    def chunks() -> Iterator[bytes]:
        yield b"new"
        seen.extend(names_in(tmp_path))
        raise error

    with pytest.raises(type(error)):
        store(path, chunks())

    assert len(seen) == 2
    assert names_in(tmp_path) == ["file"]
    assert path.read_bytes() == b"old"


def test_writers_of_the_same_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    together = threading.Barrier(4)

    def write(content: bytes) -> None:
        def chunks() -> Iterator[bytes]:
            for start in range(0, len(content), 10):
                together.wait(timeout=10)
                yield content[start : start + 10]

        store(path, chunks())

    threads = [
        threading.Thread(target=write, args=(letter * 100,)) for letter in (b"a", b"b", b"c", b"d")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert path.read_bytes() in {letter * 100 for letter in (b"a", b"b", b"c", b"d")}
    assert names_in(tmp_path) == ["file"]


def test_what_a_killed_writer_left_is_removed_after_a_day(tmp_path: Path) -> None:
    now = time.time()
    for name, age in {"old": ABANDONED + 60, "new": ABANDONED - 60}.items():
        left = tmp_path / f".file.{name}.part"
        left.write_bytes(b"half")
        os.utime(left, (now - age, now - age))

    store(tmp_path / "file", [b"whole"])

    assert names_in(tmp_path) == [".file.new.part", "file"]


def test_a_cache_in_a_file_is_refused_with_path_and_variable(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    path = tmp_path / "taken" / "file"

    with pytest.raises(DataError) as refusal:
        store(path, [b"content"])

    assert str(refusal.value) == (
        f"{path}: cannot be written (a file is in the way); "
        f"set {VARIABLE} to a folder that can hold the data"
    )


def test_a_cache_where_nothing_can_be_made_is_refused() -> None:
    path = Path("/proc/bakeoff/file")  # not even for root

    with pytest.raises(DataError, match=f"^{path}: cannot be written"):
        store(path, [b"content"])


def test_a_full_disk_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(DataError, match=r"cannot be written \(No space left"):
        store(tmp_path / "file", chunks())

    assert names_in(tmp_path) == []
