"""What hostile users, files and surroundings do; each test has a time limit."""
