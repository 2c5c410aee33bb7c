"""One algorithm in several settings: a contest among its settings."""

import polars as pl

from bakeoff.judging.variants import among_settings, codes_apart, variant_labels
from bakeoff.runs import Choice

COVER = "cover:n_policies={},psi={},nu"


def rows_of(*pairs: tuple[str, str]) -> pl.DataFrame:
    return pl.DataFrame(pairs, ["algorithm", "choice"], orient="row")


def test_labels_tell_what_differs() -> None:
    choices = [Choice(COVER.format(n, psi), "dr") for n in (4, 8) for psi in (0.01, 0.1)]

    assert list(variant_labels("C-nu", choices).values()) == [
        "C-nu n_policies=4,psi=0.01",
        "C-nu n_policies=4,psi=0.1",
        "C-nu n_policies=8,psi=0.01",
        "C-nu n_policies=8,psi=0.1",
    ]


def test_reductions_and_own_learners_are_told_apart() -> None:
    bags = [Choice("bag:n_policies=4", "dr"), Choice("bag:n_policies=4", "iwr")]
    own = [Choice("python:my.Own"), Choice("python:my.Own,alpha=0.1")]

    assert list(variant_labels("B", bags).values()) == ["B dr", "B iwr"]
    assert list(variant_labels("Own", own).values()) == ["Own", "Own alpha=0.1"]


def test_the_settings_of_one_algorithm_compete() -> None:
    rows = rows_of(
        ("eG", "epsilon-greedy:epsilon=0.01 reduction=iwr"),
        ("eG", "epsilon-greedy:epsilon=0.1 reduction=iwr"),
        ("OAA", "supervised"),
    )

    found = among_settings(rows, "OAA")

    assert found["algorithm"].to_list() == ["eG epsilon=0.01", "eG epsilon=0.1", "OAA"]


def test_among_several_algorithms_settings_do_not_compete() -> None:
    rows = rows_of(
        ("eG", "epsilon-greedy:epsilon=0.01 reduction=iwr"),
        ("eG", "epsilon-greedy:epsilon=0.1 reduction=iwr"),
        ("G", "greedy reduction=iwr"),
    )

    assert among_settings(rows, "OAA").equals(rows)


def test_one_setting_keeps_its_label() -> None:
    rows = rows_of(("G", "greedy reduction=iwr"), ("OAA", "supervised"))

    assert among_settings(rows, "OAA").equals(rows)


def test_results_of_two_codes_of_a_rule_do_not_compete_as_one() -> None:
    """Whoever looks at everything in a store sees what an edit did."""
    old, new = (f"rule-mine:gamma=1.0,code=0{n}" for n in (1, 2))
    rows = pl.DataFrame(
        [("mine", old), ("mine", new), ("other", "rule-other:code=03"), ("G", "greedy")],
        ["algorithm", "explorer"], orient="row",
    )  # fmt: skip

    labels = codes_apart(rows)["algorithm"].to_list()

    assert labels == ["mine code=01", "mine code=02", "other", "G"]
    assert codes_apart(rows.filter(explorer=new))["algorithm"].to_list() == ["mine"]
