"""Live: an algorithm in an application, one event at a time.

A `Learner` decides and learns, writes a decision log, and can be saved and loaded. `core/live.py`
draws an action, and `model` returns it with its probability as a `Decision`. `feature_names` hashes
names (with `murmur`). `verify` and `catch_up` replay a log. `serving` puts a learner behind HTTP.

Imports: basics, core, runs, data, reading, simulation.
Doors: this module, serving.
"""

from bakeoff.live.decision import Decision
from bakeoff.live.encoder import Encoder, Space
from bakeoff.live.engine import NONE, Engine, Room
from bakeoff.live.feedback import Feedback
from bakeoff.live.forgetting import forget
from bakeoff.live.learned import events_learned
from bakeoff.live.learner import Learner
from bakeoff.live.learner_page import page as monitor_page
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.pacer import Pacer
from bakeoff.live.paired import Paired
from bakeoff.live.replay import catch_up
from bakeoff.live.rollout import Rollout
from bakeoff.live.shadow import Shadow
from bakeoff.live.stages import BETS, LOG_WEIGHTS
from bakeoff.live.verify import ALARM, Count, Verdict, objection_to_replay, verify
from bakeoff.live.why import Why

__all__ = [
    "ALARM",
    "BETS",
    "LOG_WEIGHTS",
    "NONE",
    "Count",
    "Decision",
    "Encoder",
    "Engine",
    "Feedback",
    "Learner",
    "LogWriter",
    "Pacer",
    "Paired",
    "Rollout",
    "Room",
    "Shadow",
    "Space",
    "Verdict",
    "Why",
    "catch_up",
    "events_learned",
    "forget",
    "monitor_page",
    "objection_to_replay",
    "verify",
]
