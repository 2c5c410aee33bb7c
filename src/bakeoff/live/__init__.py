"""Live learners: an algorithm in an application, one event at a time."""
