"""Benchmarks: each prints its tables; run as `python benchmarks/NAME.py`."""
