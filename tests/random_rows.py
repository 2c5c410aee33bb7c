"""Rows of random results, of three algorithms, for comparisons with the slow reference."""

from typing import Any

import numpy as np

from tests.unit.report.made_up import EG, RO, G, row

SPECS = {"G": G, "RO": RO, "eG": EG}
GAINS = {"a clear winner": 0.08, "a likely one": 0.03, "none": 0.0, "another": 0.01}
SHAPES = {  # rates, encodings and orders
    "one order": ((0.1, 1.0), ("-1/0", "0/1"), 1),
    "three orders": ((0.1, 1.0), ("-1/0",), 3),
    "one rate": ((0.1,), ("-1/0", "0/1"), 1),
}


def random_rows(seed: int, gain: float, shape: str, n_datasets: int = 11) -> list[dict[str, Any]]:
    """RegCB-opt gains; one of the datasets has real-valued costs and a gap."""
    rng = np.random.default_rng(seed)
    rates, encodings, n_orders = SHAPES[shape]
    rows = []
    for i in range(n_datasets):
        n, middle = int(rng.integers(100, 3000)), rng.uniform(0.2, 0.5)
        facts: dict[str, Any] = {"n": n, "n_features": 4 + 7 * i, "n_actions": 2 + i % 4}
        facts |= {"task": "ranking" if i == 3 else "multiclass"}
        for label, spec in SPECS.items():
            luck = rng.normal(0, 0.02)
            for encoding in encodings:
                for rate in rates:
                    for order in range(1, n_orders + 1):
                        if (label, i) == ("eG", 3):
                            continue
                        chance = middle + luck - (gain if label == "RO" else 0.0)
                        loss = rng.binomial(n, np.clip(chance, 0.01, 0.99)) / n
                        offset = -1.0 if encoding == "-1/0" else 0.0
                        given = {"learning_rate": rate, "shuffle": order, "offset": offset, **facts}
                        rows.append(row(spec, loss, f"p{i:02}", **given))
    return rows
