"""Reductions of bandit feedback to full information: IPS, DR, IWR (Section 2.3)."""
