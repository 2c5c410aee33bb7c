"""Streams: conditions under which a problem is played, and what they make of it."""
