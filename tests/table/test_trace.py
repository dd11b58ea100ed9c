"""What `--trace` tells of the rules' work, to whom, and that it is nothing they may not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rulelang.engine import Interpreter, Stream, TraceEntry
from rulelang.loading import load
from rulelang.table.fitting import Sheet
from rulelang.table.session import Table
from rulelang.table.telling import Teller, plain
from rulelang.table.terminal import Sitting

GAMES = Path(__file__).parent / "games"
CHANGE = re.compile(r"(\w+)(?:\[player (\d)[^]]*\])?: (\S.*?) -> (.*?)(?=; |$| \[)")
UNSEEN = re.compile(r"\d+ hidden|hidden|none")


class People:
    """Sit down in turn at one keyboard and move at random; what each is shown is kept by seat."""

    coloured = False
    sheet = Sheet(columns=80)

    def __init__(self, moves: int) -> None:
        self.table: Any = None
        self.shown: list[tuple[int, str]] = []
        self.seat = -1
        self.left = moves
        self.chance = Stream(7, "people")

    def show(self, *lines: object) -> None:
        self.shown += [(self.seat, line) for line in plain(lines)]

    def hand_over(self, text: str) -> None:
        self.seat = int(text.strip(".").rpartition(" ")[2])

    def ask(self, *prompt: Any) -> str:
        if not self.left:
            raise EOFError
        self.left -= 1
        seat = self.table.state.to_act[0]
        return str(self.chance.choice(self.table.state.moves(seat)).text)


def hidden_names(table: Table) -> set[str]:
    """What no seat, or not every seat, may see."""
    return {variable.name for variable in table.state.game.variables if variable.seen is not None} | {"supply of card"}


def changes(lines: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """Variable, seat, old and new value of all that traces tell."""
    for line in lines:
        told = re.match(r"    \S+\.rules:\d+: [^:]+: (.*)", line)
        if told:
            yield from CHANGE.findall(told[1])


@pytest.mark.parametrize("name", ["blox", "crazy_eights", "go_fish", "hearts", "liars_dice"])
def test_at_one_keyboard_nobody_is_told_what_others_hold(tmp_path: Path, name: str) -> None:
    rules = load(name)
    players = min(rules.player_counts)
    table = Table.new(rules, players=players, seed=5, seats=("human",) * players, options={},
                      path=tmp_path / "a.game", trace=True)
    people = People(8)
    people.table = table
    with suppress(EOFError):
        Sitting(table, people, people, trace=True).play()  # type: ignore[arg-type]
    hidden = hidden_names(table)
    own = 0
    for viewer in range(1, players + 1):
        for variable, seat, old, new in changes([line for shown_to, line in people.shown if shown_to == viewer]):
            if variable in hidden and seat == str(viewer):
                own += "hidden" not in old + new
            elif variable in hidden:
                assert UNSEEN.fullmatch(old) and UNSEEN.fullmatch(new), (variable, seat, old, new)
    assert own, "one's own hand is told"


@pytest.mark.parametrize("name", ["blox", "go_fish", "hearts"])
def test_an_onlooker_of_people_is_told_of_no_hand(tmp_path: Path, name: str) -> None:
    rules = load(name)
    players = min(rules.player_counts)
    table = Table.new(rules, players=players, seed=5, seats=("human",) * players, options={},
                      path=tmp_path / "a.game", trace=True)
    told = [one for one in changes(Teller(table, None).traces()) if one[0] in hidden_names(table)]
    assert told and all(UNSEEN.fullmatch(old) and UNSEEN.fullmatch(new) for _, _, old, new in told)


def test_of_a_game_of_bots_all_is_told(tmp_path: Path) -> None:
    table = Table.new(load("go_fish"), players=2, seed=5, seats=("random", "random"), options={},
                      path=tmp_path / "a.game", trace=True)
    told = {variable: new for variable, _, _, new in changes(Teller(table, None).traces())}
    assert told["hand"].startswith("{") and "ace" in told["stock"]


def test_two_games_that_differ_in_what_is_hidden_are_traced_alike() -> None:
    """Even whether a secret changed is not told."""
    rules = load(GAMES / "hands.rules")
    texts = []
    for swapped in (False, True):
        entries: list[TraceEntry] = []
        interpreter = Interpreter(rules.machine(3), trace=entries.append)
        state = interpreter.start(seed=1)
        hands = [state.get_value("hand", (seat,)) for seat in (1, 2)]
        for seat, hand in zip((1, 2), reversed(hands) if swapped else hands, strict=True):
            state.set_value("hand", (seat,), hand)
        entries.clear()
        state.play(state.moves(0)[0], 0)
        views = interpreter.views
        texts.append([(views.changes(entry, 0), views.hides(entry, 0)) for entry in entries])
    assert texts[0] == texts[1]
    assert any("hand[player 1]: " in text for told, _ in texts[0] for text in told)


def test_what_is_only_tried_out_is_not_traced(tmp_path: Path) -> None:
    """Neither what a bot tries in its head, nor what `explain` tries for what a model says."""
    table = Table.new(load("tic_tac_toe"), players=2, seed=5, seats=("greedy", "greedy"), options={},
                      path=tmp_path / "a.game", trace=True)
    table.bot_move(0)
    assert [entry.rule for entry in table.traced] == ["action mark, do", "phase play, after"]
    table = Table.new(load("kozo"), players=2, seed=5, seats=("human", "human"), options={},
                      path=tmp_path / "b.game", trace=True)
    table.play(table.state.to_act[0], "select I3")
    table.traced.clear()
    assert table.state.explain("place a1.1+b1.1+c1.1").judged
    assert table.traced == []
