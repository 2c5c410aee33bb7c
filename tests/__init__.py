"""Tests of bakeoff."""
