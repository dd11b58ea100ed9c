"""How the state begins: values, pictures, maps of values, random starts."""

from __future__ import annotations

from typing import Any

from rulelang.model.constant import NotConstant, evaluate
from rulelang.model.convert import convert, expect, plain
from rulelang.model.expressions import condition, expression
from rulelang.model.game import Start
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
    bits,
    describe,
    empty_of,
    index_of,
    is_scalar,
    make_record,
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
    if item is None:
        return Start("value", (first_value(kind),) * count)
    if isinstance(item, Branch):
        if "rows" in item:
            rows = item.get("rows")
            if index_types != (s.cell,):
                s.faults.add(place, "wrong-form", "only what stands on cells can begin as a picture")
                return Start("value", (first_value(kind),) * count)
            found = picture(s, rows, branch_of(item, "letters"), kind) if isinstance(rows, DataList) else None
            return Start("value", found or (first_value(kind),) * count)
        return Start("value", _map(s, item, index_types, kind))
    if isinstance(item, DataList):
        return Start("value", table_values(s, item, index_types, kind) or (first_value(kind),) * count)
    x: Syntax = item.value  # type: ignore[union-attr]
    if x.kind == "one_each":
        return Start("value", (_one_each(s, kind, place),) * count)
    if x.kind == "random_":
        if not is_scalar(kind):
            s.faults.add(x.place, "wrong-type", f"a {describe(kind)} cannot begin at random", "say `one of each`")
        return Start("random")
    c = Context(f"state.{name}", {}, me=False)
    for param, slot, index in zip(params, slots, index_types, strict=True):
        c.locals[param] = Local(slot, index, place)
    if x.kind == "random_with":
        if not is_scalar(kind):
            s.faults.add(x.place, "wrong-type", f"a {describe(kind)} cannot begin at random", "say `one of each`")
        return Start("random_with", (), condition(s, Context(f"state.{name}", {}, me=False), x.parts[0]))
    e = expect(s, c, expression(s, c, x, kind), kind, f"the start of `{name}`")
    if isinstance(e.type, Wrong):
        return Start("value", (first_value(kind),) * count)
    try:
        values = tuple(evaluate(e, s.settings, dict(zip(slots, index, strict=True))) for index in indices(index_types))
    except NotConstant:
        return Start("expr", (), e)
    if isinstance(plain(kind), Number):
        span = plain(kind)
        for value in values:
            if value is not None and not span.low <= value <= span.high:  # type: ignore[attr-defined]
                s.faults.add(x.place, "out-of-range", f"`{name}` begins with {value}, and it is {describe(kind)}")
                break
    return Start("value", values)


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
        case BagOf(of, most, component):
            each = s.components[component].item["each"] if component is not None else 1
            if each * size_of(of) > most:
                s.faults.add(place, "out-of-range", f"one of each is {each * size_of(of)}, and this holds {most} at most")
            return (each,) * size_of(of)
        case DeckOf(of, _):
            return tuple(value_at(of, i) for i in range(size_of(of)))
    s.faults.add(place, "wrong-type", f"`one of each` fills sets, bags and decks; this is a {describe(kind)}")
    return first_value(kind)


# ------------------------------------------------------------------------------------------------ values in data


def data_value(s: Scope, x: Syntax, kind: Type) -> Any:
    """A constant of a table or map. WRONG with a fault otherwise."""
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
    try:
        return evaluate(e, s.settings)
    except NotConstant:
        s.faults.add(x.place, "not-constant", "this value must be known before the game starts")
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
    if len(texts) != len(shown):
        s.faults.add(rows.place, "wrong-picture", f"the picture has {len(texts)} rows, and the board {len(shown)}")
        return None
    values = [first_value(kind)] * len(s.board.names)
    for leaf, cells in zip(texts, shown, strict=True):
        text = str(leaf.value).replace(" ", "")
        if len(text) != len(cells):
            s.faults.add(leaf.place, "wrong-picture", f"this row has {len(text)} letters, and the board {len(cells)} columns")
            return None
        for letter, cell in zip(text, cells, strict=True):
            if letter == "." or cell < 0:
                continue
            value = _letter(s, letter, letters, kind, leaf.place)
            if value is WRONG:
                return None
            values[cell] = value
    return tuple(values)


def _letter(s: Scope, letter: str, letters: Branch | None, kind: Type, place: Place) -> Any:
    known = {e.name: e for e in letters} if letters is not None else {}
    if letter.isdigit() and isinstance(plain(kind), Number) and letter not in known:
        return int(letter)
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
    for entry in item:
        _fill(s, entry, index_types, kind, values, 0, 1, entries(index_types))
    return tuple(values)


def _fill(
    s: Scope, entry: Entry, index_types: tuple[Type, ...], kind: Type, values: list[Any], at: int, depth: int, span: int,
) -> None:
    if not index_types or entry.signature is None:
        s.faults.add(entry.place, "wrong-form", "this map has more levels than the variable has indices")
        return
    index = index_types[0]
    key = _key(s, entry.signature, index)
    if key is not None:
        width = span // size_of(index)
        below = at + index_of(index, key) * width
        if isinstance(entry.item, Branch):
            for inner in entry.item:
                _fill(s, inner, index_types[1:], kind, values, below, depth + 1, width)
        elif isinstance(entry.item, Leaf):
            value = data_value(s, entry.item.value, kind)
            if value is not WRONG:
                values[below:below + width] = [value] * width
        return
    if depth > 1 or len(index_types) != 1:
        s.faults.add(entry.place, "wrong-type", f"`{entry.name}` is not a {describe(index)}")
        return
    value = data_value(s, entry.signature, kind)
    for leaf in entry.item.items if isinstance(entry.item, DataList) else (entry.item,):
        if value is not WRONG and isinstance(leaf, Leaf):
            for i in _places(s, leaf.value, index):
                values[i] = value


def _key(s: Scope, x: Syntax, index: Type) -> Any:
    """A key as an index, or None if it is none (then it is a value)."""
    before = list(s.faults.found)
    c = Context("data", {}, me=False)
    e = expression(s, c, x, index)
    made = None if isinstance(e.type, Wrong) else convert(s, c, e, index)
    s.faults.found[:] = before
    if made is None or isinstance(made.type, Wrong):
        return None
    try:
        return evaluate(made, s.settings)
    except NotConstant:
        return None


def _places(s: Scope, x: Syntax, index: Type) -> list[int]:
    """The indices that a map of values gives a value to."""
    if x.kind == "lines_span" and s.board is not None:
        low, high = (n if isinstance(n, int) else constant_number(s, n) for n in x.parts[1:])
        spans = s.board.row if x.parts[0] == "rows" else s.board.column
        return [i for i, n in enumerate(spans) if low is not None and high is not None and low <= n <= high]
    c = Context("data", {}, me=False)
    e = expect(s, c, expression(s, c, x, SetOf(index)), SetOf(index), "where a value stands")
    try:
        return [] if isinstance(e.type, Wrong) else bits(evaluate(e, s.settings))
    except NotConstant:
        s.faults.add(x.place, "not-constant", "this must be known before the game starts")
        return []


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
        s.faults.add(item.place, "wrong-form", f"a list is wanted here, with a value for each {describe(index_types[0])}")
        return False
    wanted = size_of(index_types[0])
    if len(item.items) != wanted:
        s.faults.add(item.place, "wrong-count",
                     f"this list has {len(item.items)} values, and there are {wanted} of {describe(index_types[0])}")
        return False
    return all([_flatten(s, one, index_types[1:], kind, found) for one in item.items])
