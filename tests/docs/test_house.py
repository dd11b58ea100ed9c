"""The page about the house speaks of rooms and files that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "architecture.md", ROOT / "docs" / "design" / "decisions.md", ROOT / "CONTRIBUTING.md",
         ROOT / "tests" / "README.md"]
HOUSE = PAGES[0].read_text(encoding="utf-8")


def test_every_room_is_described() -> None:
    rooms = {path.parent.name for path in (ROOT / "rulelang").glob("*/__init__.py")} | {"loading"}
    described = set(re.findall(r"^\| `(\w+)` \|", HOUSE, re.MULTILINE))
    assert described == rooms


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_*/]+\.(?:py|lark|md))`", HOUSE))))
def test_the_files_that_are_named_are_there(name: str) -> None:
    assert any(found for base in (ROOT, ROOT / "rulelang", ROOT / "rulelang" / "syntax") for found in base.glob(name))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]
