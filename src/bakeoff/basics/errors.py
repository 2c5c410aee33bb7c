"""The exception tree.

BakeoffError
  SpecError        an invalid spec or run                  exit code 2
  DataError        arrays or files that cannot be used     exit code 3
  ResultsError     a store that cannot be used             exit code 4
  ResourceError    more memory needed than there is        exit code 5
  LearnerError     a user's learner failed                 exit code 1
  DeclinedError    a user's learner does not play a problem exit code 2

A message says what was wrong, where, and what would be right, in one sentence.
`DataNotice` is a warning: the input can be used, but a choice was made for the user.
"""

import re


class BakeoffError(Exception):
    """Any error that is the input's fault, not the program's; its text is one line."""

    exit_code = 1

    def __str__(self) -> str:
        text = super().__str__()  # quoted values may contain line breaks
        return text if text.isprintable() else re.sub(r"\s*[\r\n]\s*", " ", text)


class SpecError(BakeoffError, ValueError):
    """An invalid spec or run."""

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
    """A learner raised, hung, died, or returned an invalid decision."""


class DeclinedError(SpecError):
    """A learner does not play this problem. Raise it when your learner is made."""


class DataNotice(UserWarning):
    """A warning about a choice that was made for the user."""
