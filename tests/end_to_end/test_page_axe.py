"""The page by the rules of axe-core: no serious fault (scripts/get_axe installs it)."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import needs_chromium, opened
from tests.report_page import Made, see_everything

AXE = Path(sys.prefix) / "axe" / "axe.min.js"
FAULTS = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations
        .filter((one) => ["serious", "critical"].includes(one.impact))
        .map(({ id, nodes }) => `${id}: ${nodes.length} x ${nodes[0].html.slice(0, 99)}`
            + ` (${nodes[0].failureSummary})`);
}"""

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core (scripts/get_axe)"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "#?minK=3&a=G,RO&dataset=000300030003"])
def test_axe_finds_no_serious_fault(
    made: Made, browser: Browser, scheme: str, address: str
) -> None:
    with opened(browser, made.path, address, color_scheme=scheme) as tab:
        if not address:
            tab.locator("#open-filters").click()
            for summary in tab.locator("#made summary").all():
                summary.click(force=True)
        see_everything(tab)
        tab.evaluate(AXE.read_text())

        assert tab.evaluate(FAULTS) == []


def test_axe_notices_a_fault(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text("<html><body><input><img src='data:,x'></body></html>")
    with opened(browser, path) as tab:
        tab.evaluate(AXE.read_text())

        assert any("image-alt" in fault for fault in tab.evaluate(FAULTS))
