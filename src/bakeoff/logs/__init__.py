"""Decision logs: what a learner decided, how likely it was, and what came of it."""
