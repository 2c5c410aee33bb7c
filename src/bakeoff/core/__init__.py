"""Core: the kernels, which import nothing but each other."""
