"""Today: the algorithms that came after the paper, as grids and with fixed settings.

The fixed settings were elected as the paper elected its own: by instant runoff among
the tuning datasets (docs/evidence/bakeoff-today.md has the vote, `--stage today` repeats it).
"""

NEWCOMERS = (
    "squarecb:gamma=[10,50,100,400,1000],exponent=[0.25,0.5]",
    "squarecb:gamma=[1,3,10,100,1000],elim",
    "squarecb:gamma=[10,100,1000,3000,10000],by_cost,label=SCB-cost",
    "fastcb:gamma=[1,3,10,50,100,400,1000],exponent=[0.25,0.5]",
    "softmax:sharpness=[3,10,30,100,300],exponent=[0,0.25,0.5,0.75,1]",
    "synthcover:psi=[1e-4,1e-3,0.01,0.1,1]",
    "first:tau=[1,2,5,20,100,500]",
    "epsilon-greedy:epsilon=[0.1,0.3,1],decay=[0.333,0.5,1],label=eG-t",
    "randregcb:c0=[1e-1,1e-2,1e-3,1e-4,1e-5]",
    "randregcb:c0=[1e-1,1e-2,1e-3,1e-4,1e-5],symmetric",
    "linucb:alpha=[1e-3,3e-3,0.01,0.03,0.1,0.3,1]",
    "lints:scale=[1e-3,3e-3,0.01,0.03,0.1,0.3,1]",
    "linmed:share=[0.5,0.9,0.99,0.999,0.9999,0.99999]",
    "bag:n_policies=[4,16],exponential,label=B-exp",
    "greedy:logistic,label=G-log",
    "epsilon-greedy:epsilon=[0.02,0.05],logistic,label=eG-log",
    "bag:n_policies=[4,16],greedy,logistic,label=Bg-log",
)

SAME = (
    "squarecb:gamma=400,exponent=0.5",
    "fastcb:gamma=10,exponent=0.5",
    "softmax:sharpness=30,exponent=0.5",
    "epsilon-greedy:epsilon=0.3,decay=0.5,label=eG-t",
    "randregcb:c0=1e-3",
    "lints:scale=0.01",
    "linmed:share=0.999",
    "bag:n_policies=16,exponential,label=B-exp",
    "greedy:logistic,label=G-log",
    "epsilon-greedy:epsilon=0.02,logistic,label=eG-log",
    "bag:n_policies=4,greedy,logistic,label=Bg-log",
)
WITH_NEGATIVE_LOSSES = (
    "squarecb:gamma=100,elim",
    "squarecb:gamma=100,by_cost,label=SCB-cost",
    "synthcover:psi=0.1",
    "first:tau=5",
    "randregcb:c0=1e-2,symmetric",
    "linucb:alpha=0.1",
)
TODAY = {
    -1.0: (*SAME, *WITH_NEGATIVE_LOSSES),
    0.0: (
        *SAME,
        "squarecb:gamma=10,elim",
        "squarecb:gamma=1000,by_cost,label=SCB-cost",
        "synthcover:psi=0.01",
        "first:tau=20",
        "randregcb:c0=1e-3,symmetric",
        "linucb:alpha=0.01",
    ),
}
