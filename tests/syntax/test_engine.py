"""The parser behind the sentences: its grammar, and its tables on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulelang.source.diagnostic import Faults, Place
from rulelang.source.tree import Scalar
from rulelang.syntax import engine as engine_module
from rulelang.syntax.build import BUILDERS
from rulelang.syntax.engine import GRAMMAR, STARTS, build, engine
from rulelang.syntax.parse import forget, parse
from rulelang.syntax.words import RESERVED, STATEMENT_WORDS


def test_the_grammar_has_no_conflict_and_no_ambiguous_word() -> None:
    pytest.importorskip("interegular")
    build(GRAMMAR.read_text(encoding="utf-8"), strict=True)


def test_every_rule_has_a_builder_and_every_builder_a_rule() -> None:
    grammar = engine()
    names = {rule.alias or rule.origin.name for rule in grammar.rules}
    made = {name for name in names if not name.startswith("_")}
    inlined = {rule.origin.name for rule in grammar.rules if rule.options.expand1}
    assert made - inlined <= set(BUILDERS)
    assert set(BUILDERS) <= made


def test_the_signs_that_set_are_known_by_their_names() -> None:
    from rulelang.syntax.explain import _SETS

    found = {terminal.name for terminal in engine().terminals if terminal.pattern.value in (":=", "+=", "-=", r"\+=")}
    assert found == _SETS


def test_words_of_statements_are_those_of_the_grammar() -> None:
    accepted = engine().parse_interactive("\n", start="block")
    list(accepted.iter_parse())
    literal = {terminal.name: terminal.pattern.value for terminal in engine().terminals}
    words = {literal[name] for name in accepted.accepts() if name in literal and literal[name].isalpha()}
    assert words <= set(STATEMENT_WORDS)
    assert words - {"out", "for", "if", "do"} <= RESERVED


def run(home: Path, code: str = "") -> str:
    code = code or (
        "from rulelang.source.diagnostic import Faults, Place\n"
        "from rulelang.source.tree import Scalar\n"
        "from rulelang.syntax.parse import parse\n"
        "print(parse(Scalar('a + b', Place('f', 1, 1), '', 1, 1), 'expr', Faults()).kind)"
    )
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "LOCALAPPDATA": str(home)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert not done.stderr
    return done.stdout.strip()


def stored(home: Path) -> list[Path]:
    return sorted((home / "cache").rglob("grammar-*"))


@pytest.mark.skipif(sys.platform != "linux", reason="the cache directory is set by XDG_CACHE_HOME")
class TestCache:
    """What is kept between processes can only make things faster."""

    def test_is_made_once(self, tmp_path: Path) -> None:
        assert run(tmp_path) == "plus"
        (first,) = stored(tmp_path)
        before = first.stat().st_mtime_ns
        assert run(tmp_path) == "plus"
        assert [path.stat().st_mtime_ns for path in stored(tmp_path)] == [before]

    def test_damage_is_repaired(self, tmp_path: Path) -> None:
        run(tmp_path)
        (file,) = stored(tmp_path)
        whole = file.read_bytes()
        for damaged in (b"", b"nonsense", whole[: len(whole) // 2], whole[:100] + b"\x00" * 50 + whole[150:]):
            file.write_bytes(damaged)
            assert run(tmp_path) == "plus"

    def test_a_directory_that_cannot_be_made_does_not_matter(self, tmp_path: Path) -> None:
        (tmp_path / "cache").write_text("a file", encoding="utf-8")
        assert run(tmp_path) == "plus"

    def test_a_directory_that_others_may_write_to_is_not_used(self, tmp_path: Path) -> None:
        directory = tmp_path / "cache" / "rulelang"
        directory.mkdir(parents=True)
        directory.chmod(0o777)
        assert run(tmp_path) == "plus"
        assert not stored(tmp_path)

    def test_several_processes_at_once(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(run, [tmp_path] * 6)) == ["plus"] * 6
        assert len(stored(tmp_path)) == 1


def test_no_cache_directory_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "directory", lambda: None)
    assert engine_module.engine.__wrapped__().parse("a", start="expr").kind == "name"


def test_the_starts_are_those_of_parse() -> None:
    for start in STARTS:
        assert parse(Scalar("1.", Place("f", 1, 1), "", 1, 1), start, Faults()) is None


def test_a_sentence_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulelang.syntax import parse as parse_module
    from rulelang.syntax.load import load_document

    steps = [f"  s{n}(c of Cell): |\n    if a[c] = {n} and not (b or {n} > 2):\n      x[c, {n}] := {{a, b}} without c\n"
             for n in range(50)]
    path = tmp_path / "long.rules"
    path.write_text("rulelang: 1\nsteps:\n" + "".join(steps), encoding="utf-8")
    forget()
    load_document(path, lambda name: None)
    monkeypatch.setattr(parse_module, "_run", lambda *args: pytest.fail("parsed again"))
    load_document(path, lambda name: None)
    forget()
