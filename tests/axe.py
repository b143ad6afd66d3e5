"""What axe finds wrong on a page, in words."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def prepare(page: Page) -> None:
    """Bring axe into the page; once for each page."""
    page.evaluate(Axe().axe_script)


def violations(page: Page) -> list[str]:
    """Each rule that is broken, with the element and the reason."""
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]
