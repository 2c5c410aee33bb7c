"""Showing: a store of results in a notebook, and at a prompt."""

import html

import polars as pl

SHOWN = ["algorithm", "wins", "losses", "first_in", "p_of_lead", "mean_loss", "median_vs_skyline"]


def as_html(folder: str, places: pl.DataFrame, words: str) -> str:
    """The standings and the verdict, for a notebook."""
    said = "<br>".join(html.escape(line) for line in words.splitlines())
    table = places.select(SHOWN)._repr_html_() if places.height else ""
    return f"<div><b>{html.escape(folder)}</b>{table}<p>{said}</p></div>"


def as_text(folder: str, places: pl.DataFrame, words: str) -> str:
    """The same as text."""
    with pl.Config(
        tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, tbl_rows=-1, tbl_cols=-1
    ):
        table = [str(places.select(SHOWN))] if places.height else []
    return "\n".join([f"Results in {folder}", *table, words])
