"""What expressions mean: sentences that hold of one position."""

from __future__ import annotations

from engine_games import Make

GAME = """
board: {grid: 4x3}
types:
  Kind: [man, king]
  Piece: {owner: Player, kind: Kind}
  Color: [red, green, blue]
  Occupant: Player or neutral
tables:
  worth[k of Kind]: {type: 0..9, is: [1, 5]}
state:
  at[c of Cell]: Piece or none
  who[c of Cell]: Occupant or none
  light[c of Cell]: switch
  n: {type: -9..9, start: -7}
  seven: {type: 0..9, start: 7}
  bag: bag of Color up to 9
  other: bag of Color up to 9
  pile: deck of Color up to 9
  some_colors: set of Color
  nothing: Color or none
  grid_sum[a of 2..4, b of Player]: 0..99
setup: |
  at[a1] := Piece(player 1, man)
  at[b1] := Piece(player 2, king)
  at[c3] := Piece(player 1, king)
  who[a1] := player 2
  who[b2] := neutral
  light[d1] := on
  light[d2] := on
  bag := copies(3, red) + copies(1, blue)
  other := copies(1, red) + copies(2, green)
  pile += copies(2, blue)
  pile += copies(1, red)
  some_colors := {red, blue}
  for each a in 2..4:
    for each b in Player:
      grid_sum[a, b] := a * 10 if b = player 1 else a
phases:
  only:
    actions: [pass]
actions:
  pass: |
    do:
      finish
rank: points
define:
  points(p of Player): seven + count of pile + grid_sum[2, p] + (1 if nothing is none and n < 0 else 0)
  men(p of Player): "{c in Cell where owner of at[c] = p}"
  free: "{c in Cell where at[c] is none}"
  lit: "{c in Cell where light[c]}"
  taken: "{c in Cell where who[c] is not none}"
  mixed: count of bag + count of other + count of some_colors
"""

TRUE = [
    # numbers: division and remainder go down, also below zero
    "n / 2 = -4", "n mod 3 = 2", "seven / 2 = 3", "seven mod 4 = 3", "-n = 7", "n * 2 + 1 = -13", "seven - n = 14",
    "n < seven and not (n > seven) and n <= -7 and seven >= 7 and n != 7",
    # sets
    "{1, 3} + {3, 5} = {1, 3, 5}", "{1, 3} also in {3, 5} = {3}", "{1, 3} without {3, 5} = {1}", "2..4 = {2, 3, 4}",
    "{1, 3} within 1..5", "not ({1, 6} within 1..5)", "{1, 3} meets {3}", "not ({1} meets {3})", "3 in 1..5",
    "not (n in 1..5)", "not (n in {0, seven})", "1..9 also in {0, seven} = {7}", "count of (4..2) = 0",
    "red in some_colors and green not in some_colors",
    # bags and decks
    "bag holds copies(2, red)", "not (bag holds {red, green})", "count of (bag + other) = 7",
    "bag without other = copies(2, red) + {blue}", "count of (bag also in other) = 1", "kinds of bag = {red, blue}",
    "red in bag and green not in bag", "count of pile = 3", "blue in pile and green not in pile",
    "pile holds copies(2, blue)", "not (pile holds green)", "count of (pile also in bag) = 2",
    "blue in pile without other",
    "copies(2, red) + {green, nothing} = copies(2, red) + copies(1, green)", "some_colors = kinds of bag",
    # none, records, unions, tables
    "nothing is none", "at[a2] is none and at[a1] is not none", "owner of at[a1] = player 1", "kind of at[b1] = king",
    "kind of at[a2] is none", "at[c3] = Piece(player 1, king)", "who[b2] is neutral", "who[a1] is a Player",
    "not (who[b2] is a Player)", "who[a1] = player 2", "worth[king] = 5", "worth[kind of at[a1]] = 1",
    # going through sets
    "men(player 1) = {a1, c3}", "count of free = 9", "lit = {d1, d2}", "every c in lit has at[c] is none",
    "some c in men(player 1) where kind of at[c] = king has row of c = 3",
    "no c in men(player 2) has column of c > 2 or light[c]", "(first c in Cell where at[c] is none) = c1",
    "(last c in men(player 1) where kind of at[c] = king) = c3", "(first c in lit where row of c > 2) is none",
    "no two c in men(player 1) share kind of at[c]", "not (no two c in Cell share kind of at[c])",
    "no two c in {a1, a2} share at[c]", "sum of {worth[kind of at[c]] for c in Cell where at[c] is not none} = 11",
    "highest of {row of c for c in men(player 1)} = 3", "lowest of {worth[k] for k in Kind} = 1",
    "highest of {row of c for c in lit where row of c > 5} is none", "count of {kind of at[c] for c in Cell} = 3",
    "taken = {a1, b2}", "count of {c in Cell where who[c] = neutral} = 1", "mixed = 9",
    "sum of {grid_sum[a, player 1] for a in 2..4} = 90", "grid_sum[seven - 4, player 2] = 3",
    # the board
    "step({a1}, {north, east}) = {a2, b1}", "step({a1}, {south, west}) is empty", "step2(a1, {north}) = {a3}",
    "ray(a1, east) = {b1, c1, d1}", "slide(a1, orthogonal, free) = {a2, a3, b1}", "leap(a1, 1, 2) = {b3, c2}",
    "between(a1, d1) = {b1, c1}", "neighbours({a1, b1}) = {a2, b2, c1}", "reach({a1}, {a1, b1, d1}) = {a1, b1}",
    "distance(a1, d3) = 5", "count of rim = 10", "row of d3 = 3 and column of d3 = 4", "count of lines(3) = 14",
    "every area in rows + columns has count of area in {3, 4}", "count of lanes = 14",
    # order and choice
    "(1 if n < 0 else 2) = 1", "seven = 7 or n / (seven - 7) = 1",
    "not (seven = 8 and n / (seven - 7) = 1)", "player 1 != player 2", "left of player 2 = player 1",
    "opponent of player 1 = player 2", "players = 2", "turns = 0 and rounds = 0",
]


def test_all_sentences_hold(rules: Make) -> None:
    named = [f"  it_{n}: |\n    {sentence}\n" for n, sentence in enumerate(TRUE)]
    state = rules(GAME, "invariants:\n" + "".join(named)).start()
    rt = state.scratch()
    wrong = [TRUE[int(name[3:])] for name, _, holds in state.interpreter.invariants if not holds(rt)]
    assert wrong == []
    assert len(state.interpreter.invariants) == len(TRUE)
