"""Where the values of a YAML text end, for those who cut them out as written. Only for texts without faults."""

from __future__ import annotations

from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

Point = tuple[int, int]      # a line and a column, both from 1


def ends(text: str) -> dict[tuple[bool, Point], Point]:
    """The point behind the last character of each value, by whether it is a scalar and by the point where it begins.

    (A map in lines begins where its first key begins; keys are no values, so the two do not meet.)
    """
    found: dict[tuple[bool, Point], Point] = {}

    def walk(node: Any) -> Point:
        own = _point(node.end_mark)
        if not isinstance(node, yaml.ScalarNode):
            inner = [_point(node.start_mark)]
            for each in node.value:
                key, value = each if isinstance(each, tuple) else (None, each)
                inner.append(walk(value))
                if key is not None:
                    inner.append(_point(key.end_mark))
            if not node.flow_style:
                own = max(inner)      # YAML ends it before whatever comes next
        found[isinstance(node, yaml.ScalarNode), _point(node.start_mark)] = own
        return own

    root = yaml.compose("\n".join(line if line.strip(" \t") else "" for line in text.split("\n")), Loader=_LOADER)
    if root is not None:
        walk(root)
    return found


def _point(mark: Any) -> Point:
    return mark.line + 1, mark.column + 1
