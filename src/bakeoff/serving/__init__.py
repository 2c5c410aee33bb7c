"""Serving: a learner behind HTTP, for applications in any language.

`serve` runs one process that learns and as many as wanted that decide. They share a
folder: a model file that the first writes and the others reload, and a SQLite file with
the decisions that wait for their rewards.

Imports: basics, runs, reading, live.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.serving.ahead import compile_live
from bakeoff.serving.config import Config, read_config
from bakeoff.serving.supervisor import serve

__all__ = ["Config", "compile_live", "read_config", "serve"]
