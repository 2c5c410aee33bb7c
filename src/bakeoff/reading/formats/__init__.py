"""Readers: one file per format, each with `read(path, options) -> Problem`."""
