"""The arithmetic of results, and runs as files of earlier versions spell them.

Models, logs and rows of results name the arithmetic (docs/reference/arithmetic.md) that they
were computed with. Files of version 0.2 name none: theirs is the first, in which DR's loss
estimator learned with importance 1. What they call "dr" is "dr-unweighted" today.
"""

ARITHMETIC = 2  # 2: DR's loss estimator learns with importance 1 / p
UNWEIGHTED = "dr-unweighted"
DR_BEFORE, DR_NOW = " reduction=dr,", f" reduction={UNWEIGHTED},"  # of the first, in texts of runs


def spelled_today(text: str, arithmetic: object = None) -> str:
    """The text of a run from a file that names this arithmetic, or none.

    >>> spelled_today("cover:nu reduction=dr,learning_rate=0.5")
    'cover:nu reduction=dr-unweighted,learning_rate=0.5'
    """
    return text if arithmetic is not None else text.replace(DR_BEFORE, DR_NOW, 1)


def unmistakable(text: str) -> str:
    """The text of a run with its arithmetic, if another one had other results.

    >>> unmistakable("cover:nu reduction=dr,learning_rate=0.5")
    'cover:nu reduction=dr,learning_rate=0.5 arithmetic=2'
    """
    return f"{text} arithmetic={ARITHMETIC}" if DR_BEFORE in text else text
