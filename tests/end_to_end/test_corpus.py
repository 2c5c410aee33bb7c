"""A corpus of real data, when a folder with one is given as BAKEOFF_DATA."""

import os
from pathlib import Path

import pytest

from benchmarks.corpus import different_twins, read_corpus, wrong_sizes

FOLDER = os.environ.get("BAKEOFF_DATA")


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="needs a corpus: set BAKEOFF_DATA")
def test_every_dataset_is_what_its_manifest_says() -> None:
    folder = Path(str(FOLDER))

    entries = read_corpus(folder)

    assert entries
    assert wrong_sizes(entries) == []
    assert different_twins(entries, folder)[1] == []
