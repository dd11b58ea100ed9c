"""Lark, built from grammar.lark when the first sentence is parsed, and kept for the next process.

The tables are pickled by Lark into the user's own cache directory; a directory that others may write to is not used,
a file that cannot be read or written costs nothing but the time of building anew.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang.syntax.cache import GRAMMAR, digest, directory, read_checked, write_checked

if TYPE_CHECKING:
    from lark import Lark

STARTS = ("block", "expr", "type", "union", "decl", "sig", "rank", "start", "data")


# what Lark takes anew when its tables are loaded; the rest of its options is in the tables
_NOT_KEPT = ("postlex", "transformer", "lexer_callbacks", "use_bytes", "debug", "g_regex_flags", "regex",
             "propagate_positions", "tree_class", "_plugins")


@cache
def engine() -> Lark:
    """The parser of sentences, one for the process."""
    import lark

    grammar = GRAMMAR.read_text(encoding="utf-8")
    key = digest(f"{grammar}|{lark.__version__}|{sys.version_info[:2]}|{STARTS}".encode()).hex()
    folder = directory()
    if folder is None:
        return build(grammar)
    stored = folder / f"grammar-{key}.lark"
    found = _loaded(stored)
    if found is None:
        found = build(grammar)
        _store(found, stored)
    return found


def build(grammar: str, **options: Any) -> Lark:
    """Lark with our options; `strict=True` looks for ambiguous terminals too (slow, and needs interegular)."""
    from lark import Lark

    return Lark(
        grammar, parser="lalr", lexer="contextual", start=list(STARTS), keep_all_tokens=True, maybe_placeholders=True,
        **_ours(), **options,
    )


def _ours() -> dict[str, Any]:
    from rulelang.syntax.build import Builder
    from rulelang.syntax.layout import Layout

    return {"postlex": Layout(), "transformer": Builder()}


def _loaded(stored: Path) -> Lark | None:
    """The parser from its stored tables; None if they are not there, not whole or not Lark's."""
    from lark import Lark

    tables = read_checked(stored)
    if tables is None:
        return None
    try:
        found = Lark.__new__(Lark)
        found._load(BytesIO(tables), **_ours())      # `Lark.load` takes no transformer
    except Exception:
        return None
    return found


def _store(parser: Lark, stored: Path) -> None:
    """Keep the tables, if that can be done."""
    buffer = BytesIO()
    with suppress(Exception):
        parser.save(buffer, exclude_options=_NOT_KEPT)
        write_checked(stored, buffer.getvalue())
