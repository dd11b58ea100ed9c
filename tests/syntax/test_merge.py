"""Overlays, rule by rule of section 8 of the language's page."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents import at, content, faults, loaded, names

from rulelang.syntax.load import load_document
from rulelang.syntax.overlay import BlockEdit, ListEdit, MapEdit, RuleEdit
from rulelang.syntax.trees import Branch, DataList, Item

BASE = """\
rulelang: 1
game: Base
options:
  seven: {type: 3..40, start: 7, says: seven or more}
state:
  score[p of Player]: {type: 0..9, start: 1}
  pile: 0..9
positions:
  whole: [score, pile]
sources: [a book, a site]
phases:
  play:
    actions: [place, take]
    after: |
      go middle
      next player
    stuck: tie
actions:
  place:
    says: Place a man
    rule: |
      choose to in Cell
      require seven: a
      require six: b
      do:
        x := 1
      ensure check: c
    write: "{to}"
  take: |
    do:
      x := 2
end:
  done: {when: over}
limit: {turns: 5, then: tie}
"""


def edits_in(item: Item) -> bool:
    if isinstance(item, MapEdit | ListEdit | BlockEdit | RuleEdit):
        return True
    if isinstance(item, Branch):
        return any(edits_in(entry.item) for entry in item.entries if entry.name != "variants")
    return isinstance(item, DataList) and any(edits_in(each) for each in item.items)


# ---------------------------------------------------------------------- the unit of merging


def test_8_1_unit_of_merging_is_the_leaf_with_a_name(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "options:\n  seven: {start: 9}\n")
    seven = at(document, "options", "seven")
    assert names(seven) == ["type", "start", "says"]
    assert content(at(seven, "start"))[2][2] == (9,)
    assert at(seven, "start").place.file.endswith("over.rules")
    assert at(seven, "type").place.file.endswith("base.rules")


def test_8_1_maps_merge_key_by_key_in_the_order_of_the_base(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "state:\n  new: switch\n  pile: 0..5\nrank: score\n")
    assert names(at(document, "state")) == ["score", "pile", "new"]
    assert names(document)[-1] == "rank"


def test_8_1_a_scalar_is_replaced_and_a_type_with_it(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "game: Over\nstate:\n  score[p of Player]: 0..3\n")
    assert at(document, "game").value == "Over"
    score = at(document, "state", "score")
    assert names(score) == ["type", "start"]
    assert content(at(score, "type"))[2][2][0][2][1][2] == (3,)


def test_8_1_a_key_without_its_parameters_keeps_them(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "state:\n  score: {start: 2}\n")
    entry = at(document, "state").entry("score")
    assert entry.signature.parts[1][0].parts[0] == "p"


def test_8_1_a_block_is_a_whole(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "phases:\n  play:\n    after: finish\n")
    assert names(at(document, "phases", "play", "after")) == ["finish"]
    assert names(at(document, "phases", "play")) == ["actions", "after", "stuck"]


def test_8_1_another_form_replaces(tmp_path: Path) -> None:
    base = "types:\n  A: [x, y]\nstate:\n  b[c of Cell]: {type: A, start: {rows: [xy]}}\n"
    document = loaded(tmp_path, base, "types:\n  A: {f: B}\nstate:\n  b: {start: {a1: x}}\n")
    assert names(at(document, "types", "A")) == ["f"]
    assert names(at(document, "state", "b", "start")) == ["a1"]


# ---------------------------------------------------------------------- maps and lists


def test_8_2_drop_takes_out_of_a_map(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "actions:\n  drop: [take]\nphases:\n  play:\n    drop: [stuck]\ndrop: [limit]\n")
    assert names(at(document, "actions")) == ["place"]
    assert names(at(document, "phases", "play")) == ["actions", "after"]
    assert "limit" not in document


def test_8_2_an_action_may_be_called_drop(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "actions:\n  drop: |\n    do: tie\n")
    assert names(at(document, "actions")) == ["place", "take", "drop"]


def test_8_2_a_list_is_replaced_by_a_list(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "phases:\n  play:\n    actions: [take]\nsources: [c]\n")
    assert names(at(document, "phases", "play", "actions")) == ["take"]
    assert names(at(document, "sources")) == ["c"]


def test_8_2_a_list_is_changed_by_add_and_drop(tmp_path: Path) -> None:
    overlay = "phases:\n  play:\n    actions: {add: [pass], drop: [take]}\nsources: {add: [c], drop: [a book]}\n"
    document = loaded(tmp_path, BASE, overlay)
    assert names(at(document, "phases", "play", "actions")) == ["place", "pass"]
    assert names(at(document, "sources")) == ["a site", "c"]


# ---------------------------------------------------------------------- rules and blocks


def test_8_3_a_rule_written_as_a_block_is_replaced(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "actions:\n  place: |\n    do: tie\n")
    assert names(at(document, "actions", "place", "rule")) == ["do"]
    assert names(at(document, "actions", "place")) == ["says", "rule", "write"]


def test_8_3_a_rule_written_as_a_map_is_edited(tmp_path: Path) -> None:
    overlay = """\
actions:
  place:
    rule:
      seven: |
        require d "nor that"
      before seven: |
        require rich: e
      after to: |
        let k = f
        require poor: g
      drop: [six]
"""
    rule = at(loaded(tmp_path, BASE, overlay), "actions", "place", "rule")
    assert names(rule) == ["to", "k", "poor", "rich", "seven", "do", "check"]
    files = [clause.statement.place.file.endswith("over.rules") for clause in rule.clauses]
    assert files == [False, True, True, True, True, False, False]


@pytest.mark.parametrize("effects", ["        do:\n          y := 2\n", "        y := 2\n"])
def test_8_3_do_is_the_whole_do(tmp_path: Path, effects: str) -> None:
    document = loaded(tmp_path, BASE, "actions:\n  place:\n    rule:\n      do: |\n" + effects)
    rule = at(document, "actions", "place", "rule")
    assert names(rule) == ["to", "seven", "six", "do", "check"]
    assert rule.clauses[3].statement.parts[0][0].parts[0].parts[0] == "y"


def test_8_3_first_and_then_stand_before_and_after_a_block(tmp_path: Path) -> None:
    overlay = "phases:\n  play:\n    after:\n      first: go one\n      then: |\n        go two\n        go three\n"
    document = loaded(tmp_path, BASE, overlay)
    assert names(at(document, "phases", "play", "after")) == ["one", "middle", "next_player", "two", "three"]


def test_8_3_clauses_of_one_rule_keep_different_names(tmp_path: Path) -> None:
    overlay = "actions:\n  place:\n    rule:\n      before seven: |\n        require six: e\n"
    assert faults(tmp_path, BASE, overlay)[0][0] == "twice-named"


def test_8_3_the_order_of_clauses_holds_after_merging(tmp_path: Path) -> None:
    overlay = "actions:\n  place:\n    rule:\n      after check: |\n        require late: e\n"
    assert faults(tmp_path, BASE, overlay)[0][0] == "clause-order"


@pytest.mark.parametrize("clause", ["require other: d", "choose seven in Cell\n        choose x in Cell"])
def test_8_3_a_clause_is_replaced_by_one_of_its_name(tmp_path: Path, clause: str) -> None:
    overlay = f"actions:\n  place:\n    rule:\n      seven: |\n        {clause}\n"
    assert faults(tmp_path, BASE, overlay)[0][0] == "wrong-form"


# ---------------------------------------------------------------------- edits of what is not there


@pytest.mark.parametrize(("overlay", "words"), [
    ("actions:\n  drop: [plce]\n", "`plce` in `actions` to change | did you mean `place`?"),
    ("drop: [limits]\n", "`limits` to change | did you mean `limit`?"),
    ("phases:\n  play:\n    actions: {drop: [tke]}\n", "did you mean `take`?"),
    ("phases:\n  play:\n    must: {add: [take]}\n", "no list in `phases: play: must`"),
    ("phases:\n  play:\n    begin: {first: tie}\n", "no block in `phases: play: begin`"),
    ("actions:\n  place:\n    rule: {sven: require a}\n", "did you mean `seven`?"),
    ("actions:\n  place:\n    rule: {before sven: require a}\n", "did you mean `seven`?"),
    ("actions:\n  place:\n    rule: {drop: [sx]}\n", "did you mean `six`?"),
    ("actions:\n  plce:\n    rule: {drop: [six]}\n", "did you mean `place`?"),
    ("options:\n  sevn: {start: 9}\n", "did you mean `seven`?"),
    ("state:\n  scores: {start: 9}\n", "did you mean `score`?"),
    ("end:\n  don: {then: tie}\n", "did you mean `done`?"),
])
def test_8_4_an_edit_of_what_is_not_there(tmp_path: Path, overlay: str, words: str) -> None:
    (code, said), = faults(tmp_path, BASE, overlay)
    assert code == "nothing-to-edit" and words in said


def test_8_4_what_is_dropped_cannot_be_changed(tmp_path: Path) -> None:
    assert faults(tmp_path, BASE, "actions:\n  drop: [take]\n  take: {says: x}\n")


def test_8_4_all_faults_of_both_files_are_told(tmp_path: Path) -> None:
    found = faults(tmp_path, BASE + "rank: a +\n", "drop: [limits]\nresult: a ++\n")
    assert [code for code, _ in found] == ["syntax", "nothing-to-edit", "syntax"]


def test_8_4_what_is_faulty_in_the_base_is_there_to_be_edited(tmp_path: Path) -> None:
    base = BASE.replace("require seven: a", "require seven: a +").replace("stuck: tie", "stuck: tie +")
    overlay = ("actions:\n  place:\n    rule: {seven: require a}\n"
               "phases:\n  play:\n    stuck: {first: tie}\n")
    assert [code for code, _ in faults(tmp_path, base, overlay)] == ["syntax", "syntax"]


# ---------------------------------------------------------------------- variants

VARIANTS = BASE + """\
variants:
  more: {says: more, set: {seven: 9}, not with: [less]}
  less: {says: less, set: {seven: 3}}
  other: {set: {seven: 9}}
  one:
    phases:
      play:
        after: {first: go a1, then: go a2}
        actions: {add: [swap]}
    actions:
      place:
        rule:
          after to: |
            require r1: a
          before six: |
            require s1: a
  two:
    phases:
      play:
        after: {first: go b1, then: go b2}
        actions: {add: [pass], drop: [take]}
    actions:
      place:
        rule:
          after to: |
            require r2: a
          before six: |
            require s2: a
  both:
    when: [one, two]
    limit: {turns: 9}
  block: {phases: {play: {after: finish}}}
  rule: {actions: {place: {rule: "do: tie"}}}
  none: {actions: {drop: [place]}}
"""


def test_8_5_a_variant_sets_options_and_changes_sections(tmp_path: Path) -> None:
    document = loaded(tmp_path, VARIANTS, variants=["more"])
    assert content(at(document, "options", "seven", "start"))[2][2] == (9,)
    assert at(document, "options", "seven", "start").place.line > BASE.count("\n")


def test_8_5_excluded_variants_cannot_be_chosen_together(tmp_path: Path) -> None:
    for order in (["more", "less"], ["less", "more"]):
        (code, said), = faults(tmp_path, VARIANTS, variants=order)
        assert code == "variants-exclude" and "`more` and `less`" in said


def test_8_5_unknown_variants(tmp_path: Path) -> None:
    (code, said), = faults(tmp_path, VARIANTS, variants=["mor"])
    assert code == "unknown-variant" and "did you mean `more`?" in said


def test_8_5_two_variants_may_not_meet_in_a_leaf(tmp_path: Path) -> None:
    (code, said), = faults(tmp_path, VARIANTS, variants=["less", "other"])
    assert code == "variant-conflict" and "`options: seven: start`" in said


def test_8_5_with_the_same_content_they_may(tmp_path: Path) -> None:
    assert not faults(tmp_path, VARIANTS, variants=["more", "other"])


@pytest.mark.parametrize("pair", [["one", "block"], ["one", "rule"], ["one", "none"], ["rule", "none"]])
def test_8_5_what_one_replaces_the_other_may_not_edit(tmp_path: Path, pair: list[str]) -> None:
    assert {code for code, _ in faults(tmp_path, VARIANTS, variants=pair)} == {"variant-conflict"}


@pytest.mark.parametrize("order", [["one", "two"], ["two", "one"]])
def test_8_5_insertions_stand_in_the_order_of_the_file(tmp_path: Path, order: list[str]) -> None:
    document = loaded(tmp_path, VARIANTS, variants=order)
    play = at(document, "phases", "play")
    assert names(at(play, "after")) == ["a1", "b1", "middle", "next_player", "a2", "b2"]
    assert names(at(play, "actions")) == ["place", "swap", "pass"]
    rule = at(document, "actions", "place", "rule")
    assert names(rule) == ["to", "r1", "r2", "seven", "s1", "s2", "six", "do", "check"]


def test_8_5_an_overlay_for_a_pair(tmp_path: Path) -> None:
    alone = at(loaded(tmp_path, VARIANTS, variants=["one"]), "limit", "turns")
    together = at(loaded(tmp_path, VARIANTS, variants=["one", "two"]), "limit", "turns")
    assert (alone.value.parts, together.value.parts) == ((5,), (9,))
    assert faults(tmp_path, VARIANTS, variants=["both"])[0][0] == "unknown-variant"


def test_8_5_an_overlay_for_a_pair_may_settle_their_conflict(tmp_path: Path) -> None:
    text = VARIANTS + "  settled: {when: [one, less], options: {seven: {start: 4}}}\n"
    document = loaded(tmp_path, text, variants=["one", "less"])
    assert content(at(document, "options", "seven", "start"))[2][2] == (4,)


@pytest.mark.parametrize("order", [["other", "less"], ["less", "other"]])
def test_8_5_where_two_meet_an_overlay_for_both_has_the_last_word(tmp_path: Path, order: list[str]) -> None:
    both = "  settled: {when: [less, other], options: {seven: {start: 4}}}\n"
    for text in (VARIANTS + both, VARIANTS.replace("  less:", both + "  less:")):
        document = loaded(tmp_path, text, variants=order)
        assert content(at(document, "options", "seven", "start"))[2][2] == (4,)


def test_8_5_an_overlay_for_both_settles_only_what_it_says(tmp_path: Path) -> None:
    text = VARIANTS + "  settled: {when: [less, other], limit: {turns: 4}}\n"
    (code, _), = faults(tmp_path, text, variants=["less", "other"])
    assert code == "variant-conflict"


def test_8_5_variants_name_options_and_each_other(tmp_path: Path) -> None:
    text = VARIANTS + "  wrong: {set: {sevn: 1}, not with: [mor], when: [oe]}\n"
    assert {code for code, _ in faults(tmp_path, text)} == {"unknown-option", "unknown-variant"}


def test_8_5_extends_overrides_without_complaint(tmp_path: Path) -> None:
    document = loaded(tmp_path, VARIANTS, "options:\n  seven: {start: 5}\n", variants=["less"])
    assert content(at(document, "options", "seven", "start"))[2][2] == (3,)


def test_8_5_a_variant_of_the_base_is_changed_name_by_name(tmp_path: Path) -> None:
    overlay = "variants:\n  more: {set: {seven: 5}}\n  other: {limit: {turns: 9}}\n  three: {says: x}\n"
    document = loaded(tmp_path, VARIANTS, overlay)
    assert names(at(document, "variants", "more")) == ["says", "set", "not with"]
    assert at(document, "variants", "more", "says").value == "more"
    assert names(at(document, "variants"))[-1] == "three"
    chosen = loaded(tmp_path, VARIANTS, overlay, variants=["more"])
    assert content(at(chosen, "options", "seven", "start"))[2][2] == (5,)
    chosen = loaded(tmp_path, VARIANTS, overlay, variants=["other"])
    assert content(at(chosen, "options", "seven", "start"))[2][2] == (9,)
    assert content(at(chosen, "limit", "turns"))[2][2] == (9,)


def test_8_5_the_edits_of_a_variant_stand_behind_those_of_the_base(tmp_path: Path) -> None:
    overlay = ("variants:\n  one:\n    phases: {play: {after: {first: go c1}}}\n"
               "    actions: {place: {rule: {drop: [r1], after to: 'require r3: a'}}}\n").replace("'", '"')
    document = loaded(tmp_path, VARIANTS, overlay, variants=["one"])
    assert names(at(document, "phases", "play", "after"))[:2] == ["a1", "c1"]
    assert "swap" in [leaf.value for leaf in at(document, "phases", "play", "actions").value]
    clauses = [clause.name for clause in at(document, "actions", "place", "rule").clauses]
    assert "r1" not in clauses and "s1" in clauses and "r3" in clauses


def test_8_5_an_extending_file_may_end_a_conflict_of_two_variants(tmp_path: Path) -> None:
    (code, _), = faults(tmp_path, VARIANTS, variants=["less", "other"])
    assert code == "variant-conflict"
    assert not faults(tmp_path, VARIANTS, "variants: {other: {set: {seven: 3}}}\n", variants=["less", "other"])
    edits = "variants:\n  more: {not with: {drop: [less]}, set: {drop: [seven]}}\n"
    assert not faults(tmp_path, VARIANTS, edits, variants=["less", "more"])


def test_8_5_a_variant_that_is_dropped_may_be_written_anew(tmp_path: Path) -> None:
    document = loaded(tmp_path, VARIANTS, "variants:\n  drop: [more, less]\n  more: {says: new}\n")
    assert names(at(document, "variants", "more")) == ["says"] and "less" not in at(document, "variants")


def test_8_5_what_a_variant_says_of_itself_edits_only_what_is_there(tmp_path: Path) -> None:
    (code, said), = faults(tmp_path, BASE + "variants: {a: {not with: {add: [a]}}}\n")
    assert code == "nothing-to-edit" and "no list in `variants: a: not with`" in said


# ---------------------------------------------------------------------- files


def test_8_6_each_clause_keeps_its_file(tmp_path: Path) -> None:
    document = loaded(tmp_path, BASE, "actions:\n  place:\n    rule: {drop: [six]}\n")
    assert all(clause.statement.place.file.endswith("base.rules")
               for clause in at(document, "actions", "place", "rule").clauses)


def test_8_6_no_edits_are_left(tmp_path: Path) -> None:
    assert not edits_in(loaded(tmp_path, VARIANTS, "actions:\n  drop: [take]\n", variants=["one", "two"]))


def test_8_6_three_files_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "top.rules").write_text("extends: over\ngame: Top\n", encoding="utf-8")
    loaded(tmp_path, BASE, "game: Over\nlimit: {turns: 6}\n")
    found = load_document(tmp_path / "top.rules", lambda name: None)
    assert [path.name for path in found.files] == ["top.rules", "over.rules", "base.rules"]
    assert (at(found.document, "game").value, at(found.document, "limit", "turns").value.parts) == ("Top", (6,))
