"""What a person at the table is told, and that it is nothing they may not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.engine import Stream
from rulelang.loading import load
from rulelang.model.types import show
from rulelang.table.explaining import shortened
from rulelang.table.session import Table
from rulelang.table.telling import Teller, plain, seat_panel

NewTable = Callable[..., Table]


def told(table: Table, seat: int | None) -> list[str]:
    teller = Teller(table, seat)
    return plain([*teller.news(), *teller.board(), *teller.panels()])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 4))
def test_what_only_others_see_makes_no_difference(tmp_path_factory, seed: int, moves: int) -> None:  # type: ignore[no-untyped-def]
    """Two games whose hidden hands differ look the same to a seat that sees neither."""
    games = Path(__file__).parent / "games"
    rules = load(games / "hands.rules")
    path = tmp_path_factory.mktemp("secret") / "a.game"
    table = Table.new(rules, players=3, seed=seed, seats=("human",) * 3, options={}, path=path)
    chance = Stream(seed, "test")
    for _ in range(moves):
        seat = table.state.to_act[0]
        table.play(seat, chance.choice(table.state.moves(seat)))
    before = told(table, 0)
    hands = [table.state.get_value("hand", (seat,)) for seat in (1, 2)]
    if hands[0].bit_count() == hands[1].bit_count():
        table.state.set_value("hand", (1,), hands[1])
        table.state.set_value("hand", (2,), hands[0])
    assert told(table, 0) == before
    assert told(table, None) == told(table, None)


def test_news_are_told_once(sit: NewTable) -> None:
    table = sit("dice")
    teller = Teller(table, None)
    table.play(0, "roll")
    assert teller.news()[0] == "red: roll"
    assert teller.news() == []
    table.play(1, "rest")
    assert teller.news() == ["blue: rest", "blue has a rest"]


OPENED = ("open a1", "open a4", "open d1", "open e5", "open a7", "open g7")


def kakuzu(tmp_path: Path, *moves: str) -> Table:
    table = Table.new(load("kakuzu"), players=2, seed=1, seats=("human", "human"), options={}, path=tmp_path / "k.game")
    for move in moves:
        table.play(table.state.to_act[0], move)
    return table


def test_what_came_to_light_is_told_after_the_move_that_brought_it(tmp_path: Path) -> None:
    """Move by move or in one go, also of a game that was gone on with."""
    table = kakuzu(tmp_path)
    teller, step_by_step = Teller(table, None), []
    for move in OPENED:
        table.play(table.state.to_act[0], move)
        step_by_step += teller.news()
    assert [text.partition(": ")[2] for text in step_by_step[::2]] == list(OPENED)
    opened = [move.replace("open", "digit") for move in OPENED]
    assert [text.partition(": ")[0] for text in step_by_step[1::2]] == opened
    assert Teller(table, None).news() == step_by_step
    assert Teller(Table.resume(table.log.path), None).news() == step_by_step


def test_of_much_that_comes_to_light_at_once_the_first_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bare.rules"
    under = "  under[c of Cell]:\n    type: Rank\n    seen: played[player 1] is not none\n    start: row of c\n"
    text = (Path(__file__).parent / "games" / "hands.rules").read_text(encoding="utf-8")
    text = text.replace("components:", "board: {grid: 3x3}\ncomponents:", 1)
    path.write_text(text.replace("define:", f"{under}define:", 1), encoding="utf-8")
    table = Table.new(load(path), players=2, seed=1, seats=("human", "human"), options={}, path=tmp_path / "b.game")
    table.play(0, table.state.moves(0)[0])
    assert Teller(table, None).news()[-1] == "under a1: 1 · b1: 1 · c1: 1 · a2: 2 … and 5 more"


def test_what_stands_is_told_though_what_came_after_it_was_taken_back(sit: NewTable) -> None:
    table = sit("dice")
    teller = Teller(table, None)
    table.play(0, "rest")
    table.play(1, "rest")
    assert len(teller.news()) == 4
    for seat in (0, 1):
        table.play(seat, "roll")
    table.take_back(3, 1)
    teller.taken_back(3)
    news = teller.news()
    assert news[0] == "red: roll" and not any(text.startswith("blue") for text in news)


def test_panels_show_each_seat_and_what_belongs_to_nobody(sit: NewTable) -> None:
    lines = told(sit("hands"), 0)
    assert lines[-2].startswith("  player 2  hand 2 hidden")
    assert lines[-3].startswith("> player 1  hand {")
    assert lines[-1] == "  supply of card 2 hidden"


def test_long_values_are_shortened() -> None:
    assert shortened("{a, b}") == "{a, b}"
    assert shortened("{" + ", ".join(["name"] * 50) + "}").endswith(" name, …} (50 in all)")
    assert len(shortened("x" * 500)) < 200
    records = ", ".join(["Man(white, king)"] * 50)
    assert shortened(f"{{{records}}}") == "{Man(white, king), Man(white, king), Man(white, king), …} (50 in all)"


def test_a_panel_counts_what_it_may_not_show(tmp_path: Path) -> None:
    path = tmp_path / "counted.rules"
    text = (Path(__file__).parent / "games" / "hands.rules").read_text(encoding="utf-8")
    panel = "view:\n  panel:\n    cards: hand[p]\n    held: count of hand[p]\n    best: highest of hand[p]\n"
    path.write_text(text + panel, encoding="utf-8")
    rules = load(path)
    state = rules.start(seed=1)
    mine, other = (seat_panel(rules.interpreter(), state.view(0), seat) for seat in (0, 1))
    assert dict(mine)["held"] == "2" and dict(mine)["cards"].startswith("{") and dict(mine)["best"].isdigit()
    assert dict(other) == {"cards": "2 hidden", "held": "2", "best": "?"}


WITH_HANDS = ("blox", "crazy_eights", "go_fish", "goofspiel", "hearts", "kuhn_poker", "leduc_poker", "liars_dice",
              "spades")


@pytest.mark.parametrize("name", WITH_HANDS)
def test_the_panel_of_a_seat_shows_whatever_that_seat_holds_and_only_it_sees(name: str) -> None:
    """Each value of a state of the seats that others do not see stands in the seat's own panel, while it moves."""
    rules = load(name, variants=("hidden",) if name == "goofspiel" else ())
    state = rules.start(seed=5)
    game, chance = state.game, Stream(5, "test")
    held = [v for v in game.variables if v.seen is not None and v.index_types[:1] == (game.types["Player"],)]
    assert held
    for _ in range(8):
        if state.over:
            break
        for seat in state.to_act:
            panel = " ".join(text for _, text in seat_panel(rules.interpreter(), state.view(seat), seat))
            for variable in held:
                value = state.get_value(variable.name, (seat,))
                assert value is None or show(variable.type, value).strip("{}") in panel, variable.name
        seat = state.to_act[0]
        state.play(chance.choice(state.moves(seat)), seat)


def test_a_panel_is_broken_where_a_line_is_full(tmp_path: Path) -> None:
    table = Table.new(load("blokus_duo"), players=2, seed=1, seats=("human", "human"), options={},
                      path=tmp_path / "a.game")
    lines = plain(Teller(table, 0).panels())
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("            pieces {I1, ") for line in lines) == 2
