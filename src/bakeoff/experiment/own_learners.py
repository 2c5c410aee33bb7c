"""Own learners in an experiment: whose code has changed, and what they do not play."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import polars as pl

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean, joined
from bakeoff.data import Facts
from bakeoff.learners import LearnerProcess, facts_of, own_source, parse_own, source_text
from bakeoff.runs import Run, is_own
from bakeoff.store import ROW_KEY, SCHEMA, Job, OwnRecord, Store, forget, keep_source


def records_of(
    runs: Iterable[Run], known: Mapping[str, OwnRecord], problems: Sequence[Facts] = ()
) -> dict[str, OwnRecord]:
    """What is known of the own learners among runs, by explorer.

    The digests are those of all sources that have computed results so far, and of the
    one that computes now. A digest of version 0.2 of the same source becomes today's.
    A learner that has changed, or has `accepts`, is asked again what it declines.
    """
    explorers = dict.fromkeys(run.explorer for run in runs if is_own(run.explorer))
    records = {}
    for explorer in explorers:
        now = own_source(explorer)
        before = known.get(explorer, OwnRecord())
        renewed = [now.digest if one == now.old_digest else one for one in before.digests]
        digests = tuple(filter(None, dict.fromkeys([*renewed, now.digest])))
        declined = before.declined if digests == before.digests and not now.selects else {}
        if now.selects and problems:
            declined = _declined(explorer, [facts for facts in problems if facts.task in now.tasks])
        records[explorer] = OwnRecord(digests, now.tasks, declined)
    return records


def _declined(explorer: str, problems: Sequence[Facts]) -> dict[str, str]:
    """The problems that a learner does not accept, by digest, and why."""
    with LearnerProcess() as process:
        reasons = process.refusals(explorer, [facts_of(facts) for facts in problems])
    return {facts.digest: why for facts, why in zip(problems, reasons, strict=True) if why}


def notices_of(own: Mapping[str, OwnRecord], problems: Sequence[Facts]) -> list[str]:
    """What the user should know about own learners."""
    notices = []
    for explorer, one in own.items():
        label = parse_own(explorer).label
        if len(one.digests) > 1:
            notices.append(
                f"the source of {label} has changed since results of it were computed; "
                f"`--again {label}` (in Python, again=[{label!r}]) recomputes them"
            )
        left_out = [facts.name for facts in problems if facts.task not in one.tasks]
        if left_out:
            tasks = joined(one.tasks) if one.tasks else "no"
            names = ", ".join(left_out)
            notices.append(f"{label} plays {tasks} problems, and is left out on {names}")
        notices += declines_of(explorer, one, problems)
    return notices


def declines_of(explorer: str, record: OwnRecord, problems: Sequence[Facts]) -> list[str]:
    """On which problems a learner declined to play, and why, a line for each reason."""
    alike: dict[str, list[tuple[str, str]]] = {}  # reasons that differ in numbers only
    for facts in problems:
        if facts.digest in record.declined:
            why = record.declined[facts.digest]
            alike.setdefault(re.sub(r"\d+", "0", why), []).append((facts.name, why))
    label = parse_own(explorer).label
    return [
        f"{label} declines {', '.join(name for name, _ in several)}: {several[0][1]}"
        for several in alike.values()
    ]


def keep_sources(store: Store, own: Iterable[str]) -> None:
    """Keep the code of learners beside their results; that it fails ends nothing."""
    for explorer in own:
        source = own_source(explorer)
        with suppress(OSError):
            text = source_text(explorer)
            keep_source(store.folder, parse_own(explorer).label, source.digest, text)


def record_decline(store: Store, job: Job, why: str) -> None:
    """Note in the manifest that a learner has declined a problem when it was made."""
    manifest = store.manifest()
    if manifest is not None:
        explorer = job.runs[0].explorer
        manifest.own[explorer].declined[job.facts.digest] = why
        store.write_manifest(manifest)


def runs_named(runs: Sequence[Run], names: Sequence[str]) -> list[Run]:
    """The runs of the algorithms that are named by label or spec."""
    labels = {run.label for run in runs}
    explorers = {run.explorer for run in runs}
    for name in names:
        if name not in labels | explorers:
            hint = did_you_mean(name, labels)
            raise SpecError(f"the experiment has no algorithm {name!r}{hint}")
    return [run for run in runs if run.label in names or run.explorer in names]


def drop_runs(
    store: Store, runs: Sequence[Run], problems: Iterable[tuple[Facts, Sequence[int]]]
) -> None:
    """Drop the results of runs on problems in some orders; all others stay."""
    streams = [(facts.digest, one) for facts, several in problems for one in several]
    kinds = {name: SCHEMA[name] for name in ("digest", "shuffle")}
    rows = store.read(ROW_KEY, only=pl.DataFrame(streams, kinds, orient="row"))
    forget(store, rows.filter(pl.col("run").is_in([str(run) for run in runs])))
    _forget_sources(store, {run.explorer for run in runs})


def _forget_sources(store: Store, explorers: set[str]) -> None:
    """Forget the sources of learners that have no results any more."""
    manifest = store.manifest()
    if manifest is None:
        return
    left = set(store.read(["explorer"])["explorer"]) if store.files() else set()
    for explorer in (explorers & manifest.own.keys()) - left:
        del manifest.own[explorer]
    with store.writing():
        store.write_manifest(manifest)
