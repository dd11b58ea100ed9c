"""What each section may hold: the one table behind reading, suggestions for misspelt keys, and the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """What may stand at a place of a rules file. `takes` completes "here stands …"; `example` works as it is."""

    takes: str
    example: str


@dataclass(frozen=True, slots=True)
class Text(Form):
    """A scalar that is not parsed: `Leaf` text."""


@dataclass(frozen=True, slots=True)
class Number(Form):
    """A scalar of digits: `Leaf` text."""


@dataclass(frozen=True, slots=True)
class Sentence(Form):
    """A scalar that is parsed, with `start` as the grammar's start symbol (or template): a `Leaf` of that kind."""

    start: str


@dataclass(frozen=True, slots=True)
class Block(Form):
    """Effects: `Leaf` block. In an overlay also `{first, then}`."""


@dataclass(frozen=True, slots=True)
class Clauses(Form):
    """An action's rule: `Rule`. In an overlay also a map of its clauses."""


@dataclass(frozen=True, slots=True)
class Names(Form):
    """A list of words: `Leaf` names. In an overlay also `{add, drop}`."""


@dataclass(frozen=True, slots=True)
class Listed(Form):
    """A list of `of`: `DataList`. In an overlay also `{add, drop}`. If `single`, one alone is a list of one."""

    of: Form
    single: bool = False


@dataclass(frozen=True, slots=True)
class Section(Form):
    """A map with known keys: `Branch`. What is no map is read as `{short: it}` where `short` is said."""

    keys: Mapping[str, Form]
    short: str = ""


@dataclass(frozen=True, slots=True)
class Named(Form):
    """A map by names of the author's: `Branch`. `keys`: name, decl, sig, data, text, or option (an overlay's)."""

    of: Form
    keys: str = "name"


@dataclass(frozen=True, slots=True)
class Choice(Form):
    """A form for each kind of YAML node; None where that kind may not stand."""

    scalar: Form | None = None
    sequence: Form | None = None
    mapping: Form | None = None


@dataclass(frozen=True, slots=True)
class Players(Form):
    """`2`, `2..4` or the seats' names: `Leaf` players."""


@dataclass(frozen=True, slots=True)
class Size(Form):
    """Numbers between `x`, and a last word: `Leaf` size."""


@dataclass(frozen=True, slots=True)
class Data(Form):
    """A value, or lists and maps of values in each other."""


@dataclass(frozen=True, slots=True)
class Start(Form):
    """A start: a sentence, a picture of rows, or a map of values."""


@dataclass(frozen=True, slots=True)
class Illegal(Form):
    """Moves that must be refused: a map from move to clause or sentence, or a list."""


@dataclass(frozen=True, slots=True)
class Variant(Form):
    """A variant: its own keys, and any section in overlay form."""


TEXT = Text("a text", "says: the joker may be a sixth card")
WORD = Text("a word", "each: box")
EXPR = Sentence("an expression", "then: count of stones = 72", "expr")
TYPE = Sentence("a type", "type: 0..9", "type")
UNION = Sentence("a type", "Digit: 1..9", "union")
TEMPLATE = Sentence("a text with `{expression}` in it", 'write: "{from}{to}"', "template")
DATUM = Sentence("a value", "P: pawn", "data")
BLOCK = Block("a block of statements", "after: |\n  next player")
NAMES = Names("a list of names", "actions: [place, pass]")
ROWS = Listed("a list of texts", 'rows: ["#.", "##"]', TEXT)
START = Start("a value", "start: 5")
DATA = Data("a value, or a list or map of values", "is: [north, south]")
LETTERS = Named("a map from letters to values", "letters: {P: pawn, N: knight}", DATUM, "text")
TEXT_BY_NAME = Named("a map from names to texts", "set: {chase: on}", TEXT, "text")

_MOMENTS = "a map of blocks"
_TURN = Section(_MOMENTS, "turn:\n  end: |\n    drawn := none", {"starts": WORD, "begin": BLOCK, "end": BLOCK})

SECTIONS: dict[str, Form] = {
    "rulelang": Number("the language's version", "rulelang: 1"),
    "game": TEXT,
    "extends": Text("a file or a built-in game", "extends: kakuzu"),
    "include": Named("a map from sections to files", "include: {board: blox-board.rules}", TEXT, "section"),
    "sources": Listed("a list of texts", "sources: [the publisher's rulebook]", TEXT),
    "players": Players("a number, a range or the seats' names", "players: 2..4"),
    "teams": Named("a map from teams to seats", "teams: {north_south: [north, south]}", NAMES),
    "assume": Named("a map of readings", "assume:\n  opening: {says: the boxes may be opened in any order}", Section(
        "a map with `says`, `because` and `option`", "opening: {says: in any order, because: the rulebook is silent}",
        {"says": TEXT, "because": TEXT, "option": WORD},
    )),
    "options": Named("a map of options", "options:\n  seven: {type: 3..40, start: 7}", Section(
        "a map with `type`, `start` and `says`", "seven: {type: 3..40, start: 7}",
        {"type": TYPE, "start": START, "says": TEXT}, "type",
    )),
    "types": Named("a map of types", "types:\n  Color: [gray, white]", Choice(
        "names, a type or a record's fields", "Color: [gray, white]",
        UNION, NAMES, Named("a record's fields", "Man: {owner: Player, kind: Kind}", UNION),
    )),
    "components": Named("a map of the box's material", "components:\n  card: {kinds: Color, each: 15}", Section(
        "a map with `kinds` and `each`", "card: {kinds: Color, each: 15}", {"kinds": EXPR, "each": EXPR},
    )),
    "tables": Named("a map of tables", "tables:\n  home[p of Player]: {type: 1..8, is: [1, 8]}", Section(
        "a map with `type` and `is`", "home[p of Player]: {type: 1..8, is: [1, 8]}",
        {"type": TYPE, "is": DATA},
    ), "decl"),
    "board": Section("a map that describes the board", "board:\n  grid: 8x8", {
        "grid": Size("a size", "grid: 8x8"), "hexes": Size("a size", "hexes: 11x11 rhombus"),
        "track": Size("a length", "track: 24"), "lattice": Size("a size", "lattice: 3x3x32"),
        "graph": Section("a map with `points`", "graph:\n  points:\n    a: [b]", {
            "points": Named("a map from points to their neighbours", "points:\n  a: [b, c]", NAMES, "text"),
        }),
        "spaces": EXPR, "names": WORD, "letters": LETTERS,
        "areas": Named("a map of areas", "areas: {boxes: {of: blocks of 3x3, each: box}}", Choice(
            "an expression, a list of areas, or a map with `of` and `each`", 'north_edge: "row = 1"', EXPR,
            Listed("a list of areas", "mills: [a7 d7 g7, b6 d6 f6]", TEXT),
            Section("a map with `of` and `each`", "boxes: {of: blocks of 3x3, each: box}", {"of": TEXT, "each": WORD}),
        )),
        "paint": Named("a map of painted layers", "paint:\n  color: {type: Color, rows: [KPW, WGP, GKW]}", Section(
            "a map with `type` and `rows`", "color: {type: Color, rows: [KPW, WGP, GKW]}",
            {"type": TYPE, "rows": ROWS, "letters": LETTERS},
        )),
    }),
    "shapes": Named("a map of shapes", 'shapes:\n  V3: ["#.", "##"]', ROWS, "text"),
    "state": Named("a map of state variables", "state:\n  stone[c of Cell]: Player or none", Section(
        "a type, or a map with `type`, `start`, `seen` and `size seen`", "won: {type: 0..81, start: 0}",
        {"type": TYPE, "start": START, "seen": EXPR, "size seen": EXPR}, "type",
    ), "decl"),
    "define": Named("a map of definitions", "define:\n  done(d of Digit): shown(d) = 9", EXPR, "sig"),
    "steps": Named("a map of named effects", "steps:\n  spend(d of Die): |\n    used += 1", BLOCK, "sig"),
    "setup": BLOCK,
    "turn": _TURN,
    "round": _TURN,
    "phases": Named("a map of phases", "phases:\n  play:\n    actions: [place]", Section(
        "a map that describes the phase", "play:\n  actions: [place]\n  after: next player",
        {
            "who": EXPR, "begin": BLOCK, "actions": NAMES, "must": NAMES,
            "chain": Text("the words `one move`", "chain: one move"),
            "best": Listed("a list of expressions", "best: [used, pips]", EXPR), "after": BLOCK, "stuck": BLOCK,
        },
    )),
    "actions": Named("a map of actions", "actions:\n  pass: |\n    do:\n      passes += 1", Section(
        "a rule, or a map with `says`, `rule` and `write`", "pass: |\n  do:\n    passes += 1",
        {"says": TEXT, "rule": Clauses("a rule", "rule: |\n  do:\n    passes += 1"), "write": TEMPLATE}, "rule",
    )),
    "end": Named("a map of endings", "end:\n  cleared: {when: stones is empty}", Section(
        "a map with `when` and `then`", "cleared: {when: stones is empty, then: tie}", {"when": EXPR, "then": BLOCK},
    )),
    "rank": Listed("what counts, or a list of it", "rank: [score, blocks]",
                   Sentence("what counts", "rank: lowest score", "rank"), True),
    "result": EXPR,
    "positions": Named("a map from names to parts of the state", "positions:\n  board: [stone]", NAMES),
    "limit": Section(
        "a map with `turns` and `then`", "limit: {turns: 1000, then: tie}", {"turns": EXPR, "then": BLOCK},
    ),
    "clock": Section("a map with `each` and `out`", "clock:\n  each: 300", {"each": EXPR, "out": BLOCK}),
    "invariants": Named("a map of conditions", "invariants:\n  hands: count of pile <= 60", EXPR, "text"),
    "view": Section("a map with `cell` and `panel`", 'view:\n  cell: {glyph: "{digit or o}"}', {
        "cell": Section("a map with `glyph`, `letters` and `colour`", 'cell: {glyph: "{digit or o}"}', {
            "glyph": TEMPLATE,
            "letters": Named("a map from values to letters", "letters: {pawn: P}", TEXT, "data"),
            "colour": Named("a map from values to colours", "colour: {gray: bright_black}", TEXT, "data"),
            "ground": Text("the name of a layer whose colours fill the cells", "ground: color"),
        }),
        "areas": Text("the name of areas that are drawn apart", "areas: boxes"),
        "panel": Named("a map from labels to expressions", "panel: {left: count of pile}", EXPR, "text"),
    }),
    "examples": Named("a map of examples", "examples:\n  a first move:\n    play: [a1]", Section(
        "a map that describes the example", "a first move:\n  play: [a1]\n  then: moves_made = 1",
        {
            "players": Number("a number", "players: 2"), "set": TEXT_BY_NAME, "variant": NAMES,
            "from": Text("another example's title", "from: a first move"), "seed": Number("a number", "seed: 7"),
            "given": BLOCK, "play": Listed("a list of moves", "play: [a1, d1]", TEXT),
            "chance": Named("a map from draws to what they give", "chance: {drawn: [5, 0]}",
                            Listed("a list of values", "drawn: [5, 0]", DATUM)),
            "legal": Listed("a list of moves", "legal: [a1, d1]", TEXT),
            "illegal": Illegal("a map from moves to the clause that refuses them", "illegal: {step 12 16: jump}"),
            "then": EXPR,
        },
    ), "text"),
    "variants": Named("a map of variants", "variants:\n  chase: {says: the same again, set: {chase: on}}", Variant(
        "a map with `says`, `set` and sections", "chase: {says: the same digit again, set: {chase: on}}",
    ), "text"),
}

VARIANT_KEYS: dict[str, Form] = {
    "says": TEXT, "set": TEXT_BY_NAME,
    "not with": Names("a list of variants", "not with: [announce]"),
    "when": Names("a list of variants", "when: [chase, clock]"),
}
# a variant may hold any section but those that make no sense in it
_NOT_IN_VARIANTS = ("rulelang", "extends", "include", "variants")
VARIANT = Section(
    "a map with `says`, `set` and sections", "chase: {says: the same digit again, set: {chase: on}}",
    {**VARIANT_KEYS, **{key: form for key, form in SECTIONS.items() if key not in _NOT_IN_VARIANTS}},
)
DOCUMENT = Section("a map of sections", "players: 2", SECTIONS)
PICTURE = Section("a picture", "start: {letters: {P: pawn}, rows: [PPP, ..., ...]}", {"letters": LETTERS, "rows": ROWS})
