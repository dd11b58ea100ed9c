"""What a person at the table is told, and that it is nothing they may not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.engine import Stream
from rulelang.loading import load
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


def test_what_came_to_light_is_told_after_the_move(sit: NewTable) -> None:
    from rulelang.loading import builtin_games

    name = "kakuzu"
    if name not in builtin_games():
        return
    rules = load(name)
    table = Table(rules, _header(rules), ("human", "human"))
    teller = Teller(table, None)
    table.play(table.state.to_act[0], "a1")
    news = teller.news()
    assert news[1].startswith("digit a1: ") and len(news) == 2


def _header(rules):  # type: ignore[no-untyped-def]
    from rulelang.table.log import Header

    return Header(str(rules.path), rules.title, "", (), {}, 2, 1, ("human", "human"))


def test_panels_show_each_seat_and_what_belongs_to_nobody(sit: NewTable) -> None:
    lines = told(sit("hands"), 0)
    assert lines[-2].startswith("  player 2  hand 2 hidden")
    assert lines[-3].startswith("> player 1  hand {")
    assert lines[-1] == "  supply of card 2 hidden"


def test_long_values_are_shortened() -> None:
    assert shortened("{a, b}") == "{a, b}"
    assert shortened("{" + ", ".join(["name"] * 50) + "}").endswith(" … (50 in all)")
    assert len(shortened("x" * 500)) < 200


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
