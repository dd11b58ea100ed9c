"""The YAML tree: scalars are text, and every place is the file's own."""


import pytest
import yaml

from rulelang.source import compose as compose_module
from rulelang.source.compose import compose, is_verbatim
from rulelang.source.diagnostic import Faults
from rulelang.source.tree import Mapping, Node, Scalar, Sequence


@pytest.fixture(params=["CBaseLoader", "BaseLoader"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds for both of PyYAML's readers."""
    if not hasattr(yaml, request.param):
        pytest.skip("PyYAML was built without libyaml")
    monkeypatch.setattr(compose_module, "_LOADER", getattr(yaml, request.param))


def composed(text: str) -> Mapping:
    faults = Faults()
    found = compose(text, "a.rules", faults)
    faults.raise_any()
    assert found is not None
    return found


def faults_of(text: str) -> list[tuple[str, int, int]]:
    faults = Faults()
    compose(text, "a.rules", faults)
    return [(each.code, each.place.line, each.place.column) for each in faults]


def scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Sequence):
        return [scalar for item in node.items for scalar in scalars(item)]
    return [scalar for key, value in node.entries for scalar in (key, *scalars(value))]


def test_scalars_are_text() -> None:
    found = composed("a: [on, off, yes, no, 1:30, 007, ~, null, 0x1F, 1e3]\n")
    assert [scalar.text for scalar in scalars(found)[1:]] == [
        "on", "off", "yes", "no", "1:30", "007", "~", "null", "0x1F", "1e3"]


TEXT = """\
# ä comment
größe: {𝄞: [ü, "é è"], b: 'ß'}
list:
  - été   # ü
  - "ö"
block: |

  first ä

    second
  # third
after: x
deep:
      further: |
         text
nothing:
"""


def test_text_stands_where_its_place_says() -> None:
    lines = TEXT.split("\n")
    for scalar in scalars(composed(TEXT)):
        for number, part in enumerate(scalar.text.split("\n")):
            row = lines[scalar.line - 1 + number]
            begin = scalar.column - 1
            assert row[begin : begin + len(part)] == part, scalar


def test_places_are_where_scalars_begin() -> None:
    lines = TEXT.split("\n")
    for scalar in scalars(composed(TEXT)):
        row = lines[scalar.place.line - 1]
        begin = scalar.place.column - 1
        assert row[begin:].startswith(scalar.style or scalar.text), scalar
        if scalar.text and scalar.style != "|":
            assert scalar.place.length == len(scalar.text) + 2 * len(scalar.style)


def test_styles_and_flow() -> None:
    found = composed(TEXT)
    styles = {scalar.text.strip(): scalar.style for scalar in scalars(found)}
    assert (styles["été"], styles["é è"], styles["ß"], styles["text"]) == ("", '"', "'", "|")
    first, second = found.entries[0][1], found.entries[1][1]
    assert isinstance(first, Mapping) and first.flow
    assert isinstance(second, Sequence) and not second.flow


def test_block_begins_with_its_blank_lines() -> None:
    block = next(scalar for scalar in scalars(composed(TEXT)) if scalar.style == "|")
    assert block.text == "\nfirst ä\n\n  second\n# third\n"
    assert (block.line, block.column, block.place.line, block.place.column) == (7, 3, 6, 8)


def test_block_with_blanks_on_its_empty_lines() -> None:
    block = scalars(composed("a: |\n        \n  b\n   \n  c\n"))[1]
    assert (block.text, block.line, block.column) == ("\nb\n\nc\n", 2, 3)


@pytest.mark.parametrize("sign", ["|-", "|+"])
def test_block_chomping_changes_no_place(sign: str) -> None:
    block = scalars(composed(f"a: {sign}\n  b\n  c\n\n"))[1]
    assert (block.text.rstrip("\n"), block.line, block.column) == ("b\nc", 2, 3)


def test_block_at_the_end_without_line_end() -> None:
    block = scalars(composed("a:\n    b: |\n      c"))[2]
    assert (block.text, block.line, block.column) == ("c", 3, 7)


def test_empty_block() -> None:
    block = scalars(composed("a: |\nb: c\n"))[1]
    assert (block.text, block.style) == ("", "|")


@pytest.mark.parametrize(("text", "verbatim"), [
    ("a: b c", True), ('a: "b c"', True), ("a: b\n  c", False), ('a: "b\n  c"', False), (r'a: "\x41"', False),
    ("a: 'it''s'", False), ("a: |\n  b\n  c", True), ('a: "b   \n  c"', False),
])
def test_is_verbatim(text: str, verbatim: bool) -> None:
    assert is_verbatim(scalars(composed(text))[1]) is verbatim


def test_byte_order_mark_and_windows_line_ends() -> None:
    found = scalars(composed("\ufeffa: b\r\nc: d\r\n"))
    assert [(each.text, each.line, each.column) for each in found] == [
        ("a", 1, 1), ("b", 1, 4), ("c", 2, 1), ("d", 2, 4)]


def test_one_document_may_be_marked() -> None:
    assert composed("---\na: b\n...\n").entries


@pytest.mark.parametrize("text", [
    "a: what is ?\nb: c", "a: ?b\nc: d", "a: x\nb: '?'\nc: d",
])
def test_question_marks_are_no_complex_keys(text: str) -> None:
    composed(text)


@pytest.mark.parametrize(("text", "column"), [("? a\n: b", 1), ("{? a : b}", 2), ("? [a]\n: b", 1)])
def test_complex_keys(text: str, column: int) -> None:
    assert ("complex-key", 1, column) in faults_of(text)


def test_all_refusals_at_once() -> None:
    text = "a: 1\na: 2\nb: &x 3\nc: !t 4\n<<: d\ne: >\n  f\n? g\n: h\n"
    assert faults_of(text) == [
        ("second-key", 2, 1), ("anchor", 3, 4), ("tag", 4, 4), ("merge-key", 5, 1), ("folded", 6, 4),
        ("complex-key", 8, 1)]


def test_second_key_is_said_with_the_first() -> None:
    faults = Faults()
    compose("a: 1\nb: 2\na: 3\n", "a.rules", faults)
    (words, place), = faults.found[0].notes
    assert place is not None and (place.line, place.column) == (1, 1) and "a.rules:1:1" in words


@pytest.mark.parametrize("text", [
    "a: " + "[" * 200_000, "a: " + "{a: " * 100_000, "- " * 5_000, "\n".join(" " * n + "a:" for n in range(3_000)),
    "[" * 65 + "]" * 65, "a: " + "[" * 60 + '"' + "[" * 10_000,
])
def test_hostile_depth_is_refused(text: str) -> None:
    assert faults_of(text)


def test_sixty_levels_are_fine() -> None:
    composed("a: " + "[" * 60 + "]" * 60)
