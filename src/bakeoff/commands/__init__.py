"""Commands: one file each; options in, one function called, tables out.

`app` puts them together for `bakeoff.cli`.

Imports: every other room.
Doors: app, interrupts, start.
"""
