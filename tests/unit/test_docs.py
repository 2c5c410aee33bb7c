"""The documents: every link leads somewhere, and the index names every page."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILT = ("_build", "reference/api/", "reference/commands", "contributing")  # by `make docs`


def is_source(page: Path) -> bool:
    """Whether a file is ours, and not made by the site."""
    return not str(page.relative_to(ROOT)).startswith(tuple(f"docs/{name}" for name in BUILT))


PAGES = sorted(page for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")] if is_source(page))


def links_in(page: Path) -> list[tuple[str, str]]:
    """(file, heading) of the links to files here; code is not looked at."""
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    parts = [target.partition("#") for target in targets if "://" not in target]
    return [(file, heading) for file, _, heading in parts]


def anchors_of(page: Path) -> set[str]:
    """What links call the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), flags=re.MULTILINE)
    words = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.replace(" ", "-") for heading in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for file, heading in links_in(page):
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), file
        assert not heading or heading in anchors_of(target), heading


def test_the_index_names_every_page() -> None:
    lists = re.findall(r"```{toctree}(.*?)```", (DOCS / "index.md").read_text(), flags=re.DOTALL)
    named = {line for text in lists for line in text.split("\n") if line and line[0] != ":"}

    pages = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    names = {str(page.relative_to(DOCS).with_suffix("")) for page in pages if is_source(page)}
    assert names - named == {"index"}
    assert named - names == {"contributing", "reference/commands"}  # which the site makes


@pytest.mark.parametrize("page", sorted((DOCS / "guide").glob("*.md")), ids=lambda p: p.name)
def test_a_page_of_the_guide_is_read_in_six_minutes(page: Path) -> None:
    assert len(page.read_text().split()) <= 1200


def figures_of_readme() -> list[tuple[str, str]]:
    """(page of evidence, text) of what README says about closeness and speed."""
    text = (ROOT / "README.md").read_text()
    close = text.partition("## How close to the paper\n")[2].partition("\n## ")[0]
    fast = text.partition("## How fast\n")[2].partition("\n## ")[0]
    items = [*re.split(r"^- ", close, flags=re.MULTILINE), fast]
    cited = [(re.search(r"\(docs/evidence/([\w-]+\.md)\)", item), item) for item in items]
    return [(page[1], item) for page, item in cited if page]


@pytest.mark.parametrize(("page", "text"), figures_of_readme())
def test_the_figures_of_readme_stand_on_the_page_that_it_cites(page: str, text: str) -> None:
    words = re.sub(r"`[^`]*`|\]\([^)]*\)|\b[\d.]+\.[\d.]+\.\d+\b|n = ", "", text)
    figures = re.findall(r"(?<![\w/-])\d[\d,]*(?:\.\d+)?", words)
    evidence = (DOCS / "evidence" / page).read_text()

    assert figures
    assert [one for one in figures if not re.search(rf"(?<![\d.]){one}(?!\d)", evidence)] == []


TABLES_ONLY = "reproduction-tables.md"  # the figure is on its first page
EVIDENCE = sorted((DOCS / "evidence").glob("*.md"))


@pytest.mark.parametrize(
    "page", [page for page in EVIDENCE if page.name != TABLES_ONLY], ids=lambda p: p.name
)
def test_a_page_of_evidence_shows_a_figure(page: Path) -> None:
    text = page.read_text()
    figures = re.findall(r"^!\[.+\]\(([\w-]+\.svg)\)$", text, flags=re.MULTILINE)

    assert figures
    assert all((page.parent / name).exists() for name in figures)


@pytest.mark.parametrize("page", EVIDENCE, ids=lambda p: p.name)
def test_what_opens_by_a_click_is_closed_again(page: Path) -> None:
    assert page.read_text().count("<details>") == page.read_text().count("</details>")


def functions_of_the_walks() -> list[tuple[str, str]]:
    """Every `room/file.py:name` in the walks through the code."""
    text = (DOCS / "design" / "0004-walks.md").read_text()
    return sorted(set(re.findall(r"`([\w./]+\.py):(\w+)`", text)))


def test_the_walks_are_not_empty() -> None:
    assert len(functions_of_the_walks()) > 40


@pytest.mark.parametrize(("file", "name"), functions_of_the_walks())
def test_what_the_walks_name_exists(file: str, name: str) -> None:
    text = (ROOT / "src" / "bakeoff" / file).read_text()

    assert re.search(rf"^ *(def|class) {name}\b", text, flags=re.MULTILINE)
