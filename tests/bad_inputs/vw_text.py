"""Bad files of Vowpal Wabbit text."""

from typing import Any

from tests.bad_inputs.case import Bad

GOOD = b"1 |a x:0.5 y\n2 |a y |b z\n"
EVENT = b"shared |s u\n1:0.5 |a x\n2:1 |a y\n\n"


def refused(title: str, content: bytes, says: str, file: str = "rows.vw", **options: Any) -> Bad:
    return Bad(title, file, content, file + says, options)


CASES = [
    refused("an empty file", b"", ": has no rows, but a"),
    refused("only blank lines", b"\n \n", ": has no rows, but a"),
    refused("no features", b"1 |\n2 |a\n", ": no line has a feature after its"),
    refused("one class", b"1 | x\n1 | y\n", ": holds only the class '1'"),
    refused("no bar", GOOD + b"1 x:2\n", ":3: expected a bar before the features"),
    refused(
        "no label",
        GOOD + b"|a x\n",
        ":3: has no label; one must come first, with a blank between it and",
    ),
    refused("a label that is a tag", GOOD + b"1|a x\n", ":3: has no label; one"),
    refused(
        "a fraction for a class",
        GOOD + b"0.7 | x\n",
        ":3: a class must be an integer or a word, got '0.7'",
    ),
    refused("a class that is NaN", GOOD + b"nan | x\n", ":3: a class must be an"),
    refused("several classes", GOOD + b"1,2 | x\n", ":3: a class must be an integer"),
    refused("a base", GOOD + b"1 1 0.5 | x\n", ":3: expected one label, got"),
    refused(
        "an importance other than 1",
        GOOD + b"1 0.5 'tag | x\n",
        ":3: the importance '0.5' cannot be used",
    ),
    refused(
        "integers and words for classes",
        GOOD + b"cat | x\n",
        ":3: classes must be all integers or all words, but 'cat' comes after 1",
    ),
    refused(
        "classes and costs",
        GOOD + b"1:0 2:1 | x\n",
        ":3: the label '1:0 2:1' is of another kind than those before it",
    ),
    refused(
        "a log of bandit feedback",
        b"1:0.5:0.25 | x\n2:1:0.25 | y\n",
        ":1: '1:0.5:0.25' is a log of bandit feedback (action:cost:probability)",
    ),
    refused(
        "a log of bandit feedback with features of actions",
        b"shared | u\n| x\n0:1:0.5 | y\n\n",
        ":3: '0:1:0.5' is a log of bandit feedback",
    ),
    refused(
        "cost labels missing an action",
        b"1:0 2:1 3:0.5 | x\n1:1 3:0 | y\n",
        ":2: gives no cost for the action 2",
    ),
    refused("one action", b"1:0 | x\n1:1 | y\n", ": holds only the class '1'"),
    refused(
        "a cost above 1",
        b"1:0 2:1 | x\n1:3 2:0 | y\n",
        ":2: costs must lie between 0 and 1, got '1:3'; rescale them",
    ),
    refused("a negative cost", b"1:-1 2:1 | x\n", ":1: costs must lie between"),
    refused("a missing cost", b"1: 2:1 | x\n", ":1: expected action:cost, as"),
    refused("a cost that is NaN", b"1:nan 2:1 | x\n", ":1: expected action:cost"),
    refused("a missing action", b":0.5 2:1 | x\n", ":1: a class must be an integer"),
    refused("two costs", b"1:0 1:1 | x\n", ":1: gives two costs for the action"),
    refused("integers and words", b"1:0 b:1 | x\n", ":1: classes must be all"),
    refused(
        "a shared line that is not the first",
        EVENT + b"1:0 | x\nshared | u\n",
        ":6: a shared line must come first in its event",
    ),
    refused(
        "a shared line without actions",
        EVENT + b"shared | u\n\n1:0 | x\n",
        ":5: no actions follow this shared line",
    ),
    refused(
        "an action twice in an event",
        EVENT + b"1:0 | x\n1:1 | y\n",
        ":6: the action 1 occurs twice in its event",
    ),
    refused(
        "several costs for an action",
        EVENT + b"1:0 2:1 | x\n",
        ":5: expected the cost of one action, since the file has shared lines",
    ),
    refused("a class in an event", EVENT + b"1 | x\n", ":5: the label '1' is"),
    refused("one action per event", b"1:0 | x\n\n1:1 | x\n", ": a problem needs at"),
    refused("no name", GOOD + b"1 | :0.5\n", ":3: ':0.5' has no name before"),
    refused("no namespace", GOOD + b"1 |:2 x\n", ":3: ':2' has no name before"),
    refused(
        "a value that is no number",
        GOOD + b"1 |a x:much\n",
        ":3: the value of the feature 'x:much' must be a number of at most",
    ),
    refused("no value", GOOD + b"1 |a x: y\n", ":3: the value of the feature"),
    refused("two colons", GOOD + b"1 |a x:1:2\n", ":3: the value of the feature"),
    refused("a value that is NaN", GOOD + b"1 |a x:nan\n", ":3: the value of the"),
    refused("a value that is too large", GOOD + b"1 |a x:1e19\n", ":3: the value of the"),
    refused("an underscore in a value", GOOD + b"1 |a x:1_0\n", ":3: the value of the"),
    refused(
        "a namespace's value that is no number",
        GOOD + b"1 |a:b x\n",
        ":3: the value of the namespace 'a:b' must be a number",
    ),
    refused(
        "an underscore in a namespace's value",
        GOOD + b"1 |a:1_0 x\n",
        ":3: the value of the namespace 'a:1_0' must be a number",
    ),
    refused(
        "a namespace's value that is too large",
        GOOD + b"1 |a:1e19 x:1e-9\n",
        ":3: the value of the namespace 'a:1e19' must be a number",
    ),
    refused(
        "a product that is too large",
        GOOD + b"1 |a:1e9 x:1e10\n",
        ":3: a feature's value times that of its namespace must be at most",
    ),
    refused(
        "a sum that is too large",
        GOOD + b"1 |a x:9e17 x:9e17\n",
        ":3: the values of a repeated feature add up to 1.8e+18, but at most",
    ),
    refused(
        "a sum with a shared feature that is too large",
        b"shared |a x:9e17\n1:0 |a y\n2:1 |a x:9e17\n",
        ":3: the values of a repeated feature add up to 1.8e+18",
    ),
    refused("a name that is not UTF-8", GOOD + b"1 | \xff\n", ":3: byte 0xff is not"),
    refused("a label that is not UTF-8", GOOD + b"\xff | x\n", ":3: byte 0xff is not"),
    refused("line ends of old Macs", b"1 | x\r2 | y\r", ":1: a carriage return"),
    refused(
        "ranking wanted from classes",
        GOOD,
        ": cannot be read as ranking: its lines begin with a class",
        task="ranking",
    ),
    refused(
        "a target by name",
        GOOD,
        ": the target 'class' cannot be chosen in this format: the label comes",
        target="class",
    ),
]
