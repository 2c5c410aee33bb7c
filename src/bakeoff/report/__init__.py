"""The report: the tables, figures and page of a store of results."""
