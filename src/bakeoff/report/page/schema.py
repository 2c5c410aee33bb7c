"""Schema of the page data: what `page_data` writes and the scripts in assets read.

Arrays of numbers are base64 text (`columns.encoded`). A column is known by its number, a
problem by its place in `problems`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from bakeoff.judging import Constants, Correction


class Defaults(TypedDict):
    """What the page's controls show first."""

    kind: str
    test: str
    correction: str
    held_out: bool


class Rules(Constants):
    """What Python and the page must agree on."""

    binary: Sequence[str]
    tests: Mapping[str, str]
    rates: Mapping[str, str]
    corrections: dict[Correction, str]
    resamples: int
    kinds: Mapping[str, str]
    shares: list[float]
    large: int
    least_error: float
    whiskers: Sequence[float]
    first_round: int
    missing_curve: int
    finest_curve: int
    options: Mapping[str, Mapping[str, str]]


class Problems(TypedDict):
    """Facts of the datasets, a list each."""

    name: list[str]
    digest: list[str]
    task: list[str]
    n: list[int]
    d: list[int]
    K: list[int]
    skyline: list[float | None]
    tuning: list[bool]
    uci: list[bool]
    constant: list[float | None]
    uniform: list[float | None]
    openml_id: list[int | None]
    source: list[str]  # what `load` takes; empty if nobody knows
    shuffles: list[int]
    orders: list[list[int]]  # the shuffles by number
    family: list[int]  # the same for problems made from the same data


class Column(TypedDict):
    """A competitor: its losses and chosen settings on every problem."""

    label: str
    losses: str
    settings: NotRequired[str]
    by_shuffle: NotRequired[str]
    skyline: NotRequired[str]


class View(TypedDict):
    """All algorithms with one encoding and one way to choose settings."""

    encoding: str
    kind: str
    columns: list[int]
    notes: list[str]


class Way(TypedDict):
    """A way of counting, and who leads in it."""

    kind: str
    encoding: str
    test: str
    leader: str | None
    chance: float
    grade: str
    isShown: bool


class Pair(TypedDict):
    """Two columns that the paper plots against each other."""

    title: str
    about: str
    x: int
    y: int
    condition: dict[str, Any]


class Choices(TypedDict):
    """The hyperparameters that an algorithm was played with."""

    label: str
    columns: list[int]
    names: dict[str, str]
    elected: str | None


class Grid(TypedDict):
    """Figures as they are printed."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    datasets: int | None
    best: Sequence[str]


class Panel(TypedDict):
    """A part of a table; which of the optional keys it has depends on its kind."""

    title: str
    corner: str
    needs: str
    paper: Grid | None
    kind: str
    ours: NotRequired[Grid | None]  # kinds "fixed" and "rows"
    problems: NotRequired[list[int]]
    condition: NotRequired[dict[str, Any]]  # all other kinds
    columns: NotRequired[list[int]]  # "wins"
    shown: NotRequired[str]
    row: NotRequired[str]  # "duels"
    duels: NotRequired[list[tuple[str, list[int]]]]
    field: NotRequired[str]  # "bins"
    ends: NotRequired[Sequence[float]]
    labels: NotRequired[list[str]]
    heading: NotRequired[Sequence[str]]  # "bins" and "elections"
    elections: NotRequired[list[tuple[str, list[list[int]]]]]
    names: NotRequired[dict[str, str]]


class Table(TypedDict):
    """One table of the report."""

    name: str
    title: str
    caption: str
    panels: list[Panel]


class Kind(TypedDict):
    """A kind of datasets."""

    title: str
    condition: dict[str, Any]


class Curves(TypedDict):
    """Learning curves: losses and standard errors at each problem's rounds."""

    points: int
    rounds: str
    columns: dict[int, str]
    errors: dict[int, str]


class Rates(TypedDict):
    """Losses at each learning rate; `same` are columns that share those of another."""

    grid: list[float]
    columns: dict[int, str]
    same: Mapping[int, int]


class Ips(TypedDict):
    """Squared errors of IPS estimates from rewards and from losses."""

    rewards: str
    losses: str


class Failure(TypedDict):
    """Runs that ended in the same error."""

    problem: str
    runs: int
    reason: str


class Lines(TypedDict):
    """A list with a title."""

    title: str
    lines: list[str]


class Made(TypedDict):
    """How the results were made."""

    command: str
    facts: list[list[str]]
    seeds: list[int]  # of exploration
    failures: list[Failure]
    lists: list[Lines]


class Shuffled(TypedDict):
    """The problems with several orders of their rows, and the most orders of any."""

    problems: list[int]
    most: int


class LineStyle(TypedDict):
    """How an algorithm is drawn."""

    colour: str
    dash: str
    marker: str


class PageData(TypedDict):
    """Everything that the page shows."""

    title: str
    store: str
    files: list[str]
    costs: dict[str, dict[str, dict[str, float]]]  # microseconds per round, by encoding,
    # kind of view and algorithm
    choices: dict[str, dict[str, str]]  # by encoding and algorithm
    hyperparameters: dict[str, list[Choices]]  # by encoding
    winners: str
    subtitle: str
    defaults: Defaults
    rules: Rules
    ways: list[Way]  # what is known without filters
    labels: list[str]
    own: list[str]  # labels of users' learners, rules and explorers
    rateless: list[str]  # those of learners that take no learning rate
    looks: dict[str, LineStyle]
    algorithms: dict[str, str]
    problems: Problems
    views: list[View]
    pairs: list[Pair]
    tables: list[Table]
    breakdown: list[Kind]
    curves: Curves
    rates: Rates
    ips: dict[int, Ips]
    made: Made
    columns: list[Column]
    settings: list[str]
    shuffled: Shuffled
    notice: str
