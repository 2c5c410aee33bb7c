"""Bad files of Vowpal Wabbit text."""

from typing import Any

from tests.bad_inputs.case import Bad

GOOD = b"1 |a x:0.5 y\n2 |a y |b z\n"
EVENT = b"shared |s u\n1:0.5 |a x\n2:1 |a y\n\n"


def refused(title: str, content: bytes, says: str, file: str = "rows.vw", **options: Any) -> Bad:
    return Bad(title, file, content, file + says, options)


CASES = [
    refused("an empty file", b"", ": rows"),
    refused("only blank lines", b"\n \n", ": rows"),
    refused("no features", b"1 |\n2 |a\n", ": feature"),
    refused("one class", b"1 | x\n1 | y\n", ": only '1'"),
    refused("no bar", GOOD + b"1 x:2\n", ":3: bar"),
    refused("no label", GOOD + b"|a x\n", ":3: label"),
    refused("a label that is a tag", GOOD + b"1|a x\n", ":3: label"),
    refused("a fraction for a class", GOOD + b"0.7 | x\n", ":3: class '0.7'"),
    refused("a class that is NaN", GOOD + b"nan | x\n", ":3: class"),
    refused("several classes", GOOD + b"1,2 | x\n", ":3: class"),
    refused("a base", GOOD + b"1 1 0.5 | x\n", ":3: label"),
    refused("an importance other than 1", GOOD + b"1 0.5 'tag | x\n", ":3: importance '0.5'"),
    refused("integers and words for classes", GOOD + b"cat | x\n", ":3: classes 'cat' 1"),
    refused("classes and costs", GOOD + b"1:0 2:1 | x\n", ":3: label '1:0 2:1'"),
    refused(
        "a log of bandit feedback", b"1:0.5:0.25 | x\n2:1:0.25 | y\n", ":1: bandit '1:0.5:0.25'"
    ),
    refused(
        "a log of bandit feedback with features of actions",
        b"shared | u\n| x\n0:1:0.5 | y\n\n",
        ":3: bandit '0:1:0.5'",
    ),
    refused("cost labels missing an action", b"1:0 2:1 3:0.5 | x\n1:1 3:0 | y\n", ":2: cost 2"),
    refused("one action", b"1:0 | x\n1:1 | y\n", ": only '1'"),
    refused("a cost above 1", b"1:0 2:1 | x\n1:3 2:0 | y\n", ":2: costs '1:3' 1"),
    refused("a negative cost", b"1:-1 2:1 | x\n", ":1: costs"),
    refused("a missing cost", b"1: 2:1 | x\n", ":1: action:cost"),
    refused("a cost that is NaN", b"1:nan 2:1 | x\n", ":1: action:cost"),
    refused("a missing action", b":0.5 2:1 | x\n", ":1: class"),
    refused("two costs", b"1:0 1:1 | x\n", ":1: costs"),
    refused("integers and words", b"1:0 b:1 | x\n", ":1: classes"),
    refused("a shared line that is not the first", EVENT + b"1:0 | x\nshared | u\n", ":6: shared"),
    refused("a shared line without actions", EVENT + b"shared | u\n\n1:0 | x\n", ":5: shared"),
    refused("an action twice in an event", EVENT + b"1:0 | x\n1:1 | y\n", ":6: twice 1"),
    refused("several costs for an action", EVENT + b"1:0 2:1 | x\n", ":5: shared"),
    refused("a class in an event", EVENT + b"1 | x\n", ":5: label '1'"),
    refused("one action per event", b"1:0 | x\n\n1:1 | x\n", ": problem"),
    refused("no name", GOOD + b"1 | :0.5\n", ":3: name ':0.5'"),
    refused("no namespace", GOOD + b"1 |:2 x\n", ":3: name ':2'"),
    refused("a value that is no number", GOOD + b"1 |a x:much\n", ":3: feature 'x:much'"),
    refused("no value", GOOD + b"1 |a x: y\n", ":3: feature"),
    refused("two colons", GOOD + b"1 |a x:1:2\n", ":3: feature"),
    refused("a value that is NaN", GOOD + b"1 |a x:nan\n", ":3: value"),
    refused("a value that is too large", GOOD + b"1 |a x:1e19\n", ":3: value"),
    refused("an underscore in a value", GOOD + b"1 |a x:1_0\n", ":3: value"),
    refused("a namespace's value that is no number", GOOD + b"1 |a:b x\n", ":3: namespace 'a:b'"),
    refused(
        "an underscore in a namespace's value", GOOD + b"1 |a:1_0 x\n", ":3: namespace 'a:1_0'"
    ),
    refused(
        "a namespace's value that is too large",
        GOOD + b"1 |a:1e19 x:1e-9\n",
        ":3: namespace 'a:1e19'",
    ),
    refused("a product that is too large", GOOD + b"1 |a:1e9 x:1e10\n", ":3: namespace"),
    refused("a sum that is too large", GOOD + b"1 |a x:9e17 x:9e17\n", ":3: add 1.8e+18"),
    refused(
        "a sum with a shared feature that is too large",
        b"shared |a x:9e17\n1:0 |a y\n2:1 |a x:9e17\n",
        ":3: add 1.8e+18",
    ),
    refused("a name that is not UTF-8", GOOD + b"1 | \xff\n", ":3: byte"),
    refused("a label that is not UTF-8", GOOD + b"\xff | x\n", ":3: byte"),
    refused("line ends of old Macs", b"1 | x\r2 | y\r", ":1: carriage"),
    refused("ranking wanted from classes", GOOD, ": class", task="ranking"),
    refused("a target by name", GOOD, ": chosen 'class'", target="class"),
]
