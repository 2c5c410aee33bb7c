"""Bad ARFF files."""

import gzip

from tests.bad_inputs.case import Bad

HEAD = b"""@relation r
@attribute a numeric
@attribute colour {red, green}
@attribute class {x, y}
@data
"""  # 5 lines
ROWS = b"1,red,x\n2,green,y\n"


def header(text: str) -> bytes:
    """A header with some lines of its own, and two rows for `a` and `class`."""
    start, end = "@relation r\n@attribute a real\n", "\n@attribute class {x,y}\n"
    return f"{start}{text}{end}@data\n1,x\n2,y\n".encode()


HEADERS = [
    Bad("an empty file", "r.arff", b"", "r.arff: has no @data line"),
    Bad("no @data line", "r.arff", HEAD[:-6], "r.arff: has no @data line"),
    Bad(
        "rows without a header",
        "r.arff",
        ROWS,
        "r.arff:1: expected @relation, @attribute or @data, got '1,red,x'",
    ),
    Bad(
        "a misspelt keyword",
        "r.arff",
        header("@atribute b real"),
        "r.arff:3: expected @relation, @attribute or @data, got '@atribute b real'",
    ),
    Bad(
        "an attribute without a type",
        "r.arff",
        header("@attribute b"),
        "r.arff:3: the type of 'b' must be numeric, real, integer, string or values",
    ),
    Bad(
        "an unknown type",
        "r.arff",
        header("@attribute b float"),
        "r.arff:3: the type of 'b' must be numeric, real, integer, string or values",
    ),
    Bad(
        "a name with a blank and no quotes",
        "r.arff",
        header("@attribute b c real"),
        "r.arff:3: the type of 'b' must be numeric, real, integer, string or values",
    ),
    Bad(
        "a quoted name that does not end",
        "r.arff",
        header("@attribute 'b real"),
        "r.arff:3: expected @attribute, a name and a type; quote unusual names",
    ),
    Bad(
        "an attribute twice",
        "r.arff",
        header("@attribute 'a' {p,q}"),
        "r.arff:3: the attribute 'a' is declared twice",
    ),
    Bad(
        "rows inside of rows",
        "r.arff",
        header("@attribute b relational\n@attribute c real\n@end b"),
        "r.arff:3: the type of 'b' must be numeric, real, integer, string or values",
    ),
    Bad(
        "declared values that do not end",
        "r.arff",
        header("@attribute b {p,\nq}"),
        "r.arff:3: the values of 'b' must be listed as {a, b, 'c d'} on one line",
    ),
    Bad(
        "a declared value twice",
        "r.arff",
        header("@attribute b {p, q, 'p'}"),
        "r.arff:3: the attribute 'b' declares 'p' twice",
    ),
    Bad(
        "an empty declared value",
        "r.arff",
        header("@attribute b {p,,q}"),
        "r.arff:3: has an empty value",
    ),
    Bad(
        "no attributes",
        "r.arff",
        b"@relation r\n@data\n1,2\n",
        "r.arff:2: no @attribute stands before this",
    ),
    Bad(
        "one attribute",
        "r.arff",
        b"@relation r\n@attribute class {x,y}\n@data\nx\ny\n",
        "r.arff: features and a target need at least two columns, found 1",
    ),
    Bad(
        "carriage returns alone",
        "r.arff",
        (HEAD + ROWS).replace(b"\n", b"\r"),
        "r.arff:1: has a carriage return inside",
    ),
    Bad(
        "a name that is not UTF-8",
        "r.arff",
        header("@attribute caf\u00e9 real").decode().encode("latin-1"),
        "r.arff:3: is not UTF-8 text; convert the file to UTF-8",
    ),
]

DENSE = [
    Bad("no rows", "r.arff", HEAD + b"% none\n", "r.arff: has no rows"),
    Bad(
        "too few values",
        "r.arff",
        HEAD + ROWS + b"3,x\n" + ROWS,
        "r.arff:8: expected 3 values, found 2",
    ),
    Bad(
        "too many values after a comment",
        "r.arff",
        HEAD + b"% one, two\n\n" + ROWS + b"3,red,x,y\n",
        "r.arff:10: expected 3 values, found 4",
    ),
    Bad(
        "too few values between blanks",
        "r.arff",
        HEAD + b"1 red x\n2\tgreen\n",
        "r.arff:7: expected 3 values, found 2",
    ),
    Bad(
        "an undeclared value",
        "r.arff",
        HEAD + ROWS + b"3,blue,x\n",
        "r.arff:8: 'colour' must be one of its declared values ('red', 'green') or ?, got 'blue'",
    ),
    Bad(
        "an undeclared class in quotes",
        "r.arff",
        HEAD + b"1,'red','x'\n2,'green','z'\n",
        "r.arff:7: 'class' must be one of its declared values ('x', 'y') or ?, got 'z'",
    ),
    Bad(
        "a word for a number",
        "r.arff",
        HEAD + ROWS + b"\none,red,x\n",
        "r.arff:9: 'a' must be a finite number or ?, got 'one'",
    ),
    Bad(
        "a bad value in one row and another one later",
        "r.arff",
        HEAD + b"1,red,z\none,red,x\n",
        "r.arff:6: 'class' must be one of its declared values ('x', 'y') or ?, got 'z'",
    ),
    Bad(
        "a bad value of an attribute with an odd name",
        "r.arff",
        b"@attribute * real\n@attribute class {x,y}\n@data\n1,x\none,y\n",
        "r.arff:5: '*' must be a finite number or ?, got 'one'",
    ),
    Bad(
        "a decimal comma",
        "r.arff",
        HEAD + b"1,5,red,x\n" + ROWS,
        "r.arff:6: expected 3 values, found 4",
    ),
    Bad(
        "an empty value",
        "r.arff",
        HEAD + ROWS + b",red,x\n",
        "r.arff:8: has an empty value; a missing one is written ?",
    ),
    Bad(
        "a comma at the end",
        "r.arff",
        HEAD + ROWS + b"3,red,x,\n",
        "r.arff:8: has an empty value; a missing one is written ?",
    ),
    Bad(
        "infinity",
        "r.arff",
        HEAD + ROWS + b"-Infinity,red,x\n",
        "r.arff:8: 'a' must be a finite number or ?, got '-Infinity'",
    ),
    Bad(
        "what is not a number",
        "r.arff",
        HEAD + ROWS + b"NaN,red,x\n",
        "r.arff:8: 'a' must be a finite number or ?, got 'NaN'",
    ),
    Bad(
        "a number that overflows",
        "r.arff",
        HEAD + ROWS + b"1e400,red,x\n",
        "r.arff:8: 'a' must be a finite number or ?, got '1e400'",
    ),
    Bad(
        "a number too large for single precision",
        "r.arff",
        HEAD + ROWS + b"\n-3e30,red,x\n",
        "r.arff:9: column 'a' must be finite and at most 1e+18 in magnitude",
    ),
    Bad(
        "a missing class",
        "r.arff",
        HEAD + ROWS + b"3,red,?\n",
        "r.arff:8: the target 'class' is missing",
    ),
    Bad(
        "one class only",
        "r.arff",
        HEAD + b"1,red,x\n2,red,x\n",
        "r.arff: the target 'class' holds only the class 'x'",
    ),
    Bad(
        "a quotation that does not end",
        "r.arff",
        HEAD + b"1,red,'x\n2,green,y'\n",
        "r.arff:6: has a quote in the wrong place",
    ),
    Bad(
        "a quote inside a value",
        "r.arff",
        HEAD + b"1,'re'd','x'\n" + ROWS,
        "r.arff:6: has a quote in the wrong place",
    ),
    Bad(
        "a weight",
        "r.arff",
        HEAD + b"1,red,x,{1}\n2,green,y,{5}\n",
        "r.arff:7: has the weight '5', but weights other than 1 are not supported",
    ),
    Bad(
        "a value that is not UTF-8",
        "r.arff",
        HEAD + ROWS + b"3,r\xe9d,x\n",
        "r.arff:8: is not UTF-8 text; convert the file to UTF-8",
    ),
    Bad(
        "a target that is not there",
        "r.arff",
        HEAD + ROWS,
        "r.arff: has no column 'klass'; did you mean 'class'?",
        {"target": "klass"},
    ),
    Bad(
        "a regression target",
        "r.arff",
        b"@attribute a real\n@attribute y real\n@data\n1,.5\n2,.6\n3,.7\n",
        "r.arff: the target 'y' holds 3 different numbers in 3 rows",
    ),
    Bad(
        "half of a compressed file",
        "r.arff.gz",
        gzip.compress(HEAD + 1000 * ROWS)[:-20],
        "r.arff.gz: ends in the middle of its compressed data",
    ),
]

SPARSE = [
    Bad(
        "an index that is too large",
        "r.arff",
        HEAD + b"{0 1}\n{3 1}\n",
        "r.arff:7: the index 3 must be below 3, the number of attributes",
    ),
    Bad(
        "an index beyond all integers",
        "r.arff",
        HEAD + b"{0 1}\n{99999999999999999999 1}\n",
        "r.arff:7: the index 99999999999999999999 must be below 3",
    ),
    Bad(
        "an index twice",
        "r.arff",
        HEAD + b"{}\n% c\n{0 1, 1 red, 1 green}\n",
        "r.arff:8: the indices of a row must ascend, but 1 follows 1",
    ),
    Bad(
        "indices that descend",
        "r.arff",
        HEAD + b"{2 y}\n{0 1, 2 y, 1 red}\n",
        "r.arff:7: the indices of a row must ascend, but 1 follows 2",
    ),
    Bad(
        "a negative index",
        "r.arff",
        HEAD + b"{-1 5}\n",
        "r.arff:6: expected a sparse row such as {0 1.5, 3 'b c'}, got '{-1 5}'",
    ),
    Bad(
        "an index without a value",
        "r.arff",
        HEAD + b"{0 1}\n{0, 2 y}\n",
        "r.arff:7: expected a sparse row such as {0 1.5, 3 'b c'}, got '{0, 2 y}'",
    ),
    Bad(
        "braces that do not close",
        "r.arff",
        HEAD + b"{0 1}\n{0 1, 2 y\n",
        "r.arff:7: expected a sparse row such as {0 1.5, 3 'b c'}, got '{0 1, 2 y'",
    ),
    Bad(
        "a dense row among sparse ones",
        "r.arff",
        HEAD + b"{0 1}\n2,red,y\n",
        "r.arff:7: expected a sparse row such as {0 1.5, 3 'b c'}, got '2,red,y'",
    ),
    Bad(
        "a sparse row among dense ones",
        "r.arff",
        HEAD + ROWS + b"{0 1}\n",
        "r.arff:8: is a sparse row among dense ones; they cannot be mixed",
    ),
    Bad(
        "an undeclared value in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{1 'blue', 2 y}\n",
        "r.arff:7: 'colour' must be one of its declared values ('red', 'green') or ?, got 'blue'",
    ),
    Bad(
        "a word for a number in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{0 '?', 2 y}\n",
        "r.arff:7: 'a' must be a finite number or ?, got '?'",
    ),
    Bad(
        "a number that overflows in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{0 1e999, 2 y}\n",
        "r.arff:7: 'a' must be a finite number or ?, got '1e999'",
    ),
    Bad(
        "a number too large for single precision in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n\n{0 1e19, 2 y}\n",
        "r.arff:8: column 'a' must be finite and at most 1e+18 in magnitude",
    ),
    Bad(
        "a missing class in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{2 y}\n{0 1, 2 ?}\n",
        "r.arff:8: the target 'class' is missing",
    ),
    Bad(
        "a weight of a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{2 y}, {0.5}\n",
        "r.arff:7: has the weight '0.5', but weights other than 1 are not supported",
    ),
    Bad(
        "text in sparse rows",
        "r.arff",
        b"@attribute t string\n@attribute class {x,y}\n@data\n{}\n{0 'a', 1 y}\n",
        "r.arff: sparse rows cannot leave out 't', which is text or declares no values",
    ),
]

CASES = HEADERS + DENSE + SPARSE
