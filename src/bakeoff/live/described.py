"""What the methods of learners, shadows and rollouts have in common, for their docstrings."""

from bakeoff.basics.docstrings import completed

of_events = completed(
    {
        "x": "The context.",
        "X": "The contexts.",
        "available": "The actions to choose from; all if not given.",
        "actions": "Features of the event's own actions.",
        "id": "An id for the decision; one is made up if not given.",
        "action": "The name or number of the action that was taken.",
        "probability": "The probability of this action when it was drawn.",
        "decision": "The decision or its id.",
        "reward": "The reward, in `reward_range`.",
        "cost": "From 0 (best) to 1, in place of the reward.",
    }
)
"""For methods about events, decisions and outcomes."""

of_files = completed(
    {
        "path": "The file.",
        "log": "The path of a decision log, or a `LogWriter`.",
        "warm_up": "Whether to compile the kernels now.",
    }
)
"""For methods about models in files."""
