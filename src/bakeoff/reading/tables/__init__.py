"""Tables: named columns as problems."""
