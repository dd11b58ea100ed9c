"""A rules file cannot put text of its choosing into C, and what is generated is clean under the sanitizers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from native_engines import FILES

from rulelang.loading import Ruleset, load
from rulelang.native.compiling import compiler
from rulelang.native.program import generate
from rulelang.native.searching import searchable
from rulelang.native.shapes import Declined
from rulelang.native.text import comment, ident

MAIN = """
#include <stdio.h>
#include <signal.h>
#include <unistd.h>
static volatile int stop;
static void enough(int signal) { (void)signal; stop = 1; }
int main(void) {
  rl_prepare();
  Game *g = rl_new();
  static i64 out[1 << 16], moves[1 << 20], result[4096];
  for (u64 seed = 0; seed < %(games)d; seed++) {
    int what = rl_start(g, seed, 0);
    i64 drawn = 0;
    for (int ply = 0; what == 1 && ply < %(plies)d; ply++) {
      rl_export(g, out);
      if (g->state.actor >= 0) rl_moves(g, g->state.actor, moves, 1 << 20);
      what = rl_playout_step(g, seed, &drawn);
    }
    if (what == 3) rl_result(g, result);
    if (what < 0) { printf("fault %%d\\n", what); }
  }
%(search)s
  rl_free(g);
  return 0;
}
"""
SEARCH = """
  signal(SIGALRM, enough);
  alarm(1);
  Search *q = rl_search_new(0, 0, 1 << 20);
  rl_search(q, g, rl_start(g, 0, 0), -1, 1, &stop);
  rl_search_free(q);
"""


def test_names_and_comments_hold_nothing_but_harmless_characters() -> None:
    evil = 'a*/ system("x"); /*\\\n#include "y" ??/ \u202e'
    assert re.fullmatch(r"[A-Za-z_]\w*", ident("v", evil), re.ASCII)
    said = comment(evil)
    assert said.startswith("/* ") and said.endswith(" */")
    assert not re.search(r"\*/|/\*|[\\\n\"#?]", said[2:-2])


def test_no_text_of_the_rules_is_in_the_c(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "rules" / "tic_tac_toe.rules").read_text(encoding="utf-8")
    text = text.replace("game: Tic-tac-toe", "game: 'x */ int injected; /*'")
    text = text.replace("{c} is marked already", "*/ injected /*")
    path = tmp_path / "evil.rules"
    path.write_text(text, encoding="utf-8")
    made = generate(load(path).machine()).text
    assert all("injected" not in re.sub(r"/\*.*?\*/", "", line) for line in made.splitlines())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generated_code_is_clean_under_the_sanitizers(path: Path, tmp_path: Path) -> None:
    sanitized(load(path), None, tmp_path, games=3, plies=60, flag="-O0")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_clean_under_the_sanitizers_in_many_games(path: Path, tmp_path: Path) -> None:
    rules = load(path)
    for players in rules.player_counts:
        sanitized(rules, players, tmp_path, games=20, plies=400, flag="-O1")


def sanitized(rules: Ruleset, players: int | None, folder: Path, games: int, plies: int, flag: str) -> None:
    """Compile with the address and the undefined behaviour sanitizer, and play; search for a second where there is a
    search."""
    machine = rules.machine(players)
    try:
        text = generate(machine).text
    except Declined as why:
        pytest.skip(str(why))
    source, program = folder / "game.c", folder / "game"
    search = SEARCH if searchable(machine) else ""
    source.write_text(text + MAIN % {"games": games, "plies": plies, "search": search}, encoding="utf-8")
    subprocess.run([*compiler(), "-std=gnu11", flag, "-g", "-w", "-fsanitize=address,undefined",
                    "-fno-sanitize-recover=all", "-fwrapv", "-fno-strict-aliasing", "-o", str(program), str(source)],
                   check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=300,
                          env={"ASAN_OPTIONS": "detect_leaks=1"})
    assert done.returncode == 0, done.stderr[-3000:]
