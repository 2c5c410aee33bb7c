"""Figures: those of the paper and a few more, as SVG, PNG and PDF."""
