"""Engines: where jobs are carried out; all give the same rows."""
