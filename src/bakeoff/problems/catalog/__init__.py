"""The catalog: where problems come from."""
