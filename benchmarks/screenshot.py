"""The picture of the report in README: the top of a page, as a laptop shows it.

    make bakeoff && python benchmarks/screenshot.py results/report.html docs/images/report.png

It needs Chromium.
"""

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright


def main() -> None:
    """Open the page in Chromium and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    options = parser.parse_args()
    with sync_playwright() as driver:
        chromium = shutil.which("chromium")
        flags = ["--no-sandbox"]
        browser = driver.chromium.launch(executable_path=chromium, args=flags)
        tab = browser.new_page(viewport={"width": 1400, "height": 900})
        tab.goto(options.page.absolute().as_uri())
        tab.wait_for_selector("#ways-table td")
        tab.wait_for_timeout(1000)
        tab.screenshot(path=options.picture)
        browser.close()


if __name__ == "__main__":
    main()
