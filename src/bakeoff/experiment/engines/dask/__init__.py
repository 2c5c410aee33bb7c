"""Dask: jobs on the processes of a cluster; needs the extra "dask"."""
