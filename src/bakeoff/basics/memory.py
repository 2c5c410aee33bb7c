"""Memory: how much of it this process may still take."""

import contextlib
import os
import re
import resource
from pathlib import Path

_CGROUPS = (  # limit and use, of both versions
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def available_memory() -> int:
    """Bytes that can be used without swapping and within all limits."""
    known = [_of_machine(), *_of_container(), *_of_address_space()]
    return max(0, min(known))


def _of_machine() -> int:
    with contextlib.suppress(OSError):
        meminfo = Path("/proc/meminfo").read_text("ascii")
        if match := re.search(r"MemAvailable:\s+(\d+) kB", meminfo):
            return int(match[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _of_container() -> list[int]:
    """What is left of the limit of a container, if it has one."""
    for limit, used in _CGROUPS:
        with contextlib.suppress(OSError, ValueError):
            most = int(Path(limit).read_text("ascii"))  # "max" means no limit
            return [most - int(Path(used).read_text("ascii"))]
    return []


def _of_address_space() -> list[int]:
    """What is left of the limit that `ulimit -v` sets, if there is one."""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY:
        return []
    with contextlib.suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        return [most - pages * resource.getpagesize()]
    return [most]
