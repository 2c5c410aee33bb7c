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
    Bad("an empty file", "r.arff", b"", "r.arff: @data"),
    Bad("no @data line", "r.arff", HEAD[:-6], "r.arff: @data"),
    Bad("rows without a header", "r.arff", ROWS, "r.arff:1: @data '1,red,x'"),
    Bad(
        "a misspelt keyword",
        "r.arff",
        header("@atribute b real"),
        "r.arff:3: @data '@atribute b real'",
    ),
    Bad("an attribute without a type", "r.arff", header("@attribute b"), "r.arff:3: values 'b'"),
    Bad("an unknown type", "r.arff", header("@attribute b float"), "r.arff:3: values 'b'"),
    Bad(
        "a name with a blank and no quotes",
        "r.arff",
        header("@attribute b c real"),
        "r.arff:3: values 'b'",
    ),
    Bad(
        "a quoted name that does not end", "r.arff", header("@attribute 'b real"), "r.arff:3: quote"
    ),
    Bad("an attribute twice", "r.arff", header("@attribute 'a' {p,q}"), "r.arff:3: twice 'a'"),
    Bad(
        "rows inside of rows",
        "r.arff",
        header("@attribute b relational\n@attribute c real\n@end b"),
        "r.arff:3: values 'b'",
    ),
    Bad(
        "declared values that do not end",
        "r.arff",
        header("@attribute b {p,\nq}"),
        "r.arff:3: values 'b'",
    ),
    Bad(
        "a declared value twice",
        "r.arff",
        header("@attribute b {p, q, 'p'}"),
        "r.arff:3: twice 'p'",
    ),
    Bad("an empty declared value", "r.arff", header("@attribute b {p,,q}"), "r.arff:3: empty"),
    Bad("no attributes", "r.arff", b"@relation r\n@data\n1,2\n", "r.arff:2: @attribute"),
    Bad(
        "one attribute",
        "r.arff",
        b"@relation r\n@attribute class {x,y}\n@data\nx\ny\n",
        "r.arff: columns 1",
    ),
    Bad(
        "carriage returns alone",
        "r.arff",
        (HEAD + ROWS).replace(b"\n", b"\r"),
        "r.arff:1: carriage",
    ),
    Bad(
        "a name that is not UTF-8",
        "r.arff",
        header("@attribute caf\u00e9 real").decode().encode("latin-1"),
        "r.arff:3: UTF-8",
    ),
]

DENSE = [
    Bad("no rows", "r.arff", HEAD + b"% none\n", "r.arff: rows"),
    Bad("too few values", "r.arff", HEAD + ROWS + b"3,x\n" + ROWS, "r.arff:8: values 2"),
    Bad(
        "too many values after a comment",
        "r.arff",
        HEAD + b"% one, two\n\n" + ROWS + b"3,red,x,y\n",
        "r.arff:10: values 4",
    ),
    Bad(
        "too few values between blanks",
        "r.arff",
        HEAD + b"1 red x\n2\tgreen\n",
        "r.arff:7: values 2",
    ),
    Bad("an undeclared value", "r.arff", HEAD + ROWS + b"3,blue,x\n", "r.arff:8: declared 'blue'"),
    Bad(
        "an undeclared class in quotes",
        "r.arff",
        HEAD + b"1,'red','x'\n2,'green','z'\n",
        "r.arff:7: declared 'z'",
    ),
    Bad("a word for a number", "r.arff", HEAD + ROWS + b"\none,red,x\n", "r.arff:9: finite 'one'"),
    Bad(
        "a bad value in one row and another one later",
        "r.arff",
        HEAD + b"1,red,z\none,red,x\n",
        "r.arff:6: declared 'z'",
    ),
    Bad(
        "a bad value of an attribute with an odd name",
        "r.arff",
        b"@attribute * real\n@attribute class {x,y}\n@data\n1,x\none,y\n",
        "r.arff:5: finite 'one'",
    ),
    Bad("a decimal comma", "r.arff", HEAD + b"1,5,red,x\n" + ROWS, "r.arff:6: values 4"),
    Bad("an empty value", "r.arff", HEAD + ROWS + b",red,x\n", "r.arff:8: empty"),
    Bad("a comma at the end", "r.arff", HEAD + ROWS + b"3,red,x,\n", "r.arff:8: empty"),
    Bad("infinity", "r.arff", HEAD + ROWS + b"-Infinity,red,x\n", "r.arff:8: finite '-Infinity'"),
    Bad("what is not a number", "r.arff", HEAD + ROWS + b"NaN,red,x\n", "r.arff:8: finite 'NaN'"),
    Bad(
        "a number that overflows",
        "r.arff",
        HEAD + ROWS + b"1e400,red,x\n",
        "r.arff:8: finite '1e400'",
    ),
    Bad(
        "a number too large for single precision",
        "r.arff",
        HEAD + ROWS + b"\n-3e30,red,x\n",
        "r.arff:9: finite 'a' 1e+18",
    ),
    Bad("a missing class", "r.arff", HEAD + ROWS + b"3,red,?\n", "r.arff:8: missing 'class'"),
    Bad("one class only", "r.arff", HEAD + b"1,red,x\n2,red,x\n", "r.arff: only 'x'"),
    Bad(
        "a quotation that does not end",
        "r.arff",
        HEAD + b"1,red,'x\n2,green,y'\n",
        "r.arff:6: quote",
    ),
    Bad("a quote inside a value", "r.arff", HEAD + b"1,'re'd','x'\n" + ROWS, "r.arff:6: quote"),
    Bad("a weight", "r.arff", HEAD + b"1,red,x,{1}\n2,green,y,{5}\n", "r.arff:7: weight '5'"),
    Bad("a value that is not UTF-8", "r.arff", HEAD + ROWS + b"3,r\xe9d,x\n", "r.arff:8: UTF-8"),
    Bad(
        "a target that is not there",
        "r.arff",
        HEAD + ROWS,
        "r.arff: column 'class'",
        {"target": "klass"},
    ),
    Bad(
        "a regression target",
        "r.arff",
        b"@attribute a real\n@attribute y real\n@data\n1,.5\n2,.6\n3,.7\n",
        "r.arff: different 'y'",
    ),
    Bad(
        "half of a compressed file",
        "r.arff.gz",
        gzip.compress(HEAD + 1000 * ROWS)[:-20],
        "r.arff.gz: compressed",
    ),
]

SPARSE = [
    Bad("an index that is too large", "r.arff", HEAD + b"{0 1}\n{3 1}\n", "r.arff:7: index 3"),
    Bad(
        "an index beyond all integers",
        "r.arff",
        HEAD + b"{0 1}\n{99999999999999999999 1}\n",
        "r.arff:7: index 3",
    ),
    Bad(
        "an index twice", "r.arff", HEAD + b"{}\n% c\n{0 1, 1 red, 1 green}\n", "r.arff:8: ascend 1"
    ),
    Bad(
        "indices that descend", "r.arff", HEAD + b"{2 y}\n{0 1, 2 y, 1 red}\n", "r.arff:7: ascend 2"
    ),
    Bad("a negative index", "r.arff", HEAD + b"{-1 5}\n", "r.arff:6: sparse '{-1 5}'"),
    Bad(
        "an index without a value",
        "r.arff",
        HEAD + b"{0 1}\n{0, 2 y}\n",
        "r.arff:7: sparse '{0, 2 y}'",
    ),
    Bad(
        "braces that do not close",
        "r.arff",
        HEAD + b"{0 1}\n{0 1, 2 y\n",
        "r.arff:7: sparse '{0 1, 2 y'",
    ),
    Bad(
        "a dense row among sparse ones",
        "r.arff",
        HEAD + b"{0 1}\n2,red,y\n",
        "r.arff:7: sparse '2,red,y'",
    ),
    Bad("a sparse row among dense ones", "r.arff", HEAD + ROWS + b"{0 1}\n", "r.arff:8: sparse"),
    Bad(
        "an undeclared value in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{1 'blue', 2 y}\n",
        "r.arff:7: declared 'blue'",
    ),
    Bad(
        "a word for a number in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{0 '?', 2 y}\n",
        "r.arff:7: finite '?'",
    ),
    Bad(
        "a number that overflows in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{0 1e999, 2 y}\n",
        "r.arff:7: finite '1e999'",
    ),
    Bad(
        "a number too large for single precision in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n\n{0 1e19, 2 y}\n",
        "r.arff:8: finite 'a' 1e+18",
    ),
    Bad(
        "a missing class in a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{2 y}\n{0 1, 2 ?}\n",
        "r.arff:8: missing 'class'",
    ),
    Bad(
        "a weight of a sparse row",
        "r.arff",
        HEAD + b"{0 1}\n{2 y}, {0.5}\n",
        "r.arff:7: weight '0.5'",
    ),
    Bad(
        "text in sparse rows",
        "r.arff",
        b"@attribute t string\n@attribute class {x,y}\n@data\n{}\n{0 'a', 1 y}\n",
        "r.arff: sparse 't'",
    ),
]

CASES = HEADERS + DENSE + SPARSE
