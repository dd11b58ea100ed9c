"""The examples of a page of documentation, and the files that they are made into.

A fenced block whose language is `rules` is an example. What else stands on its first line says what it is:

    ```rules                        a whole file
    ```rules garden.rules           a whole file that others of the page extend by this name
    ```rules part board.rules       a part of a file, which another includes
    ```rules KIND in garden         a fragment: it stands in garden.rules. KIND is one of the FRAMES below
    ```rules fault CODE …           the checker must find this fault in it (or, if the kind is `play`, the game in play)
    ```rules warning CODE …         the checker must warn of this

In a fragment a comment may say what must come of it:

    EXPRESSION          # = VALUE   in `expr`: what the expression is at the start of the game
    # then CONDITION                what holds after the statements or after the move
    # chance NAME: [VALUES]         what is drawn on the way
    # play MOVE                     the move to make, where it is not the action's name alone
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

_FENCE = re.compile(r"^```rules\b(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_INFO = re.compile(
    r"""(?:\s+(?P<verdict>fault|warning)\s(?P<code>[a-z-]+))?
        (?:\s+(?P<kind>expr|do|rule|section|type|play)\s+in\s+(?P<base>\w+))?
        (?:\s+(?P<part>part)(?=\s))?
        (?:\s+(?P<name>[\w-]+\.rules))?\s*$""",
    re.VERBOSE,
)
_NOTE = re.compile(r"^#\s+(?P<word>then|chance|play)\s+(?P<rest>.+)$")
_VALUE = re.compile(r"\s+#\s+=\s*(?P<value>.+)$")


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a page."""

    line: int
    kind: str               # file, part, or the kind of fragment
    text: str
    base: str = ""
    name: str = ""
    verdict: str = ""       # fault, warning, or nothing
    code: str = ""

    def __str__(self) -> str:
        return f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Written:
    """A rules file made of an example, and the text in it that counts."""

    path: Path
    text: str


def examples(page: Path) -> list[Example]:
    """All examples of a page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start()) + 1
        info = _INFO.match(fence["info"])
        if info is None:
            raise ValueError(f"{page.name}:{line}: `{fence['info']}` is no kind of example")
        kind = info["part"] or info["kind"] or "file"
        found.append(Example(line, kind, fence["text"], info["base"] or "", info["name"] or "", info["verdict"] or "",
                             info["code"] or ""))
    return found


def write_files(found: list[Example], folder: Path) -> None:
    """The named files of a page, side by side."""
    for example in found:
        if example.name:
            (folder / example.name).write_text(example.text, encoding="utf-8")


def written(example: Example, folder: Path) -> list[Written]:
    """The files that an example is made into (one for each line of expressions or types)."""
    if example.kind == "part":
        return []
    if example.name:
        return [Written(folder / example.name, example.text)]
    name = f"at_line_{example.line}"
    if example.kind == "file":
        path = folder / f"{name}.rules"
        path.write_text(example.text, encoding="utf-8")
        return [Written(path, example.text)]
    files = []
    for number, (rules, asked) in enumerate(_FRAMES[example.kind](example)):
        # a fragment need not use all that it declares: that is asked only of the file that is checked, which extends it
        fragment = f"{name}_{number}_fragment.rules"
        (folder / fragment).write_text(f"extends: {example.base}.rules\n{rules}", encoding="utf-8")
        path = folder / f"{name}_{number}.rules"
        path.write_text(f"extends: {fragment}\n{asked}", encoding="utf-8")
        files.append(Written(path, rules + asked))
    return files


Made = Iterator[tuple[str, str]]        # sections of the fragment, and examples of it


def _sections(example: Example) -> Made:
    rules, examples_, rest = example.text.partition("examples:\n")
    yield rules, examples_ + rest


def _expressions(example: Example) -> Made:
    for line in _logical_lines(example.text):
        value = _VALUE.search(line)
        expression = line[: value.start()] if value else line
        if value is None:
            yield "define:\n  it: |\n" + indent(expression, "    ") + "\n", ""
            continue
        wanted = value["value"]
        asked = {"on": expression, "off": f"not ({expression})"}.get(wanted, f"({expression}) = ({wanted})")
        yield "", "examples:\n  it:\n    then: |\n" + indent(asked, "      ") + "\n"


def _types(example: Example) -> Made:
    for line in _logical_lines(example.text):
        yield f"state:\n  it:\n    type: {line.split(' #')[0].strip()}\n", ""


def _effects(example: Example) -> Made:
    lines, notes = _parted(example.text)
    yield _with_action("do:\n" + indent("\n".join(lines), "  "), notes)


def _rule(example: Example) -> Made:
    lines, notes = _parted(example.text)
    yield _with_action("\n".join(lines), notes)


def _with_action(rule: str, notes: dict[str, list[str]]) -> tuple[str, str]:
    rules = f"phases:\n  play:\n    actions: [it]\nactions:\n  it: |\n{indent(rule, '    ')}\n"
    if not notes:
        return rules, ""
    asked = "examples:\n  it:\n    play: [" + ", ".join(f'"{move}"' for move in notes.get("play", ["it"])) + "]\n"
    if "chance" in notes:
        asked += "    chance:\n" + indent("\n".join(notes["chance"]), "      ") + "\n"
    if "then" in notes:
        asked += "    then: |\n" + indent(" and ".join(f"({one})" for one in notes["then"]), "      ") + "\n"
    return rules, asked


def _parted(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """The lines of a fragment, and what its comments ask."""
    lines: list[str] = []
    notes: dict[str, list[str]] = {}
    for line in dedent(text).splitlines():
        note = _NOTE.match(line)
        if note:
            notes.setdefault(note["word"], []).append(note["rest"])
        else:
            lines.append(line)
    return lines, notes


def _logical_lines(text: str) -> list[str]:
    """Lines; one that is indented goes on with the line above."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and lines:
            lines[-1] += "\n" + line
        elif line.strip() and not line.startswith("#"):
            lines.append(line)
    return lines


_FRAMES = {
    "section": _sections, "expr": _expressions, "type": _types, "do": _effects, "play": _effects, "rule": _rule,
}
