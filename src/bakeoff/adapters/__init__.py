"""Adapters: learners of other packages for the bake-off (docs/own-learner.md)."""
