"""The notebooks of the docs, run anew: `python -m tests.notebooks` keeps their outputs."""

import tempfile
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def run(path: Path, folder: Path) -> nbformat.NotebookNode:
    """A notebook with the outputs that its cells have today; an error in a cell is raised."""
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def main() -> None:
    """Run all notebooks and keep their outputs."""
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            notebook = run(path, Path(folder))
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # times
            if cell.cell_type == "code":  # notices name files of this machine
                cell.outputs = [one for one in cell.outputs if one.get("name") != "stderr"]
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
