"""Tests that two programs compute the same numbers."""
