"""Tests of one function or class at a time."""
