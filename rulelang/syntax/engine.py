"""Lark, built from grammar.lark when the first sentence is parsed, and kept for the next process.

The tables are pickled by Lark into the user's own cache directory; a directory that others may write to is not used,
a file that cannot be read or written costs nothing but the time of building anew.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from rulelang.syntax.cache import GRAMMAR, directory

if TYPE_CHECKING:
    from lark import Lark

STARTS = ("block", "expr", "type", "union", "decl", "sig", "rank", "start", "data")


@cache
def engine() -> Lark:
    """The parser of sentences, one for the process."""
    import lark

    grammar = GRAMMAR.read_text(encoding="utf-8")
    key = hashlib.sha256(f"{grammar}|{lark.__version__}|{sys.version_info[:2]}|{STARTS}".encode()).hexdigest()[:20]
    folder = directory()
    if folder is None:
        return build(grammar)
    stored = folder / f"grammar-{key}.lark"
    if stored.exists():
        return build(grammar, cache=str(stored))
    with suppress(OSError):
        handle, name = tempfile.mkstemp(prefix="grammar-", suffix=".part", dir=folder)
        os.close(handle)
        try:
            made = build(grammar, cache=name)
            if os.path.getsize(name):
                os.replace(name, stored)      # whole or not at all, whoever else is writing
            return made
        finally:
            with suppress(OSError):
                os.unlink(name)
    return build(grammar)


def build(grammar: str, **options: Any) -> Lark:
    """Lark with our options; `strict=True` looks for ambiguous terminals too (slow, and needs interegular)."""
    from lark import Lark

    from rulelang.syntax.build import Builder
    from rulelang.syntax.layout import Layout

    return Lark(
        grammar, parser="lalr", lexer="contextual", start=list(STARTS), keep_all_tokens=True, maybe_placeholders=True,
        postlex=Layout(), transformer=Builder(), **options,
    )
