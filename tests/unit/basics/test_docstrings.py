"""Docstrings that share what their methods have in common."""

import inspect
from typing import Any

from bakeoff.basics.docstrings import completed

shares = completed(
    {"x": "The context.", "seed": "Of the draws."},
    returns={"int": "A number."},
    raises={"ValueError": "If it is odd."},
)


@shares
def draw(self: Any, x: Any, own: int, *rest: Any, seed: int = 0, **settings: Any) -> int:
    """Draw a number.

    It is even.

    Parameters
    ----------
    own
        Described here,
        in two lines.
    *rest
        Whatever.
    **settings
        Others.

    Examples
    --------
    >>> 2
    2
    """
    return 2


@shares
def other(x: Any, unknown: int) -> int:
    """Draw another.

    Parameters
    ----------
    x
        Its own context.

    Raises
    ------
    TypeError
        If it is a text.
    """
    return 4


def test_what_is_shared_comes_in_the_order_of_the_signature() -> None:
    assert inspect.getdoc(draw) == inspect.cleandoc(
        """Draw a number.

        It is even.

        Parameters
        ----------
        x
            The context.
        own
            Described here,
            in two lines.
        *rest
            Whatever.
        seed
            Of the draws.
        **settings
            Others.

        Returns
        -------
        int
            A number.

        Raises
        ------
        ValueError
            If it is odd.

        Examples
        --------
        >>> 2
        2
        """
    )


def test_a_methods_own_words_win() -> None:
    text = inspect.getdoc(other)

    assert text is not None
    assert "Its own context." in text
    assert "The context." not in text
    assert "TypeError" in text
    assert "ValueError" not in text


def test_nothing_is_made_up_where_docstrings_are_stripped() -> None:
    def bare(x: Any) -> None:
        pass

    assert shares(bare).__doc__ is None
