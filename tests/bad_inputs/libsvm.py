"""Bad LibSVM files."""

from typing import Any

from tests.bad_inputs.case import Bad

GOOD = b"1 1:2 3:0.5\n2 2:1\n"


def refused(title: str, content: bytes, says: str, file: str = "rows.svm", **options: Any) -> Bad:
    return Bad(title, file, content, file + says, options)


CASES = [
    refused("an empty file", b"", ": has no rows, but a"),
    refused("only comments", b"# 1 1:2\n\n", ": has no rows, but a"),
    refused("no features", b"1\n2\n", ": no row has a feature"),
    refused("one class", b"1 1:2\n1 2:1\n", ": holds only the class '1'"),
    refused(
        "one label", b"1 1:2\n 2:1\n", ": holds only the class '1'", file="rows.multilabel.svm"
    ),
    refused("a word for a label", GOOD + b"cat 1:2\n", ":3: a label, a number"),
    refused("a label that is NaN", GOOD + b"nan 1:2\n", ":3: a label, a number"),
    refused("a huge label", GOOD + b"1e400 1:2\n", ":3: a label, a number"),
    refused("a header", b"label f1 f2\n1 1:2\n", ":1: expected index:value, got 'f1'"),
    refused("values with commas between them", b"1,2,3\n2,3,4\n", ": no row has a feature"),
    refused(
        "the target of a regression",
        b"0.12 1:1\n0.5 1:2\n0.71 1:3\n",
        ": holds 3 different numbers in 3 rows; turn a regression target",
    ),
    refused("no colon", GOOD + b"\n# a comment\n1 1:2 5\n", ":5: expected index:value, got '5'"),
    refused("two colons", GOOD + b"1 1:2:3\n", ":3: the value in '1:2:3'"),
    refused("no value", GOOD + b"1 1: 2:3\n", ":3: the value in '1:' must"),
    refused("no index", GOOD + b"1 :2\n", ":3: the index in ':2' must be"),
    refused(
        "a negative index",
        GOOD + b"1 -1:2\n",
        ":3: the index in '-1:2' must be an integer from 0 to 2147483646",
    ),
    refused("a plus before an index", GOOD + b"1 +1:2\n", ":3: the index in '+1:2'"),
    refused("a fraction for an index", GOOD + b"1 1.5:2\n", ":3: the index in '1.5:2'"),
    refused("a word for an index", GOOD + b"1 a:2\n", ":3: the index in 'a:2'"),
    refused("an underscore in an index", GOOD + b"1 1_0:2\n", ":3: the index in '1_0:2'"),
    refused("an index that is too large", b"1 2147483647:1\n", ":1: the index in '2147483647:1'"),
    refused(
        "an index of many digits",
        GOOD + b"1 " + b"9" * 5000 + b":1\n",
        ":3: the index in '9999999999999999999999999999999999999999...' must",
    ),
    refused(
        "indices that descend",
        GOOD + b"1 3:1 2:1\n",
        ":3: indices must ascend, but 2 comes after 3",
    ),
    refused("an index twice", GOOD + b"1 3:1 3:1\n", ":3: indices must ascend"),
    refused("a value that is NaN", GOOD + b"1 3:nan\n", ":3: the value in '3:nan'"),
    refused("an infinite value", GOOD + b"1 3:-inf\n", ":3: the value in '3:-inf'"),
    refused("a value that overflows", GOOD + b"1 3:1e400\n", ":3: the value in '3:1e400'"),
    refused("a value that is too large", GOOD + b"1 3:2e18\n", ":3: the value in '3:2e18'"),
    refused("a hexadecimal value", GOOD + b"1 3:0x10\n", ":3: the value in '3:0x10'"),
    refused("an underscore in a value", GOOD + b"1 3:1_0\n", ":3: the value in '3:1_0'"),
    refused("a null byte", GOOD + b"1 3:1\x00 4:2\n", ":3: the value in '3:1\\x00'"),
    refused("line ends of old Macs", b"1 1:2\r2 1:3\r", ":1: the value in '1:2\\r2'"),
    refused("a label twice", GOOD + b"1,2,1 1:2\n", ":3: '1,2,1' repeats a"),
    refused(
        "a label missing among several",
        GOOD + b"1,,2 1:2\n",
        ":3: labels must be integers with commas between them, got '1,,2'",
    ),
    refused("labels with fractions", GOOD + b"1,2.5 1:2\n", ":3: labels must be integers"),
    refused(
        "several labels in a multiclass file",
        GOOD + b"1,2 1:2\n",
        ":3: a label, a number of at most",
        task="multiclass",
    ),
    refused(
        "no label in a multiclass file",
        GOOD + b"1:2 3:4\n",
        ":3: a label, a number of at most 9.0072e+15 in magnitude, must come first; found none",
        task="multiclass",
    ),
    refused(
        "query ids in some lines only",
        GOOD + b"1 qid:3 1:2\n",
        ":1: expected a query id such as qid:12, found none after the grade",
    ),
    refused(
        "a target by name",
        GOOD,
        ": the target 'class' cannot be chosen in this format: the label comes",
        target="class",
    ),
    refused(
        "a column to leave out",
        GOOD,
        ": has no column 'id', since this format does not name columns",
        ignore=("id",),
    ),
    refused(
        "costs wanted from labels",
        GOOD,
        ": cannot be read as cost-sensitive: a line begins with a label",
        task="cost-sensitive",
    ),
]
