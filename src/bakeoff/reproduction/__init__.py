"""Reproduction: the paper's study on a folder of datasets, beside what it printed."""
