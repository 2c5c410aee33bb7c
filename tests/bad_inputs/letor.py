"""Bad LETOR files."""

from typing import Any

from tests.bad_inputs.case import Bad

GOOD = b"2 qid:10 1:0.5 2:1 # d1\n0 qid:10 1:0.1\n"


def refused(title: str, content: bytes, says: str, file: str = "rows.letor", **options: Any) -> Bad:
    return Bad(title, file, content, file + says, options)


CASES = [
    refused("an empty file", b"", ": rows"),
    refused("a query that begins again", GOOD + b"1 qid:9 1:1\n1 qid:10 1:1\n", ":4: together 10"),
    refused("no query id", GOOD + b"1 1:0.5\n", ":3: query", file="rows.letor.txt"),
    refused("a word for a query id", GOOD + b"1 qid:q7 1:0.5\n", ":3: query 'qid:q7'"),
    refused("an empty query id", GOOD + b"1 qid: 1:1\n", ":3: query"),
    refused(
        "a query id between features", GOOD + b"1 qid:10 1:1 qid:11 2:1\n", ":3: index 'qid:11'"
    ),
    refused("no grade", GOOD + b"qid:10 1:0.5\n", ":3: grade 0"),
    refused("a negative grade", GOOD + b"-1 qid:10 1:0.5\n", ":3: grade '-1' 0"),
    refused("a grade that is NaN", GOOD + b"nan qid:10 1:1\n", ":3: grade"),
    refused(
        "a grade above the best", GOOD + b"5 qid:10 1:0.5\n", ":3: exceeds 5", max_relevance=4.0
    ),
    refused("no grade above 0", b"0 qid:1 1:1\n0 qid:1 1:2\n", ": grade 0"),
    refused("one document per query", b"0 qid:1 1:1\n1 qid:2 1:2\n", ": problem 1"),
    refused("classes wanted from grades", GOOD, ": multiclass documents", task="multiclass"),
    refused("a target by name", GOOD, ": grade 'grade'", target="grade"),
]
