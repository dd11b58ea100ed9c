"""Sentences put together at random over a game with a value of every type there is."""

from __future__ import annotations

import re
from random import Random

GAME = """\
rulelang: 1
players: 2..3
options:
  size: {type: 2..4, start: 3}
  mode: {type: Mode, start: hard}
  swap: {type: switch}
types:
  Mode: [easy, hard]
  Kind: [pawn, king]
  Man: {owner: Player, kind: Kind, worth: 1..3}
  Occupant: Player or neutral
  Wide: Occupant or nobody
  Digit: 1..size + 4
  Way: [along, across]
components:
  card: {kinds: Kind, each: 3}
  chip: {kinds: 2..4, each: players}
shapes:
  I2: ["##"]
  V3: ["#.", "##"]
board:
  BOARD
tables:
  price[k of Kind]: {type: 1..9, is: [2, 5]}
  forward[p of Player]: {type: set of 1..3, is: {player 1: "{1, 2}", player 2: "{3}"}}
state:
  n: 0..9
  z: {type: -5..5, start: 2}
  b: switch
  k: Kind
  who: Player
  maybe: 1..6 or none
  cell: Cell or none
  here: Cell
  man: Man
  at[c of Cell]: Man or none
  lit[c of Cell]: switch
  occupant[c of Cell]: Occupant or none
  wide: Wide
  digits: set of Digit
  spots: set of Cell
  men: set of Man
  modes: set of Mode
  pile: {type: bag of card, seen: off, size seen: on}
  hand[p of Player]: {type: bag of card, seen: viewer = p}
  chips[p of Player]: bag of chip
  bag: bag of 0..6 up to 8
  dice[i of 1..2]: 1..6
  deck: deck of Kind up to 6
  throws: deck of 1..6 up to 5
  army: bag of Man up to 5
  team: set of Player
  occupants: set of Occupant
  wides: bag of Wide up to 4
  ways[p of Player]: set of Way
  marked[o of Occupant]: 0..players
  near[i of Man, j of Mode]: switch
  row_of[i of 1..3, p of Player]: 0..9
  secret[c of Cell]:
    type: 1..4
    seen: lit[c]
    start: random
define:
  two: 2
  twice(m of -9..9): m + m
  mine: "{c in Cell where occupant[c] = me}"
  owner_at(c of Cell): owner of at[c]
  best: highest of {secret[c] for c in Cell where lit[c]}
  far(s of set of Cell): s without spots
steps:
  touch(c of Cell): |
    lit[c] := on
  give(p of Player, m of 0..9): |
    n := m
    who := p
positions:
  all: [lit, me]
"""
BOARDS = (
    "  grid: 3x3", "  hexes: 3x3 rhombus", "  track: 5", "  lattice: 2x2x2", "  grid: size x size",
    "  graph:\n    points:\n      a1: [b1]\n      b1: [a1]",
    "  grid: 4x4\n  spaces: (row + column) mod 2 = 0\n  names: numbers",
)
# for each kind of value the forms that make one; `<kind>` is a part, `<kind:of>` a name bound to what `of` holds
_FORMS: dict[str, tuple[str, ...]] = {
    "number": (
        "n", "z", "maybe", "two", "best", "size", "players", "turns", "0", "1", "3", "7", "-2", "count of <set>",
        "count of <bag>", "sum of <numbers>", "highest of <numbers>", "lowest of <numbers>", "(<number> + <number>)",
        "(<number> - <number>)", "(<number> * <number>)", "(<number> / <number>)", "(<number> mod <number>)",
        "-<number>", "(<number> if <switch> else <number>)", "(maybe if <switch> else none)", "row of <cell>",
        "column of <cell>",
        "price of <kind>", "price[<kind>]", "worth of <man>", "twice(<number>)", "row_of[<number>, <player>]",
        "dice[<number>]", "secret[<cell>]", "distance(<cell>, <cell>)", "times(all)", "cubes of <shape>",
        "count of <set>", "marked[<occupant>]", "count of kinds of <army>", "highest of throws",
        "(first <x:numbers> in <numbers> where <switch>)",
    ),
    "switch": (
        "b", "swap", "on", "off", "lit[<cell>]", "not <switch>", "(<switch> and <switch>)", "(<switch> or <switch>)",
        "(<number> < <number>)", "(<number> >= <number>)", "(<number> = <number>)", "(<cell> = <cell>)",
        "(<kind> = <kind>)", "(<man> = <man>)", "(<player> = <player>)", "(<cells> = <cells>)", "(<bag> = <bag>)",
        "(<occupant> is <occupant>)", "(<wide> is not <wide>)", "(cell is none)", "(at[<cell>] is not none)",
        "(maybe is none)", "(<set> is empty)", "(<bag> is not empty)", "(<occupant> is a Player)",
        "(<wide> is a Occupant)", "(<cell> in <cells>)", "(<number> in <numbers>)", "(<man> not in <men>)",
        "(<kind> in <bag>)",
        "(<cells> within <cells>)", "(<cells> meets <cells>)", "(<bag> holds <bag>)", "(<numbers> within <numbers>)",
        "(some <x:cells> in <cells> has <switch>)", "(every <x:cells> in <cells> where <switch> has <switch>)",
        "(no <x:men> in <men> has <switch>)", "(no two <x:cells> in <cells> share <number>)", "(mode = <mode>)",
        "(some <x:areas> in <areas> has <switch>)", "(<player> < <player>)", "(hand[<player>] holds <bag>)",
        "(<cell> in <line>)", "near[<man>, <mode>]", "(<players> within <occupants>)", "(<army> holds <army>)",
        "(<wides> holds <wides>)", "(<player> in <occupants>)", "(<occupant> in <players>)", "(<wide> in wides)",
        "(<occupant> in wides)", "(<players> = <players>)", "(throws = <throws>)",
        "(<man> in army)", "(some <x:bag> in <bag> has <switch>)",
    ),
    "cell": ("here", "cell", "a1", "1", "(first <x:cells> in <cells> where <switch>)", "mirror(<cell>)", "<#cells>",
             "(<cell> if <switch> else <cell>)", "(last <x:line> in <line> where <switch>)"),
    "cells": (
        "Cell", "spots", "mine", "rim", "empty", "{<cell>}", "{<cell>, <cell>}", "step(<cells>, <ways>)",
        "neighbours(<cells>)", "reach(<cells>, <cells>)", "(<cells> + <cells>)", "(<cells> without <cells>)",
        "(<cells> also in <cells>)", "{<x:cells> in <cells> where <switch>}", "between(<cell>, <cell>)",
        "slide(<cell>, <ways>, <cells>)", "leap(<cell>, 1, 2)", "step2(<cell>, <ways>)", "far(<cells>)", "<line>",
        "before(<cell>, <line>)", "(<cells> if <switch> else <cells>)", "<#areas>", "({c in Cell where lit[c]})",
    ),
    "line": ("ray(<cell>, <way>)", "<#line_of>", "Cell"),
    "areas": ("rows", "columns", "lanes", "lines(2)", "placements(<shape>)", "(rows + columns)"),
    "ways": ("directions", "orthogonal", "diagonal", "{<way>}", "(orthogonal + <way>)", "Direction"),
    "way": ("north", "east", "forward_", "(first <x:ways> in <ways> where <switch>)", "<#ways>"),
    "player": ("who", "me", "<#occupants>", "(first <x:players> in <players> where <switch>)", "opponent",
               "player 1", "left of <player>", "right of <player>", "owner of <man>",
               "owner_at(<cell>)", "occupant[<cell>]", "(first <x:players> in Player where <switch>)", "<#players>",
               "(<player> if <switch> else <player>)"),
    "kind": ("k", "pawn", "king", "kind of <man>", "(first <x:kinds> in Kind where <switch>)", "<#kinds>",
             "(<kind> if <switch> else <kind>)"),
    "man": ("man", "<#army>", "at[<cell>]", "Man(<player>, <kind>, <number>)", "<#men>",
            "(first <x:men> in <men> where <switch>)"),
    "men": ("Man", "men", "{<man>}", "(<men> + <man>)", "{<x:men> in <men> where <switch>}", "(<men> without <men>)"),
    "occupant": ("occupant[<cell>]", "neutral", "<player>", "wide", "(neutral if <switch> else <player>)"),
    "wide": ("wide", "<#wides>", "nobody", "neutral", "<occupant>", "<player>"),
    "mode": ("mode", "easy", "hard", "(first <x:modes> in <modes> where <switch>)"),
    "modes": ("Mode", "modes", "{<mode>}", "{<x:modes> in <modes> where <switch>}"),
    "shape": ("I2", "V3", "(first <x:shapes> in shapes where <switch>)"),
    "numbers": ("digits", "Digit", "bag", "1..3", "(<number>..<number>)", "{<number>}", "{<number>, <number>}",
                "{<number> for <x:cells> in <cells>}", "{<number> for <x:bag> in <bag> where <switch>}",
                "chips[<player>]", "(<numbers> + <numbers>)", "(digits without <numbers>)",
                "(digits also in <numbers>)",
                "{<x:numbers> in <numbers> where <switch>}", "forward[<player>]", "copies(<number>, <number>)"),
    "bag": ("hand[<player>]", "pile", "supply of card", "deck", "{<kind>}", "{<kind>, <kind>}", "(<bag> + <bag>)",
            "(<bag> without <bag>)", "copies(2, <kind>)", "kinds of <bag>", "{<kind> for <x:cells> in <cells>}", "Kind",
            "{<x:bag> in <bag> where <switch>}", "empty", "(<bag> also in <bag>)"),
    "players": ("Player", "team", "{<player>}", "(<players> + <player>)", "{<x:players> in <players> where <switch>}",
                "{owner of m for m in army}", "(Player without team)"),
    "occupants": ("Occupant", "occupants", "{<occupant>}", "<players>", "(<occupants> + <occupants>)",
                  "{<x:occupants> in <occupants> where <switch>}", "(occupants without <players>)"),
    "army": ("army", "{<man>}", "{<man>, <man>}", "<men>", "copies(2, <man>)", "(<army> + <army>)",
             "{<x:army> in <army> where <switch>}", "(army without <army>)"),
    "wides": ("wides", "Wide", "{<wide>}", "<occupants>", "(wides + <wides>)", "{<x:wides> in <wides> where <switch>}"),
    "throws": ("throws", "dice_of", "{<number>, <number>}", "(throws + {<number>})", "bag", "<numbers>"),
    "set": ("<players>", "<occupants>", "<army>", "<wides>", "throws", "ways[<player>]", "<cells>",
            "<men>", "<modes>", "<numbers>", "<bag>", "<areas>", "<line>"),
    "any": ("<number>", "<switch>", "<cell>", "<cells>", "<player>", "<kind>", "<man>", "<men>", "<occupant>", "<wide>",
            "<mode>", "<modes>", "<numbers>", "<bag>", "none", "empty", "<players>", "<occupants>", "<army>",
            "<wides>"),
}
_TARGETS = {
    "n": "number", "z": "number", "b": "switch", "k": "kind", "who": "player", "maybe": "number", "cell": "cell",
    "here": "cell", "man": "man", "wide": "wide", "digits": "numbers", "spots": "cells", "men": "men", "modes": "modes",
    "pile": "bag", "bag": "numbers", "deck": "bag", "at[<cell>]": "man", "lit[<cell>]": "switch",
    "occupant[<cell>]": "occupant", "hand[<player>]": "bag", "chips[<player>]": "numbers", "dice[<number>]": "number",
    "secret[<cell>]": "number", "row_of[<number>, <player>]": "number", "throws": "throws", "army": "army",
    "team": "players", "occupants": "occupants", "wides": "wides", "ways[<player>]": "set",
    "marked[<occupant>]": "number", "near[<man>, <mode>]": "switch",
}
_EFFECTS = ("set", "set", "set", "if", "for", "let", "move", "chance", "step", "seat", "repeat", "add")
_HOLE = re.compile(r"<([a-z]+)>")
_BOUND = re.compile(r"<x:([a-z]+)>")
_LOCAL = re.compile(r"<#([a-z_]+)>")
ODD = 0.03      # how often a part is of any kind, whatever is wanted


class Sentences:
    """Makes sentences, and knows the names that are bound where one is made."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.bound: list[tuple[str, str]] = []
        self.count = 0

    def value(self, kind: str, depth: int) -> str:
        """An expression, most likely of that kind."""
        if self.random.random() < ODD:
            kind = "any"
        forms = [form for form in _FORMS[kind] if depth > 0 or "<" not in form or form.startswith("<#")] or ["none"]
        form = self.random.choice(forms)
        local = _LOCAL.fullmatch(form)
        if local:
            names = [name for name, of in self.bound if of == local[1]]
            return self.random.choice(names) if names else self.value(kind, depth - 1)
        before = len(self.bound)
        bound = _BOUND.search(form)
        if bound:
            self.count += 1
            self.bound.append((f"v{self.count}", bound[1]))
            form = form.replace(bound[0], f"v{self.count}")
        made = _HOLE.sub(lambda hole: self.value(hole[1], depth - 1), form)
        del self.bound[before:]
        return made

    def target(self) -> tuple[str, str]:
        """What may be set, and the kind of its value."""
        form, kind = self.random.choice(list(_TARGETS.items()))
        return _HOLE.sub(lambda hole: self.value(hole[1], 1), form), kind

    def effect(self, depth: int) -> list[str]:
        """A statement among effects, in lines."""
        place, kind = self.target()
        match self.random.choice(_EFFECTS) if depth > 0 else "set":
            case "set":
                return [f"{place} := {self.value(kind, depth)}"]
            case "add":
                return [f"{place} {self.random.choice(('+=', '-='))} {self.value(kind, depth)}"]
            case "if":
                lines = [f"if {self.value('switch', depth)}:", *self.below(depth)]
                return lines + (["else:", *self.below(depth)] if self.random.random() < 0.3 else [])
            case "for":
                of = self.random.choice(("cells", "numbers", "men", "bag", "areas"))
                self.count += 1
                name = f"v{self.count}"
                head = f"for each {name} in {self.value(of, depth)}:"
                self.bound.append((name, of))
                lines = [head, *self.below(depth)]
                self.bound.pop()
                return lines
            case "let":
                of = self.random.choice(("number", "cells", "men", "bag", "player"))
                self.count += 1
                return [f"let v{self.count} = {self.value(of, depth)}", *self.effect(depth - 1)]
            case "move":
                other, _ = self.target()
                what = self.random.choice(("all", self.value(kind, depth)))
                return [f"move {what} from {place} to {other}"]
            case "chance":
                other, _ = self.target()
                return [self.random.choice((f"draw {place} from {self.value('set', 1)}", f"roll {place}", "roll dice",
                                            f"deal {self.value('number', 1)} from {other} to {place}", "shuffle deck"))]
            case "step":
                return [self.random.choice((f"touch({self.value('cell', depth)})",
                                            f"give({self.value('player', 1)}, {self.value('number', depth)})"))]
            case "seat":
                return [f"{self.random.choice(('turn to', 'win', 'out'))} {self.value('player', depth)}"]
        return [f"repeat {self.value('number', 1)} times:", *self.below(depth)]

    def below(self, depth: int) -> list[str]:
        """A statement as a block of its own."""
        return ["  " + line for line in self.effect(depth - 1)]


def rules(random: Random) -> str:
    """A whole game with a few such sentences in it."""
    s = Sentences(random)
    text = GAME.replace("  BOARD", random.choice(BOARDS))
    if "track" in text or "graph" in text or "lattice" in text:
        text = text.replace("north", "forward")
    where = random.randrange(5)
    lines = ["phases:", "  play:", "    actions: [act]", "    after: |"]
    lines += ["      " + line for line in (s.effect(3) if where == 1 else ["next player"])]
    lines += ["    stuck: finish", "actions:", "  act: |"]
    if where == 2:
        kind = random.choice(("cells", "numbers", "men", "bag", "areas", "modes"))
        lines.append(f"    choose v0 in {s.value(kind, 2)}{random.choice((' or none', ''))}")
        s.bound.append(("v0", kind))
        lines.append(f"    require fine: {s.value('switch', 3)}")
    lines += ["    do:", *("      " + line for line in (s.effect(3) if where == 3 else ["n := 1"]))]
    if where == 4:
        lines += [f"    ensure fine: {s.value('switch', 3)}"]
    if where == 0:
        lines += ["setup: |", *("  " + line for line in s.effect(3))]
    lines += [f"rank: {random.choice(('row_of[1, p]', 'n'))}" if where else "rank: row_of[1, p]", "limit: {turns: 6}"]
    return text + "\n".join(lines) + "\n"
