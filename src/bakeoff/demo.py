"""`python -m bakeoff.demo`: a small comparison on scikit-learn's digits."""

import sys
import time

from sklearn.datasets import load_digits

from bakeoff.problems.problem import Problem
from bakeoff.runs import Run
from bakeoff.simulation import Result, simulate

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

FIXED = (  # the paper's fixed hyperparameters for the encoding -1/0
    ("Greedy", "greedy"),
    ("RegCB-elim", "regcb:c0=1e-3"),
    ("RegCB-opt", "regcb:c0=1e-3,optimistic"),
    ("Cover-NU", "cover:n_policies=4,psi=0.1,nu"),
    ("Cover", "cover:n_policies=4,psi=0.1"),
    ("Bag", "bag:n_policies=4"),
    ("Bag-greedy", "bag:n_policies=4,greedy"),
    ("epsilon-greedy", "epsilon-greedy:epsilon=0.02"),
    ("active epsilon-greedy", "active:epsilon=0.02,c0=1e-6"),
)


def main() -> int:
    """Print the best progressive validation loss of each algorithm."""
    X, y = load_digits(return_X_y=True)
    problem = Problem.from_classes(X, y, name="digits").shuffled(1)
    named = [(name, Run(spec, learning_rate=rate, offset=-1, seed=1))
             for name, spec in FIXED for rate in RATES]  # fmt: skip
    named += [("supervised", Run("supervised", learning_rate=rate)) for rate in RATES]

    began = time.perf_counter()
    results = simulate(problem, [run for _, run in named], progress=_progress)
    seconds = time.perf_counter() - began

    sys.stdout.write(
        f"{problem.name}: {problem.n} rounds, {problem.n_features} features, "
        f"{problem.n_actions} actions; encoding -1/0; best of {len(RATES)} learning "
        f"rates\n\n{'algorithm':<24}{'reduction':<12}{'rate':>6}{'PV loss':>10}\n"
    )
    best: dict[str, Result] = {}
    for (name, _), result in zip(named, results, strict=True):
        if name not in best or result.pv_loss < best[name].pv_loss:
            best[name] = result
    for name, result in sorted(best.items(), key=lambda item: item[1].pv_loss):
        run = result.run
        sys.stdout.write(
            f"{name:<24}{run.reduction or '-':<12}{run.learning_rate:>6g}"
            f"{result.pv_loss:>10.3f}\n"
        )
    error = (problem.constant_action_cost, problem.uniform_cost)
    sys.stdout.write(
        f"\nbest constant action {error[0]:.3f}, uniform {error[1]:.3f}; a standard "
        f"error is about {(0.25 / problem.n) ** 0.5:.3f}\n"
        f"{len(results)} runs, {len(results) * problem.n:,} run-examples "
        f"in {seconds:.1f} s\n"
    )
    return 0


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done / total:4.0%}" if done < total else "\r    \r")


if __name__ == "__main__":
    sys.exit(main())
