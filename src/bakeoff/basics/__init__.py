"""Basics: errors, notices, text, files and memory, for all other rooms.

What every room needs and none of them owns.

Imports: nothing of ours.
Doors: docstrings, errors, files, memory, notices, pages, panics, text.
"""
