"""The conda recipe asks for what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
OTHER_NAMES = {"matplotlib": "matplotlib-base"}


def test_the_recipe_has_the_bounds_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [re.match(r"([\w.-]+)>=([\d.]+)", text) for text in project["dependencies"]]
    bounds = {f"{OTHER_NAMES.get(m[1], m[1])} >={m[2]}" for m in wanted if m}
    recipe = (ROOT / "recipe" / "meta.yaml").read_text()

    run = recipe.partition("  run:\n")[2].partition("\ntest:")[0]

    assert set(re.findall(r"- (.+)", run)) == {*bounds, "python >=3.11"}
    assert f'version = "{project["version"]}"' in recipe
