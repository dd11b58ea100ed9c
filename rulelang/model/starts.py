"""How the state begins: values, pictures, maps of values, random starts."""

from __future__ import annotations

from typing import Any

from rulelang.model.constant import MOST_WORK, NotConstant, cost_of, evaluate, options_in
from rulelang.model.convert import MOST_IN_A_SET, convert, expect, plain
from rulelang.model.expressions import condition, expression
from rulelang.model.game import Start
from rulelang.model.ir import E
from rulelang.model.kinds import branch_of, constant_number
from rulelang.model.scope import Context, Local, Scope, suggest
from rulelang.model.types import (
    NOTHING,
    WRONG,
    BagOf,
    DeckOf,
    Maybe,
    Named,
    Number,
    Record,
    SetOf,
    Switch,
    Type,
    Wrong,
    a_,
    bits,
    describe,
    empty_of,
    index_of,
    is_scalar,
    make_record,
    show,
    size_of,
    value_at,
)
from rulelang.source.diagnostic import Place
from rulelang.syntax.trees import Branch, DataList, Entry, Item, Leaf, Syntax

Values = tuple[Any, ...]


def first_value(kind: Type) -> Any:
    """What a variable of that type begins with if nothing is said."""
    match kind:
        case Maybe():
            return None
        case Number(low, high):
            return min(max(0, low), high)
        case Switch():
            return False
        case Named() | Record():
            return 0
    return empty_of(kind)


def entries(index_types: tuple[Type, ...]) -> int:
    """How many entries a variable with these parameters has."""
    total = 1
    for kind in index_types:
        total *= size_of(kind)
    return total


def start_of(
    s: Scope, item: Item | None, name: str, index_types: tuple[Type, ...], slots: tuple[int, ...], params: list[str],
    kind: Type, place: Place,
) -> Start:
    """How a variable begins."""
    count = entries(index_types)
    usual = Start("value", (first_value(kind),) * count)
    if item is None:
        return usual
    if isinstance(item, Branch):
        if "rows" not in item:
            return Start("value", _map(s, item, index_types, kind))
        rows = item.get("rows")
        if s.cell is None or index_types != (s.cell,):
            s.faults.add(item.place, "wrong-form", "only what stands on cells can begin as a picture")
            return usual
        found = picture(s, rows, branch_of(item, "letters"), kind) if isinstance(rows, DataList) else None
        return usual if found is None else Start("value", found)
    if not isinstance(item, Leaf):
        return usual
    x: Syntax = item.value
    if x.kind == "one_each":
        return Start("value", (_one_each(s, kind, x.place),) * count)
    c = Context(f"state.{name}", {}, me=False)
    if x.kind in ("random_", "random_with") and not is_scalar(kind):
        s.faults.add(x.place, "wrong-type", f"{a_(kind)} cannot begin at random", "say `one of each`")
    if x.kind == "random_":
        return Start("random")
    if x.kind == "random_with":
        return Start("random_with", (), condition(s, c, x.parts[0]))
    for param, slot, index in zip(params, slots, index_types, strict=True):
        c.locals[param] = Local(slot, index, place)
    given = expression(s, c, x, kind)
    e = expect(s, c, given, kind, f"the start of `{name}`")
    if isinstance(e.type, Wrong):
        return usual
    if not (isinstance(given.type, Number) and isinstance(plain(kind), Number)):
        given = e      # of numbers the range is tested below, with a better message
    if cost_of(e) * count > MOST_WORK:
        return Start("expr", (), e)
    s.shaping |= options_in(e)
    try:
        values = tuple([evaluate(given, s.settings, dict(zip(slots, index, strict=True)))
                        for index in indices(index_types)])
    except NotConstant:
        return Start("expr", (), e)
    for value in values:
        if not _has_room(kind, value):
            s.faults.add(x.place, "out-of-range",
                         f"`{name}` begins with {show(given.type, value)}, and it is {describe(kind)}")
            break
    return Start("value", values)


def _has_room(kind: Type, value: Any) -> bool:
    """Whether a value is within the range of a type, or no more than it may hold."""
    match kind:
        case Maybe(of):
            return value is None or _has_room(of, value)
        case Number(low, high):
            return value is not None and bool(low <= value <= high)
        case BagOf(_, most):
            return bool(sum(value) <= most)
        case DeckOf(_, most):
            return len(value) <= most
    return True


def indices(index_types: tuple[Type, ...]) -> list[tuple[Any, ...]]:
    """All indices of a variable, in flat order."""
    made: list[tuple[Any, ...]] = [()]
    for kind in index_types:
        made = [(*index, value_at(kind, i)) for index in made for i in range(size_of(kind))]
    return made


def _one_each(s: Scope, kind: Type, place: Place) -> Any:
    match kind:
        case SetOf(of):
            return (1 << size_of(of)) - 1
        case BagOf(of, most, component) | DeckOf(of, most, component):
            each = s.components[component].item["each"] if component is not None else 1
            if each * size_of(of) > most:
                s.faults.add(place, "out-of-range",
                             f"one of each is {each * size_of(of)}, and this holds {most} at most")
            if isinstance(kind, BagOf):
                return (each,) * size_of(of)
            return tuple([value_at(of, i) for i in range(size_of(of)) for _ in range(each)])
    s.faults.add(place, "wrong-type", f"`one of each` fills sets, bags and decks; this is {a_(kind)}")
    return first_value(kind)


# ------------------------------------------------------------------------------------------------ values in data


def data_value(s: Scope, x: Syntax, kind: Type) -> Any:
    """A constant of a table or map. WRONG with a fault otherwise."""
    if x.kind == "one_each":
        return _one_each(s, kind, x.place)
    c = Context("data", {}, me=False)
    e = expression(s, c, x, kind)
    if isinstance(e.type, Wrong):
        return WRONG
    record = plain(kind)
    if isinstance(record, Record) and plain(e.type) != record and e.type != NOTHING:
        made = _partial_record(s, record, plain(e.type), e.data if e.op == "const" else None)
        if made is not None:
            return made
    e = expect(s, c, e, kind, "this value")
    if isinstance(e.type, Wrong):
        return WRONG
    value = known(s, e, "this value must be known before the game starts")
    if value is not WRONG and not _has_room(kind, value):
        s.faults.add(x.place, "out-of-range", f"this is {show(e.type, value)}, and only {describe(kind)} has room here")
        return WRONG
    return value


def known(s: Scope, e: E, message: str, hint: str = "use numbers, words, options and `players`") -> Any:
    """The value of an expression that is known before the game starts; WRONG with a fault if it is not."""
    try:
        if cost_of(e) <= MOST_WORK:
            s.shaping |= options_in(e)
            return evaluate(e, s.settings)
        s.faults.add(e.place, "too-large", "this takes too long to work out before the game starts", "write it smaller")
    except NotConstant:
        s.faults.add(e.place, "not-constant", message, hint)
    return WRONG


def _partial_record(s: Scope, record: Record, kind: Type, value: Any, **others: Any) -> int | None:
    """The record of which one field is given; the others are their first values, or the player given."""
    fields = [n for n, k in record.fields if k == kind]
    if not fields or value is None:
        return None
    values = tuple(value if n == fields[0] else others.get("player", 0) if k == s.seats else value_at(k, 0)
                   for n, k in record.fields)
    return make_record(record, values)


def picture(s: Scope, rows: DataList, letters: Branch | None, kind: Type) -> Values | None:
    """The values of cells from rows of letters, the uppermost row first. `.` is what a cell begins with by itself."""
    assert s.board is not None
    shown = s.board.picture
    texts = [leaf for leaf in rows.items if isinstance(leaf, Leaf)]
    if not shown:
        s.faults.add(rows.place, "wrong-picture", "the cells of this board have no rows and columns to be drawn in",
                     "write the cells by their names: `{red: [a, b]}`")
        return None
    if len(texts) != len(shown):
        s.faults.add(rows.place, "wrong-picture", f"the picture has {len(texts)} rows, and the board {len(shown)}",
                     "the uppermost row stands first, one letter for each cell")
        return None
    values = [first_value(kind)] * len(s.board.names)
    known: dict[str, Any] = {}
    for leaf, cells in zip(texts, shown, strict=True):
        text = str(leaf.value).replace(" ", "")
        if len(text) != len(cells):
            s.faults.add(leaf.place, "wrong-picture",
                         f"this row has {len(text)} letters, and the board {len(cells)} columns")
            return None
        for letter, cell in zip(text, cells, strict=True):
            if letter == "." or cell < 0:
                continue
            if letter not in known:
                known[letter] = _letter(s, letter, letters, kind, leaf.place)
            values[cell] = known[letter]
    return None if any(value is WRONG for value in known.values()) else tuple(values)


def _letter(s: Scope, letter: str, letters: Branch | None, kind: Type, place: Place) -> Any:
    known = {e.name: e for e in letters} if letters is not None else {}
    if letter in "0123456789" and isinstance(plain(kind), Number) and letter not in known:
        return data_value(s, Syntax("int", (int(letter),), place), kind)
    entry, seat = known.get(letter), 0
    if entry is None and (letter.swapcase() in known):
        entry, seat = known[letter.swapcase()], 1
    if entry is None or not isinstance(entry.item, Leaf):
        s.faults.add(place, "wrong-picture", f"the letter `{letter}` is not among `letters:`",
                     suggest(letter, known))
        return WRONG
    x: Syntax = entry.item.value
    record = plain(kind)
    if isinstance(record, Record):
        e = expression(s, Context("data", {}, me=False), x)
        if e.op == "const" and plain(e.type) != record and not isinstance(e.type, Wrong):
            made = _partial_record(s, record, e.type, e.data, player=min(seat, s.players - 1))
            if made is not None:
                return made
    elif isinstance(record, Named) and seat:
        s.faults.add(place, "wrong-picture", f"the letter `{letter}` is not among `letters:`", suggest(letter, known))
        return WRONG
    return data_value(s, x, kind)


def _map(s: Scope, item: Branch, index_types: tuple[Type, ...], kind: Type) -> Values:
    """A map of values: by index (`{player 1: {24: 2}}`), or by value with the cells that have it."""
    values = [first_value(kind)] * entries(index_types)
    given: dict[tuple[int, int], Entry] = {}
    for entry in item:
        _fill(s, entry, index_types, kind, values, 0, 1, entries(index_types), given)
    return tuple(values)


def _fill(
    s: Scope, entry: Entry, index_types: tuple[Type, ...], kind: Type, values: list[Any], at: int, depth: int,
    span: int, given: dict[tuple[int, int], Entry],
) -> None:
    """`given`: by depth and place in `values`, the entry that gave something to it."""
    if not index_types or entry.signature is None:
        s.faults.add(entry.place, "wrong-form", "this map has more levels than there are indices")
        return
    index = index_types[0]
    if index == s.seats and entry.signature.kind == "player" and s.players < entry.signature.parts[0] <= s.most_players:
        return      # for games of more players
    key = _key(s, entry.signature, index)
    if key is not None:
        width = span // size_of(index)
        below = at + index_of(index, key) * width
        _once(s, entry, entry.place, entry.name, given.setdefault((depth, below), entry))
        if isinstance(entry.item, Branch):
            for inner in entry.item:
                _fill(s, inner, index_types[1:], kind, values, below, depth + 1, width, given)
        elif isinstance(entry.item, Leaf):
            value = data_value(s, entry.item.value, kind)
            if value is not WRONG:
                values[below:below + width] = [value] * width
        else:
            s.faults.add(entry.item.place, "wrong-form", f"one value is wanted here, {a_(kind)}")
        return
    if depth > 1 or len(index_types) != 1:
        s.faults.add(entry.place, "wrong-type", f"`{entry.name}` is not {a_(index)}")
        return
    value = data_value(s, entry.signature, kind)
    for leaf in entry.item.items if isinstance(entry.item, DataList) else (entry.item,):
        if not isinstance(leaf, Leaf):
            s.faults.add(leaf.place, "wrong-form", f"`{entry.name}` stands at one place or at a list of places",
                         f"{entry.name}: [a1, b1]")
        elif value is not WRONG:
            for i in _places(s, leaf.value, index):
                values[i] = value
                there = given.setdefault((depth, i), entry)
                if _once(s, entry, leaf.place, show(index, value_at(index, i)), there):
                    break


def _once(s: Scope, entry: Entry, place: Place, name: str, first: Entry) -> bool:
    """Whether a place was given something by another entry already; a fault if so."""
    if first is not entry:
        s.faults.add(place, "twice-named", f"what `{name}` begins with is said already", "say it once",
                     [(f"the first is at {first.place}", first.place)])
    return first is not entry


def _key(s: Scope, x: Syntax, index: Type) -> Any:
    """A key as an index, or None if it is none (then it is a value)."""
    with s.unheard():
        c = Context("data", {}, me=False)
        e = expression(s, c, x, index)
        made = None if isinstance(e.type, Wrong) or x.kind == "lines_span" else convert(s, c, e, index)
        value = None if made is None or isinstance(made.type, Wrong) else known(s, made, "")
    return None if value is WRONG else value


def _places(s: Scope, x: Syntax, index: Type) -> list[int]:
    """The indices that a map of values gives a value to."""
    if x.kind == "lines_span":
        return _lines(s, x, index)
    if size_of(index) > MOST_IN_A_SET:
        s.faults.add(x.place, "too-large", f"places among {size_of(index):,} are too many to be written so")
        return []
    c = Context("data", {}, me=False)
    if x.kind == "int" and index == s.seats:
        s.faults.add(x.place, "wrong-type",
                     f"where a value stands must be a player, and this is the number {x.parts[0]}",
                     "a seat is written `player 1`, its value behind it: `{player 1: 3, player 2: 4}`")
        return []
    e = expect(s, c, expression(s, c, x, SetOf(index)), SetOf(index), "where a value stands")
    if isinstance(e.type, Wrong):
        return []
    found = known(s, e, "this must be known before the game starts")
    return [] if found is WRONG else bits(found)


def _lines(s: Scope, x: Syntax, index: Type) -> list[int]:
    """The cells of `rows 1..3` or `columns 2..2`."""
    word = x.parts[0]
    if s.board is None or index != s.cell or word not in s.board_words:
        s.faults.add(x.place, "no-board", f"there are no {word} here", "write the places by their names")
        return []
    low, high = (constant_number(s, n) for n in x.parts[1:])
    if low is None or high is None:
        return []
    spans = s.board.row if word == "rows" else s.board.column
    if low > high or low < min(spans) or high > max(spans):
        s.faults.add(x.place, "out-of-range", f"there are {word} {min(spans)}..{max(spans)} on this board")
    return [i for i, n in enumerate(spans) if low <= n <= high]


def table_values(s: Scope, item: Item, index_types: tuple[Type, ...], kind: Type) -> Values | None:
    """The values of a table in flat order, from lists as deep as it has indices, or from a map."""
    if isinstance(item, Branch):
        return _map(s, item, index_types, kind)
    found: list[Any] = []
    ok = _flatten(s, item, index_types, kind, found)
    return tuple(found) if ok else None


def _flatten(s: Scope, item: Item, index_types: tuple[Type, ...], kind: Type, found: list[Any]) -> bool:
    if not index_types:
        if not isinstance(item, Leaf):
            s.faults.add(item.place, "wrong-form", "this table has more levels than indices")
            return False
        value = data_value(s, item.value, kind)
        found.append(value)
        return value is not WRONG
    if not isinstance(item, DataList):
        s.faults.add(item.place, "wrong-form",
                     f"a list is wanted here, with a value for each {describe(index_types[0])}")
        return False
    wanted = size_of(index_types[0])
    if index_types[0] == s.seats and len(item.items) == s.most_players:
        item = DataList(item.items[:wanted], item.place)      # the others are for games of more players
    if len(item.items) != wanted:
        s.faults.add(item.place, "wrong-count",
                     f"this list has {len(item.items)} values, and there are {wanted} of {describe(index_types[0])}")
        return False
    sound = [_flatten(s, one, index_types[1:], kind, found) for one in item.items]
    return all(sound)
