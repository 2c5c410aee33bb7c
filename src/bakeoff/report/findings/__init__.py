"""Findings: the paper's claims, each judged on the results of a store."""
