"""`rulelang schema`: the JSON Schema of rules files, from which editors complete sections."""

from __future__ import annotations

import argparse
import json

from rulelang.cli import exits

EXAMPLES = """examples:
  rulelang schema > rulelang.schema.json

Editors with a YAML language server take it from a comment in the first line of a rules file:
  # yaml-language-server: $schema=rulelang.schema.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb: none."""


def run(args: argparse.Namespace) -> int:
    """Print the schema."""
    from rulelang.syntax.schema import schema

    print(json.dumps(schema(), indent=2, ensure_ascii=False))
    return exits.YES
