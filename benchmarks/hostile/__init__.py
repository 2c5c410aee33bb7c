"""Hostile learners, files, signals and surroundings: what must never happen."""
