"""Bad LETOR files."""

from typing import Any

from tests.bad_inputs.case import Bad

GOOD = b"2 qid:10 1:0.5 2:1 # d1\n0 qid:10 1:0.1\n"


def refused(title: str, content: bytes, says: str, file: str = "rows.letor", **options: Any) -> Bad:
    return Bad(title, file, content, file + says, options)


CASES = [
    refused("an empty file", b"", ": has no rows, but a"),
    refused(
        "a query that begins again",
        GOOD + b"1 qid:9 1:1\n1 qid:10 1:1\n",
        ":4: the documents of a query must stand together, but query 10 begins",
    ),
    refused(
        "no query id",
        GOOD + b"1 1:0.5\n",
        ":3: expected a query id such as qid:12, found none after the",
        file="rows.letor.txt",
    ),
    refused(
        "a word for a query id",
        GOOD + b"1 qid:q7 1:0.5\n",
        ":3: expected a query id such as qid:12, got 'qid:q7'",
    ),
    refused("an empty query id", GOOD + b"1 qid: 1:1\n", ":3: expected a query"),
    refused(
        "a query id between features",
        GOOD + b"1 qid:10 1:1 qid:11 2:1\n",
        ":3: the index in 'qid:11' must be an integer",
    ),
    refused(
        "no grade",
        GOOD + b"qid:10 1:0.5\n",
        ":3: a grade, a number from 0, must come first; found none",
    ),
    refused(
        "a negative grade",
        GOOD + b"-1 qid:10 1:0.5\n",
        ":3: a grade, a number from 0, must come first; got '-1'",
    ),
    refused("a grade that is NaN", GOOD + b"nan qid:10 1:1\n", ":3: a grade, a number"),
    refused(
        "a grade above the best",
        GOOD + b"5 qid:10 1:0.5\n",
        ":3: the grade 5 exceeds max_relevance=4",
        max_relevance=4.0,
    ),
    refused("no grade above 0", b"0 qid:1 1:1\n0 qid:1 1:2\n", ": no document has a grade above 0"),
    refused(
        "one document per query",
        b"0 qid:1 1:1\n1 qid:2 1:2\n",
        ": a problem needs at least two actions, got 1",
    ),
    refused(
        "classes wanted from grades",
        GOOD,
        ": cannot be read as multiclass: its lines hold grades of documents",
        task="multiclass",
    ),
    refused(
        "a target by name",
        GOOD,
        ": the target 'grade' cannot be chosen in this format: the grade comes",
        target="grade",
    ),
]
