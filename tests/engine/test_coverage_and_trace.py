"""Which parts of the rules were used, and what they did."""

from __future__ import annotations

from engine_games import Make

from rulelang.engine import Coverage, Interpreter, TraceEntry

GAME = """
state:
  n: 0..9
define:
  low: n < 2
  points(p of Player): n
phases:
  only:
    begin: |
      n := 1
    actions: [up, down]
    after: |
      if n > 5: finish
      next player
actions:
  up: |
    choose k in 1..2 where k < 3
    require small: low
    do:
      n += k
  down: |
    require never: n > 2
    do:
      n := 0
rank: points
limit: {turns: 9}
"""


def test_clauses_are_counted_by_how_they_came_out(rules: Make) -> None:
    coverage = Coverage()
    ruleset = rules(GAME)
    state = Interpreter(ruleset.machine(), coverage).start()
    assert [move.text for move in state.moves()] == ["up 1", "up 2"]
    counts = {part.name: by for part, by in coverage.counts.items()}
    assert counts["action up, k"]["held"] >= 2
    assert counts["action up, small"]["held"] >= 2
    assert counts["action down, never"] == {"held": 0, "failed": 1}
    assert counts["phase only, begin"] == {"ran": 1}
    assert counts["phase only, after"] == {"ran": 0}
    assert counts["define low"]["ran"] > 0
    assert "action down, never" in {part.name for part in coverage.unused()}
    assert "action up, k" in {part.name for part in coverage.never_failed()}
    both = Coverage()
    both.add(coverage)
    both.add(coverage)
    assert {p.name: by for p, by in both.counts.items()}["action down, never"]["failed"] == 2


def test_each_value_that_is_refused_is_counted(rules: Make) -> None:
    coverage = Coverage()
    ruleset = rules("""
        board: {grid: 3x3}
        state:
          taken[c of Cell]: Player or none
          hand: {type: set of 1..3, start: one of each}
        phases:
          only: {actions: [mark, lay, skip], after: next player}
        actions:
          mark: |
            choose c in Cell where taken[c] is none "there is a mark"
            do:
              taken[c] := me
          lay: |
            choose 2 from hand as two where 1 not in two
            do:
              hand -= two
          skip: |
            choose c in Cell or none where c is none or taken[c] is not none
            do:
              taken[a1] := taken[a1]
        limit: {turns: 9}
    """)
    state = Interpreter(ruleset.machine(), coverage).start()
    listed = [move.text for move in state.moves()]
    assert listed == [move.text for move in ruleset.start().moves()]
    counts = {part.name: by for part, by in coverage.counts.items()}
    assert counts["action mark, c"] == {"held": 10, "failed": 0}      # once when it was asked whether anything is legal
    assert counts["action lay, two"] == {"held": 1, "failed": 2}
    assert counts["action skip, c"] == {"held": 1, "failed": 9}
    assert "action mark, c" in {part.name for part in coverage.never_failed()}
    state.play("mark b2")
    assert len(state.moves()) == 11
    assert counts["action mark, c"] == {"held": 19, "failed": 1}
    assert "action mark, c" not in {part.name for part in coverage.never_failed()}


def test_a_trace_names_the_rule_its_line_and_what_changed(rules: Make) -> None:
    entries: list[TraceEntry] = []
    ruleset = rules(GAME)
    state = Interpreter(ruleset.machine(), trace=entries.append).start()
    state.moves()
    state.play("up 2")
    told = [(entry.rule, entry.changes, entry.exit) for entry in entries]
    assert told == [
        ("phase only, begin", ("n: 0 -> 1",), ""),
        ("action up, do", ("n: 1 -> 3",), ""),
        ("phase only, after", (), ""),
    ]
    assert entries[0].place.line > 1
    assert str(entries[1]).endswith("action up, do: n: 1 -> 3")
