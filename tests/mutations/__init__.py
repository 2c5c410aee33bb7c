"""Mutations: mistakes that a test must notice (`scripts/mutations`).

D1 to D17 are entries 1 to 17 of docs/reference/deviations.md.
"""

from tests.mutations.draws import DRAWS
from tests.mutations.explorers import EXPLORERS
from tests.mutations.inputs import CENTRING
from tests.mutations.lanes import LANES
from tests.mutations.learner import LEARNER
from tests.mutations.logs import LOGS
from tests.mutations.mutation import Room
from tests.mutations.oracles import ORACLES
from tests.mutations.own_explorers import OWN_EXPLORERS
from tests.mutations.safeguards import SAFEGUARDS
from tests.mutations.statistics import STATISTICS
from tests.mutations.verdict import VERDICT

KERNEL_SUITES = {
    "tables": "tests/unit/core/test_explorers.py",
    "log loss": "tests/unit/core/test_log_loss.py",
    "today": "tests/unit/core/test_explorers_of_today.py",
    "parity": "tests/parity/test_reference_small.py",
}
LANES_SUITES = {"lanes": "tests/parity/test_many_lanes.py"}
ROOMS = [
    Room("Oracles and reductions", KERNEL_SUITES, ORACLES),
    Room("Explorers", KERNEL_SUITES, EXPLORERS),
    Room("Explorers of users", {"own": "tests/unit/runs/test_own_explorers.py"}, OWN_EXPLORERS),
    Room("Many lanes at a time", LANES_SUITES, LANES),
    Room(
        "Centred inputs",
        {"inputs": "tests/parity/test_inputs.py", "seen": "tests/property/test_inputs.py"},
        CENTRING,
    ),
    Room(
        "Safeguards",
        {
            "hand": "tests/unit/core/test_safeguards.py",
            "safeguards": "tests/parity/test_safeguards.py",
        },
        SAFEGUARDS,
    ),
    Room("Random numbers", {"draws": "tests/unit/core/test_random.py"}, DRAWS),
    Room(
        "The live learner",
        {
            "live": "tests/live/test_safety.py",
            "learner": "tests/property/test_learner.py",
            "names": "tests/live/test_feature_names.py",
        },
        LEARNER,
    ),
    Room(
        "Logs and their evaluation",
        {
            "propensities": "tests/unit/evaluation/test_propensities.py",
            "encoded": "tests/unit/evaluation/test_encoded.py",
            "changes": "tests/live/test_changing_actions.py",
        },
        LOGS,
    ),
    Room("Statistics", {"statistics": "tests/unit/judging"}, STATISTICS),
    Room(
        "The verdict",
        {
            "verdict": "tests/unit/judging/test_verdict.py",
            "evidence": "tests/unit/judging/test_evidence.py",
        },
        VERDICT,
    ),
]
