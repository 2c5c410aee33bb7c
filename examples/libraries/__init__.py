"""Other libraries as entrants of a bake-off, each below sixty lines (docs/guide/libraries.md)."""
