"""`python -m bakeoff`: the command line."""

from bakeoff.cli import main

main()
