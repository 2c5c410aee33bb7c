"""Small applications."""
