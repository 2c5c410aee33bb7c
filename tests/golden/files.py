"""Where golden files are, and how they are compared."""

import json
import math
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
VERSIONS = sorted(HERE.glob("v*"))  # a folder for each version that made files
CLOSE = 1e-9  # relative difference of numbers that are not promised to the last bit


def read_json(path: Path) -> Any:
    """What a golden file holds."""
    return json.loads(path.read_text("utf-8"))


def write_json(path: Path, content: Any) -> None:
    """Write a golden file that a diff can show."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", "utf-8")


def differences(golden: Any, today: Any, where: str = "") -> list[str]:
    """What is other than in a golden file; keys that it lacks do not count."""
    if isinstance(golden, dict) and isinstance(today, dict):
        lost = [f"{where}/{key}: is gone" for key in golden.keys() - today.keys()]
        both = [key for key in golden if key in today]
        found = [differences(golden[k], today[k], f"{where}/{k}") for k in both]
        return lost + [line for lines in found for line in lines]
    if isinstance(golden, list) and isinstance(today, list):
        if len(golden) != len(today):
            return [f"{where}: {len(golden)} entries, now {len(today)}"]
        pairs = enumerate(zip(golden, today, strict=True))
        found = [differences(a, b, f"{where}/{i}") for i, (a, b) in pairs]
        return [line for lines in found for line in lines]
    if _is_close(golden, today):
        return []
    return [f"{where}: {golden!r:.80}, now {today!r:.80}"]


def _is_close(golden: Any, today: Any) -> bool:
    if isinstance(golden, float) and isinstance(today, (int, float)):
        return math.isclose(golden, today, rel_tol=CLOSE, abs_tol=1e-12)
    return type(golden) is type(today) and bool(golden == today)
