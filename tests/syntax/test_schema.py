"""The JSON Schema for editors: it lets through what reads, and finds the keys that do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from documents import DRAFTS

from rulelang.syntax.forms import SECTIONS
from rulelang.syntax.schema import schema

VALIDATOR = jsonschema.Draft202012Validator(schema())
WHOLE = [path for path in sorted(DRAFTS.glob("*.rules")) if path.name != "blox-board.rules"]


def value(text: str, loader: Any) -> Any:
    """As an editor sees it: keys are texts, scalars are typed by YAML."""
    return json.loads(json.dumps(yaml.load(text, Loader=loader), default=str))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    json.dumps(schema())


@pytest.mark.parametrize("loader", [yaml.BaseLoader, yaml.SafeLoader])
@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_every_draft_is_valid(path: Path, loader: Any) -> None:
    errors = [error.message for error in VALIDATOR.iter_errors(value(path.read_text(encoding="utf-8"), loader))]
    assert not errors


@pytest.mark.parametrize("text", [
    "playrs: 2", "board: {gird: 8x8}", "phases: {play: {action: [a]}}", "options: {1a: {type: switch}}",
    "actions: [a]", "limit: {turn: 3}", "define: {a b: c}", "variants: {a: {rulelang: 1}}",
])
def test_what_does_not_read_is_not_valid(text: str) -> None:
    assert list(VALIDATOR.iter_errors(value(text, yaml.SafeLoader)))


@pytest.mark.parametrize("text", [
    "options: {a: {type: switch, start: 010}}", "rank: [a, lowest b]", "players: [a, b]",
    "define: {größe: ä}", "state: {'a[c of Cell]': switch}", "actions: {drop: [a], b: {rule: {before c: d}}}",
    "phases: {p: {actions: {add: [a]}, after: {first: tie}}}", "types: {drop: [a, b], c: {d: e}}",
])
def test_forms_of_overlays_and_short_forms_are_valid(text: str) -> None:
    assert not list(VALIDATOR.iter_errors(value(text, yaml.SafeLoader)))


def test_every_section_is_described() -> None:
    definitions = schema()["$defs"]
    for key in SECTIONS:
        assert definitions[f"section-{key}"]["description"]
        assert definitions[f"section-{key}"]["examples"]
