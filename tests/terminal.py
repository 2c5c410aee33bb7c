"""The command line as a user types it, in this process."""

import sys
import warnings
from typing import NamedTuple

import pytest

from bakeoff.cli import main


class Said(NamedTuple):
    """What a command left behind."""

    code: object
    out: str
    err: str


class Terminal:
    """Commands in this process, which has compiled everything; in an empty folder."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, patch

    def __call__(self, *words: object) -> Said:
        self._patch.setattr(sys, "argv", ["bakeoff", *map(str, words)])
        self._capsys.readouterr()
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            with pytest.raises(SystemExit) as left:
                main()
        return Said(left.value.code, *self._capsys.readouterr())
