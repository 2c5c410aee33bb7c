"""The exception tree.

BakeoffError
  SpecError        a spec or a run that makes no sense     exit code 2
  DataError        arrays or files that cannot be used     exit code 3
  ResultsError     a store that cannot be used             exit code 4
  ResourceError    more memory needed than there is        exit code 5
  LearnerError     somebody's own learner went wrong       exit code 1

A message says what was wrong, where, and what would be right, in one sentence.
`DataNotice` is a warning: the input can be used, but a choice was made for the user.
"""

import re


def _one_line(argument: object) -> object:
    """A text without line breaks, which values that are quoted may bring along."""
    if isinstance(argument, str) and not argument.isprintable():
        return re.sub(r"\s*[\r\n]\s*", " ", argument)
    return argument


class BakeoffError(Exception):
    """Any error that is the input's fault, not the program's; its text is one line."""

    exit_code = 1

    def __init__(self, *arguments: object) -> None:
        super().__init__(*map(_one_line, arguments))


class SpecError(BakeoffError, ValueError):
    """A spec or a run that makes no sense."""

    exit_code = 2


class DataError(BakeoffError, ValueError):
    """Arrays or files that cannot be used."""

    exit_code = 3


class ResultsError(BakeoffError, OSError):
    """A store of results that cannot be read or written."""

    exit_code = 4


class ResourceError(BakeoffError, MemoryError):
    """More memory needed than there is."""

    exit_code = 5


class LearnerError(BakeoffError):
    """A learner that raised, hangs, is gone, or decided what nobody can."""


class DataNotice(UserWarning):
    """A choice that was made for the user, said aloud."""
