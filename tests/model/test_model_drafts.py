"""The games that the language was designed with: they load and check, and what comes of them is sound."""

from pathlib import Path

import pytest
from model_tree import assert_sound, nodes

from rulelang.loading import check, load
from rulelang.model.ir import E

DRAFTS = Path(__file__).parents[1] / "drafts"
GAMES = sorted(path.stem for path in DRAFTS.glob("*.rules") if path.stem != "blox-board")      # a part, not a game
# what the drafts leave lying, and the checker rightly tells
WARNINGS = {
    "blox": ["the component `figure` is never used"],
    "chess": ["the table `home` is never used"],
    "kakuzu": ["nothing goes to the phase `opening`"],
    "kozo": ["the state variable `spot` is never used"],
}


@pytest.mark.parametrize("name", GAMES)
def test_a_draft_has_no_faults(name: str) -> None:
    found = check(DRAFTS / f"{name}.rules")
    assert [d.message for d in found] == WARNINGS.get(name, []), found
    assert all(d.severity == "warning" for d in found)


@pytest.mark.parametrize("name", GAMES)
def test_a_draft_is_sound_for_all_players_and_variants(name: str) -> None:
    plain = load(DRAFTS / f"{name}.rules")
    for variants in [(), *[(variant,) for variant, _ in plain.variants]]:
        rules = load(DRAFTS / f"{name}.rules", variants=variants)
        for players in rules.player_counts:
            game = rules.model(players)
            assert len(game.seats) == players
            assert_sound(game)


def test_places_of_a_game_are_those_of_its_files() -> None:
    game = load(DRAFTS / "kakuzu-joker.rules").model(2)
    files = {Path(node.place.file).name for node in nodes(game.actions) if isinstance(node, E)}
    assert files == {"kakuzu.rules", "kakuzu-joker.rules"}
