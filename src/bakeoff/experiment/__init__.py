"""Experiments: problems x runs x shuffles, carried out once."""
