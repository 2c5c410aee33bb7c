"""Runs: algorithms with all their settings, as texts and as objects."""
