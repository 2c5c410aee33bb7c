"""Statistics of results: losses, contests, significance and votes (Section 4)."""
