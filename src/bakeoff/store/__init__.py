"""The store: results on disk."""
