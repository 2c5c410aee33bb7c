"""The public interface is as it was, unless somebody changed it on purpose."""

import difflib

from tests.golden.api import PATH, RENEW, snapshot


def test_the_interface_is_unchanged() -> None:
    known, today = PATH.read_text("utf-8").splitlines(), snapshot().splitlines()

    changes = [
        line
        for line in difflib.unified_diff(known, today, "before", "now", "", "", 0, "")
        if not line.startswith(("---", "+++", "@@"))
    ]

    assert not changes, "\n".join(
        ["the interface has changed; if that is intended,", f"    {RENEW}", *changes]
    )
