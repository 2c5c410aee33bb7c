"""Bad LibSVM files."""

from typing import Any

from tests.bad_inputs.case import Bad

GOOD = b"1 1:2 3:0.5\n2 2:1\n"


def refused(title: str, content: bytes, says: str, file: str = "rows.svm", **options: Any) -> Bad:
    return Bad(title, file, content, file + says, options)


CASES = [
    refused("an empty file", b"", ": rows"),
    refused("only comments", b"# 1 1:2\n\n", ": rows"),
    refused("no features", b"1\n2\n", ": feature"),
    refused("one class", b"1 1:2\n1 2:1\n", ": only '1'"),
    refused("one label", b"1 1:2\n 2:1\n", ": only '1'", file="rows.multilabel.svm"),
    refused("a word for a label", GOOD + b"cat 1:2\n", ":3: label"),
    refused("a label that is NaN", GOOD + b"nan 1:2\n", ":3: label"),
    refused("a huge label", GOOD + b"1e400 1:2\n", ":3: label"),
    refused("a header", b"label f1 f2\n1 1:2\n", ":1: index:value 'f1'"),
    refused("values with commas between them", b"1,2,3\n2,3,4\n", ": feature"),
    refused("the target of a regression", b"0.12 1:1\n0.5 1:2\n0.71 1:3\n", ": regression 3"),
    refused("no colon", GOOD + b"\n# a comment\n1 1:2 5\n", ":5: index:value '5'"),
    refused("two colons", GOOD + b"1 1:2:3\n", ":3: value '1:2:3'"),
    refused("no value", GOOD + b"1 1: 2:3\n", ":3: value '1:'"),
    refused("no index", GOOD + b"1 :2\n", ":3: index ':2'"),
    refused("a negative index", GOOD + b"1 -1:2\n", ":3: index '-1:2' 2147483646"),
    refused("a plus before an index", GOOD + b"1 +1:2\n", ":3: index '+1:2'"),
    refused("a fraction for an index", GOOD + b"1 1.5:2\n", ":3: index '1.5:2'"),
    refused("a word for an index", GOOD + b"1 a:2\n", ":3: index 'a:2'"),
    refused("an underscore in an index", GOOD + b"1 1_0:2\n", ":3: index '1_0:2'"),
    refused("an index that is too large", b"1 2147483647:1\n", ":1: index '2147483647:1'"),
    refused(
        "an index of many digits",
        GOOD + b"1 " + b"9" * 5000 + b":1\n",
        ":3: index '9999999999999999999999999999999999999999...'",
    ),
    refused("indices that descend", GOOD + b"1 3:1 2:1\n", ":3: ascend 3"),
    refused("an index twice", GOOD + b"1 3:1 3:1\n", ":3: ascend"),
    refused("a value that is NaN", GOOD + b"1 3:nan\n", ":3: value '3:nan'"),
    refused("an infinite value", GOOD + b"1 3:-inf\n", ":3: value '3:-inf'"),
    refused("a value that overflows", GOOD + b"1 3:1e400\n", ":3: value '3:1e400'"),
    refused("a value that is too large", GOOD + b"1 3:2e18\n", ":3: value '3:2e18'"),
    refused("a hexadecimal value", GOOD + b"1 3:0x10\n", ":3: value '3:0x10'"),
    refused("an underscore in a value", GOOD + b"1 3:1_0\n", ":3: value '3:1_0'"),
    refused("a null byte", GOOD + b"1 3:1\x00 4:2\n", ":3: value '3:1\\x00'"),
    refused("line ends of old Macs", b"1 1:2\r2 1:3\r", ":1: value '1:2\\r2'"),
    refused("a label twice", GOOD + b"1,2,1 1:2\n", ":3: repeats '1,2,1'"),
    refused("a label missing among several", GOOD + b"1,,2 1:2\n", ":3: labels '1,,2'"),
    refused("labels with fractions", GOOD + b"1,2.5 1:2\n", ":3: labels"),
    refused(
        "several labels in a multiclass file", GOOD + b"1,2 1:2\n", ":3: label", task="multiclass"
    ),
    refused(
        "no label in a multiclass file",
        GOOD + b"1:2 3:4\n",
        ":3: magnitude 9.0072e+15",
        task="multiclass",
    ),
    refused("query ids in some lines only", GOOD + b"1 qid:3 1:2\n", ":1: grade"),
    refused("a target by name", GOOD, ": chosen 'class'", target="class"),
    refused("a column to leave out", GOOD, ": column 'id'", ignore=("id",)),
    refused("costs wanted from labels", GOOD, ": label", task="cost-sensitive"),
]
