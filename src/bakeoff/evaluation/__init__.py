"""Off-policy evaluation: what another policy would have scored on a log."""
