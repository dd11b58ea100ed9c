"""Components are conserved: what is in the box is always somewhere.

After each move the interpreter counts every component. Here that is done only where something may have been lost or
made. If all that happens to a component in the rules is that it is drawn, dealt or moved from holder to holder, nothing
can be made, and one thing only loses any: something comes to a place that holds a single thing (`played[me]`) and
already holds one. The statements that fill such places note it (`spilled`), and the count is made when they did. For
other components a C function counts after each move, as the interpreter does.
"""

from __future__ import annotations

from rulelang.engine.material import add_to
from rulelang.model.game import Block, Component, Game
from rulelang.model.material import blocks, carried
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type, size_of
from rulelang.native.emitter import Emitter
from rulelang.native.shapes import SetShape, bag_size, index_text, set_shape
from rulelang.native.text import Fn


def check_function(x: Emitter) -> str | None:
    """The C function that counts what cannot be proved to stay, or None if all can."""
    name = "material"
    if name in x.step_names:
        return name
    if ("no material",) in x._static:
        return None
    fn = Fn()
    for component in x.game.components:
        if not conserved(x, component):
            _count(x, fn, component)
    spilling = [c for c in x.game.components if conserved(x, c) and spills(x, c)]
    if spilling:
        fn.line("if (likely(!s->spilled)) return;")
    for component in spilling:
        _count(x, fn, component)
    if not fn.lines:
        x._static["no material",] = ""
        return None
    x.step_names.add(name)
    x.functions.append("\n".join(["INL void material(Game *g, const State *s, int fault) {", *fn.lines, "}\n"]))
    return name


def conserved(x: Emitter, component: Component) -> bool:
    """Whether no rule makes any of a component, and none loses any but by filling a place that is full."""
    if not x.passes.conserved:
        return False
    key = ("conserved", component.name)
    if key not in x._static:
        x._static[key] = "yes" if conserves(x.game, component) else ""
    return x._static[key] == "yes"


def conserves(game: Game, component: Component) -> bool:
    """The same, of a game."""
    held = set(component.variables)
    total = [0] * size_of(component.kinds)
    for var in held:
        variable = game.variables[var]
        if variable.start.kind != "value" or not _stays(variable.type, component):
            return False
        for value in variable.start.values:
            add_to(total, variable.type, value)
    if any(n != component.each for n in total):
        return False
    return all(_keeps(block, held) for block in blocks(game))


def spills(x: Emitter, component: Component) -> bool:
    """Whether a place for a single thing holds a component."""
    return any(isinstance(x.game.variables[var].type, Maybe) for var in component.variables)


def spill(x: Emitter, var: int, at: str, state: str) -> str:
    """The statement that notes that a place which is filled held something, or nothing."""
    store = x.stores[var]
    if not store.maybe or not any(var in c.variables and conserved(x, c) for c in x.game.components):
        return ""
    return f"{state}->spilled |= {state}->{store.name}[{at}] != {store.none};"


def _stays(kind: Type, component: Component) -> bool:
    if isinstance(kind, SetOf):
        return component.each == 1
    return isinstance(kind, (BagOf, DeckOf, Maybe))


def _keeps(block: Block, held: set[int]) -> bool:
    local: int | None = None                      # what has been taken and must be put next
    for s in block:
        touched = s.target is not None and s.target.var in held
        if local is not None and s.op != "put":
            return False
        if s.op == "take" and touched:
            local = carried(s)
            if local < 0:
                return False
        elif s.op == "put" and touched:
            if local is None or local != carried(s):
                return False
            local = None
        elif s.op in ("draw", "deal"):
            source = s.source is not None and s.source.var in held
            if source != touched:
                return False
        elif touched and s.op != "shuffle":
            return False
        if local is not None and s.op == "put" and not touched:
            return False
        if not _keeps(s.body, held) or not _keeps(s.orelse, held):
            return False
    return local is None


def _count(x: Emitter, fn: Fn, component: Component) -> None:
    size = size_of(component.kinds)
    if component.each == 1 and size <= 128:
        _count_single(x, fn, component, SetShape(size))
        return
    with fn.block(""):
        fn.line(f"int total[{size}] = {{0}};")
        for var in component.variables:
            store = x.stores[var]
            with fn.block(f"for (int i = 0; i < {store.field.length}; i++)"):
                _add(x, fn, store.kind, f"s->{store.name}", store)
        fn.line(f"for (int i = 0; i < {size}; i++) if (unlikely(total[i] != {component.each})) fail(g, fault, i);")


def _count_single(x: Emitter, fn: Fn, component: Component, shape: SetShape) -> None:
    """The same where there is one of each: as sets."""
    with fn.block(""):
        fn.line(f"{shape.ctype} once = {shape.zero}, twice = {shape.zero}, here;")
        for var in component.variables:
            store = x.stores[var]
            kind, held = store.kind, f"s->{store.name}"
            with fn.block(f"for (int i = 0; i < {store.field.length}; i++)"):
                fn.line(f"here = {shape.zero};")
                if isinstance(kind, SetOf):
                    fn.line(f"here = {held}[i];")
                elif isinstance(kind, BagOf):
                    fn.line(f"for (int k = 0; k < {bag_size(kind)}; k++) if ({held}[i].c[k]) "
                            f"{{ here = {shape.union('here', shape.bit('k'))}; if ({held}[i].c[k] > 1) twice = here; }}")
                elif isinstance(kind, DeckOf):
                    at = index_text(kind.of, held + '[i].v[k]')
                    fn.line(f"for (int k = 0; k < {held}[i].n; k++) {{ twice = {shape.union('twice', shape.both('here', shape.bit(at)))}; "
                            f"here = {shape.union('here', shape.bit(at))}; }}")
                else:
                    inner = kind.of if isinstance(kind, Maybe) else kind
                    fn.line(f"const num v = {store.load(f'{held}[i]')}; if (v != NONE) here = {shape.bit(index_text(inner, 'v'))};")
                fn.line(f"twice = {shape.union('twice', shape.both('once', 'here'))}; once = {shape.union('once', 'here')};")
        fn.line(f"if (unlikely({shape.some('twice')} || !{shape.equal('once', shape.const(shape.every))})) fail(g, fault, 0);")


def _add(x: Emitter, fn: Fn, kind: Type, held: str, store: object) -> None:
    if isinstance(kind, BagOf):
        fn.line(f"for (int k = 0; k < {bag_size(kind)}; k++) total[k] += {held}[i].c[k];")
    elif isinstance(kind, SetOf):
        shape = set_shape(kind)
        fn.line(f"for (int k = 0; k < {shape.size}; k++) total[k] += {shape.test(held + '[i]', 'k')};")
    elif isinstance(kind, DeckOf):
        fn.line(f"for (int k = 0; k < {held}[i].n; k++) total[{index_text(kind.of, held + '[i].v[k]')}]++;")
    else:
        value = store.load(f"{held}[i]")  # type: ignore[attr-defined]
        inner = kind.of if isinstance(kind, Maybe) else kind
        fn.line(f"const num v = {value}; if (v != NONE) total[{index_text(inner, 'v')}]++;")
