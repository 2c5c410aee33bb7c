"""End-to-end tests: data in, results out."""
