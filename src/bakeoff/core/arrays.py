"""Names for the types of arrays that kernels take."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]  # features, weights, scores, losses
Doubles: TypeAlias = NDArray[np.float64]  # probabilities, sums, settings
Ints: TypeAlias = NDArray[np.int64]  # positions and counts
Indices: TypeAlias = NDArray[np.int32]  # feature indices
Places: TypeAlias = NDArray[np.uint32]  # indices that are never negative: no checks
Keys: TypeAlias = NDArray[np.uint64]  # keys of random streams
Bools: TypeAlias = NDArray[np.bool_]  # flags
