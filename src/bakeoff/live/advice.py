"""Advice: what the outcomes so far say about the settings of a learner."""

from bakeoff.live.model import Model
from bakeoff.live.monitor import Monitor
from bakeoff.runs import explorer_of

_ENOUGH = 500  # outcomes
_HIGH = 0.5  # of the range of rewards
_RARE = 0.002  # of the outcomes


def advice(model: Model, monitor: Monitor) -> str | None:
    """A sentence if actions are left aside that might pay as well; None if all is well.

    With losses from -1 to 0, an action that was never tried looks worst: its score is 0. That
    is right where few actions pay, and wrong where most do.
    """
    run, actions, explorer = model.run, model.actions, explorer_of(model.run.settings)
    takes_0_for_best = run.offset >= 0 or run.baseline
    if takes_0_for_best or explorer.own_oracle or explorer.has_log_loss(run.settings):
        return None
    outcomes = [sums.outcomes for sums in monitor.by_action]
    total, reward = sum(outcomes), sum(sums.reward for sums in monitor.by_action)
    if actions.features is not None or total < _ENOUGH or reward < _HIGH * total:
        return None
    outcomes += [0] * (actions.count - len(outcomes))
    rare = sum(outcomes[a] < _RARE * total for a in actions.active.tolist())
    if not rare:
        return None
    return (
        f"{rare} of {len(actions.active)} actions {'has' if rare == 1 else 'have'} hardly been "
        f"tried, and rewards are high "
        f"(mean {model.rewards.in_units(reward / total):.2f} of at most {model.rewards.high:g}): "
        f"if other actions pay well, too, give encoding='0/1' or baseline=True, with which an "
        f"action that was never tried looks best and not worst (docs/guide/live.md)"
    )
