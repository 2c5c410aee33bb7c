"""Store: results on disk, and the jobs that produce them.

One Parquet file for each finished job, named by the job's key (`jobs`), by which it is found again
(`done`); a manifest of what to run; and the checks that keep both whole.

Imports: basics, runs, data, simulation, learners.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.store.compaction import compact, is_scattered
from bakeoff.store.forgetting import forget
from bakeoff.store.job_files import Fault
from bakeoff.store.jobs import ROW, Group, Job, codes_of, groups_of, planned, stream_key
from bakeoff.store.manifest import NAME, Manifest, OwnRecord, Planned, Unreadable
from bakeoff.store.merging import merge
from bakeoff.store.provenance import Session, continued, keep_source, session_now
from bakeoff.store.rows import (
    FACTS,
    ROW_KEY,
    SCHEMA,
    VERSION,
    by_explorer,
    error_row,
    row_of,
    rows_of,
)
from bakeoff.store.store import Store, opened

__all__ = [
    "FACTS",
    "NAME",
    "ROW",
    "ROW_KEY",
    "SCHEMA",
    "VERSION",
    "Fault",
    "Group",
    "Job",
    "Manifest",
    "OwnRecord",
    "Planned",
    "Session",
    "Store",
    "Unreadable",
    "by_explorer",
    "codes_of",
    "compact",
    "continued",
    "error_row",
    "forget",
    "groups_of",
    "is_scattered",
    "keep_source",
    "merge",
    "opened",
    "planned",
    "row_of",
    "rows_of",
    "session_now",
    "stream_key",
]
