"""Every code of the checker has a case in faults/*.txt."""

import ast
from pathlib import Path

from model_cases import cases

import rulelang.model

FOLDER = Path(rulelang.model.__file__).parent


def codes_in(path: Path) -> set[str]:
    """The codes that a module gives to faults: the second argument of `faults.add` and `s.wrong`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("add", "wrong"):
            code = node.args[1] if len(node.args) > 2 else None
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                found.add(code.value)
    return found


def test_every_code_has_a_case() -> None:
    used = {code for path in FOLDER.glob("*.py") for code in codes_in(path)}
    marked = {mark.code for case in cases() for mark in case.marks}
    assert not used - marked - {"too-deep"}      # such a case is long: see test_model_bounds.py
