"""The terminal: names are shown as they are, whatever they hold."""

import pytest
from rich.text import Text

from bakeoff.commands.console import plain


@pytest.mark.parametrize(
    "name", [r"\[/b]", r"\\[/b]", "[/b]", "[bold]x", r"\[1]", "[1]", "a[b", "a\\"]
)
def test_a_name_is_not_taken_for_markup(name: str) -> None:
    assert Text.from_markup(plain(name)).plain == name
