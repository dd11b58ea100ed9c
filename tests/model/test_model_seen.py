"""Section 7 of the language: what a guard, a sentence or a choice may read of the state.

Each test names the rule. `seen` at its places is in faults/secrets.txt; what views show is in tests/engine/.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from model_cases import completed

from rulelang.loading import check

HANDS = """
state:
  hand[p of Player]: {type: set of 1..9, start: one of each, seen: viewer = p}
  shown: switch
  top: 0..9
"""
STONES = """
board: {grid: 3x3}
state:
  stone[c of Cell]: {type: switch, start: on}
  digit[c of Cell]:
    type: 1..9
    seen: not stone[c]
"""


Secrets = Callable[..., list[str]]


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    """Where secrets are read that may not be: the lines, as text."""
    def found(state: str, rule: str, more: str = "") -> list[str]:
        indented = "\n".join(f"    {line}" for line in rule.strip("\n").split("\n"))
        if "do:" not in rule:
            indented += "\n    do:\n      next player"
        text = completed(f"{state}\n{more}\nactions:\n  act: |\n{indented}\n")
        file = tmp_path / "seen.rules"
        file.write_text(text, encoding="utf-8")
        errors = [d for d in check(file) if d.severity == "error"]
        assert {d.code for d in errors} <= {"secret"}, errors
        return [text.split("\n")[d.place.line - 1].strip() for d in errors]
    return found


def test_7_left_out_is_open(secrets: Secrets) -> None:
    assert not secrets(HANDS, "require shown: top > 3 and not shown")


def test_7_off_is_nobodys(secrets: Secrets) -> None:
    state = "state:\n  pile: {type: bag of 1..9 up to 9, start: one of each, seen: off}"
    assert secrets(state, "require few: 3 in pile\nchoose n in kinds of pile") == [
        "require few: 3 in pile", "choose n in kinds of pile"]


def test_7_size_seen_shows_how_many(secrets: Secrets) -> None:
    state = "state:\n  hand[p of Player]: {type: set of 1..9, seen: viewer = p, size seen: on}"
    assert not secrets(state, "choose p in Player where count of hand[p] > 2 and hand[p] is not empty")
    assert secrets(state, "choose p in Player where 3 in hand[p]")
    assert secrets(state, "choose p in Player where count of {n in hand[p] where n > 2} > 0")
    assert secrets(state, "require most: count of kinds of hand[opponent] > 1")


def test_7_size_seen_may_be_a_condition(secrets: Secrets) -> None:
    state = ("state:\n  open: switch\n"
             "  hand[p of Player]: {type: set of 1..9, seen: viewer = p, size seen: open}")
    assert not secrets(state, "require more: open and count of hand[opponent] > 2")
    assert secrets(state, "require more: count of hand[opponent] > 2")


def test_7_by_form_hand_me(secrets: Secrets) -> None:
    assert not secrets(HANDS, """
choose n in hand[me] "not one of {hand[me]}"
let most = highest of hand[me]
require low: n < most and count of hand[me] > 1 "you hold {most}"
do:
  hand[me] -= {n}
ensure left: hand[me] is not empty
""")


def test_7_by_form_for_no_other(secrets: Secrets) -> None:
    for seat in ("opponent", "left of me", "player 1"):
        assert secrets(HANDS, f"require three: 3 in hand[{seat}]"), seat


def test_7_by_form_a_local_that_is_me(secrets: Secrets) -> None:
    assert secrets(HANDS, "choose p in Player where 3 in hand[p]")
    assert not secrets(HANDS, "choose p in Player where p = me and 3 in hand[p]")
    assert not secrets(HANDS, "choose p in Player where me = p and 3 in hand[p]")


def test_7_guarded_by_and_to_the_left(secrets: Secrets) -> None:
    assert not secrets(STONES, "choose c in Cell where not stone[c] and digit[c] = 3")
    assert secrets(STONES, "choose c in Cell where digit[c] = 3 and not stone[c]")
    assert secrets(STONES, "choose c in Cell where stone[c] and digit[c] = 3")
    assert secrets(STONES, "choose c in Cell where not stone[a1] and digit[c] = 3")


def test_7_guarded_by_or_to_the_left(secrets: Secrets) -> None:
    assert not secrets(STONES, "choose c in Cell where stone[c] or digit[c] = 3")
    assert secrets(STONES, "choose c in Cell where not stone[c] or digit[c] = 3")


def test_7_guarded_by_if(secrets: Secrets) -> None:
    assert not secrets(STONES, "choose c in Cell where (9 if stone[c] else digit[c]) = 3")
    assert secrets(STONES, "choose c in Cell where (digit[c] if stone[c] else 9) = 3")


def test_7_guarded_by_where(secrets: Secrets) -> None:
    for form in ("some c in Cell where not stone[c] has digit[c] = 3",
                 "every c in Cell where not stone[c] has digit[c] = 3",
                 "count of {c in Cell where not stone[c] and digit[c] = 3} = 9",
                 "sum of {digit[c] for c in Cell where not stone[c]} > 3",
                 "(first c in Cell where not stone[c] and digit[c] = 3) is not none"):
        assert not secrets(STONES, f"require open: {form}"), form
        assert secrets(STONES, f"require open: {form}".replace("not stone[c]", "stone[c]")), form


def test_7_guarded_by_what_picked_out_a_set(secrets: Secrets) -> None:
    more = 'define:\n  open: "{c in Cell where not stone[c]}"\n  low(n of 1..9): "{c in open where digit[c] < n}"'
    assert not secrets(STONES, "choose c in {x in Cell where not stone[x]} where digit[c] = 3")
    assert not secrets(STONES, "choose c in open where digit[c] = 3\nchoose d in low(digit[c])", more)


def test_7_guarded_by_a_clause_before(secrets: Secrets) -> None:
    assert not secrets(STONES, "choose c in Cell\nrequire open: not stone[c]\nrequire three: digit[c] = 3")
    assert not secrets(STONES, "choose c in Cell where not stone[c]\nlet d = digit[c]\nrequire three: d = 3")
    assert secrets(STONES, "choose c in Cell\nrequire three: digit[c] = 3\nrequire open: not stone[c]")


def test_7_a_clause_before_holds_no_more_after_do(secrets: Secrets) -> None:
    assert secrets(STONES, """
choose c in Cell where not stone[c]
do:
  stone[c] := on
ensure three: digit[c] = 3
""") == ["ensure three: digit[c] = 3"]


def test_7_the_same_condition_only(secrets: Secrets) -> None:
    state = STONES.replace("seen: not stone[c]", "seen: not stone[c] and row of c > 1")
    assert secrets(state, "choose c in Cell where not stone[c] and digit[c] = 3")
    assert secrets(state, "choose c in Cell where row of c > 1 and digit[c] = 3")
    assert not secrets(state, "choose c in Cell where row of c > 1 and not stone[c] and digit[c] = 3")


def test_7_either_condition_is_enough(secrets: Secrets) -> None:
    state = HANDS.replace("seen: viewer = p", "seen: viewer = p or shown")
    assert not secrets(state, "require three: shown and 3 in hand[opponent]")
    assert not secrets(state, "require three: 3 in hand[me]")
    assert secrets(state, "require three: 3 in hand[opponent]")


def test_7_the_sketch_of_exhausted(secrets: Secrets) -> None:
    more = "define:\n  exhausted(d of 1..9): no c in Cell has stone[c] and digit[c] = d"
    assert secrets(STONES, "choose d in 1..9 where not exhausted(d)", more)
    assert not secrets(STONES, "choose d in 1..9 where count of {c in Cell where not stone[c] and digit[c] = d} < 9")


def test_7_a_define_is_asked_for_what_it_reads(secrets: Secrets) -> None:
    more = "define:\n  has_three(p of Player): 3 in hand[p]"
    assert not secrets(HANDS, "require mine: has_three(me)", more)
    assert secrets(HANDS, "require ours: ours", more + "\n  ours: has_three(me) or has_three(opponent)")
    more = "define:\n  low(c of Cell): digit[c] < 3"
    assert not secrets(STONES, "choose c in Cell where not stone[c] and low(c)", more)
    assert secrets(STONES, "choose c in Cell where low(c)", more)


def test_7_begin_after_do_end_may_read_all(secrets: Secrets) -> None:
    more = """
define:
  best: first p in Player where 9 in hand[p]
phases:
  play:
    begin: |
      if 3 in hand[player 1]: top := 1
    actions: [act]
    after: |
      top := highest of hand[opponent]
      if best is player 1: next player
turn:
  end: |
    if hand[left of me] is empty: finish
end:
  won:
    when: some p in Player has hand[p] is empty
limit: {turns: 20}
rank: count of hand[p]
invariants:
  few: every p in Player has count of hand[p] < 10
"""
    assert not secrets(HANDS, "do:\n  if 3 in hand[opponent]: top := 3\n  hand[me] := hand[opponent]", more)


@pytest.mark.parametrize("told", ["says \"{count of hand[me]}\"", "says \"{highest of hand[opponent]}\""])
def test_7_says_is_told_to_all(secrets: Secrets, told: str) -> None:
    assert secrets(HANDS, told) == [told]


def test_7_says_what_all_may_see(secrets: Secrets) -> None:
    state = HANDS.replace("seen: viewer = p", "seen: viewer = p or shown")
    assert not secrets(state, 'says "{me} has {top}"')
    assert not secrets(state, 'require shown: shown\nsays "{me} has {highest of hand[me]}"')
    assert secrets(state, 'choose n in hand[me]\nsays "{me} has {highest of hand[me]}"')


def test_7_what_a_define_tells(secrets: Secrets) -> None:
    assert secrets(HANDS, 'says "{mine}"', "define:\n  mine: count of hand[me]")


def test_7_effects_do_not_hand_on_what_they_have_read(secrets: Secrets) -> None:
    assert secrets(HANDS, """
do:
  let best = highest of hand[opponent]
  let half = best / 2
  top := 3
ensure more: top > half
""") == ["ensure more: top > half"]
    assert secrets(HANDS, """
do:
  let found = first n in hand[opponent] where n > 3
  top := 3
ensure more: found is none
""") == ["ensure more: found is none"]


def test_7_who_best_and_stuck(secrets: Secrets) -> None:
    play = "\nphases:\n  play:\n    {}\n    actions: [act]\nlimit: {{turns: 9}}\n"
    for line in ("who: first p in Player where 3 in hand[p]", "chain: one move\n    best: [count of hand[opponent]]",
                 "stuck: |\n      if 3 in hand[opponent]: end turn\n      next player"):
        line = line.replace("best: [count of hand[opponent]]", "best:\n      - count of hand[opponent]")
        assert len(secrets(HANDS, "do:\n  top := 1\n  end turn", play.format(line))) == 1, line
        line = line.replace("hand[p]", "{1, 2}").replace("hand[opponent]", "hand[me]")
        assert not secrets(HANDS, "do:\n  top := 1\n  end turn", play.format(line)), line


def test_7_how_often_a_position_stood(secrets: Secrets) -> None:
    more = "positions:\n  all: [top, {}]\ndefine:\n  again_: times(all) > 0".replace("{}", "hand")
    assert len(secrets(HANDS, "require new: times(all) = 0\nrequire old: not again_", more)) == 2
    assert not secrets(HANDS, "do:\n  if again_: top := 1", more)
    assert len(secrets(HANDS, "do:\n  let often = times(all)\n  top := 1\nensure new: often = 0",
                       more.replace("define:\n  again_: times(all) > 0", ""))) == 1
    assert not secrets(HANDS, "require new: times(all) = 0\nrequire old: not again_", more.replace("hand", "shown"))
