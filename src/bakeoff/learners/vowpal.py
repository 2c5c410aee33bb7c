"""Vowpal Wabbit as a learner of the bake-off.

    python:bakeoff.learners.vowpal.Vowpal,options=--cb_explore_adf --bag 4

With `--cb_explore_adf` each action is an example, with weights for each feature and action, or for
the features of documents. With `--cb_explore` an event is one example, and VW has weights for each
action.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from bakeoff.basics.errors import SpecError
from bakeoff.data import Task

try:
    from vowpalwabbit import Workspace
except ImportError:
    raise SpecError("Vowpal Wabbit is not installed: pip install 'bakeoff[vowpalwabbit]'") from None

_RUN_OPTIONS = {"-l", "--learning_rate", "--random_seed"}
_PER_ACTION = "-q xa --ignore_linear x --noconstant"  # all weights, the bias too
_FEWEST_BITS, _MOST_BITS = 18, 24  # VW's default, and the paper's choice


class Vowpal:
    """Vowpal Wabbit's contextual bandits, with its own command-line options."""

    takes_sparse = True

    def __init__(
        self,
        n_actions: int,
        n_features: int,
        task: Task = "multiclass",
        learning_rate: float = 0.5,
        seed: int = 0,
        options: str = "--cb_explore_adf --epsilon 0.02",
    ) -> None:
        self._words = options.split()
        self._check(options, task)
        self._has_documents = task == "ranking"
        self._is_adf = "--cb_explore_adf" in self._words
        self._actions = [f"|a k{k}" for k in range(n_actions)]
        self._rng = np.random.default_rng(seed)
        if not self._is_adf:
            self._words.insert(self._words.index("--cb_explore") + 1, str(n_actions))
        elif not self._has_documents:
            self._words += _PER_ACTION.split()
        if not {"-b", "--bit_precision"} & set(self._words):
            self._words += ["-b", str(_bits(n_features * n_actions))]
        self._words += ["-l", str(learning_rate), "--random_seed", str(seed)]
        self._vw = Workspace(arg_list=[*self._words, "--quiet"])

    def _check(self, options: str, task: Task) -> None:
        explorers = {"--cb_explore_adf", "--cb_explore"} & set(self._words)
        if not explorers:
            raise SpecError(f"VW needs --cb_explore_adf or --cb_explore, got options {options!r}")
        if task == "ranking" and "--cb_explore_adf" not in explorers:
            raise SpecError("VW ranks documents only with --cb_explore_adf")
        taken = sorted(_RUN_OPTIONS & set(self._words))
        if taken:
            raise SpecError(f"{taken[0]} in options {options!r} is set by the run: leave it out")

    def choose(self, x: csr_array) -> tuple[int, float]:
        """Draw an action from VW's probabilities."""
        lines = self._lines(x)
        p = self._vw.predict(lines if self._is_adf else lines[0])
        a = _drawn(p, self._rng.random())
        return a, p[a]

    def learn(self, x: csr_array, action: int, loss: float, probability: float) -> None:
        """Teach VW the loss of an action."""
        lines = self._lines(x)
        seen = f"{loss:.9g}:{probability:.9g}"
        if not self._is_adf:
            self._vw.learn(f"{action + 1}:{seen} {lines[0]}")
            return
        place = action + (not self._has_documents)  # the shared line comes first
        lines[place] = f"0:{seen} {lines[place]}"
        self._vw.learn(lines)

    def _lines(self, x: csr_array) -> list[str]:
        """An event in VW's text format, without label."""
        rows = [f"|x {features_text(x, i)}" for i in range(x.shape[0])]
        if self._is_adf and not self._has_documents:
            return [f"shared {rows[0]}", *self._actions]
        return rows


def features_text(x: csr_array, row: int) -> str:
    """Features named f0, f1, ...: VW would take bare numbers for indices."""
    entries = slice(x.indptr[row], x.indptr[row + 1])
    pairs = zip(x.indices[entries].tolist(), x.data[entries].tolist(), strict=True)
    return " ".join([f"f{j}:{value:.9g}" for j, value in pairs])


def _bits(weights: int) -> int:
    """Bits of the table of weights, so that few of them collide."""
    return min(max(math.ceil(math.log2(4 * weights)), _FEWEST_BITS), _MOST_BITS)


def _drawn(p: Sequence[float], u: float) -> int:
    """The action at which the sum of probabilities exceeds u."""
    total, drawn = 0.0, 0
    for a, share in enumerate(p):
        if share > 0.0:
            drawn = a  # if u exceeds the sum by rounding, the last possible action
            total += share
            if u < total:
                break
    return drawn
