"""Problems: supervised data that stand in for a bandit's world."""
