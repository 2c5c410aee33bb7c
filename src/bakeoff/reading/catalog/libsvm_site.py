"""The LibSVM site: multilabel datasets, fetched once and then kept in the cache.

The names of its files are those that public programs use; the page itself could not be
looked at when this was written.
"""

import os
from functools import partial
from pathlib import Path

from bakeoff.data import Problem
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.download import download, unwatched
from bakeoff.reading.catalog.source import Progress, Source
from bakeoff.reading.files import read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file

VARIABLE = "BAKEOFF_LIBSVM"
PUBLIC = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multilabel"


def source(name: str, file: str) -> Source:
    """A multilabel dataset as a source; `file` is the end of its address."""
    return Source(
        name,
        partial(read, name, file),
        origin=f"paper:{name}",
        task="multilabel",
        is_here=partial(is_here, name),
        fetch=partial(fetch, name, file),
        cached=partial(_path, name),
    )


def is_here(name: str) -> bool:
    """Whether a dataset is in the cache."""
    return _path(name).is_file()


def fetch(name: str, file: str, progress: Progress) -> None:
    """Bring a dataset into the cache, unless it is there."""
    if is_here(name):
        return
    base = os.environ.get(VARIABLE) or PUBLIC
    url = f"{base.rstrip('/')}/{file}"
    path = _path(name)
    advice = (
        f"without a network, put the file as {path}, or into a folder with a "
        f"manifest.csv that names it {name}, and pass that folder as data (--data) or "
        f"name it in BAKEOFF_DATA"
    )
    download(url, path, progress, advice, check=read_bytes)


def read(name: str, file: str, options: Options) -> Problem:
    """A dataset as a problem."""
    fetch(name, file, unwatched)
    return read_file(_path(name), options)


def _path(name: str) -> Path:
    return data_folder("libsvm") / f"{name}.svm.bz2"
