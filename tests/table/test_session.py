"""A game at a table: what is recorded is the game, and what may be taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.engine import IllegalMove, MoveError, PlayFault, Stream
from rulelang.loading import load
from rulelang.table.session import Table
from rulelang.table.terminal import Sitting

GAMES = Path(__file__).parent / "games"

NewTable = Callable[..., Table]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), game=st.sampled_from(["dice", "hands"]), cut=st.integers(0, 40), takes=st.data())
def test_a_record_leads_to_the_same_position(
    tmp_path_factory: pytest.TempPathFactory, seed: int, game: str, cut: int, takes: st.DataObject
) -> None:
    """Whatever was played, answered and taken back: loading gives the position, what is seen and what may follow."""
    options = {"asks": "on", "goal": "12"} if game == "dice" else {}
    path = tmp_path_factory.mktemp("record") / "a.game"
    rules = load(GAMES / f"{game}.rules", options=options)
    table = Table.new(rules, players=2, seed=seed, seats=("human", "human"), options=options, path=path)
    chance = Stream(seed, "test")
    for _ in range(cut):
        if table.state.over:
            break
        if table.state.question is not None:
            table.answer(chance.below(2) == 1)
            continue
        if table.happenings and takes.draw(st.integers(0, 5)) == 0:
            table.take_back(takes.draw(st.integers(0, len(table.happenings) - 1)), 0)
            continue
        seat = table.state.to_act[0]
        table.play(seat, chance.choice(table.state.moves(seat)))
    again = Table.resume(path)
    assert again.state.key() == table.state.key()
    for seat in (None, 0, 1):
        assert again.state.view(seat) == table.state.view(seat)
    assert again.happenings == table.happenings and again.moves == table.moves
    assert not again.notes


def test_a_refused_move_changes_nothing(sit: NewTable) -> None:
    table = sit("hands")
    before, record = table.state.key(), table.log.path.read_bytes()
    cards = [card for card in range(1, 7) if f"play {card}" not in [move.text for move in table.state.moves(0)]]
    with pytest.raises(IllegalMove):
        table.play(0, f"play {cards[0]}")
    with pytest.raises(MoveError):
        table.play(0, "dance")
    assert table.state.key() == before and table.log.path.read_bytes() == record


def test_a_fault_in_play_leaves_the_position_before_it(sit: NewTable) -> None:
    table = sit("broken")
    table.play(0, "step")
    before = table.state.key()
    with pytest.raises(PlayFault):
        table.play(1, "step")
    assert table.state.key() == before
    assert Table.resume(table.log.path).state.key() == before


def test_taking_back_draws_the_same_again(sit: NewTable) -> None:
    table = sit("dice", goal="20")
    table.play(0, "roll")
    drawn, key = table.state.get_value("die"), table.state.key()
    table.take_back(0, 0)
    assert table.state.get_value("at", (0,)) == 0
    table.play(0, "roll")
    assert table.state.get_value("die") == drawn and table.state.key() == key


def test_what_was_learned_since_is_known(sit: NewTable) -> None:
    table = sit("dice")
    table.play(0, "rest")
    assert table.learned_since(0) == ""
    table.play(1, "roll")
    assert table.learned_since(0) == "something was drawn since"
    table = sit("hands")
    table.play(0, table.state.moves(0)[0])
    assert table.learned_since(0) == "something hidden came to light since"


def test_a_bot_chooses_the_same_after_a_resume(sit: NewTable) -> None:
    table = sit("hands", seats=("random", "careful"), seed=5)
    while not table.state.over:
        table.bot_move(table.state.to_act[0])
    for cut in range(len(table.moves)):
        path = table.log.path.with_name(f"{cut}.game")
        path.write_text("".join(table.log.path.read_text(encoding="utf-8").splitlines(keepends=True)[: cut + 1]))
        again = Table.resume(path)
        while not again.state.over:
            again.bot_move(again.state.to_act[0])
        assert again.moves == table.moves


def test_looking_at_a_saved_game_writes_nothing(sit: NewTable) -> None:
    table = sit("dice")
    table.play(0, "rest")
    record = table.log.path.read_bytes()
    looked_at = Table.resume(table.log.path, write=False, until=0)
    assert looked_at.state.to_act == (0,) and looked_at.log is None
    assert table.log.path.read_bytes() == record


def test_a_place_that_cannot_be_written_is_only_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("rulelang.table.log.default_place", lambda title: tmp_path / "file" / "a.game")
    table = Table.new(load(GAMES / "dice.rules"), players=2, seed=1, seats=("random", "random"), options={}, path=None)
    table.bot_move(0)
    assert len(table.notes) == 1 and "is not being saved" in table.notes[0]


def test_clocks_go_on_where_they_stood(sit: NewTable, tmp_path: Path) -> None:
    """Whatever was told last counts: with a move, with what was taken back, on leaving; also in a copy."""
    table = sit("dice", variants=("fast",))
    left = [1.0, 1.0]
    table.clocks = lambda: left

    def resumed(onto: Path | None = None) -> list[float]:
        return Sitting(Table.resume(table.log.path, onto=onto), None, None).left  # type: ignore[arg-type]

    table.keep_time()
    for number, happens in enumerate((
        lambda: table.play(0, "rest"), lambda: table.play(1, "rest"), lambda: table.take_back(1, 1), table.keep_time,
        lambda: table.clock_out(1),
    )):
        left[:] = [number * 0.5, 0.5]
        happens()
        assert resumed() == left == resumed(tmp_path / "copy.game")
