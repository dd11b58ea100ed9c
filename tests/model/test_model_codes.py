"""Every code of the checker has a case, and what the cases say of each fault is worth reading."""

import ast
from pathlib import Path

from model_cases import cases

import rulelang.model
from rulelang.loading import check

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


def test_every_message_is_a_sentence_with_its_place(tmp_path: Path) -> None:
    for case in cases():
        file = tmp_path / "case.rules"
        file.write_text(case.text, encoding="utf-8")
        for found in check(file):
            assert found.message[0].islower() or found.message[0] in "`{" or found.message[0].isdigit(), found
            assert not found.message.endswith("."), found
            line = case.text.split("\n")[found.place.line - 1]
            assert found.place.column + found.place.length - 1 <= len(line), found
