"""The kernel cache: whatever happens to it, a process computes the same."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bakeoff.core.jit import compiled

pytestmark = pytest.mark.skipif(not compiled, reason="nothing is compiled")

COMPUTE = """
from bakeoff.core.jit import bind
from bakeoff.core.random import poisson
print(bind(poisson, "cache_poisson")(0.95))
"""
THREADS = """
import sys, threading, types
import numba
from bakeoff.core import jit, random

seen, done = set(), threading.Event()
sys.setswitchinterval(1e-6)

def watch():
    while not done.is_set():
        seen.add(numba.config.CACHE_DIR)

def work(own):
    for number in range(500):
        bound = jit.bind(random.poisson, f"threads_{own}_{number}")
        paths.add(bound.stats.cache_path)
    bound(0.5)

paths = set()
watching = threading.Thread(target=watch)
watching.start()
threads = [threading.Thread(target=work, args=(one,)) for one in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
done.set()
watching.join()
print(sorted(seen), len(paths), numba.config.CACHE_DIR)
"""


def run(
    program: str, folder: Path, limit: int | None = None, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Run a program whose current folder and whose caches are below `folder`."""
    (folder / "here").mkdir(exist_ok=True)

    def prepare() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    known = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=folder / "here",
        env={**known, "XDG_CACHE_HOME": str(folder / "caches"), **environment},
        preexec_fn=prepare,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def compute(folder: Path) -> "subprocess.CompletedProcess[str]":
    return run(COMPUTE, folder)


def kept(folder: Path) -> list[Path]:
    """The files of the cache."""
    return [path for path in folder.rglob("*cache_poisson*") if not path.is_dir()]


def in_tree() -> set[Path]:
    """Whatever numba may have written beside the sources."""
    return set(Path(sys.modules["bakeoff"].__path__[0]).rglob("*.nb?"))


def test_threads_that_bind_loops_leave_the_settings_of_the_process_alone(tmp_path: Path) -> None:
    before = in_tree()

    done = run(THREADS, tmp_path)

    assert done.stdout == "[''] 1 \n", done.stderr
    assert list((tmp_path / "here").iterdir()) == []
    assert in_tree() == before
    [folder] = (tmp_path / "caches" / "bakeoff").iterdir()
    assert len(list(folder.iterdir())) == 3  # the last of each thread was called


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [emptied, cut, flipped, a_pipe, a_folder])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    good = compute(tmp_path)
    for path in kept(tmp_path):
        damage(path)

    again = compute(tmp_path)
    afterwards = compute(tmp_path)

    assert again.stdout == good.stdout != ""
    assert "loop is compiled again" in again.stderr
    assert "Traceback" not in again.stderr
    assert afterwards.stdout == good.stdout
    if damage is not a_folder:  # which nobody but its owner should remove
        assert again.stderr.count("\n") == 1
        assert afterwards.stderr == ""


def test_no_flipped_bit_is_run(tmp_path: Path) -> None:
    good = compute(tmp_path)
    [path] = kept(tmp_path)
    content = path.read_bytes()

    for place in range(0, len(content), len(content) // 8):
        path.write_bytes(content)
        changed = bytearray(content)
        changed[place] ^= 64
        path.write_bytes(changed)
        again = compute(tmp_path)

        assert (again.returncode, again.stdout) == (0, good.stdout)
        assert "is damaged" in again.stderr


def test_a_file_that_python_cannot_load_is_made_anew(tmp_path: Path) -> None:
    """As from another version of a library, though all bytes are as written."""
    good = compute(tmp_path)
    program = f"""
import pickle
from bakeoff.core.jit import kernel_folder
[path] = kernel_folder().path.glob("cache_poisson.*")
kernel_folder().write(*path.stem.rsplit("-", 1), b"not a pickle")
{COMPUTE}"""

    again = run(program, tmp_path)

    assert again.stdout == good.stdout
    assert "cannot be loaded; its loop is compiled again" in again.stderr
    assert compute(tmp_path).stderr == ""


def test_without_a_home_loops_are_kept_while_the_process_runs(tmp_path: Path) -> None:
    program = f"""
import os, pwd
def nobody(*_): raise KeyError
pwd.getpwuid = nobody
for name in ("HOME", "XDG_CACHE_HOME"): os.environ.pop(name, None)
{COMPUTE}"""

    done = run(program, tmp_path)

    assert done.stdout == compute(tmp_path).stdout, done.stderr
    assert done.stderr.count("\n") == 1
    assert "cannot be kept (there is no home folder)" in done.stderr
    assert list((tmp_path / "here").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    done = run(COMPUTE, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "file"))

    assert done.stdout == compute(tmp_path).stdout
    assert done.stderr.count("\n") == 1
    assert f"cannot be kept in {tmp_path / 'file'}" in done.stderr


def test_a_disk_that_is_full_is_done_without(tmp_path: Path) -> None:
    """The limit stands for it: large files cannot be written, small ones can."""
    done = run(COMPUTE, tmp_path, limit=1000)

    assert kept(tmp_path) == []
    assert done.stdout == compute(tmp_path).stdout, done.stderr
    assert done.stderr.count("\n") == 1
    assert "cannot be kept in" in done.stderr


def test_importing_removes_nothing(tmp_path: Path) -> None:
    caches = tmp_path / "caches" / "bakeoff"
    old = [caches / "kernels-0123456789abcdef", caches / "kernels-of-somebody-else"]
    long_ago = time.time() - 400 * 86400
    for folder in old:
        folder.mkdir(parents=True)
        os.utime(folder, (long_ago, long_ago))

    run("import bakeoff.core.jit", tmp_path)

    assert sorted(caches.iterdir()) == old


def test_compiling_removes_old_kernels_that_nobody_uses(tmp_path: Path) -> None:
    caches = tmp_path / "caches" / "bakeoff"
    days = {"kernels-0123456789abcdef": 40, "kernels-fedcba9876543210": 5,
            "kernels-of-somebody-else": 40, "data": 40}  # fmt: skip
    for name, age in days.items():
        (caches / name).mkdir(parents=True)
        then = time.time() - age * 86400
        os.utime(caches / name, (then, then))

    compute(tmp_path)
    left = {path.name for path in caches.iterdir()}

    assert days.keys() - left == {"kernels-0123456789abcdef"}
    assert len(left) == 4


def test_compiling_removes_old_loops_of_the_same_folder(tmp_path: Path) -> None:
    compute(tmp_path)
    [path] = kept(tmp_path)
    old, young = path.with_name("gone.1-2.kernel"), path.with_name("young.1-2.kernel")
    for other, age in ((old, 40), (young, 5), (path, 40)):
        other.write_bytes(path.read_bytes())
        then = time.time() - age * 86400
        os.utime(other, (then, then))

    run(COMPUTE.replace("cache_poisson", "another"), tmp_path)

    assert [one.exists() for one in (old, young, path)] == [False, True, False]


def test_kernels_that_are_used_stay_young(tmp_path: Path) -> None:
    compute(tmp_path)
    [folder] = (tmp_path / "caches" / "bakeoff").iterdir()
    [path] = kept(tmp_path)
    os.utime(folder, (0, 0))
    os.utime(path, (0, 0))

    compute(tmp_path)

    assert time.time() - folder.stat().st_mtime < 3600
    assert time.time() - path.stat().st_mtime < 3600


def test_a_loop_is_compiled_only_if_its_file_is_there(tmp_path: Path) -> None:
    program = f"""
from bakeoff.core.jit import is_compiled, loop_name
from bakeoff.core.random import poisson
print(*(is_compiled(loop_name(name, poisson, {{}})) for name in ("cache_poisson", "cache")))
{COMPUTE}"""

    cold, warm = run(program, tmp_path), run(program, tmp_path)
    for path in kept(tmp_path):
        path.unlink()
    gone = run(program, tmp_path)

    words = [done.stdout.split()[:2] for done in (cold, warm, gone)]
    assert words == [["False", "False"], ["True", "False"], ["False", "False"]]


def test_processes_that_compile_the_same_do_not_disturb_each_other(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", COMPUTE], env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip

    said = {process.communicate(timeout=120) for process in processes}

    assert len(said) == 1
    assert said.pop()[1] == ""
    assert len(kept(tmp_path)) == 1
