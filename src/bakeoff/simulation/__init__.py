"""Simulation: Algorithm 1 on supervised data."""
