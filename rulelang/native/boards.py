"""Writers for what is asked of the board about sets that change: steps, neighbours, floods, slides. What is asked of
single cells is a table (`Emitter.tabulated`, `Emitter.lift`)."""

from __future__ import annotations

from rulelang.boards.board import mask_of
from rulelang.model.ir import E
from rulelang.model.types import Named, SetOf, bits, size_of
from rulelang.native.emitter import Emitter, element_of, writes
from rulelang.native.families import Plans, relation, spread
from rulelang.native.sequences import each_bit
from rulelang.native.shapes import Declined, SetShape, set_shape
from rulelang.native.text import Fn


def _links(x: Emitter) -> Plans | None:
    """The links of the board by distances."""
    sources: dict[int, int] = {}
    for c, near in enumerate(x.c.board.board.links):
        for d in bits(near):
            sources[d - c] = sources.get(d - c, 0) | 1 << c
    return Plans((tuple(sorted(sources.items())),)) if len(sources) <= 18 else None


def _near_table(x: Emitter, shape: SetShape, links: tuple[int, ...], name: str) -> str:
    if name not in x.types:
        x.set_type(shape)
        text = ", ".join(shape.initial(m) for m in links)
        x.types[name] = f"static const {shape.ctype} {name}[{len(links)}] UNUSED = {{{text}}};"
    return name


def _near_function(x: Emitter, shape: SetShape) -> str:
    """The C function that gives all cells linked to any of a set."""
    name = "linked"
    if name in x.types:
        return name
    x.set_type(shape)
    fn = Fn()
    plans = _links(x)
    head = f"INL {shape.ctype} {name}({shape.ctype} a)"
    if plans is not None:
        result = spread(fn, shape, "a", plans)
    else:
        table = _near_table(x, shape, x.c.board.board.links, "links")
        fn.line(f"{shape.ctype} r = {shape.zero};")
        with each_bit(fn, shape, "a") as i:
            fn.line(f"r = {shape.union('r', f'{table}[{i}]')};")
        result = "r"
    body = "\n".join([*fn.lines, f"  return {result};"])
    x.types[name] = f"{head} {{\n{body}\n}}"
    return name


def flood(x: Emitter, shape: SetShape) -> str:
    """The C function that gives a set and all that is linked to it through another."""
    name = "reach"
    if name in x.types:
        return name
    near = _near_function(x, shape)
    step = shape.union("f", shape.both(f"{near}(f)", "t"))
    c = shape.ctype
    x.types[name] = (
        f"UNUSED static {c} {name}({c} f, {c} t) {{\n  for (;;) {{\n    const {c} n = {step};\n"
        f"    if ({shape.equal('n', 'f')}) return n;\n    f = n;\n  }}\n}}\n"
        f"UNUSED static int {name}_touches({c} f, {c} t, {c} goal) {{\n  const {c} far = {shape.without('goal', 't')};\n"
        f"  const {c} start = f;\n  for (;;) {{\n    const {c} around = {near}(f);\n"
        f"    if ({shape.some(shape.without(shape.both('around', 'far'), 'start'))}) return 1;\n"
        f"    const {c} n = {shape.union('f', shape.both('around', 't'))};\n"
        f"    if ({shape.equal('n', 'f')}) return {shape.some(shape.both('goal', shape.without('around', 'f')))};\n    f = n;\n"
        f"  }}\n}}\n"
        f"UNUSED static int {name}_meets({c} f, {c} t, {c} goal) {{\n"
        f"  if ({shape.some(shape.both('f', 'goal'))}) return 1;\n"
        f"  if (!{shape.some(shape.both('t', 'goal'))} || !{shape.some('f')}) return 0;\n"
        f"  for (;;) {{\n    const {c} n = {step};\n    if ({shape.some(shape.both('n', 'goal'))}) return 1;\n"
        f"    if ({shape.equal('n', 'f')}) return 0;\n    f = n;\n  }}\n}}")
    return name


@writes("neighbours")
def _neighbours(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    near = _near_function(x, shape)
    held = fn.atom(shape.ctype, x.value(fn, e.args[0]))
    return shape.without(f"{near}({held})", held)


@writes("reach")
def _reach(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    start = x.value(fn, e.args[0])
    return f"{flood(x, shape)}({start}, {x.value(fn, e.args[1])})"


@writes("step")
def _step(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    of = element_of(e.type)
    held = fn.atom(shape.ctype, x.value(fn, e.args[0]))
    if x.static(e.args[1]):
        cell = _slot(x, 92, of)
        single = x._lifted.setdefault(("step", x.key(e.args[1])), E(
            "step", e.type, (E("one", e.type, (E("local", of, (), cell),)), e.args[1]), None, e.place))
        plans = relation(x, single, cell, of)
        if plans is not None and (plans.slot is None or plans.slot < 0 or plans.slot in fn.env):
            return spread(fn, shape, held, plans)
    return _by_ways(x, fn, e, held, "step", of)


def _slot(x: Emitter, place: int, kind: object) -> int:
    key = (place, kind)
    if key not in x._lift_slots:
        x._lift_slots[key] = x.c.new_slot()  # type: ignore[index]
        x.c._scratch = None
    return x._lift_slots[key]  # type: ignore[index]


def _by_ways(x: Emitter, fn: Fn, e: E, held: str, op: str, of: object) -> str:
    """A step in directions that are known only in play: one direction after the other."""
    shape, ways = set_shape(e.type), set_shape(e.args[1].type)
    board, name = x.c.board, "step_in"
    if name not in x.types:
        cases = []
        for d, near in enumerate(board.neighbour):
            sources: dict[int, int] = {}
            for c, goal in enumerate(near):
                if goal >= 0:
                    sources[goal - c] = sources.get(goal - c, 0) | 1 << c
            inner = Fn()
            if len(sources) > 20:
                raise Declined("steps on this board are not shifts")
            cases.append(f"    case {d}: return {spread(inner, shape, 'a', Plans((tuple(sorted(sources.items())),)))};")
        x.types[name] = (f"UNUSED static {shape.ctype} {name}({shape.ctype} a, int d) {{\n  switch (d) {{\n" + "\n".join(cases)
                         + f"\n  }}\n  return {shape.zero};\n}}")
    found = fn.name("m")
    fn.line(f"{shape.ctype} {found} = {shape.zero};")
    with each_bit(fn, ways, x.value(fn, e.args[1])) as way:
        fn.line(f"{found} = {shape.union(found, f'{name}({held}, {way})')};")
    return found


@writes("step2", "rays")
def _cell_ways(x: Emitter, fn: Fn, e: E) -> str:
    """Of a cell, in directions that are known only in play."""
    shape, ways = set_shape(e.type), set_shape(e.args[1].type)
    cell_kind, way_kind = e.args[0].type, element_of(e.args[1].type)
    inner = cell_kind
    cell = fn.atom("num", x.value(fn, e.args[0]))
    c, d = _slot(x, 93, inner), _slot(x, 94, way_kind)
    single = x._lifted.setdefault((e.op, inner), E(e.op, e.type, (
        E("local", inner, (), c), E("one", e.args[1].type, (E("local", way_kind, (), d),))), None, e.place))
    found = fn.name("m")
    fn.line(f"{shape.ctype} {found} = {shape.zero};")
    with each_bit(fn, ways, x.value(fn, e.args[1])) as i:
        fn.env[c], fn.env[d] = cell, i
        one = x.tabulated(fn, single)
        if one is None:
            raise Declined(f"`{e.op}` asks too much of this board")
        fn.line(f"{found} = {shape.union(found, one)};")
    return found


@writes("slide")
def _slide(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    cell = fn.atom("num", x.value(fn, e.args[0]))
    free = fn.atom(shape.ctype, x.value(fn, e.args[2]))
    ways = set_shape(e.args[1].type)
    fixed, chosen = x.c.constant(e.args[1])
    _ray_functions(x, shape)
    found = ""
    if fixed:
        for d in bits(int(chosen) & x.c.board.board.all_directions):
            one = f"slide_{d}({cell}, {free})"
            found = shape.union(found, one) if found else one
        found = found or shape.zero
        name = fn.keep(shape.ctype, found) if "None" not in str(type(e.args[0].type)) else found
        return shape.choose(f"{cell} == NONE", shape.zero, name) if _maybe(e.args[0]) else name
    name = fn.name("m")
    fn.line(f"{shape.ctype} {name} = {shape.zero};")
    with each_bit(fn, ways, x.value(fn, e.args[1])) as i:
        fn.line(f"{name} = {shape.union(name, f'slide_in({cell}, {i}, {free})')};")
    return name


def _maybe(e: E) -> bool:
    from rulelang.native.shapes import may_be_none

    return may_be_none(e.type)


def _ray_functions(x: Emitter, shape: SetShape) -> None:
    """For each direction the C function that gives the free cells on a ray and the first that is not."""
    if "slide_in" in x.types:
        return
    board = x.c.board
    x.set_type(shape)
    names = []
    for d, lines in enumerate(board.rays):
        rising = all(goal < 0 or goal > c for c, goal in enumerate(board.neighbour[d]))
        text = ", ".join(shape.initial(mask_of(line)) for line in lines)
        end = f"{shape.ctype}_{'upto' if rising else 'downto'}"
        blocked = shape.without("r", "free")
        x.types[f"slide_{d}"] = (
            f"static const {shape.ctype} ray_{d}[{len(lines)}] UNUSED = {{{text}}};\n"
            f"INL {shape.ctype} slide_{d}(int c, {shape.ctype} free) {{ if (c < 0 || c >= {len(lines)}) return {shape.zero}; "
            f"const {shape.ctype} r = ray_{d}[c]; return {shape.both('r', f'{end}({blocked})')}; }}")
        names.append(f"    case {d}: return slide_{d}(c, free);")
    x.types["slide_in"] = (f"UNUSED static {shape.ctype} slide_in(int c, int d, {shape.ctype} free) {{\n  switch (d) {{\n"
                           + "\n".join(names) + f"\n  }}\n  return {shape.zero};\n}}")


@writes("before")
def _before(x: Emitter, fn: Fn, e: E) -> str:
    shape = set_shape(e.type)
    cell, found, end = fn.atom("num", x.value(fn, e.args[0])), fn.name("m"), fn.name("m")
    from rulelang.native.sequences import each

    fn.line(f"{shape.ctype} {found} = {shape.zero}, {end} = {shape.zero};")
    with each(x, fn, e.args[1]) as other:
        fn.line(f"if ({other} == {cell}) {end} = {found};")
        fn.line(f"{found} = {shape.union(found, shape.bit(other))};")
    return end


@writes("between", "leap", "ray", "distance", "placements", "row", "column", "x_of", "y_of", "z_of", "height", "mirror",
        "area_at", "cubes")
def _too_much(x: Emitter, fn: Fn, e: E) -> str:
    raise Declined(f"`{e.op}` asks too much of this board")


__all__ = ["Named", "SetOf", "flood", "size_of"]
