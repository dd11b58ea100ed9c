"""A JSON Schema for editors, made from the table of forms. The words of faults are not its task: see read.py."""

from __future__ import annotations

from typing import Any

from rulelang.syntax import forms
from rulelang.syntax.forms import Form

Schema = dict[str, Any]

# editors type scalars themselves: `players: 2`, `start: on`, `010`; so a text may look like any of these to them
_SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
_WORDS: Schema = {"type": "array", "items": _SCALAR}
# a name, in the words of ECMA-262: letters of any script, digits and `_`
_NAME = r"[^\s\d!-/:-@\[-^`{-~][^\s!-/:-@\[-^`{-~]*"
_NOT_DROP = "(?!drop$)"      # in overlays `drop: […]` is no name
_KEYS = {
    "name": rf"^{_NOT_DROP}{_NAME}$",
    "decl": rf"^{_NOT_DROP}{_NAME}(\s*\[.*\])?$",
    "sig": rf"^{_NOT_DROP}{_NAME}(\s*\(.*\))?$",
}
_ANY_KEY = rf"^{_NOT_DROP}.+$"


def schema() -> Schema:
    """The JSON Schema (draft 2020-12) of rules files."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rulelang rules file",
        "description": "Rules of a board or card game. Sentences within are checked by `rulelang check`.",
        **_closed({key: _reference(f"section-{key}") for key in forms.SECTIONS}),
        "$defs": {
            "scalar": _SCALAR,
            "words": {"anyOf": [_WORDS, _edit_of_list(_SCALAR)]},
            "block": {"anyOf": [_SCALAR, _closed({"first": _SCALAR, "then": _SCALAR})]},
            "rule": {"anyOf": [_SCALAR, _rule_edit()]},
            "data": {"anyOf": [
                _SCALAR,
                {"type": "array", "items": {"$ref": "#/$defs/data"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/data"}},
            ]},
            "variant": _variant(),
            **{f"section-{key}": _of(form) for key, form in forms.SECTIONS.items()},
        },
    }


def _closed(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _edit_of_list(item: Schema) -> Schema:
    return _closed({"add": {"type": "array", "items": item}, "drop": _WORDS})


def _rule_edit() -> Schema:
    return {"type": "object", "properties": {"drop": _WORDS}, "additionalProperties": _SCALAR}


def _variant() -> Schema:
    own = {key: _of(form) for key, form in forms.VARIANT_KEYS.items()}
    sections = {key: _reference(f"section-{key}") for key in forms.VARIANT.keys if key not in own}
    return _closed({**own, **sections, "drop": _WORDS})


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _of(form: Form) -> Schema:
    """The schema of one form, with its example."""
    made = dict(_bare(form))
    made.setdefault("description", form.takes)
    made.setdefault("examples", [form.example])
    return made


def _bare(form: Form) -> Schema:
    match form:
        case forms.Section():
            properties = {key: _of(inner) for key, inner in form.keys.items()}
            properties["drop"] = _WORDS
            section = _closed(properties)
            return {"anyOf": [_bare(form.keys[form.short]), section]} if form.short else section
        case forms.Named():
            inner = _of(form.of)
            return {
                "type": "object",
                "properties": {"drop": {"anyOf": [_WORDS, inner]}},
                "patternProperties": {_KEYS.get(form.keys, _ANY_KEY): inner},
                "additionalProperties": False,
            }
        case forms.Names():
            return _reference("words")
        case forms.Listed():
            inner = _bare(form.of)
            choices = [{"type": "array", "items": inner}, _edit_of_list(inner)]
            return {"anyOf": [inner, *choices] if form.single else choices}
        case forms.Choice():
            return {"anyOf": [_bare(each) for each in (form.scalar, form.sequence, form.mapping) if each is not None]}
        case forms.Players():
            return {"anyOf": [_SCALAR, _WORDS]}
        case forms.Block():
            return _reference("block")
        case forms.Clauses():
            return _reference("rule")
        case forms.Data():
            return _reference("data")
        case forms.Start():
            return {"anyOf": [_SCALAR, _bare(forms.PICTURE), _reference("data")]}
        case forms.Illegal():
            return {"anyOf": [_WORDS, {"type": "object", "additionalProperties": _SCALAR}]}
        case forms.Variant():
            return _reference("variant")
        case _:
            return _reference("scalar")
