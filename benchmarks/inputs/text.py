"""The words of docs/evidence/inputs.md."""

ABOUT = """
# What the learner sees

![What centring changes: the difference of mean losses for each algorithm](inputs.svg)

*The mean loss with centred inputs minus that with raw ones, learning rate chosen on the other
datasets (`python benchmarks/evidence_figures.py inputs`, from the tables below).*

`python -m benchmarks.inputs --data DIR` writes this page. Tables open by a click.

A bandit's regression starts at zero and takes normalised steps: they make up for the *scale* of a
feature, not for its *location*. A column of temperatures in Kelvin looks almost constant to it.
`inputs="centred"` takes the running mean out of each feature, from past rows only. On the
datasets below this changes losses far more than the choice of the algorithm does. Neither the
paper nor Vowpal Wabbit does it, so reproductions stay raw, and so does `Run` unless you say
otherwise.

```python
Run("regcb:optimistic", inputs="centred")  # or as text: "regcb:optimistic inputs=centred"
Learner(actions=["sport", "news"], inputs="centred")
```

```sh
bakeoff run data/ --inputs raw --inputs centred  # tables have "RO" and "RO centred"
```
"""

RULE = """
## The rule

The map depends only on events before the present one, in the order in which they are played. All
algorithms see the same mapped contexts.

- A feature is centred from the event on when it was nonzero in half of all rows so far, until it
  is nonzero in fewer than a quarter of them. What is rare is left alone: sparse data stay sparse,
  and text and one-hot features of many values are untouched. A notice says so if most features of
  a dataset are rare.
- Its mean is that of all rows since the first in which it was not zero, in double precision. A
  column that starts late therefore has the mean of its own rows.
- The first event has no past. All its features are zero, except the constant one. If it were seen
  as it is, a column of 1,000,000 plus noise would set the scale of its weights for good.
- Constant columns become zero; the constant feature of every regression stays as it is.
- A missing value is a zero, as without centring; tables have a feature of their own for it.
- In ranking problems every row counts, and all rows of an event are mapped by the means before
  the event. Live, products of the features of actions with those of contexts cannot be centred:
  `Learner` refuses that.
- A live learner counts a context when it decides about it, in the order of decisions. Models,
  logs and `bakeoff verify` know the means. Named features have a mean each: 41 bytes for each
  place of the space, 11 MB for 2^18 places.

[arithmetic.md](../reference/arithmetic.md#inputs) has every operation.
"""

TABLES = """
## Losses with {encoding}

Mean progressive validation losses on {datasets} datasets, {orders} order(s) of their rows each,
at the paper's fixed hyperparameters. Intervals are from datasets drawn with replacement, wins and
losses are by the paper's rule. OAA is the supervised skyline, which takes the same map: its
difference is the part of the regression, without exploration.
"""

VERDICTS = """
**The verdict** ([statistics.md](statistics.md)), with rates from the other datasets:
"""

SHARES = """
## What explains the losses

The share of the variance of all losses (-1/0, bandits only) that the means of each factor explain
by themselves.
"""

LOSERS = """
## Which datasets lose, and which gain

Means over the bandit algorithms, each at the best rate of the dataset. *Location* is the median
over columns of |mean| / deviation: how far columns lie from zero. Who gains has columns far from
zero. Who loses most has columns that were centred before (Friedman's functions, the fri_c
datasets): there is nothing to gain, and classes are no linear function of the columns, so that the
luck of exploration moves a bandit's loss while that of the skyline stays.
"""

FORMS = """
## Other forms that were tried

One order of the rows, -1/0, the best rate of each dataset. "Columns nonzero in half of the rows"
is the rule above without its second threshold; the last columns count datasets against it.
Products are of columns that were centred, scaled and clipped, at most 500 of them. They and
random Fourier features lower the mean, by much on a few datasets that are not linear, but
raise the loss of RegCB-opt on as many datasets as they lower it, and take many times as long:
they are no default, and are not built. Scaling and clipping helps nobody. Drifts and
feedback, below, were played on one dataset of four, in one order of its rows.
"""

DRIFTS = """
## Columns that drift

Columns change their place by two deviations, each up or down: at once in the middle, steadily by
twice as much, as a random walk, or in four seasons. Losses with -1/0 at the best rate of each
dataset. A mean that forgets (a weight of 1/100 for each new row) is level where nothing drifts, as
in the table above, and better by about .01 where something does. These drifts are made up, and we
have no data whose columns drift by themselves to measure the gain on. So the mean of all rows stays
the only one; who knows of a drift can take the mean of a window out before the learner sees a row.
"""

CODES = """
## Nominal columns: codes or one-hot

All ARFF files of the folder with 80 rows or more of which one-hot coding makes more columns, in
one order. Cells are the mean loss at the best rate of each dataset, and at the rate that
was best on the others; the last columns count datasets against "codes, centred", at the best rate.
One-hot columns (`features="one-hot"`, `--features one-hot`) have the lower mean loss, and win on
more datasets than they lose. With 0/1, raw one-hot columns have lower means than centred ones; we
do not know why. Files are read as codes unless you say otherwise, as in the paper; in dictionaries
of a live learner each text is a feature of its own, which is one-hot.
"""

FEEDBACK = """
## Losses centred, a baseline, and a memory

Cells are as above; the last columns count datasets against "centred".

- *Losses centred*: the mean of the costs paid so far is taken out of each loss, so that the
  encoding does not matter any more. At the best rate this is better than 0/1 and worse than -1/0:
  an action that was not tried no longer looks worse than those that were, and it gets tried.
- The *baseline* of the paper's Section C.3 helps with 0/1, as the paper says, and not with -1/0.
- *Memory*: one feature for each action, the mean loss of the nearest earlier events in which it
  was taken (by the columns centred and scaled), as in a memory-augmented epsilon-greedy (Rucker et
  al., 2022), but with an exact search. For this each action has a row of its own; the same without
  a memory is beside it. It helps with 0/1. With -1/0 it is level at the best rate, and with the
  rate of the others five events are better by .005 to .02. Each decision searches all earlier
  events.

With -1/0, the default, none of them lowers the losses of all algorithms at the best rate, and on
so few datasets the rates of the others are a coarse choice. So none is built; the memory would be
the first to look at on more data.
"""
