"""Inputs: raw against centred contexts on a folder of datasets, and other forms of them.

    python -m benchmarks.inputs --data DIR

Results go into a store (`--out`), and what is there is not computed again: stop at any
time, or give `--seconds`, and go on later. At the end docs/evidence/inputs.md is written anew.
"""
