"""Patience: connections on which no whole request comes for a while are closed.

Without it, clients that connect and say nothing would keep all others out, as each holds one of
the handles that a process may have.
"""

import asyncio
import logging
import time
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

PATIENCE = 30.0  # seconds
_TELL_EVERY = 60.0  # seconds
_messages = logging.getLogger("bakeoff.live.serving")


def patient(seconds: float = PATIENCE) -> type[Any]:
    """The protocol of a server that waits at most twice `seconds` for each request."""

    class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        """Looks at its connection again and again."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            """Begin to look."""
            super().connection_made(transport)
            self._look(None)

        def _look(self, before: Any) -> None:
            """Close the connection if it waits for the same request as the last time."""
            if self.transport.is_closing():
                return
            cycle = self.cycle
            waits = cycle is None or cycle.response_complete or cycle.more_body
            now = (cycle, waits)
            if waits and now == before:
                self.transport.close()
            else:
                self.loop.call_later(seconds, self._look, now)

    return Patient


class Handles:
    """Tells now and then, not thousands of times a second, that there are too many connections."""

    def __init__(self) -> None:
        self.tell_after = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle what goes wrong in a loop outside of tasks."""
        if "socket" not in context or not isinstance(context.get("exception"), OSError):
            loop.default_exception_handler(context)
        elif time.monotonic() > self.tell_after:
            self.tell_after = time.monotonic() + _TELL_EVERY
            _messages.error("no more connections can be taken: %s", context["exception"])
