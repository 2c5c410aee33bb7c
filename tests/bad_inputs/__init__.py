"""Bad inputs: one module per format, each with a table `CASES`."""
