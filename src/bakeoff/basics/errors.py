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
    """Any error that is the input's fault, not the program's; its text is one line.

    Examples
    --------
    >>> try:
    ...     bakeoff.load("nowhere.csv")
    ... except bakeoff.BakeoffError as error:
    ...     print(type(error).__name__, error.exit_code)
    DataError 3
    """

    exit_code = 1

    def __str__(self) -> str:
        text = super().__str__()  # quoted values may contain line breaks
        return text if text.isprintable() else re.sub(r"\s*[\r\n]\s*", " ", text)


class SpecError(BakeoffError, ValueError):
    """An invalid spec or run.

    Examples
    --------
    >>> try:
    ...     bakeoff.Run("gredy")
    ... except bakeoff.SpecError as error:
    ...     print("greedy" in str(error))
    True
    """

    exit_code = 2


class DataError(BakeoffError, ValueError):
    """Arrays or files that cannot be used.

    Examples
    --------
    >>> try:
    ...     bakeoff.load("nowhere.csv")
    ... except bakeoff.DataError as error:
    ...     print("nowhere.csv" in str(error))
    True
    """

    exit_code = 3


class ResultsError(BakeoffError, OSError):
    """A store of results that cannot be read or written.

    Examples
    --------
    >>> try:
    ...     bakeoff.open("nowhere")
    ... except bakeoff.ResultsError as error:
    ...     print("nowhere" in str(error))
    True
    """

    exit_code = 4


class ResourceError(BakeoffError, MemoryError):
    """More memory needed than there is.

    Examples
    --------
    >>> try:
    ...     bakeoff.simulate(bakeoff.load("embedded:iris"), "greedy", memory=1)
    ... except bakeoff.ResourceError as error:
    ...     print(error.exit_code)
    5
    """

    exit_code = 5


class LearnerError(BakeoffError):
    """A learner raised, hung, died, or returned an invalid decision.

    Examples
    --------
    >>> class Broken:
    ...     def choose(self, x):
    ...         return 99, 1.0
    ...
    ...     def learn(self, x, action, loss, probability):
    ...         pass
    >>> try:
    ...     bakeoff.simulate(bakeoff.load("embedded:iris"), Broken)
    ... except bakeoff.LearnerError as error:
    ...     print("99" in str(error))
    True
    """


class DeclinedError(SpecError):
    """A learner does not play this problem. Raise it when your learner is made.

    Examples
    --------
    >>> class Small:
    ...     def __init__(self, n_features):
    ...         if n_features > 100:
    ...             raise bakeoff.DeclinedError(f"{n_features} features are too many")
    """


class DataNotice(UserWarning):
    """A warning about a choice that was made for the user.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", bakeoff.DataNotice)  # to be asked, not told
    >>> warnings.simplefilter("default", bakeoff.DataNotice)
    """
