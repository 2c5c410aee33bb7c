"""Options about files are declared once, for all commands that read some."""

from inspect import signature

from bakeoff.commands import reading
from bakeoff.commands.datasets import datasets
from bakeoff.commands.run import run


def test_commands_share_the_declarations_of_reading_options() -> None:
    shared = [reading.Target, reading.Categorical, reading.Ignore, reading.Header,
              reading.MaxDocuments, reading.MaxRelevance]  # fmt: skip

    for command in (run, datasets):
        used = [one.annotation for one in signature(command).parameters.values()]
        assert [option for option in shared if option not in used] == []
