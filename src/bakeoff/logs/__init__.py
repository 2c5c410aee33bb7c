"""Decision logs: what was decided, how likely that was, and what came of it."""
