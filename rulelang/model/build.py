"""From a merged document to the checked game: every section in its order, every fault collected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from rulelang.model import board as boards
from rulelang.model import bodies, builtins, declare, examples, flow, kinds, material, view
from rulelang.model.constant import NotConstant, evaluate
from rulelang.model.expressions import condition, number
from rulelang.model.game import Assumption, Game, Option
from rulelang.model.ir import E
from rulelang.model.kinds import branch_of, text_of, texts_of
from rulelang.model.scope import Context, Scope, Symbol, suggest
from rulelang.model.sentences import EFFECTS, EXPRESSIONS
from rulelang.model.types import Named, Number
from rulelang.model.whole import Whole, check_whole
from rulelang.source.diagnostic import NOWHERE, Faults, Place
from rulelang.syntax.trees import Branch, Entry, Leaf

MOST_PLAYERS = 16


def player_counts(document: Branch, faults: Faults) -> tuple[int, ...]:
    """How many may play."""
    leaf = document.get("players")
    if not isinstance(leaf, Leaf):
        faults.add(document.place, "missing", "a game needs `players:`", "players: 2..4")
        return ()
    kind, *rest = leaf.value
    low, high = (len(rest[0]),) * 2 if kind == "names" else rest
    if not 1 <= low <= high <= MOST_PLAYERS:
        span = f"{low}" if low == high else f"{low}..{high}"
        faults.add(leaf.place, "out-of-range", f"a game is for 1 to {MOST_PLAYERS} players, not {span}")
        return ()
    return tuple(range(low, high + 1))


def usual_players(document: Branch) -> int:
    """How many play if nobody says: the smallest number from 2 on."""
    counts = player_counts(document, Faults())
    return next((n for n in counts if n >= 2), counts[0] if counts else 2)


def options_of(document: Branch, faults: Faults) -> tuple[Option, ...]:
    """The options that a document declares, without anything else."""
    s = Scope(faults, 2, {}, forms=EXPRESSIONS, effects=EFFECTS)
    builtins.declare_words(s)
    s.seats = Named("Player", ("player 1", "player 2"))
    kinds.declare_types(s, _only_names(branch_of(document, "types")))
    _below(s, branch_of(document, "types"))
    return tuple(declare.declare_options(s, branch_of(document, "options") or Branch((), NOWHERE)))


def _only_names(section: Branch | None) -> Branch:
    entries = () if section is None else tuple(
        e for e in section if isinstance(e.item, Leaf) and e.item.kind == "names")
    return Branch(entries, NOWHERE)


def _below(s: Scope, types: Branch | None) -> None:
    """Say of the types that are not there yet that options cannot use them."""
    s.below = {e.name: e.place for e in types or () if e.name not in s.symbols}
    s.above = "options come before all types but lists of names: write the range itself"


def _named_by_options(types: Branch | None, options: Branch | None) -> Branch:
    """The lists of names that options are of: these come before everything that options may decide."""
    wanted: set[str] = set()
    for entry in options or ():
        leaf = entry.item.get("type") if isinstance(entry.item, Branch) else None
        base = leaf.value.parts[0] if isinstance(leaf, Leaf) and leaf.value.kind == "type" else None
        if base is not None and base.kind == "t_name":
            wanted.add(base.parts[0])
    return Branch(tuple(e for e in _only_names(types) if e.name in wanted), NOWHERE)


def build(document: Branch, players: int, settings: Mapping[str, Any], faults: Faults,
          mine: frozenset[str] = frozenset(), lost: frozenset[str] = frozenset()) -> tuple[Game | None, frozenset[str]]:
    """The checked game for so many players and these settings (each option's value), or None with faults.

    `mine` are the files whose unused parts are faults; `lost` the names in what could not be read. The second value
    names the options that types, sizes and the board depend on: games that differ only in the others are checked
    alike.
    """
    s = Scope(faults, players, settings, forms=EXPRESSIONS, effects=EFFECTS, lost=set(lost))
    game = None
    try:
        game = _game(s, document, mine)
    except RecursionError:      # what is nested within bounds everywhere, but in too many ways at once
        faults.add(document.place, "too-deep", "these rules are nested too deep to be checked",
                   "write the deepest sentences flatter")
    return (None if faults else game), frozenset(s.shaping)


def _game(s: Scope, document: Branch, mine: frozenset[str]) -> Game:
    """Every section in its order."""
    builtins.declare_words(s)
    _seats(s, document)
    early = _named_by_options(branch_of(document, "types"), branch_of(document, "options"))
    kinds.declare_types(s, early)
    _below(s, branch_of(document, "types"))
    options = declare.declare_options(s, branch_of(document, "options") or Branch((), NOWHERE))
    sections = {name: branch_of(document, name) or Branch((), document.place) for name in (
        "types", "components", "shapes", "board", "tables", "state", "define", "steps", "invariants", "assume")}
    s.ahead = frozenset(e.name for section in ("state", "define", "steps") for e in sections[section])
    if sections["shapes"].entries:
        boards.declare_shapes(s, sections["shapes"])
    if isinstance(document.get("board"), Branch):
        boards.declare_board(s, sections["board"])
    elif s.is_lost("board"):
        boards.lose_board(s, sections["board"])
    s.above = ""
    kinds.declare_types(s, Branch(tuple(e for e in sections["types"] if e.name not in early), NOWHERE))
    infos = declare.declare_components(s, sections["components"])
    if s.board is not None:
        boards.declare_areas(s, sections["board"])
        boards.declare_paint(s, sections["board"])
    declare.declare_tables(s, sections["tables"])
    declare.declare_state(s, sections["state"], sections["components"])
    declare.declare_bodies(s, sections["define"], "define")
    declare.declare_bodies(s, sections["steps"], "step")
    s.phases = {e.name: i for i, e in enumerate(branch_of(document, "phases") or ())}
    s.positions = {e.name: i for i, e in enumerate(branch_of(document, "positions") or ())}
    s.position_parts = {e.name: tuple(leaf.value for leaf in texts_of(e.item))
                        for e in branch_of(document, "positions") or ()}
    declare.finish_state(s, sections["state"])
    components = declare.finish_components(s, infos)
    return _rest(s, document, sections, options, components, mine)


def _seats(s: Scope, document: Branch) -> None:
    leaf = document.get("players")
    s.most_players = max((s.players, *player_counts(document, Faults())))
    names: tuple[str, ...] = tuple(f"player {i + 1}" for i in range(s.players))
    if isinstance(leaf, Leaf) and leaf.value[0] == "names":
        names = tuple(one.value for one in leaf.value[1])
    s.seats = Named("Player", names)
    s.symbols["Player"] = Symbol("type", "Player", NOWHERE, None, s.seats)
    if isinstance(leaf, Leaf) and leaf.value[0] == "names":
        for one in kinds.sound_words(s, leaf.value[1]):
            s.declare(Symbol("word", one.value, one.place, names.index(one.value), s.seats))
    s.teams = _teams(s, document.entry("teams"))


def _teams(s: Scope, section: Entry | None) -> tuple[tuple[int, ...], ...]:
    """The seats of each team. Each seat is in one team."""
    teams: list[tuple[int, ...]] = []
    first: dict[int, Place] = {}
    sound = True
    for entry in section.item if section is not None and isinstance(section.item, Branch) else ():
        members = []
        for one in texts_of(entry.item):
            index = _seat_named(s, one.value, s.most_players)
            if index is None:
                sound = False
                s.faults.add(one.place, "unknown-player", f"there is no seat `{one.value}`",
                             suggest(one.value, s.seats.members))
            elif index in first:
                s.faults.add(one.place, "twice-named", f"`{one.value}` is in a team already",
                             "each seat is in one team", [(f"the first is at {first[index]}", first[index])])
            else:
                first[index] = one.place
                if index < s.players:
                    members.append(index)
        teams.append(tuple(members))
    alone = [name for i, name in enumerate(s.seats.members) if i not in first]
    if section is not None and first and alone and sound:
        s.faults.add(section.place, "missing", f"`{alone[0]}` is in no team",
                     f"each seat is in one team, if need be alone: `lone: [{alone[0]}]`")
    return tuple(teams)


def _seat_named(s: Scope, text: str, most: int) -> int | None:
    if text in s.seats.members:
        return s.seats.members.index(text)
    digits = text.removeprefix("player ")
    return int(digits) - 1 if re.fullmatch("[0-9]{1,3}", digits) and 1 <= int(digits) <= most else None


def _rest(s: Scope, document: Branch, sections: Mapping[str, Branch], options: list[Option],
          components: list[Any], mine: frozenset[str]) -> Game:
    setup = flow.effects(s, document, "setup", "setup", me=False, exits=flow.OUTSIDE)
    turn, round_ = branch_of(document, "turn"), branch_of(document, "round")
    phases, actions = flow.phases_and_actions(s, document)
    starts = text_of(turn, "starts") or (phases[0].name if phases else "")
    if phases and starts not in s.phases:
        leaf = turn.get("starts") if turn is not None else None
        place = leaf.place if leaf is not None else document.place
        s.faults.add(place, "unknown-name", f"unknown phase `{starts}`", suggest(starts, s.phases))
        starts = phases[0].name
    turn_begin, turn_end = (flow.effects(s, turn, name, "turn", exits=flow.OUTSIDE) for name in ("begin", "end"))
    round_begin = flow.effects(s, round_, "begin", "round", me=False, exits=flow.OUTSIDE)
    round_end = flow.effects(s, round_, "end", "round", me=False, exits=flow.ROUND_END)
    ends = flow.ends(s, branch_of(document, "end"))
    ranks, result = flow.ranks(s, document)
    for symbol in [sym for sym in s.symbols.values() if sym.kind == "define"]:
        bodies.define_of(s, symbol)
    for symbol in [sym for sym in s.symbols.values() if sym.kind == "step"]:
        bodies.step_of(s, symbol)
    limit = _limit(s, branch_of(document, "limit"))
    clock = _clock(s, branch_of(document, "clock"))
    invariants = tuple((e.name, condition(s, Context("invariants", me=False), e.item.value))
                       for e in sections["invariants"] if isinstance(e.item, Leaf))
    positions = flow.positions(s, branch_of(document, "positions"))
    shown = view.view(s, branch_of(document, "view"), sections["state"], mine)
    assumptions = _assumptions(s, sections["assume"])
    plain = all(s.settings[o.name] == o.start for o in options)
    made_examples = examples.examples(s, _own(branch_of(document, "examples"), mine), usual_players(document), plain)
    if not s.faults:
        whole = Whole(phases, actions, starts, (setup, turn_begin, turn_end, round_begin, round_end), ends,
                      limit is not None, bool(ranks) or result is not None)
        check_whole(s, document, whole, mine)
    title = document.get("game")
    return material.with_supplies(s, Game(
        title.value if isinstance(title, Leaf) else "untitled", s.seats.members, s.teams,
        tuple(options), dict(s.settings), s.board, dict(s.shape_cells),
        {n: sym.type for n, sym in s.symbols.items() if sym.kind == "type"}, tuple(s.variables), tuple(components),
        tuple(s.tables), tuple(s.defines), tuple(s.steps), len(s.slots), tuple(s.slots), setup,
        s.phases.get(starts, 0), turn_begin, turn_end, round_begin, round_end, phases, actions, ends, ranks, result,
        positions, limit, clock, invariants, shown, assumptions, made_examples))


def _own(section: Branch | None, mine: frozenset[str]) -> Branch | None:
    """The examples of the file itself: those of a file that it extends speak of another game."""
    if section is None or not mine:
        return section
    return Branch(tuple(e for e in section if e.place.file in mine), section.place)


def _limit(s: Scope, section: Branch | None) -> tuple[E, Any] | None:
    if section is None:
        return None
    leaf = section.get("turns")
    if not isinstance(leaf, Leaf):
        s.faults.add(section.place, "missing", "a limit says how many `turns:` there are at most")
        return None
    turns = number(s, Context("limit", me=False), leaf.value)
    _at_least(s, turns, 1, "a game has one turn at least", "to have no limit, leave the section out")
    return turns, flow.effects(s, section, "then", "limit", exits=flow.ENDING)


def _at_least(s: Scope, e: E, least: int, why: str, hint: str) -> None:
    """A fault if a number is too low with the options as they are, or whatever happens."""
    if not isinstance(e.type, Number):
        return
    found = e.type.high
    with suppress(NotConstant):
        found = evaluate(e, s.settings)
    if found < least:
        s.faults.add(e.place, "out-of-range", f"{why}, and this is {found}", hint)


def _clock(s: Scope, section: Branch | None) -> tuple[E, Any] | None:
    if section is None:
        return None
    each = section.get("each")
    seconds = number(s, Context("clock", me=False), each.value) if isinstance(each, Leaf) else \
        E("const", Number(0, 0), (), 0)
    _at_least(s, seconds, 0, "no clock has less than 0 seconds", "0 is no clock")
    return seconds, flow.effects(s, section, "out", "clock") or ()


def _assumptions(s: Scope, section: Branch) -> tuple[Assumption, ...]:
    made = []
    for entry in section:
        item = entry.item if isinstance(entry.item, Branch) else None
        option = text_of(item, "option") or None
        if option is not None and (option not in s.symbols or s.symbols[option].kind != "option"):
            leaf = item.get("option") if item is not None else None
            place = entry.place if leaf is None else leaf.place
            s.faults.add(place, "unknown-option", f"there is no option `{option}`",
                         suggest(option, [n for n, sym in s.symbols.items() if sym.kind == "option"]))
        made.append(Assumption(entry.name, text_of(item, "says"), text_of(item, "because"), option, entry.place))
    return tuple(made)
