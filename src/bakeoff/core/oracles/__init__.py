"""Online oracles: regression and cost-sensitive classification (Section 2.2)."""
