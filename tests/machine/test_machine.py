"""Games compiled to state machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulelang.loading import load
from rulelang.machine import Machine, build, draw
from rulelang.machine.layout import lay_out
from rulelang.model.types import SWITCH, Named, Number

DRAFTS = Path(__file__).parent.parent / "drafts"
NAMES = sorted(path.stem for path in DRAFTS.glob("*.rules") if path.stem not in (
    "blox-board", "blox-nine", "chess-house", "kakuzu-joker"))

HEAD = "rulelang: 1\ngame: Test\nplayers: 2\n"

SPLIT = HEAD + """
state:
  got[p of Player]: 1..3 or none
  bag: bag of 1..3 up to 9
  n: 0..9
setup: |
  bag := copies(3, 1)
  n := 1
phases:
  only:
    begin: |
      n := 2
      for each p in Player where p != player 2:
        if n = 2:
          take_one(p)
        n += 1
      n := 0
    actions: [pass]
steps:
  take_one(p of Player): |
    let whose = p
    draw got[whose] from bag
actions:
  pass: |
    do:
      finish
rank: points
define:
  points(p of Player): n
"""


def machine_of(tmp_path: Path, text: str) -> Machine:
    """The machine of a rules text."""
    path = tmp_path / "game.rules"
    path.write_text(text, encoding="utf-8")
    return build(load(path).model())


def test_the_layout_puts_variables_one_after_the_other(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, SPLIT)
    assert [(field.name, field.offset, field.length) for field in machine.fields] == [
        ("got", 0, 2), ("bag", 2, 1), ("n", 3, 1)]
    assert machine.size == 4
    fields, size = lay_out(())
    assert (fields, size) == ((), 0)


def test_places_of_entries(tmp_path: Path) -> None:
    text = SPLIT.replace("  n: 0..9\n", "  n: 0..9\n  table[p of Player, k of 3..5]: switch\n", 1)
    machine = machine_of(tmp_path, text.replace("setup: |\n", "setup: |\n  table[player 2, 5] := on\n"))
    field = next(one for one in machine.fields if one.name == "table")
    assert field.length == 6
    assert field.type == SWITCH
    assert field.strides == (3, 1)
    assert field.place_of((1, 4)) == field.offset + 4
    assert field.indices()[4] == (1, 4)
    with pytest.raises(IndexError):
        field.place_of((1, 6))
    with pytest.raises(IndexError):
        field.place_of((1,))
    assert isinstance(field.index_types[0], Named)
    assert field.index_types[1] == Number(3, 5)


def test_blocks_are_split_only_at_chance(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, SPLIT)
    setup = [node.kind for node in machine.nodes if node.rule == "setup"]
    assert sorted(setup) == ["block", "run", "settle"]
    begin = [node.kind for node in machine.nodes if node.rule == "phase only, begin"]
    # runs: before the loop, the step's parameter, its let, after the step, after the loop
    assert sorted(begin) == ["block", "draw", "each", "more", "run", "run", "run", "run", "run", "settle", "test"]
    draws = [node for node in machine.nodes if node.kind == "draw"]
    assert len(draws) == 1
    names = {machine.slot_names[slot] for slot in draws[0].live}
    assert names == {"whose", "rest of a loop"}
    assert machine.streams == ("steps.take_one/got",)


def test_no_slots_live_at_decisions(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, SPLIT)
    assert all(not node.live for node in machine.nodes if node.kind in ("wait", "settle", "enter", "over"))


@pytest.mark.parametrize("name", NAMES)
def test_machines_have_a_plain_form(name: str) -> None:
    machine = load(DRAFTS / f"{name}.rules").machine()
    plain = machine.to_json()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["size"] == sum(field["length"] for field in plain["fields"])
    for node in plain["nodes"]:
        for follower in ("next", "other"):
            assert 0 <= node.get(follower, 0) < len(plain["nodes"])


@pytest.mark.parametrize("name", NAMES)
def test_machines_can_be_drawn(name: str) -> None:
    machine = load(DRAFTS / f"{name}.rules").machine()
    picture = draw.mermaid(machine)
    assert picture.startswith("stateDiagram-v2\n")
    told = draw.text(machine)
    for phase in machine.game.phases:
        assert f"phase_{phase.name}" in picture
        assert f"phase {phase.name}," in told


def test_a_picture_shows_what_leads_where(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, SPLIT)
    assert draw.mermaid(machine) == "\n".join([
        "stateDiagram-v2",
        '    state "only: pass" as phase_only',
        "    [*] --> next_turn: setup",
        "    next_turn --> phase_only",
        "    phase_only --> [*]: pass",
        "",
    ])
    assert "  chance: draw got\n" in draw.text(machine)


def test_what_is_filled_from_a_component_holds_it() -> None:
    game = load(DRAFTS / "kuhn.rules").model()
    names = [game.variables[n].name for n in game.components[0].variables]
    assert names == ["held", "supply of card"]
    game = load(DRAFTS / "hearts.rules").model()
    names = [game.variables[n].name for n in game.components[0].variables]
    assert names == ["hand", "passed", "played", "won", "supply of card"]


STACK = """rulelang: 1
game: Stack
players: 1
types: {Kind: [red, green]}
components: {stone: {kinds: Kind, each: 2}}
state:
  pile: deck of Kind up to 4
setup: |
  %s
phases:
  look: {actions: [pass]}
actions:
  pass: |
    do: finish
"""


@pytest.mark.parametrize("filled", ["move all from supply of stone to pile", "move red from supply of stone to pile"])
def test_a_deck_to_which_a_component_is_moved_holds_it(filled: str, tmp_path: Path) -> None:
    game = machine_of(tmp_path, STACK % filled).game
    assert [game.variables[n].name for n in game.components[0].variables] == ["pile", "supply of stone"]
