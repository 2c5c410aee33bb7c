"""Serving: a learner behind HTTP, for applications in any language.

`serve` runs one process that learns and as many as wanted that decide. They share a
folder: a model file that the first writes and the others reload, and a SQLite file with
the decisions that wait for their rewards.
"""

from bakeoff.live.serving.ahead import compile_live
from bakeoff.live.serving.config import Config, read_config
from bakeoff.live.serving.supervisor import serve

__all__ = ["Config", "compile_live", "read_config", "serve"]
