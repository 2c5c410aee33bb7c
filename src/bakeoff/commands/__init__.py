"""Commands: one file each; options in, one function called, tables out."""
