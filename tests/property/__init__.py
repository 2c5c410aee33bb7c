"""Tests of what must hold for every explorer, spec and problem."""
