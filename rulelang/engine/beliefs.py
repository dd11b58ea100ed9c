"""Games as they might be, for a seat that does not see everything: states that agree with its view.

What is hidden is made up anew:

* a variable that begins as `random with` a condition is solved again with what is seen of it fixed;
* the material of a component that is not in sight is shuffled and dealt to the places that hold some of it: as many to
  each as is known of its size, what is left over to places whose size is hidden;
* of other bags, sets and decks as many values as are known to be in them, any that the type allows (of a set no two
  alike); of single values any, but for one that began at random with everything else alike;
* what the others have chosen in a `together` phase is a legal move of theirs, any.

That is a guess that agrees with what is seen now; it does not weigh what the others' moves tell. The game goes on with
chance of its own: a guess must not know what will be drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.engine.core import Core
from rulelang.engine.faults import PlayFault
from rulelang.engine.material import add_to
from rulelang.engine.parse import collect
from rulelang.engine.rng import Stream
from rulelang.engine.values import all_values, is_container
from rulelang.engine.views import HIDDEN, View
from rulelang.machine.layout import Field
from rulelang.model.types import BagOf, DeckOf, Maybe, SetOf, Type, is_scalar, size_of, value_at

if TYPE_CHECKING:
    from rulelang.engine.interpreter import Interpreter
    from rulelang.engine.state import State

TRIES = 20


class NoBelief(Exception):
    """No state could be made up that agrees with the view."""


def sample(interpreter: Interpreter, view: View, stream: Stream) -> State:
    """A state that agrees with a seat's view, made up with the numbers of a stream."""
    problem: PlayFault | None = None
    state: State | None = None
    for _ in range(TRIES):
        try:
            state = _guess(interpreter, view, stream)
        except PlayFault as fault:
            problem = fault
            continue
        if not _plan(interpreter, view, state, stream):
            continue
        values, sizes = interpreter.views.values(state.scratch(), view.seat)
        if values == view.values and sizes == view.sizes and state.to_act == view.to_act:
            return state
    if state is None:
        raise NoBelief(str(problem)) from problem
    return state


def _guess(interpreter: Interpreter, view: View, stream: Stream) -> State:
    from rulelang.engine.state import State

    seed = stream.bits()
    rt = interpreter.core(seed)
    rt.quiet = True
    hidden: dict[int, list[int]] = {}                         # by variable: the entries that must be made up
    for number, field in enumerate(interpreter.machine.fields):
        for i, value in enumerate(view.values[field.name]):
            if value is HIDDEN:
                hidden.setdefault(number, []).append(i)
                rt.v[field.offset + i] = _nothing(field.type)
            else:
                rt.v[field.offset + i] = value
    place = view.place
    rt.player, rt.turns, rt.rounds = view.player, view.turns, view.rounds
    rt.out = sum(1 << seat for seat in view.out)
    rt.node, rt.phase, rt.actor = place.node, place.phase, place.actor
    rt.me = rt.actor if rt.actor >= 0 else rt.player
    rt.notes = [dict(known) for known in place.notes]
    rt.result = view.result
    _deal(interpreter, view, rt, hidden, stream)
    _solve(interpreter, view, rt, hidden, stream)
    for number, entries in hidden.items():
        field = interpreter.machine.fields[number]
        sizes = view.sizes.get(field.name)
        for i in entries:
            rt.v[field.offset + i] = _anything(field.type, None if sizes is None else sizes[i], stream)
    rt.quiet = False
    return State(interpreter, rt, seed)


def _nothing(kind: Type) -> Any:
    """What stands for a hidden entry until it is made up."""
    if is_container(kind):
        return collect(kind, [])
    return None if isinstance(kind, Maybe) else value_at(kind, 0)


def _deal(interpreter: Interpreter, view: View, rt: Core, hidden: dict[int, list[int]], stream: Stream) -> None:
    """Deal the unseen material of each component to the hidden places that hold it."""
    machine = interpreter.machine
    for component, variables in interpreter.material.components:
        places = [(machine.fields[n], i) for n in variables for i in hidden.get(n, ())]
        if not places:
            continue
        gone = {(field.name, i) for field, i in places}
        total = [0] * size_of(component.kinds)
        for n in variables:
            field = machine.fields[n]
            for i in range(field.length):
                if (field.name, i) not in gone:
                    add_to(total, field.type, rt.v[field.offset + i])
        unseen = [value_at(component.kinds, k) for k, n in enumerate(total) for _ in range(component.each - n)]
        stream.shuffle(unseen)
        _hand_out(view, rt, places, unseen, stream)
        for n in variables:
            hidden.pop(n, None)


def _hand_out(view: View, rt: Core, places: list[tuple[Field, int]], unseen: list[Any], stream: Stream) -> None:
    given: dict[tuple[str, int], list[Any]] = {}
    open_: list[tuple[Field, int]] = []
    for field, i in places:
        sizes = view.sizes.get(field.name)
        size = None if sizes is None else sizes[i]
        if size is None:
            open_.append((field, i))
            continue
        given[field.name, i] = _take(field.type, unseen, size)
    single = [place for place in open_ if not is_container(place[0].type)]
    if len(unseen) < len(single):                             # some of them are empty, any of those that may be
        stream.shuffle(single)
        single.sort(key=lambda place: isinstance(place[0].type, Maybe))
    for field, i in single:                                   # single places first: they hold one at most
        given[field.name, i] = _take(field.type, unseen, 1)
    wide = [(field, i) for field, i in open_ if is_container(field.type)]
    for field, i in wide:
        given[field.name, i] = []
    while unseen and wide:
        field, i = wide[stream.below(len(wide))]
        given[field.name, i].append(unseen.pop())
    for field, i in places:
        values = given[field.name, i]
        if is_container(field.type):
            rt.v[field.offset + i] = collect(field.type, values)
        else:
            rt.v[field.offset + i] = values[0] if values else None


def _take(kind: Type, unseen: list[Any], size: int) -> list[Any]:
    """So many values off the end; of a set no two alike."""
    if not isinstance(kind, SetOf):
        taken = unseen[len(unseen) - size:] if size else []
        del unseen[len(unseen) - len(taken):]
        return taken
    found: list[Any] = []
    place = len(unseen) - 1
    while len(found) < size and place >= 0:
        if unseen[place] not in found:
            found.append(unseen.pop(place))
        place -= 1
    return found


def _solve(interpreter: Interpreter, view: View, rt: Core, hidden: dict[int, list[int]], stream: Stream) -> None:
    """Solve what began as a solution, with what is seen of it fixed."""
    for number in list(hidden):
        if interpreter.game.variables[number].start.kind != "random_with":
            continue
        field = interpreter.machine.fields[number]
        fixed = {i: value for i, value in enumerate(view.values[field.name]) if value is not HIDDEN}
        try:
            values = interpreter.flow.starts.solution(rt, number, fixed, stream)
        except PlayFault:
            continue                            # it has changed since, so its start says nothing: any values then
        rt.v[field.offset:field.offset + field.length] = values
        del hidden[number]


def _anything(kind: Type, size: int | None, stream: Stream) -> Any:
    """A value that a hidden entry may have."""
    if is_scalar(kind):
        return value_at(kind, stream.below(size_of(kind)))
    if isinstance(kind, SetOf):
        values = list(all_values(kind.of))
        stream.shuffle(values)
        return collect(kind, values[:stream.below(len(values) + 1) if size is None else size])
    if isinstance(kind, (BagOf, DeckOf)):
        values = list(all_values(kind.of))
        amount = stream.below(min(kind.most, len(values)) + 1) if size is None else size
        return collect(kind, [stream.choice(values) for _ in range(amount)])
    return collect(kind, [])


def _plan(interpreter: Interpreter, view: View, state: State, stream: Stream) -> bool:
    """Make up what the others have chosen already, where all choose together; False if one of them could not have."""
    place = view.place
    plans = list(state.core.plans)
    for seat, chosen in enumerate(place.chosen):
        if not chosen:
            continue
        if seat == view.seat:
            plans[seat] = place.own_plan
            continue
        rt = state.scratch()
        rt.me = seat
        ways = interpreter.legal.moves(rt)
        if not ways:
            return False
        plans[seat] = stream.choice(ways)
    state.core.plans = tuple(plans)
    return True
