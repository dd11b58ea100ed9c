"""Values that are known before a game starts: folding of constants, and sizes that options decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulelang.model.ir import E
from rulelang.model.types import BagOf, SetOf, Type, bits, index_of, size_of, value_at


class NotConstant(Exception):
    """The value is known only in play."""


def _recode(kind: Type, data: Any, x: Any) -> Any:
    return None if x is None else data[x]


def _cell_of(kind: Type, data: Any, x: Any) -> Any:
    if x is None or not 0 <= x < len(data) or data[x] is None:
        raise NotConstant
    return data[x]


def _fit(kind: Type, data: Any, x: Any) -> Any:
    if x is None or not data[0] <= x <= data[1]:
        raise NotConstant
    return x


def _need(kind: Type, data: Any, x: Any) -> Any:
    if x is None:
        raise NotConstant
    return x


def _mask(kind: Type, data: Any, *elements: Any) -> int:
    of = kind.of  # type: ignore[attr-defined]
    mask = 0
    for x in elements:
        if x is not None:
            mask |= 1 << index_of(of, x)
    return mask


def _counts(kind: Type, data: Any, *elements: Any) -> tuple[int, ...]:
    counts = [0] * size_of(kind.of)  # type: ignore[attr-defined]
    for x in elements:
        if x is not None:
            counts[index_of(kind.of, x)] += 1  # type: ignore[attr-defined]
    return tuple(counts)


def _range(kind: Type, data: Any, low: int, high: int) -> int:
    return _mask(kind, data, *range(low, high + 1))


def _lift(kind: Type, data: int, mask: int) -> int:
    assert isinstance(kind, SetOf)
    return (mask << data if data >= 0 else mask >> -data) & ((1 << size_of(kind.of)) - 1)


def _recode_set(kind: Type, data: Any, mask: int) -> int:
    made = 0
    for i in bits(mask):
        if data[i] is not None:
            made |= 1 << data[i]
    return made


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise NotConstant
    return a // b


def _modulo(a: int, b: int) -> int:
    if b == 0:
        raise NotConstant
    return a % b


def _same(fn: Callable[..., Any]) -> Callable[..., Any]:
    return lambda kind, data, *args: fn(*args)


PURE: dict[str, Callable[..., Any]] = {
    "add": _same(lambda a, b: a + b), "sub": _same(lambda a, b: a - b), "mul": _same(lambda a, b: a * b),
    "div": _same(_divide), "mod": _same(_modulo), "neg": _same(lambda a: -a),
    "eq": _same(lambda a, b: a == b), "ne": _same(lambda a, b: a != b), "lt": _same(lambda a, b: a < b),
    "le": _same(lambda a, b: a <= b), "gt": _same(lambda a, b: a > b), "ge": _same(lambda a, b: a >= b),
    "and": _same(lambda *args: all(args)), "or": _same(lambda *args: any(args)), "not": _same(lambda a: not a),
    "if": _same(lambda c, a, b: a if c else b),
    "union": _same(lambda a, b: a | b), "both": _same(lambda a, b: a & b), "without": _same(lambda a, b: a & ~b),
    "within": _same(lambda a, b: not a & ~b), "meets": _same(lambda a, b: bool(a & b)),
    "join_lists": _same(lambda a, b: tuple(a) + tuple(b)),
    "recode": _recode, "cell_of": _cell_of, "fit": _fit, "need": _need, "number_of": _recode,
    "one": _mask, "set_of": _mask, "range": _range, "lift": _lift, "recode_set": _recode_set,
    "cells": _same(lambda line: sum(1 << c for c in line)),
    "record": lambda kind, data, *args: _radix(data, args),
    "as_bag": lambda kind, data, mask: tuple(mask >> i & 1 for i in range(size_of(kind.of))),
    "one_bag": _counts, "bag_of": _counts,
    "count": _same(lambda held: held.bit_count() if isinstance(held, int) else len(held)),
}


# of bags and decks, where they are worked out as a whole; a sentence keeps them as they are written
_PILES: dict[str, Callable[..., Any]] = {
    "plus": _same(lambda a, b: tuple(x + y for x, y in zip(a, b, strict=True))),
    "minus": _same(lambda a, b: tuple(max(0, x - y) for x, y in zip(a, b, strict=True))),
    "bag_both": _same(lambda a, b: tuple(map(min, a, b))),
    "copies": lambda kind, data, n, x: tuple(max(0, n) * one for one in _counts(kind, data, x)),
    "list_bag": lambda kind, data, values: _counts(kind, data, *values),
    "deck_plus": _same(lambda a, b: tuple(a) + tuple(b)),
}


def _radix(radices: tuple[int, ...], values: tuple[Any, ...]) -> int:
    total = 0
    for size, value in zip(radices, values, strict=True):
        total = total * size + value
    return total


def _in_order(kind: Type, held: Any) -> tuple[Any, ...]:
    """The values that a collection holds, in order."""
    match kind:
        case SetOf(of):
            return tuple(value_at(of, i) for i in bits(held))
        case BagOf(of):
            return tuple(value_at(of, i) for i, n in enumerate(held) for _ in range(n))
    return tuple(held)


def fold(e: E) -> E:
    """The expression, as a constant if its arguments are constants."""
    if e.op not in PURE or any(a.op != "const" for a in e.args):
        return e
    if e.op == "count" and not isinstance(e.args[0].type, SetOf):
        return e
    try:
        return E("const", e.type, (), PURE[e.op](e.type, e.data, *(a.data for a in e.args)), e.place)
    except (NotConstant, TypeError):
        return e


def evaluate(e: E, settings: Mapping[str, Any], env: Mapping[int, Any] | None = None) -> Any:
    """The value of an expression over constants, options and the locals in `env`. Raises NotConstant."""
    match e.op:
        case "const":
            return e.data
        case "option":
            return settings[e.data]
        case "local" if env is not None and e.data in env:
            return env[e.data]
        case "if":
            chosen = e.args[1] if evaluate(e.args[0], settings, env) else e.args[2]
            return evaluate(chosen, settings, env)
        case "in":
            x, held = (evaluate(a, settings, env) for a in e.args)
            of = e.args[1].type.of  # type: ignore[attr-defined]
            return x is not None and 0 <= index_of(of, x) < size_of(of) and bool(held >> index_of(of, x) & 1)
        case "and":
            return all(evaluate(a, settings, env) for a in e.args)
        case "or":
            return any(evaluate(a, settings, env) for a in e.args)
        case "where" if isinstance(e.type, SetOf):
            return sum(1 << i for i in bits(evaluate(e.args[0], settings, env))
                       if evaluate(e.args[1], settings, {**(env or {}), e.data: value_at(e.type.of, i)}))
        case "bag_list":
            return _in_order(e.args[0].type, evaluate(e.args[0], settings, env))
    work = PURE.get(e.op) or _PILES.get(e.op)
    if work is not None:
        return work(e.type, e.data, *(evaluate(a, settings, env) for a in e.args))
    raise NotConstant


MOST_WORK = 1_000_000      # steps that may be spent on working out one thing before the game starts


def cost_of(e: E) -> int:
    """How many steps it takes at most to evaluate an expression."""
    if e.op == "where" and isinstance(e.type, SetOf):
        return cost_of(e.args[0]) + size_of(e.type.of) * cost_of(e.args[1])
    return 1 + sum(cost_of(a) for a in e.args)


def options_in(e: E) -> set[str]:
    """The options that an expression reads."""
    found = {e.data} if e.op == "option" else set()
    for a in e.args:
        found |= options_in(a)
    return found


def value_of(e: E, settings: Mapping[str, Any], shaping: set[str]) -> Any:
    """The value of a size or bound, noting the options that decide it. Raises NotConstant."""
    shaping |= options_in(e)
    return evaluate(e, settings)
