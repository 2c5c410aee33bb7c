"""The page: one file that shows all of it and works offline."""
