"""Files made by released versions, and tests that today's code still reads them."""
