"""Saver: a process that writes figures while the report goes on.

Most of a figure's time goes into writing it in three formats, and Python writes one at
a time; so another Python does it.
"""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas

from bakeoff.basics.errors import ResultsError
from bakeoff.report.figures.style import STYLE, save


class Saver:
    """Takes figures, and has written them when it is left."""

    def __enter__(self) -> "Saver":
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bakeoff.report.figures.saver"],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._sender = ThreadPoolExecutor(1)  # a pipe takes little at a time
        return self

    def __call__(
        self, canvas: Canvas, folder: Path, name: str, formats: Sequence[str]
    ) -> list[Path]:
        """Have a figure written; the files that will be there in the end."""
        self._sender.submit(self._send, pickle.dumps((canvas, folder, name, formats)))
        return [folder / f"{name}.{ending}" for ending in formats]

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)

    def __exit__(self, kind: type[BaseException] | None, *others: object) -> None:
        if kind is not None:
            self._process.kill()
        self._sender.shutdown()
        errors = self._process.communicate()[1]
        if kind is None and self._process.returncode:
            reason = errors.decode(errors="replace").strip().rpartition("\n")[2]
            raise ResultsError(f"figures cannot be written: {reason}")


def main() -> None:
    """Write the figures that come in, until no more do."""
    with mpl.rc_context(STYLE):
        while True:
            try:
                canvas, folder, name, formats = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            save(canvas, folder, name, formats)


if __name__ == "__main__":
    main()
