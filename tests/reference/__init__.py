"""The paper's algorithms in slow, obvious Python: what the kernels must equal."""
