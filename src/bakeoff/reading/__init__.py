"""Reading: every file format and every source of data, for problems and logs.

`formats` has a file for each format of problems, `tables` makes problems of columns, `catalog`
finds sources, suites and downloads, `logs` reads decision logs.

Imports: basics, core, data, runs.
Doors: catalog, files, logs, options.
"""
