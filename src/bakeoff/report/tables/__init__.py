"""Tables: those of the paper and a few more, as CSV, Markdown and LaTeX."""
