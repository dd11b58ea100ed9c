"""The type that holds values of two types, as both sides of a comparison or a sum must be."""

from __future__ import annotations

from rulelang.model.convert import MOST_IN_A_BAG, MOST_IN_A_SET, convert, element_of, has_numbers, plain, stretch_of
from rulelang.model.ir import E
from rulelang.model.scope import Context, Scope
from rulelang.model.types import (
    BagOf,
    DeckOf,
    Empty,
    Line,
    ListOf,
    Maybe,
    Named,
    Nothing,
    Number,
    SetOf,
    Type,
    Wrong,
    is_scalar,
    size_of,
)


def join(s: Scope, a: Type, b: Type) -> Type | None:
    """The type that holds values of both, or None."""
    if a == b or isinstance(b, Wrong):
        return a
    if isinstance(a, Wrong):
        return b
    if isinstance(a, Nothing):
        return b if isinstance(b, Maybe) or element_of(b) is not None else Maybe(b)
    if isinstance(b, Nothing):
        return join(s, b, a)
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        if element_of(a) is not None or element_of(b) is not None:
            return a if element_of(a) is not None else b
        inner = join(s, plain(a), plain(b))
        declared = any(isinstance(t, Maybe) and not t.partial for t in (a, b))
        return None if inner is None else Maybe(inner, partial=not declared)
    match a, b:
        case (Number(l1, h1), Number(l2, h2)):
            return Number(min(l1, l2), max(h1, h2))
        case (Empty(), _):
            return b if element_of(b) is not None or isinstance(b, Line) else None
        case (_, Empty()):
            return join(s, b, a)
        case (Named(), Named()):
            return a if stretch_of(a, b) is not None else b if stretch_of(b, a) is not None else None
        case (Number(), Named()) if has_numbers(s, b):
            return b
        case (Named(), Number()):
            return join(s, b, a)
    return _joined_collections(s, a, b)


def _joined_collections(s: Scope, a: Type, b: Type) -> Type | None:
    match a, b:
        case (SetOf(x), SetOf(y)):
            inner = _joined_elements(s, x, y)
            return None if inner is None else SetOf(inner)
        case (Line(), SetOf(of)) if s.cell is not None:
            return SetOf(s.cell) if join(s, s.cell, of) == s.cell else None
        case (SetOf(), Line()):
            return join(s, b, a)
        case (BagOf(x, m, comp), BagOf(y, n, _)):
            inner = _joined_elements(s, x, y)
            return None if inner is None else BagOf(inner, m + n, comp)
        case (BagOf(x, m, comp), SetOf(y)) | (SetOf(y), BagOf(x, m, comp)):
            inner = _joined_elements(s, x, y)
            return None if inner is None else BagOf(inner, m + size_of(inner), comp)
        case (ListOf(x), ListOf(y)):
            inner = join(s, x, y)
            return None if inner is None else ListOf(inner)
        case (ListOf(x), SetOf(y)) | (SetOf(y), ListOf(x)):
            inner = _joined_elements(s, plain(x), y)
            return None if inner is None else SetOf(inner)
        case (DeckOf(x), BagOf(y, _, comp)) | (BagOf(y, _, comp), DeckOf(x)):
            inner = _joined_elements(s, x, y)
            return None if inner is None else BagOf(inner, MOST_IN_A_BAG, comp)
        case (DeckOf(x), SetOf(y) | ListOf(y) | DeckOf(y)) | (SetOf(y) | ListOf(y), DeckOf(x)):
            inner = _joined_elements(s, x, plain(y))
            return None if inner is None else BagOf(inner, MOST_IN_A_BAG)
        case (ListOf(x), _) if is_scalar(b) and is_scalar(x):
            inner = _joined_elements(s, plain(x), b)
            return None if inner is None else BagOf(inner, MOST_IN_A_BAG)
        case (_, ListOf()) if is_scalar(a):
            return join(s, b, a)
        case (BagOf(x, _, comp), ListOf(y)) | (ListOf(y), BagOf(x, _, comp)):
            inner = _joined_elements(s, x, plain(y))
            return None if inner is None else BagOf(inner, MOST_IN_A_BAG, comp)
        case (SetOf(x), _) if is_scalar(b):
            inner = _joined_elements(s, x, b)
            return None if inner is None else SetOf(inner)
        case (_, SetOf()) if is_scalar(a):
            return join(s, b, a)
        case (BagOf(x), _) if is_scalar(b):
            return a if (isinstance(x, Number) and isinstance(b, Number)) or join(s, x, b) == x else None
    return None


def _joined_elements(s: Scope, x: Type, y: Type) -> Type | None:
    """What a set of both holds; None too if that would be too large for one."""
    inner = join(s, x, y)
    if inner is None or isinstance(inner, Wrong):
        return inner
    return inner if is_scalar(inner) and size_of(inner) <= MOST_IN_A_SET else None


def loosely(s: Scope, c: Context, e: E, kind: Type) -> E:
    """`e` within a joined type; ranges need no test there."""
    if isinstance(plain(kind), Number) and isinstance(plain(e.type), (Number, Nothing)):
        return e
    made = convert(s, c, e, kind)
    return e if made is None else made
