"""Folders with bad manifests."""

from collections.abc import Callable
from pathlib import Path

from tests.bad_inputs.case import Bad

HEAD = "file,task,name,openml_id,target,max_relevance,max_documents\n"


def listing(text: str, encoding: str = "utf-8") -> Callable[[Path], None]:
    """A folder with one good file and a manifest."""

    def make(path: Path) -> None:
        path.mkdir()
        (path / "rows.csv").write_text("a,class\n1,x\n2,y\n")
        (path / "manifest.csv").write_bytes(text.encode(encoding))

    return make


CASES = [
    Bad(
        "a manifest without a needed column",
        "data",
        listing("file,name\nrows.csv,rows\n"),
        "manifest.csv:1: manifest",
    ),
    Bad("an empty manifest", "data", listing(""), "manifest.csv:1: manifest"),
    Bad("a manifest of nothing", "data", listing(HEAD), "manifest.csv: lists"),
    Bad(
        "a misspelt column",
        "data",
        listing("file,task,name,max_relevence\nrows.csv,multiclass,rows,4\n"),
        "unknown 'max_relevance'",
    ),
    Bad(
        "an option in capitals and with a dash",
        "data",
        listing("file,task,name,Max-Documents\nrows.csv,multiclass,rows,4\n"),
        "unknown 'max_documents'",
    ),
    Bad(
        "an option by another name",
        "data",
        listing("file,task,name,drop\nrows.csv,multiclass,rows,a\n"),
        "unknown 'ignore'",
    ),
    Bad(
        "an option with a wrong value",
        "data",
        listing("file,task,name,header\nrows.csv,multiclass,rows,perhaps\n"),
        "manifest.csv:2: header 'perhaps'",
    ),
    Bad(
        "a column to ignore that the file does not have",
        "data",
        listing('file,task,name,ignore\nrows.csv,multiclass,rows,"a,id"\n'),
        "rows.csv: column 'id'",
    ),
    Bad(
        "an unknown task",
        "data",
        listing(HEAD + "rows.csv,regression,rows,,,,\n"),
        "manifest.csv:2: multiclass",
    ),
    Bad(
        "a file twice",
        "data",
        listing(HEAD + 2 * "rows.csv,multiclass,rows,,,,\n"),
        "manifest.csv:3: again 2",
    ),
    Bad(
        "an empty name",
        "data",
        listing(HEAD + "rows.csv,multiclass,,,,,\n"),
        "manifest.csv:2: empty 'name'",
    ),
    Bad(
        "a row with too few values",
        "data",
        listing(HEAD + "rows.csv,multiclass,rows\n"),
        "manifest.csv:2: columns",
    ),
    Bad(
        "a row with too many values",
        "data",
        listing(HEAD + "rows.csv,multiclass,rows,,,,,,\n"),
        "manifest.csv:2: columns",
    ),
    Bad(
        "an id that is no number",
        "data",
        listing(HEAD + "rows.csv,multiclass,rows,sixty,,,\n"),
        "manifest.csv:2: 'sixty'",
    ),
    Bad(
        "a file that is not there",
        "data",
        listing(HEAD + "row.csv,multiclass,rows,,,,\n"),
        "row.csv: such",
    ),
    Bad(
        "a file outside the folder",
        "data",
        listing(HEAD + "../rows.csv,multiclass,rows,,,,\n"),
        "manifest.csv:2: outside '../rows.csv'",
    ),
    Bad(
        "a target that the file does not have",
        "data",
        listing(HEAD + "rows.csv,multiclass,rows,,label,,\n"),
        "rows.csv: column 'label'",
    ),
    Bad(
        "a manifest that is not UTF-8",
        "data",
        listing(HEAD + "rows.csv,multiclass,caf\xe9,,,,\n", "latin-1"),
        "manifest.csv:2: UTF-8 0xe9",
    ),
]
