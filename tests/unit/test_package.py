"""The shape of the package: who imports whom, and what the documents refer to."""

import ast
import fnmatch
import graphlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bakeoff import Experiment, Problem, Run
from bakeoff.report.figures.all import FIGURES
from bakeoff.report.tables.all import TABLES
from tests.rooms import ALL, room_map, rooms

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
ROOMS = rooms()


def name_of(path: Path) -> str:
    """`bakeoff.core` for its `__init__.py`, `bakeoff.core.jit` for `jit.py`."""
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCES.rglob("*.py"))}


@cache
def offered_by(module: str) -> set[str]:
    """The names in a package's `__all__`, which may be those of its modules, too."""
    if module not in MODULES or MODULES[module].name != "__init__.py":
        return set()
    for node in ast.parse(MODULES[module].read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value)) if module != "bakeoff" else set()
    return set()


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names} - offered_by(str(node.module))
            inner = {f"{node.module}.{name}" for name in names}
            found |= inner & MODULES.keys() or {str(node.module)}
    return found


TYPES = {("bakeoff.experiment.experiment", "bakeoff.judging")}  # what `Experiment.run` returns


def imports_within() -> Iterator[tuple[str, str]]:
    """Pairs of our modules; the package itself imports its public names lazily."""
    for module, path in MODULES.items():
        for imported in sorted(imports_of(path) & MODULES.keys()):
            if module != "bakeoff" and (module, imported) not in TYPES:
                yield module, imported


@pytest.mark.parametrize(("module", "imported"), TYPES)
def test_imports_for_types_are_not_made(module: str, imported: str) -> None:
    program = f"import sys, {module}; sys.exit({imported!r} in sys.modules)"

    done = subprocess.run([sys.executable, "-c", program], check=False)

    assert imported in imports_of(MODULES[module])
    assert done.returncode == 0


def part_of(module: str) -> str:
    """`core` of `bakeoff.core.explorers.cover`."""
    return module.partition(".")[2].partition(".")[0]


def test_no_module_imports_the_package_itself() -> None:
    importers = [module for module, found in imports_within() if found == "bakeoff"]

    assert importers == []


def crossings() -> Iterator[tuple[str, str]]:
    """Imports from one room into another."""
    for module, imported in imports_within():
        both = {part_of(module), part_of(imported)}
        if both <= ROOMS.keys() and len(both) == 2:
            yield module, imported


def test_rooms_are_few_and_the_command_line_is_the_only_module_beside_them() -> None:
    names = {part_of(module) for module in MODULES} - {"", "__main__"}

    assert names == {*ROOMS, "cli"}
    assert len(names) <= 16


def test_rooms_import_what_they_say() -> None:
    astray = [
        f"{module} imports {imported}"
        for module, imported in crossings()
        if ROOMS[part_of(module)].imports != (ALL,)
        and part_of(imported) not in ROOMS[part_of(module)].imports
    ]

    assert astray == []


def test_rooms_say_no_more_than_they_import() -> None:
    used = {(part_of(module), part_of(imported)) for module, imported in crossings()}
    said = {
        (room.name, other)
        for room in ROOMS.values()
        if room.imports != (ALL,)
        for other in room.imports
    }

    assert said - used == set()


def test_rooms_are_entered_by_their_doors() -> None:
    inside = {imported for _, imported in crossings()}
    broken_in = [
        f"{module} imports {imported}"
        for module, imported in crossings()
        if not ROOMS[part_of(imported)].lets_in(imported)
    ]

    assert broken_in == []
    assert len(inside) <= 45
    doors = {
        f"bakeoff.{room.name}.{door}".rstrip(".") for room in ROOMS.values() for door in room.doors
    }
    assert sorted(door for door in doors - inside if part_of(door) != "commands") == []


def test_the_map_of_rooms_is_up_to_date() -> None:
    assert room_map() in (ROOT / "CONTRIBUTING.md").read_text(), "python -m tests.rooms"


def test_kernels_import_only_each_other() -> None:
    outside = [
        f"{module} imports {imported}"
        for module, imported in imports_within()
        if part_of(module) == "core" and part_of(imported) != "core"
    ]

    assert outside == []


def test_no_modules_import_each_other() -> None:
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for module, imported in imports_within():
        graph[module].add(imported)

    order = list(graphlib.TopologicalSorter(graph).static_order())

    assert set(order) == set(MODULES)


def test_only_two_modules_know_the_compiler() -> None:
    compilers = {"numba", "llvmlite"}

    importers = [
        module
        for module, path in MODULES.items()
        if compilers & {name.partition(".")[0] for name in imports_of(path)}
    ]

    assert importers == ["bakeoff.core.compiler", "bakeoff.core.parts"]


def makes_kernels(path: Path) -> bool:
    """Whether a file imports what makes kernels, or is the one that defines it."""
    return path.name == "jit.py" or any(
        isinstance(node, ast.ImportFrom)
        and node.module == "bakeoff.core.jit"
        and {alias.name for alias in node.names} & {"kernel", "bind"}
        for node in ast.walk(ast.parse(path.read_text()))
    )


def test_all_kernels_are_made_in_the_folder_their_cache_is_named_after() -> None:
    makers = [module for module, path in MODULES.items() if makes_kernels(path)]

    assert len(makers) > 10
    assert [module for module in makers if part_of(module) != "core"] == []


# ---- what an import costs

IMPORT = """
import sys, time
began = time.perf_counter()
import bakeoff
print(time.perf_counter() - began)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def import_in_a_fresh_process() -> tuple[float, set[str]]:
    """How long `import bakeoff` takes, and what has been imported then."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
    )
    seconds, modules = done.stdout.splitlines()
    return float(seconds), set(modules.split())


def test_importing_the_package_imports_nothing_slow() -> None:
    _, modules = import_in_a_fresh_process()

    assert "bakeoff" in modules
    assert modules & {"numba", "llvmlite", "scipy", "sklearn", "numpy"} == set()


FIRST = """
import sys
from bakeoff import Learner, Problem, Run, simulate
problem = Problem.from_costs([[1.0], [2.0], [-4.0]], [[0.5, 1.0], [0.0, 1.0], [1.0, 0.0]])
simulate(problem, [Run("greedy")])
Learner("greedy", n_actions=2).choose([1.0])
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_a_first_simulation_and_decision_import_nothing_that_they_do_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True)

    modules = set(done.stdout.splitlines()[-1].split())
    assert "numba" in modules
    assert modules & {"sklearn", "pandas", "pyarrow", "matplotlib", "distributed"} == set()


LOOKING = """
import sys
import bakeoff.data, bakeoff.reading.logs
from bakeoff.cli import main
store = sys.argv[1]
for words in (["datasets"], ["status", store], ["report", store, "--figures", "none"]):
    sys.argv = ["bakeoff", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, (words, end.code)
print("numba" in sys.modules)
"""


def test_looking_at_data_and_results_needs_no_compiler(tmp_path: Path) -> None:
    problem = Problem.from_costs([[1.0], [2.0], [-4.0]], [[0.5, 1.0], [0.0, 1.0], [1.0, 0.0]])
    Experiment(problem, [Run("greedy"), Run("epsilon-greedy")]).run(tmp_path)

    done = subprocess.run(
        [sys.executable, "-c", LOOKING, str(tmp_path)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "False"


def test_importing_the_package_is_quick() -> None:
    seconds = min(import_in_a_fresh_process()[0] for _ in range(3))  # one may be unlucky

    assert seconds < 0.6


# ---- what files say


def ignored() -> list[str]:
    """Names that git does not look at."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return [".git", *(line.strip("/") for line in lines if line)]


def files_in(folder: Path, skipped: list[str]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if any(fnmatch.fnmatch(path.name, pattern) for pattern in skipped):
            continue
        if path.is_dir():
            yield from files_in(path, skipped)
        else:
            yield path


def test_no_file_names_a_folder_of_the_machine_it_was_written_on() -> None:
    names = ["/".join(("", "work", "")), "/".join(("..", "shared"))]  # not found here
    searched, found = 0, []

    for path in files_in(ROOT, ignored()):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        searched += 1
        found += [f"{path.relative_to(ROOT)}: {name}" for name in names if name in text]

    assert found == []
    assert searched > len(MODULES)


def entries_of_the_paper_map() -> list[tuple[str, str]]:
    """Every `path/file.py:name` in docs/reference/paper-map.md."""
    text = (ROOT / "docs" / "reference" / "paper-map.md").read_text()
    return sorted(set(re.findall(r"`([\w./-]+\.py):(\w+)`", text)))


def names_in(path: Path) -> set[str]:
    """Functions, methods, classes and module variables that a file defines."""
    module = ast.parse(path.read_text())
    names = {
        node.name for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    for node in module.body:
        if isinstance(node, ast.Assign):
            names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return names


def test_the_paper_map_is_not_empty() -> None:
    assert len(entries_of_the_paper_map()) >= 25


def test_every_table_and_figure_of_the_paper_has_a_file() -> None:
    text = (ROOT / "docs" / "reference" / "paper-map.md").read_text()
    rows = re.findall(r"^\| ((?:Table|Figure) .*) \| `([\w-]+)` \|$", text, re.MULTILINE)
    files = [name for _, name in rows]
    mapped = {label for labels, _ in rows for label in re.findall(r"Table `(\w+)`", labels)}

    assert set(files) <= {*TABLES, *FIGURES}
    printed = SOURCES / "bakeoff" / "report" / "tables" / "paper_tables.json"
    assert mapped == set(json.loads(printed.read_text()))


@pytest.mark.parametrize(("file", "name"), entries_of_the_paper_map())
def test_what_the_paper_map_names_exists(file: str, name: str) -> None:
    assert name in names_in(ROOT / file)
