"""Off-policy learning: estimator and opl_update by any reduction (Algorithms 8, 9)."""

from bakeoff.core.bandit import Bandit, Reduction, spread_estimates
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import csc_update
from bakeoff.core.reductions.dr import dr_estimates
from bakeoff.core.reductions.ips import ips_estimates
from bakeoff.core.reductions.iwr import iwr_update
from bakeoff.core.types import Contexts, Event


@kernel
def estimator(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write the loss estimates of all actions, by IPS or DR (Algorithm 8)."""
    if bandit.reduction == Reduction.DR or bandit.reduction == Reduction.DR_UNWEIGHTED:
        dr_estimates(bandit, x, event)
    else:
        ips_estimates(bandit, event.K)


@kernel
def opl_update(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Let each policy learn from the action taken, `repeats` times (Algorithm 9)."""
    if bandit.reduction == Reduction.IWR:
        iwr_update(bandit, x, event)
    else:
        estimator(bandit, x, event)
        spread_estimates(bandit, event.K)
        csc_update(bandit.policies, x, event, bandit.scores, bandit.targets, bandit.repeats)
