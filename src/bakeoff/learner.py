"""The names of `bakeoff.live` where they have always been."""

from bakeoff.live.decision import Decision
from bakeoff.live.learner import Learner

__all__ = ["Decision", "Learner"]
