"""Notebook: experiments and results as Python users have them, in tables and words."""
