"""Bad CSV and TSV files."""

from tests.bad_inputs.case import Bad

CASES = [
    Bad("an empty file", "rows.csv", b"", "rows.csv: empty"),
    Bad("only blank lines", "rows.csv", b"\n  \n\n", "rows.csv: empty"),
    Bad("only a header", "rows.csv", b"a,b,class\n", "rows.csv: header"),
    Bad("one column", "rows.csv", b"class\nx\ny\n", "rows.csv: columns 1"),
    Bad(
        "a row with too few values",
        "rows.csv",
        b"a,b,class\n1,2,x\n3,y\n5,6,x\n",
        "rows.csv:3: values 2",
    ),
    Bad(
        "a row with too many values",
        "rows.csv",
        b"a,b,class\n1,2,x\n3,4,y\n5,6,7,x\n",
        "rows.csv:4: values 4",
    ),
    Bad(
        "a row with too few values after quotes and line breaks",
        "rows.csv",
        b'a,b,class\n1,2,"x\n y"\n3,"y"\n',
        "rows.csv:4: values 2",
    ),
    Bad(
        "a quotation that does not end",
        "rows.csv",
        b'a,b,class\n1,2,"x\n3,4,y\n',
        "rows.csv:2: quoted",
    ),
    Bad(
        "text after a quotation",
        "rows.csv",
        b'a,b,class\n1,2,x\n3,4,"y"y\n',
        "rows.csv:3: separated",
    ),
    Bad("a column name twice", "rows.csv", b"a,a,class\n1,2,x\n3,4,y\n", "rows.csv:1: twice 'a'"),
    Bad(
        "a word among numbers",
        "rows.csv",
        b"a,b,class\n1,2,x\n3,4,y\n5,oops,x\n",
        "rows.csv:4: column 'oops'",
    ),
    Bad(
        "another word for a missing value among numbers",
        "rows.csv",
        b"a,class\n1,x\nnone,y\n",
        "empty 'none'",
    ),
    Bad(
        "a date that is not ISO's, to be read as a number",
        "rows.csv",
        b"a,when,class\n1,13/01/2024,x\n2,14/01/2024,y\n",
        "rows.csv:2: column 'when'",
        {"numeric": "when"},
    ),
    Bad("a hexadecimal number", "rows.csv", b"a,class\n0x10,x\n2,y\n", "rows.csv:2: column '0x10'"),
    Bad(
        "a number that overflows",
        "rows.csv",
        b"a,class\n1,x\n1e400,y\n",
        "rows.csv:3: finite 'a' 1e+18",
    ),
    Bad(
        "a number too large for single precision",
        "rows.csv",
        b"a,class\n1,x\n\n-3e30,y\n",
        "rows.csv:4: finite 'a' 1e+18",
    ),
    Bad("an infinite feature", "rows.csv", b"a,class\n1,x\n2,y\ninf,y\n", "rows.csv:4: finite 'a'"),
    Bad("a missing target", "rows.csv", b"a,class\n1,x\n2,\n3,y\n", "rows.csv:3: missing 'class'"),
    Bad(
        "a target that is not a number",
        "rows.csv",
        b"a,class\n1,1\n2,2\n3,NaN\n",
        "rows.csv:4: missing 'class'",
    ),
    Bad(
        "an infinite target",
        "rows.csv",
        b"a,class\n1,1\n2,2\n3,inf\n4,2\n",
        "rows.csv:4: finite 'class'",
    ),
    Bad("one class only", "rows.csv", b"a,class\n1,x\n2,x\n", "rows.csv: only 'x'"),
    Bad(
        "a regression target",
        "rows.csv",
        b"a,y\n1,0.5\n2,0.25\n3,0.75\n4,1.5\n",
        "rows.csv: different 'y' 4",
    ),
    Bad(
        "a target that is not there",
        "rows.csv",
        b"a,class\n1,x\n2,y\n",
        "rows.csv: column 'label' 2",
        {"target": "label"},
    ),
    Bad(
        "a target index beyond the columns",
        "rows.csv",
        b"a,class\n1,x\n2,y\n",
        "rows.csv: column 7",
        {"target": 7},
    ),
    Bad(
        "a column to ignore that is not there",
        "rows.csv",
        b"a,class\n1,x\n2,y\n",
        "rows.csv: column 'id'",
        {"ignore": ["id"]},
    ),
    Bad(
        "text that is not UTF-8", "rows.csv", b"a,class\n1,x\n2,caf\xe9\n", "rows.csv:3: UTF-8 0xe9"
    ),
    Bad(
        "a label that is neither 0 nor 1",
        "rows.csv",
        b"a,red,blue\n1,0,1\n2,1,2\n",
        "rows.csv:3: label 'blue' 2",
        {"task": "multilabel", "target": "red,blue"},
    ),
    *(
        Bad(
            f"a label of {flag}",
            "rows.csv",
            f"a,red,blue\n1,0,1\n2,1,{flag}\n".encode(),
            f"rows.csv:3: label 'blue' {float(flag)}",
            {"task": "multilabel", "target": "red,blue"},
        )
        for flag in ("0.5", "1.7", "-0.5", "1e300")
    ),
    Bad(
        "a multilabel table whose labels are not named",
        "rows.csv",
        b"a,red,blue\n1,0,1\n2,1,2\n",
        "rows.csv: columns",
        {"task": "multilabel"},
    ),
    Bad(
        "a cost above one",
        "rows.csv",
        b"a,left,right\n1,0,1\n2,0.5,1.5\n",
        "rows.csv:3: cost 'right' 1.5",
        {"task": "cost-sensitive", "target": "left,right"},
    ),
    Bad(
        "a ranking table without query ids",
        "rows.csv",
        b"a,grade\n1,0\n2,1\n",
        "rows.csv: column 'qid'",
        {"task": "ranking"},
    ),
    Bad("tabs where there are commas", "rows.tsv", b"a,class\n1,x\n2,y\n", "rows.tsv: columns 1"),
]
