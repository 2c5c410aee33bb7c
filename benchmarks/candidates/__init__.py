"""Explorers that were tried and did not earn a place in the package."""
