"""`bakeoff`, the command line."""

from bakeoff.commands.app import app, main

__all__ = ["app", "main"]
