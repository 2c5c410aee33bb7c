"""Clusters: a Dask cluster on this machine, or one that is already somewhere."""

import asyncio
import atexit
import logging
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import Any

import distributed
from dask import config
from distributed.comm import connect, registry
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.deploy.spec import close_clusters
from distributed.utils import LoopRunner

from bakeoff.basics.errors import ResourceError, SpecError
from bakeoff.basics.notices import notify

PATIENCE = 15  # seconds until a scheduler must answer
NOTICE_AFTER = 3  # seconds without an answer until the user is notified
START_ATTEMPTS = 3  # to start a local cluster


@contextmanager
def started(n_workers: int) -> Iterator[Any]:
    """A client of a cluster on this machine, for as long as it is needed.

    By default, Dask gives up on a worker that is just restarting 15 seconds after it died.
    """
    with (
        config.set({"distributed.deploy.lost-worker-timeout": "1000 days"}),
        _loop() as loop,
        _local_cluster(n_workers, loop) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        _copies_kept(client),
    ):
        yield client


@contextmanager
def _loop() -> Iterator[Any]:
    """A loop in a thread of its own, whose processes get no Ctrl-C.

    A terminal sends it to all processes, and those that are just starting would print a
    traceback.
    """
    resource_tracker.ensure_running()  # it would unblock what is blocked here
    runner = LoopRunner()
    runner.start()
    runner.run_sync(_block_interrupts)
    try:
        yield runner.loop
    except BaseException:
        atexit.unregister(close_clusters)  # it fails on one that is half started
        raise
    finally:
        runner.stop()


async def _block_interrupts() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _local_cluster(n_workers: int, loop: Any) -> Any:
    """A cluster whose workers have all started; Dask gives up if one dies before."""
    why = ""
    for _ in range(START_ATTEMPTS):
        try:
            return distributed.LocalCluster(
                loop=loop,
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # jobs keep to their shares; Dask would stop workers
                dashboard_address="127.0.0.1:0",  # any free port, this machine only
                silence_logs=logging.CRITICAL,
                scheduler_kwargs={"allowed_failures": 0},  # the driver counts them
                preload=["bakeoff.experiment.engines.dask.remote"],
            )
        except RuntimeError as error:
            why = str(error.__cause__ or error)
    raise ResourceError(
        f"a Dask cluster did not start in {START_ATTEMPTS} attempts ({why}); if "
        f"workers run out of memory, try fewer jobs"
    )


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of an existing cluster."""
    with _quiet(), _connected(address) as client:
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress tracebacks of Dask's client; our errors say it in a sentence."""
    loggers = [logging.getLogger(f"distributed.{part}") for part in ("batched", "client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        _check(address)  # before a loop is started
        _see_scheduler(address)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError):
        raise ResourceError(f"no scheduler answers at {address}") from None
    with client, _copies_kept(client):
        check_versions(client)
        yield client


def _check(address: str) -> None:
    """Raise a ValueError if no scheduler can have such an address."""
    scheme, place = parse_address(address)
    registry.get_backend(scheme)
    if scheme != "inproc":
        parse_host_port(place)


def _see_scheduler(address: str) -> None:
    """Wait until the server answers, and check that it is a scheduler.

    Another server may accept the connection and stay silent, or speak another protocol;
    Dask's client would hang or fail.
    """
    first = min(NOTICE_AFTER, PATIENCE)
    try:
        kind = _identity(address, first)
    except OSError:
        left = PATIENCE - first
        if not left:
            raise
        notify(f"no scheduler answers at {address} yet; trying for {left} s more")
        kind = _identity(address, left)
    if kind != "Scheduler":
        raise ResourceError(f"what answers at {address} is not a Dask scheduler")


def _identity(address: str, patience: float) -> Any:
    """The kind of server at an address; None if its answer makes no sense to Dask."""
    with ThreadPoolExecutor(1) as beside:  # this thread may have a loop of its own
        try:
            return beside.submit(asyncio.run, _kind(address, patience)).result()
        except OSError:
            raise
        except Exception:
            return None


async def _kind(address: str, patience: float) -> Any:
    """The kind that a server says it is."""
    arguments = distributed.Security().get_connection_args("client")

    async def request() -> Any:
        comm = await connect(address, timeout=patience, **arguments)
        try:
            await comm.write({"op": "identity", "reply": True})
            return (await comm.read())["type"]
        finally:
            comm.abort()

    return await asyncio.wait_for(request(), patience)


def check_versions(client: Any) -> None:
    """Raise if the scheduler or a worker has another version of bakeoff."""
    known = client.get_versions(packages=["bakeoff"])
    ours = known["client"]["packages"].get("bakeoff")
    members = {"the scheduler": known["scheduler"]} | {
        f"worker {name}": member for name, member in known["workers"].items()
    }
    for name, member in members.items():
        theirs = member["packages"].get("bakeoff")
        if theirs != ours:
            installed = f"bakeoff {theirs}" if theirs else "no bakeoff"
            raise SpecError(
                f"{name} has {installed}, but needs the driver's version, which is {ours}"
            )


@contextmanager
def _copies_kept(client: Any) -> Iterator[None]:
    """Let workers keep what they have fetched, even if they do not need it just now.

    Dask's memory manager would take it from them, and they would fetch it again.
    """
    was_running = client.amm.running()
    if was_running:
        client.amm.stop()
    try:
        yield
    finally:
        if was_running and client.status == "running":
            with suppress(OSError):  # the scheduler may be on its way out
                client.amm.start()
