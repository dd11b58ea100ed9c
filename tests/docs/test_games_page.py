"""The page of games is made from the rules files, and up to date."""

from __future__ import annotations

from pathlib import Path

from rulelang.proving.catalogue import PAGE, page, strangers

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(ROOT), "run `python -m rulelang.proving.catalogue`"


def test_what_games_were_held_against_names_games() -> None:
    assert strangers(ROOT) == []
